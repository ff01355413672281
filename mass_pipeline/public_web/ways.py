"""Where to go on from a page of results: other days, the whole town, the towns and parishes to choose from, cities.

No page ends without one. A way that is a search leads to an answer: what finds nothing is answered with the next best.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.searching import Answer
from mass_pipeline.public_web.asking import Question
from mass_pipeline.public_web.site import with_params

_CITIES: Final = 8
_SUNDAY: Final = 6


@dataclass(frozen=True, slots=True)
class Way:
    """A link.

    Attributes:
        kind: key of its words (`without_filters`, `tomorrow`, `sunday`, `whole_day`, `whole_town`), or what `name` is: `town`,
            `parish`, `city`.
        path: its address, without the language.
    """

    kind: str
    path: str
    name: str = ""


def ways(question: Question, answer: Answer, places: Places, today: date) -> list[Way]:
    """The ways on from an answer; towns and parishes to choose from alone where one of them must be chosen first."""
    if question.towns and not question.town and not question.village:
        return [Way("town", with_params("/msze", question.params, miejsce=one.key), one.name) for one in question.towns]
    if question.needs_place and question.parishes:
        return [Way("parish", one.path, f"{one.town}, {one.name}") for one in question.parishes]
    if question.needs_place or not (answer.has_masses or answer.nearby):
        return list(_cities(question, places))
    return list(_further(question, answer, today))


def _cities(question: Question, places: Places) -> Iterator[Way]:
    """The largest cities, of the voivodeship if one is named, with the rest of the question."""
    land = question.interpretation.land if question.interpretation else None
    cities = [town for town in places.largest if land in (None, town.voivodeship)] or places.largest
    fields = {**question.params, "lat": "", "lon": "", "parafia": "", "czesc": ""}
    for town in cities[:_CITIES]:
        yield Way("city", with_params("/msze", fields, miejsce=town.rows[0].town_key), town.name)


def _further(question: Question, answer: Answer, today: date) -> Iterator[Way]:
    """The same without its language or kind where none was found, other days, other hours, the town around."""
    fields, asked = {**question.params, "q": "", "strona": ""}, question.asked
    if asked.filters.are_set and answer.left_out:
        yield Way("without_filters", with_params("/msze", fields, jezyk="", rodzaj="", wozek=""))
    if asked.start or asked.end:
        yield Way("whole_day", with_params("/msze", fields, od="", do=""))
    for kind, day in (("tomorrow", today + timedelta(1)), ("sunday", today + timedelta((_SUNDAY - today.weekday()) % 7))):
        if day not in asked.days and day != today:
            yield Way(kind, with_params("/msze", fields, dzien=day.isoformat()))
    if question.town and (asked.parish_ids or asked.part_ids):
        yield Way("whole_town", with_params("/msze", fields, parafia="", czesc=""))
    if len(question.parishes) == 1:
        yield Way("parish", question.parishes[0].path, question.parishes[0].name)
