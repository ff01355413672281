"""One-link confirmation by a parish: tokens the operator makes, and answers that wait for him. No key anywhere.

The site keeps only digests of tokens, so it can check a link and never make one; a link ends with its time, or when its digest
is removed. Opening a link writes nothing, since scanners of mail follow links; only sending the form does.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, get_args

import orjson

from mass_pipeline.finding.inbox import append_line, rewrite_lines, whole_lines, writing
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.model.whole_files import replacing
from mass_pipeline.schedules.rows import ScheduleRow

Says = Literal["in_force", "changed", "leave_out", "no_mail"]
SAYINGS: Final[tuple[Says, ...]] = get_args(Says)
LIFE: Final = timedelta(days=30)
LONGEST_TEXT: Final = 2_000  # characters of a new order in words
_LINKS: Final = "links.json"
_ANSWERS: Final = "answers.jsonl"
_WANTED: Final = "wanted.jsonl"
_MOST_WANTED_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Link:
    """What a token stands for; `order` is the digest of the order it was made for (`order_digest`)."""

    parish_id: str
    order: str
    ends_at: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """That a parish's link shall be sent to the parish; nothing of who asks."""

    parish_id: str
    asked_at: str


@dataclass(frozen=True, slots=True)
class ParishAnswer:
    """What a parish said.

    Attributes:
        digest: names the link it used.
        order: digest of the order that it was shown.
        text: its whole order in its own words, for `changed`; "" when only dates are given.
        hours: ISO date -> all hours of that date, as it wrote them.
    """

    digest: str
    parish_id: str
    order: str
    says: Says
    text: str
    sent_at: str
    hours: Mapping[str, str] = field(default_factory=dict)


def make_link(folder: Path, parish_id: str, order: str, now: datetime) -> str:
    """A new token for a parish, good for 30 days."""
    token = secrets.token_urlsafe(24)
    with writing(folder):
        known = _links(folder)
        known[digest_of(token)] = Link(parish_id, order, (now + LIFE).isoformat())
        alive = {key: asdict(link) for key, link in known.items() if datetime.fromisoformat(link.ends_at) > now}
        with replacing(folder / _LINKS) as aside:
            aside.write_bytes(orjson.dumps(alive, option=orjson.OPT_SORT_KEYS))
    return token


def link_of(folder: Path, token: str, now: datetime) -> Link | None:
    """What a token stands for; None for a foreign, ended or answered one."""
    link = _links(folder).get(digest_of(token))
    if link is None or datetime.fromisoformat(link.ends_at) <= now:
        return None
    return None if answer_by(folder, token) else link


def answer_by(folder: Path, token: str) -> ParishAnswer | None:
    """What was said by a link; None for one that is foreign or not answered yet."""
    digest = digest_of(token)
    return next((one for one in read_answers(folder) if one.digest == digest), None)


def answer(folder: Path, token: str, says: Says, text: str, now: datetime, hours: Mapping[str, str] | None = None) -> bool:
    """Append an answer, once for each link; whether it was taken.

    Args:
        text: a whole order, lines ending at semicolons. hours: see `ParishAnswer`.

    Raises:
        StorageError: the disk refuses.
    """
    with writing(folder):
        link = link_of(folder, token, now)
        if link is None:
            return False
        moment = now.isoformat(timespec="minutes")
        said = ParishAnswer(digest_of(token), link.parish_id, link.order, says, text[:LONGEST_TEXT], moment, hours or {})
        append_line(folder / _ANSWERS, said)
    return True


def read_answers(folder: Path) -> Iterator[ParishAnswer]:
    """All whole answers, oldest first."""
    return whole_lines(folder / _ANSWERS, ParishAnswer)


def want_link(folder: Path, parish_id: str, now: datetime) -> None:
    """Note that somebody asks for a parish's link to be sent to it, once for each parish until the wish is taken.

    Raises:
        StorageError: the disk refuses, or too many wait.
    """
    with writing(folder):
        if parish_id not in {one.parish_id for one in wanted_links(folder)}:
            append_line(folder / _WANTED, Wanted(parish_id, now.isoformat(timespec="minutes")), _MOST_WANTED_BYTES)


def wanted_links(folder: Path) -> Iterator[Wanted]:
    """Wishes for links, oldest first."""
    return whole_lines(folder / _WANTED, Wanted)


def take_wanted(folder: Path) -> list[Wanted]:
    """The wishes for links, which are then gone."""
    with writing(folder):
        found = list(wanted_links(folder))
        (folder / _WANTED).unlink(missing_ok=True)
    return found


def drop_answers(folder: Path, before: datetime) -> None:
    """Remove answers sent before a moment, when their links have ended too; wishes for no mail stay."""
    if any(_is_spent(one, before) for one in read_answers(folder)):
        with writing(folder):
            rewrite_lines(folder / _ANSWERS, (one for one in read_answers(folder) if not _is_spent(one, before)))


def _is_spent(one: ParishAnswer, before: datetime) -> bool:
    return one.says != "no_mail" and datetime.fromisoformat(one.sent_at) < before


def order_digest(parish_id: str, rows: Iterable[ScheduleRow]) -> str:
    """Digest of a standing order: another one as soon as it says something else."""
    return content_id(*sorted(mass_id(parish_id, row) for row in rows if row.exception is None))


def _links(folder: Path) -> dict[str, Link]:
    try:
        found = orjson.loads((folder / _LINKS).read_bytes())
        return {key: Link(**value) for key, value in found.items()}
    except (OSError, orjson.JSONDecodeError, TypeError, AttributeError):
        return {}


def digest_of(token: str) -> str:
    """What the files keep of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
