"""Hours that nothing says to be in force now: shown struck through with the reason, and in no answer to "when"."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.public_web.cards import why_doubted
from mass_pipeline.public_web.texts import words
from mass_pipeline.publishing.index import _state
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline_tests.finding.made import NOW, parish, row
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

REASON = "The order was said to hold until 2026-06-30."
PAGE = "/parafia/laka-2-swietego-jana-2-p000002"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    folder: Path = tmp_path_factory.mktemp("doubted")
    published(folder, [parish(1), parish(2, state="not_said_current", reason=REASON), parish(3, state="stale")])
    return Visitor(site_over(folder))


class TestNotSaidCurrent:
    def test_its_page_says_so_with_the_reason_and_strikes_the_hours(self, visitor: Visitor) -> None:
        page = visitor.page(PAGE)

        assert "strona nie mówi, że ten porządek teraz obowiązuje" in page
        assert "Porządek był podany jako ważny do 30 czerwca 2026." in page
        assert '<div class="old">' in page
        assert "Najbliższe dni" not in page

    def test_the_search_names_the_parish_without_hours(self, visitor: Visitor) -> None:
        question = "/msze?miejsce=malopolskie/laka-2&dzien=2026-11-29"

        assert "strona nie mówi, że ten porządek teraz obowiązuje" in visitor.page(question)
        assert visitor.hours(question) == []

    def test_another_day_is_promised_only_where_hours_of_it_follow(self, visitor: Visitor, tmp_path: Path) -> None:
        published(tmp_path, [parish(2, state="not_said_current", reason=REASON)])
        alone = Visitor(site_over(tmp_path)).page("/msze?miejsce=malopolskie/laka-2")

        assert "Nie znaleźliśmy Mszy" in alone
        assert "poniżej następny dzień" not in alone
        assert "poniżej następny dzień" not in visitor.page("/msze?miejsce=malopolskie/laka-2")
        assert "Msze w okolicy" in visitor.page("/msze?miejsce=malopolskie/laka-2")

    @pytest.mark.parametrize("number", [2, 3])
    def test_no_machine_is_told_its_hours_as_events(self, visitor: Visitor, number: int) -> None:
        name = f"laka-{number}-swietego-jana-{number}-p00000{number}"
        markup = re.search(r'ld\+json">(.*?)</script>', visitor.page(f"/parafia/{name}"))
        assert markup
        masses = visitor.get(f"/api/v1/masses?parish=p00000{number}&from=2026-11-29T00:00").json()["masses"]

        assert [one["@type"] for one in json.loads(markup[1])["@graph"]] == ["CatholicChurch"]
        assert "VEVENT" not in visitor.get(f"/api/v1/parishes/p00000{number}/calendar.ics").text
        assert masses == []
        assert "<time" not in visitor.page(f"/widget/p00000{number}")
        assert "08:00" not in visitor.page(f"/widget/p00000{number}")


class TestWhy:
    """The tables tell it in English, a page in its own language."""

    @pytest.mark.parametrize(
        ("reason", "pl", "en"),
        [
            (
                "The order was said to hold until 2026-06-30.",
                "Porządek był podany jako ważny do 30 czerwca 2026.",
                "The order was said to hold until 30 June 2026.",
            ),
            (
                "The site states 41 Masses for one day (Mo).",
                "Strona podaje 41 Mszy jednego dnia.",
                "The site states 41 Masses for one day.",
            ),
            ("Its page says: do 31 maja 2024.", "Na stronie stoi: „do 31 maja 2024”.", "The page says: “do 31 maja 2024”."),
            (
                "Hours were read and are not published: its date is over (2017/2018).",
                "Na stronie stoi: „2017/2018”.",
                "The page says: “2017/2018”.",
            ),
            ("Of a reason nobody knows.", "", ""),
        ],
    )
    def test_every_reason_has_a_sentence_in_both_languages(self, reason: str, pl: str, en: str) -> None:
        assert [why_doubted(words(language), reason) for language in ("pl", "en")] == [pl, en]


class TestStateOfTheIndex:
    def test_an_order_that_ends_between_two_readings_is_seen_when_the_index_is_built(self) -> None:
        rows = (row(["Su"], "08:00", valid_to=datetime(2026, 11, 22, tzinfo=UTC).date()),)
        ages = FreshnessConfig()
        late_evening = datetime(2026, 11, 22, 23, 30, tzinfo=UTC)  # already the 23rd in Poland

        assert _state({}, {"state": "fresh"}, rows, NOW, ages)[0] == "fresh"
        assert _state({}, {"state": "fresh"}, rows, late_evening, ages)[0] == "not_said_current"
