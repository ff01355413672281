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
from mass_pipeline.public_web.lines import flag_names
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


@pytest.mark.parametrize("language", ["pl", "en"])
@pytest.mark.parametrize("group", LISTS)
def test_every_word_of_a_list_has_a_text(language: str, group: str) -> None:
    table = tomllib.loads(files("mass_pipeline.public_web").joinpath("texts.toml").read_text(encoding="utf-8"))[language]

    assert set(LISTS[group]) - set(table[group]) == set()


def test_words_that_stand_in_the_source_of_templates_hold_no_marks_of_them() -> None:
    """They are put in before a template is compiled."""
    table = tomllib.loads(files("mass_pipeline.public_web").joinpath("texts.toml").read_text(encoding="utf-8"))

    assert [text for one in table.values() for text in one.values() if isinstance(text, str) and re.search(r"{[{%#]", text)] == []
