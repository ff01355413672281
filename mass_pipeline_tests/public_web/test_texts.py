"""Every word of the closed lists has its text in both languages, so that no page shows a bare key."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.freshness import STATES
from mass_pipeline.finding.inbox import REPORT_KINDS
from mass_pipeline.finding.statements import KINDS, LANGUAGES
from mass_pipeline.model.columns import POSITION_METHODS, WHEELCHAIR
from mass_pipeline.model.records import DAYS, NAMED_SEASONS
from mass_pipeline.public_web.cards import flag_names
from mass_pipeline.public_web.texts import LANGUAGES as TEXTS
from mass_pipeline.public_web.texts import words
from mass_pipeline.schedules.day import Basis

LISTS = {
    "states": STATES,
    "flags": flag_names(~Flag(0)),
    "kinds": KINDS,
    "languages": LANGUAGES,
    "report_kinds": REPORT_KINDS,
    "position_sources": POSITION_METHODS,
    "wheelchair": WHEELCHAIR,
    "seasons": NAMED_SEASONS,
    "order_days": DAYS,
    "basis": get_args(Basis),
    "confidence_words": ("high", "good", "low"),
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("group", LISTS)
def test_every_word_of_a_list_has_a_text(language: str, group: str) -> None:
    assert set(LISTS[group]) - set(words(language)._table[group]) == set()


@pytest.mark.parametrize("language", ["de", "uk"])
def test_a_frame_has_its_own_buttons_days_and_states(language: str) -> None:
    own, english = tomllib.loads(file(language)), tomllib.loads(file("en"))

    assert set(own) <= set(english)
    assert set(english["states"]) == set(own["states"])
    assert {"search", "near_me", "today", "tomorrow", "sunday", "to_calendar", "way", "share", "weekdays", "months"} <= set(own)


@pytest.mark.parametrize("language", TEXTS)
def test_words_that_stand_in_the_source_of_templates_hold_no_marks_of_them(language: str) -> None:
    """They are put in before a template is compiled."""
    table = tomllib.loads(file(language))

    assert [text for text in table.values() if isinstance(text, str) and re.search(r"{[{%#]", text)] == []


def file(language: str) -> str:
    return files("mass_pipeline.public_web").joinpath(f"words/{language}.toml").read_text(encoding="utf-8")
