"""Lines of Masses on a page. Put together here, not in a template: they are most of a page, and templates took half its time.

Every text goes through `escape`; nothing but markup written here is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from html import escape as _quoted
from typing import Final

from markupsafe import Markup

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, MassRecord
from mass_pipeline.model.identifiers import fold
from mass_pipeline.public_web.texts import ZONE, Words

_SURELY_SAME_DAY: Final = 21  # hours UTC before which the day in Poland is the same
_STEM: Final = 5  # letters of a word that its forms share
_SILENT: Final = Flag.OTHER_PLACE | Flag.CANCELLED


@lru_cache(maxsize=8_192)
def escape(text: str) -> str:
    """Text as it may stand in markup and in attributes.

    >>> escape('<q a="b">')
    '&lt;q a=&quot;b&quot;&gt;'
    """
    return _quoted(text)


@lru_cache(maxsize=512)
def flag_names(flags: Flag) -> tuple[str, ...]:
    """Names of what must be said beside an hour, in their order."""
    return tuple(one.name for one in Flag if one in flags and one not in _SILENT and one.name)


def remarks(t: Words, flags: Flag) -> tuple[str, ...]:
    """What must be said beside an hour, in sentences."""
    return tuple(t.named("flags", name) for name in flag_names(flags))


def legend(t: Words, days: Iterable[DayOfParish]) -> list[tuple[str, str]]:
    """What the asterisk in a table of days means: sentences, each with its days."""
    found: dict[str, dict[str, None]] = {}
    for day in days:
        for one in day.masses:
            for sentence in remarks(t, one.flags):
                found.setdefault(sentence, {})[short_day(one.start.date())] = None
    return [(sentence, ", ".join(named)) for sentence, named in found.items()]


def short_day(day: date) -> str:
    """Day and month in figures.

    >>> short_day(date(2026, 12, 6))
    '6.12'
    """
    return f"{day.day}.{day.month:02d}"


def minutes_until(start: datetime, now: datetime) -> int:
    """Whole minutes from now to a start, both local wall clock."""
    return int((start - now).total_seconds() // 60)


def said(t: Words, mass: MassRecord) -> Markup:
    """The words a Mass was read from: their source, the day they were checked, and how sure the reading is."""
    return Markup(_said(t, mass))  # noqa: S704 - every text is escaped


def hits(t: Words, root: str, found: Iterable[Found], now: datetime, with_day: bool, level: int = 3) -> Markup:
    """Masses of a list.

    Args:
        t: words of the page's language. root: "/en" or "".
        found: the Masses. now: local wall clock.
        with_day: whether the list holds several days. level: of the headings.
    """
    return Markup("".join(_hit(t, root, one, now, with_day, level) for one in found))  # noqa: S704 - every text is escaped


def _hit(t: Words, root: str, one: Found, now: datetime, with_day: bool, level: int) -> str:
    start, day = one.start, one.start.date()
    shown = f'<span class="soft">{escape(t.weekday(day))} {start.day}.{start.month:02d}</span>' if with_day else ""
    soon = t.begins_in(minutes_until(start, now))
    written = start.isoformat()
    return (
        f'<li class="mass">\n<p class="hour"><time datetime="{written}">{written[11:16]}</time>{shown}'
        f"{_soft(soon)}</p>\n<div>\n"
        f'<h{level} class="title"><a href="{root}{_quoted(one.parish.path)}/{written[:10]}">{escape(one.parish.name)}</a>'
        f"</h{level}>\n"
        f'<p class="where">{_where(t, one)}</p>\n<p class="marks">{_marks(t, one)}</p>\n{_said(t, one.mass)}</div></li>\n'
    )


def _soft(text: str) -> str:
    return f'<span class="soft">{escape(text)}</span>' if text else ""


def _said(t: Words, mass: MassRecord) -> str:
    row = mass.row
    link, checked = mass.link, row.checked_at or row.fetched_at
    source = f' – <a href="{_quoted(link)}" rel="noopener nofollow noreferrer">{_quoted(mass.host)}</a>' if link else ""
    day = _read_on(t, checked.date() if checked.hour < _SURELY_SAME_DAY else checked.astimezone(ZONE).date()) if checked else ""
    sure = f"{_sure(t, mass.confidence_word)} ({t.decimal(row.confidence, 2)})"
    return f'{_says(t)}<q lang="pl">{_quoted(row.quote)}</q>{source}{day}{sure}</p>\n'


@lru_cache(maxsize=8)
def _says(t: Words) -> str:
    return f'<p class="said">{escape(t("says"))}: '


@lru_cache(maxsize=512)
def _read_on(t: Words, day: date) -> str:
    return f", {escape(t('read_on', day=t.day(day)))}"


@lru_cache(maxsize=32)
def _sure(t: Words, word: str) -> str:
    return f'; {escape(t("confidence"))}: <span class="sure {word}">{escape(t.named("confidence_words", word))}</span>'


def _where(t: Words, one: Found) -> str:
    mass = one.mass.row.mass
    parts = [escape(one.parish.town or t("no_town"))]
    if one.distance_m is not None:
        parts.append(f", {escape(t.distance(one.distance_m, one.parish.precision_m))}")
    if mass.place:
        parts.append(f"; {escape(t('at_place', place=mass.place))}")
    if mass.note:
        parts.append(f'; <span lang="pl">{escape(mass.note)}</span>')
    return "".join(parts)


@lru_cache(maxsize=1024)
def _is_in(text: str, note: str) -> bool:
    """Whether the parish's own words beside the hour say it already: "dla dzieci" and "z udziałem dzieci".

    >>> _is_in("dla młodzieży", "młodzieżowa"), _is_in("angielski", "po angielsku"), _is_in("English", "po angielsku")
    (True, True, False)
    """
    words = [word for word in fold(text).split() if len(word) >= _STEM]
    return any(word[:_STEM] in fold(note) for word in words[-1:])


def _marks(t: Words, one: Found) -> str:
    mass, parish = one.mass, one.parish
    if not (one.flags or mass.language or mass.kinds or parish.wheelchair or parish.state == "aging"):
        return ""
    found = [("flag", text) for text in remarks(t, one.flags)]
    stated = [t.named("languages", mass.language)] if mass.language else []
    stated += [t.named("kinds", kind) for kind in mass.kinds]
    found += [("tag", text) for text in stated if not _is_in(text, mass.row.mass.note)]
    if parish.wheelchair in ("yes", "limited"):
        found.append(("tag", f"{t('wheelchair_only')}: {t.named('wheelchair', parish.wheelchair)}"))
    if parish.state == "aging":
        found.append(("flag", t.named("states", "aging")))
    return " ".join(f'<span class="{kind}">{escape(text)}</span>' for kind, text in found)
