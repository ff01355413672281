"""What questions to the box are answered: the search follows the reading, and says what it could not give."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from mass_pipeline_tests.finding.made import HORIZON, NOW, WEEK, parish, row
from mass_pipeline_tests.public_web.support import CHRISTMAS, Visitor, published, site_over

CHRISTMAS_EVE = CHRISTMAS.replace(day=24)
MIDNIGHT = parish(
    1,
    [
        row(["Su", "PH"], "09:00"),
        row(WEEK, "18:00"),
        row(["Fr"], "00:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS, quote="Pasterka o północy"),
    ],
    town="Kraków",
)
EVENING = parish(
    2,
    [row(WEEK, "18:00"), row(["Th"], "22:00", exception="added", valid_from=CHRISTMAS_EVE, valid_to=CHRISTMAS_EVE)],
    town="Kraków",
)


def visitor_of(folder: Path, *parishes: object, at: datetime = NOW, **values: object) -> Visitor:
    """Somebody who asks a site over these parishes at a moment."""
    published(folder, parishes, **values)  # type: ignore[arg-type]  # parishes of made.parish
    return Visitor(site_over(folder, at=at))


def asked(visitor: Visitor, question: str) -> list[str]:
    """The hours that a question is answered with."""
    return visitor.hours(f"/msze?q={quote(question)}")


class TestCity:
    def test_its_parts_count_with_it(self, tmp_path: Path) -> None:
        """Directories list the parts of a city as towns; who asks for the city means them too."""
        parts = [parish(number, town=town) for number, town in enumerate(["Kraków-Tyniec", "Kraków Prokocim"], 20)]
        visitor = visitor_of(tmp_path, *(parish(number, town="Kraków") for number in range(10, 16)), *parts)

        assert "znamy porządek 8 z 8 parafii" in visitor.page(f"/msze?q={quote('msza w niedzielę w Krakowie')}")
        assert len(asked(visitor, "msza w niedzielę po 12 w Krakowie")) == 8
        assert [one["place"] for one in visitor.get("/api/v1/places?q=krakow").json()["places"]] == ["malopolskie/krakow"]


class TestChristmasNight:
    @pytest.mark.parametrize(
        "question",
        ["pasterka Kraków", "midnight mass Kraków", "christmas eve midnight mass cracow", "24 grudnia po 20 w Krakowie"],
    )
    def test_a_night_belongs_to_the_evening_before_it(self, tmp_path: Path, question: str) -> None:
        """Midnight Mass of 24 December begins on the 25th by the calendar."""
        visitor = visitor_of(tmp_path, MIDNIGHT, EVENING)

        assert asked(visitor, question) == ["22:00", "00:00"]
        assert "piątek, 25 grudnia" in visitor.page(f"/msze?q={quote(question)}")

    def test_days_that_are_not_laid_out_have_the_same_night(self, tmp_path: Path) -> None:
        visitor = visitor_of(tmp_path, MIDNIGHT, EVENING, horizon=type(HORIZON)(HORIZON.first, 10))

        assert asked(visitor, "pasterka Kraków") == ["22:00", "00:00"]

    def test_at_midnight_is_the_hour_alone(self, tmp_path: Path) -> None:
        assert asked(visitor_of(tmp_path, MIDNIGHT, EVENING), "pasterka o północy Kraków") == ["00:00"]

    def test_in_the_night_itself_it_is_still_to_come(self, tmp_path: Path) -> None:
        late = datetime(2026, 12, 24, 22, 30, tzinfo=UTC)

        assert asked(visitor_of(tmp_path, MIDNIGHT, EVENING, at=late, built_at=late), "pasterka Kraków")[-1] == "00:00"
