"""Summaries in words."""

from __future__ import annotations

from mass_pipeline.model.records import Mass
from mass_pipeline.reading.formats.summary import summarize

SCHEDULE = [
    Mass(("Mo", "Tu", "We", "Th", "Fr", "Sa"), "18:00"),
    Mass(("Su", "PH"), "08:00"),
    Mass(("Su", "PH"), "20:00", "vacation", place="kaplica"),
    Mass(("Fr",), "16:30", nth=(1,)),
]


class TestSummary:
    def test_in_polish(self) -> None:
        assert summarize(SCHEDULE) == (
            "niedziele i święta: 8:00, 20:00 (kaplica; w wakacje)\ndni powszednie: 18:00\npiątek: 16:30 (I w miesiącu)"
        )

    def test_in_english(self) -> None:
        assert "weekdays: 18:00" in summarize(SCHEDULE, "en")

    def test_nothing(self) -> None:
        assert summarize([]) == "brak danych"
