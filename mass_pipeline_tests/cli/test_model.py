"""`mass-pipeline model`: what is kept, what is in use, and the way back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from mass_pipeline.cli.model import model as command
from mass_pipeline.learning.bundled import bundled_model
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.registry import Registry
from mass_pipeline.model.errors import UsageError


@pytest.fixture
def kept(tmp_path: Path) -> list[str]:
    """Two promoted models: the shipped one, and one with another threshold."""
    shipped = bundled_model()
    assert shipped is not None
    other = Trained(
        shipped.columns, shipped.network, shipped.mass_calibration, shipped.standing_calibration, 0.77, shipped.mass_threshold
    )
    registry = Registry.of(tmp_path)
    ids = [registry.add(one, [{"question": "standing", "f1": 0.9}]).model_id for one in (shipped, other)]
    for model_id in ids:
        registry.promote(model_id)
    return ids


def run(tmp_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), env={"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)})


class TestModels:
    def test_the_list_marks_the_one_in_use(self, tmp_path: Path, kept: list[str]) -> None:
        lines = run(tmp_path, "list").stdout.splitlines()

        assert len(lines) == 2
        assert [line[2:18] for line in lines if line.startswith("*")] == [kept[1]]
        assert all("standing F1 0.9000" in line for line in lines)

    def test_one_command_goes_back(self, tmp_path: Path, kept: list[str]) -> None:
        result = run(tmp_path, "rollback")

        assert result.exit_code == 0
        assert Registry.of(tmp_path).champion_id() == kept[0]
        assert np.isclose(Registry.of(tmp_path).champion().threshold, bundled_model().threshold)

    def test_going_back_too_far_is_told(self, tmp_path: Path, kept: list[str]) -> None:
        run(tmp_path, "rollback")

        assert isinstance(run(tmp_path, "rollback").exception, UsageError)

    def test_a_kept_model_can_be_promoted_by_name(self, tmp_path: Path, kept: list[str]) -> None:
        run(tmp_path, "promote", kept[0])

        assert Registry.of(tmp_path).champion_id() == kept[0]

    def test_the_card_is_json(self, tmp_path: Path) -> None:
        card = json.loads(run(tmp_path, "show").stdout)

        assert card["model_id"] == bundled_model().model_id

    def test_an_unknown_name_is_told(self, tmp_path: Path, kept: list[str]) -> None:
        error = run(tmp_path, "show", "0" * 16).exception

        assert isinstance(error, UsageError)
        assert kept[0] in str(error)
