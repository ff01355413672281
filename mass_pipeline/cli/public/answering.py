"""One question answered from the index in force, without a server: what `make demo` ends with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.datastructures import QueryParams

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.searching import search
from mass_pipeline.public_web.asking import read_question
from mass_pipeline.public_web.params import Params
from mass_pipeline.public_web.site import make_site
from mass_pipeline.public_web.texts import words
from mass_pipeline.publishing.generations import library_of
from mass_pipeline.resources.operation import OperationConfig

if TYPE_CHECKING:
    from mass_pipeline.finding.index.records import Found
    from mass_pipeline.public_web.site import Site
    from mass_pipeline.resources.settings import Settings

DEMO_QUESTION: Final = "msza w niedzielę po 9 w Starzynach"


def site_of_settings(settings: Settings) -> Site:
    """The site over the index in force, for questions put without a server; it takes no reports."""
    operation = settings.section(OperationConfig)
    return make_site(library_of(settings), settings.section(PublicConfig), operation.clock(), Path())


def answer_lines(site: Site, question: str) -> Iterator[str]:
    """Lines of the answer: hour, parish, and the words it rests on; a line that says what of the question it leaves out."""
    with site.reading() as (index, connection):
        params = Params.of(QueryParams({"q": question}))
        asked = read_question(params, index, connection, site.places(index, connection), site.now()).asked
        answer = search(index, connection, asked, site.now())
    say = words("en")
    if answer.left_out:
        yield f"{say('next_best')} {', '.join(say.named('left_out', one) for one in answer.left_out)}."
    yield from (_line(one) for one in (*answer.exact, *answer.about))
    if not answer.has_masses:
        yield say("nothing_found")


def _line(one: Found) -> str:
    say, row = words("en"), one.mass.row
    checked = say("read_on", day=say.moment_day(row.checked_at or row.fetched_at))
    return f"{one.start:%a %d %b %H:%M}  {one.parish.name}, {one.parish.town}: “{row.quote}” ({one.mass.host}, {checked})"
