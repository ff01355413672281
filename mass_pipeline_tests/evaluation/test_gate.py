"""The quality gate: readings do not get worse unnoticed, and the tools around it tell the truth."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from mass_pipeline_tests.evaluation import gate
from mass_pipeline_tests.evaluation.accept import accept
from mass_pipeline_tests.evaluation.reading import read_record
from mass_pipeline_tests.evaluation.run import evaluate
from mass_pipeline_tests.evaluation.scoring import VIEWS, compare, total
from mass_pipeline_tests.evaluation.sets import (
    GOLDEN,
    OWN_SETS,
    SHARED_SETS,
    golden_record,
    load_set,
)
from mass_pipeline_tests.shared import shared_folder

# Pages of which the reading is known to differ from what a person reads there; each entry says why.
KNOWN_MISREADINGS: dict[str, str] = {}

GOLDEN_PAGES = sorted(path.parent.name for path in GOLDEN.glob("*/meta.json"))


class TestGoldenPages:
    @pytest.mark.parametrize("name", GOLDEN_PAGES)
    def test_is_read_as_a_person_reads_it(self, name: str, request: pytest.FixtureRequest) -> None:
        """Each page shows one phenomenon; every view, seasons and ordinals included, must be right."""
        if name in KNOWN_MISREADINGS:
            request.applymarker(pytest.mark.xfail(reason=KNOWN_MISREADINGS[name], strict=True))
        record = golden_record(GOLDEN / name)
        reading = read_record(record)

        differences = [compare(record.masses or (), reading.masses, view) for view in VIEWS]

        assert [set(), set()] == [
            set().union(*(difference.misses for difference in differences)),
            set().union(*(difference.extras for difference in differences)),
        ]

    def test_cover_the_forty_phenomena(self) -> None:
        assert {f"{number:02d}" for number in range(1, 41)} <= {name.split("-")[0] for name in GOLDEN_PAGES}


@pytest.mark.row("P15")
class TestFloors:
    @pytest.mark.parametrize("name", OWN_SETS)
    def test_hold_on_the_projects_own_sets(self, name: str) -> None:
        self._check(name)

    @pytest.mark.shared
    @pytest.mark.soak
    @pytest.mark.parametrize("name", SHARED_SETS)
    def test_hold_on_the_labelled_real_pages(self, name: str) -> None:
        shared_folder("gold", f"{name}.jsonl")
        self._check(name)

    def _check(self, name: str) -> None:
        labelled = load_set(name)
        assert labelled is not None
        result = evaluate(labelled)

        assert gate.faults(name, labelled.fingerprint, result.figures, gate.load_floors()) == []

    def test_a_figure_below_its_floor_is_named(self) -> None:
        floors = gate.pin("x", "hash", {"week F1": 0.9}, {}, allow_regression=False, changelog="")

        assert gate.faults("x", "hash", {"week F1": 0.9}, floors) == []
        assert "week F1 is 0.8000" in gate.faults("x", "hash", {"week F1": 0.8}, floors)[0]
        assert "changed" in gate.faults("x", "other", {"week F1": 1.0}, floors)[0]
        assert "no floors" in gate.faults("y", "hash", {}, floors)[0]

    def test_a_count_above_its_ceiling_is_named(self) -> None:
        floors = gate.pin("x", "hash", {"withheld rows": 3.0}, {}, allow_regression=False, changelog="")

        assert gate.faults("x", "hash", {"withheld rows": 2.0}, floors) == []
        assert "withheld rows is 4.0000, above its ceiling" in gate.faults("x", "hash", {"withheld rows": 4.0}, floors)[0]

    def test_lowering_needs_the_flag_and_a_changelog_line(self) -> None:
        floors = gate.pin("sites", "hash", {"week F1": 0.9}, {}, allow_regression=False, changelog="")

        with pytest.raises(ValueError, match="allow-regression"):
            gate.pin("sites", "hash", {"week F1": 0.8}, floors, allow_regression=False, changelog="quality floor of sites")
        with pytest.raises(ValueError, match=r"CHANGELOG\.md"):
            gate.pin("sites", "hash", {"week F1": 0.8}, floors, allow_regression=True, changelog="nothing")
        lowered = gate.pin(
            "sites", "new", {"week F1": 0.8}, floors, allow_regression=True, changelog="- Quality floor of sites: why"
        )
        assert gate.faults("sites", "new", {"week F1": 0.8}, lowered) == []


class TestScoring:
    @pytest.mark.shared
    def test_agrees_with_the_public_scorer(self) -> None:
        public = _public_scorer(shared_folder("gold", "score.py"))
        labelled = load_set("strings")
        assert labelled is not None
        gold = {r.id: {"masses": r.masses} for r in labelled.records}
        # Readings of other records make every kind of fault.
        shifted = dict(zip(gold, [*list(gold.values())[1:], {"masses": []}], strict=True))
        for view in VIEWS:
            theirs, _ = public.score(gold, shifted, view)
            ours = total([compare(gold[k]["masses"] or (), shifted[k]["masses"] or (), view) for k in gold], view)

            assert (theirs["precision"], theirs["recall"], theirs["f1"], theirs["perfect"], theirs["records"]) == (
                round(ours.precision, 4),
                round(ours.recall, 4),
                round(ours.f1, 4),
                round(ours.perfect_share, 4),
                ours.records,
            )


class TestAccept:
    def test_writes_the_present_reading_and_tells_what_changed(self, tmp_path: Path) -> None:
        folder = tmp_path / "01-comma-list"
        shutil.copytree(GOLDEN / "01-comma-list", folder)
        (folder / "expected.json").write_text('{"masses": []}', "utf-8")

        changed = accept(folder)

        assert any('"07:30"' in line for line in changed)
        assert json.loads((folder / "expected.json").read_text("utf-8"))["masses"]
        assert accept(folder) == []


def _public_scorer(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("public_scorer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
