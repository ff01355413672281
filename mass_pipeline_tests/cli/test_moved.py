"""Commands of earlier versions name their successors."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from mass_pipeline.cli import COMMANDS, MOVED, cli


@pytest.mark.parametrize("name", MOVED)
def test_a_command_that_moved_names_the_present_one(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])

    assert result.exit_code == 2
    assert f"`{name}` is `mass-pipeline lab {name}` now." in result.output
    assert name not in COMMANDS
