"""Announcements made to hurt: sentences and lines that go on with what was said before, again and again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mass_pipeline_tests.hostile.repeated import Maker, repeated

CHANGES: Final[Mapping[str, Maker]] = {
    "no Mass, sentences": repeated("Nie ma Mszy codziennie. "),
    "no Mass, lines": repeated("nie ma\n"),
    "these days, sentences": repeated("W tych dniach Msze o {h}.00. "),
    "days, lines": repeated("Poniedziałek:\n8.00 Msza\n"),
    "one day, lines": repeated("Niedziela:\n"),
    "moved, sentences": repeated("Msza przeniesiona z 7.00 na {h}.{m}. "),
    "Masses and others": repeated("Msza i różaniec o {h}.{m}, po niej nabożeństwo, "),
    "Mass after Mass": repeated("W środę msza nabożeństwo "),
    "retreat, lines": repeated("Rekolekcje 10-15 grudnia\nPoniedziałek: Msza {h}.00\n"),
}
_HEAD: Final = "<html><head><title>Ogłoszenia parafialne</title></head><body><div><h1>Ogłoszenia parafialne</h1>"
ARTICLES: Final[Mapping[str, Maker]] = {
    "day, broken lines": repeated("Niedziela:<br>", _HEAD),
    "Mass, broken lines": repeated("Msza o {h}.00<br>", _HEAD),
    "days, paragraphs": repeated("<p>Poniedziałek {i}.11: Msza o {h}.00 i jeszcze coś</p>", _HEAD),
    "blocks in blocks": repeated("<div>Msza: <br>", _HEAD),
    "links in blocks in blocks": repeated("<div>Msza <a href=/{i}>{i}</a>", _HEAD),
    "letter, broken lines": repeated("a<br>", _HEAD),
}
