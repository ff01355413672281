"""The shipped model: there, small, honest about its origin, and better than chance on what everybody agrees about."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.laboratory.classifier_rivals import cross_validated, table_of
from mass_pipeline.laboratory.pretraining import CONFIG, SEED, demo_sites, labelled_rows, shipped_digest
from mass_pipeline.learning.bundled import PRETRAINED, bundled_model, load_model
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.promotion import canary_share
from mass_pipeline.learning.registry import Registry
from mass_pipeline.learning.schema import frame_of, standing_probability
from mass_pipeline.learning.storage import MODEL_FILE
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.hours import JudgedHour, with_classifier
from mass_pipeline_tests.measured import measured_table
from mass_pipeline_tests.shared import ROOT

_LARGEST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def shipped() -> Trained:
    """The model of the package."""
    found = bundled_model()
    assert found is not None
    return found


def decisions(markup: str, **states: bool) -> list[JudgedHour]:
    """Hours of a page, all undecided (or as told)."""
    document = read_document(markup, content_type="text/html")
    state = {"is_mass": False, "is_open": True, **states}
    return [JudgedHour(hour, state["is_mass"], 0.2, state["is_open"]) for hour in find_candidates(document, parish_id="p")]


class TestShippedModel:
    def test_it_is_small(self) -> None:
        path = ROOT / "mass_pipeline" / "learning" / PRETRAINED / MODEL_FILE

        assert path.stat().st_size < _LARGEST_BYTES

    @pytest.mark.soak  # reads all demo sites and phrases
    def test_it_was_trained_on_what_the_source_makes_today(self, shipped: Trained) -> None:
        """`make pretrain` trains it anew."""
        rows = labelled_rows(demo_sites(), CONFIG)

        assert shipped.card["trained_on_digest"] == shipped_digest(rows, SEED, CONFIG)

    def test_its_card_says_what_it_was_trained_on(self, shipped: Trained) -> None:
        assert "no page of a real parish" in str(shipped.card["trained_on"])
        assert "standing" in shipped.card["measured_on_unseen_demo_sites"]  # type: ignore[operator]

    def test_the_canary_hours_are_right(self, shipped: Trained) -> None:
        assert canary_share(shipped) >= 0.95

    def test_it_is_used_until_the_operator_has_one(self, shipped: Trained, model: Trained, tmp_path: Path) -> None:
        before = load_model(tmp_path)
        registry = Registry.of(tmp_path)
        registry.promote(registry.add(model).model_id)

        assert before is not None
        assert before.model_id == shipped.model_id
        assert load_model(tmp_path).model_id == registry.champion_id()
        assert load_model(None).model_id == shipped.model_id

    @pytest.mark.parametrize(
        ("line", "is_mass"),
        [
            ("Niedziele i święta: 8.00, 10.00, 12.00", True),
            ("W dni powszednie Msza św. o 18:00", True),
            ("Kancelaria: 16.00–17.30", False),
            ("Spowiedź w pierwsze piątki od 16:30", False),
            ("We wtorek 12 maja o 18:00 Msza św. za zmarłych", False),
            # Right below a Sunday list, under its heading, and with nothing after it:
            ("Próba chóru w piątek o 19.00", False),
            ("Różaniec codziennie o 17:30", False),
            ("Koronka w środy o 15.00", False),
            ("Zbiórka ministrantów w soboty 9.30", False),
            ("W sobotę o 18.00", True),
            ("Msza św. dla dzieci w piątek o 17.00", True),
        ],
    )
    def test_plain_cases(self, shipped: Trained, line: str, is_mass: bool) -> None:
        document = read_document(f"<h2>Msze święte</h2><p>Niedziele: 7.30, 9.00</p><p>{line}</p>", content_type="text/html")
        hours = find_candidates(document, parish_id="p", page_score=0.9)[2:]
        chances = standing_probability(shipped.predict_proba(frame_of(hours)))

        assert [is_mass] * len(hours) == list(chances >= 0.5)


@pytest.mark.row("P17")
class TestFiguresOfThePage:
    @pytest.mark.soak
    def test_are_those_of_the_command(self) -> None:
        """`mass-pipeline lab classifier`, three minutes of CPU."""
        answers = cross_validated(labelled_rows(demo_sites(), CONFIG), seed=SEED, config=CONFIG, folds=3)

        assert measured_table("classifier.md", "lab classifier") == list(table_of(answers))

    def test_say_first_where_the_network_is_behind(self) -> None:
        f1 = {
            row.split(" | ")[0].strip("| "): float(row.split(" | ")[3])
            for row in measured_table("classifier.md", "lab classifier")[2:]
        }
        first = (ROOT / "docs" / "classifier.md").read_text("utf-8").splitlines()[1]

        assert f1["network"] > f1["2018 set-up"]
        assert f1["network"] > f1["rules alone"] or "not ahead of the rules" in first


class TestOpenHours:
    SCHEDULE = "<h2>Msze święte</h2><p>Niedziele: 8.00, 10.00</p><p>Kancelaria: 16.00–17.30</p>"

    def test_open_hours_are_decided(self, shipped: Trained) -> None:
        [page] = with_classifier([decisions(self.SCHEDULE)], shipped)

        assert [d.is_mass for d in page] == [True, True, False, False]

    def test_what_the_rules_know_stays(self, shipped: Trained) -> None:
        [known, accepted] = with_classifier(
            [decisions(self.SCHEDULE, is_open=False), decisions(self.SCHEDULE, is_mass=True, is_open=False)], shipped
        )

        assert not any(d.is_mass for d in known)
        assert all(d.is_mass for d in accepted)

    def test_a_page_with_times_the_schedule_does_not_know_is_not_believed(self, shipped: Trained) -> None:
        """A list of neighbouring parishes looks like a schedule, and is one: another's."""
        own = decisions("<h2>Msze święte</h2><p>Niedziele: 7.00, 9.00</p>", is_mass=True, is_open=False)
        other = decisions("<h2>Msze święte</h2><p>Niedziele: 7.00, 8.30, 10.30</p>")

        [_, page] = with_classifier([own, other], shipped)

        assert not any(d.is_mass for d in page)

    def test_a_site_without_hours(self, shipped: Trained) -> None:
        assert with_classifier([[], []], shipped) == [[], []]
