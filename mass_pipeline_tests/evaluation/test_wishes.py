"""Wishes are reported by phenomenon, and gate nothing."""

from __future__ import annotations

from pathlib import Path

from mass_pipeline_tests.evaluation.wishes import WISHES, report, wishes

_SCHEDULES = """## lists
> Msze św. w niedziele: 8.00, 10.00
= Su 08:00,10:00

> Msze św. w niedziele: 9.00
= Su 08:00
"""
_ANNOUNCEMENTS = """## one more Mass

@ 2026-11-22 Su 08:00
W niedzielę 29 listopada dodatkowa Msza św. o godz. 9.00.
= added 2026-11-29 09:00
"""


class TestWishes:
    def test_tell_which_are_read_as_meant_by_now(self, tmp_path: Path) -> None:
        (tmp_path / "schedules.txt").write_text(_SCHEDULES, encoding="utf-8")
        (tmp_path / "announcements_of_feasts.txt").write_text(_ANNOUNCEMENTS, encoding="utf-8")

        found = [(wish.file, wish.phenomenon, wish.granted) for wish in wishes(tmp_path)]

        assert sorted(found) == [
            ("announcements_of_feasts.txt", "one more Mass", True),
            ("schedules.txt", "lists", False),
            ("schedules.txt", "lists", True),
        ]
        assert list(report(tmp_path, show=True)) == [
            "[lists] Msze św. w niedziele: 9.00",
            "   1 of    2  schedules.txt: lists",
            "   1 of    1  announcements_of_feasts.txt: one more Mass",
            "   2 of    3  wishes are read as meant",
        ]

    def test_each_has_a_phenomenon_and_a_text(self) -> None:
        texts = [(wish.phenomenon, wish.text) for wish in wishes(WISHES)]

        assert all(phenomenon and text for phenomenon, text in texts)
        assert len(set(texts)) == len(texts)
