"""One-link confirmation by a parish: tokens the operator makes, and answers that wait for him. No key anywhere.

The site keeps only digests of tokens, so it can check a link and never make one; a link ends with its time, or when its digest
is removed. Opening a link writes nothing, since scanners of mail follow links; only sending the form does.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, get_args

import orjson

from mass_pipeline.finding.inbox import append_line, whole_lines
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.model.identifiers import content_id, one_line
from mass_pipeline.model.whole_files import replacing
from mass_pipeline.schedules.rows import ScheduleRow

Says = Literal["in_force", "changed", "leave_out"]
SAYINGS: Final[tuple[Says, ...]] = get_args(Says)
LIFE: Final = timedelta(days=30)
LONGEST_TEXT: Final = 2_000  # characters of a new order in words
_LINKS: Final = "links.json"
_ANSWERS: Final = "answers.jsonl"
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Link:
    """What a token stands for; `order` is the digest of the order it was made for (`order_digest`)."""

    parish_id: str
    order: str
    ends_at: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a parish said; `digest` names the link it used."""

    digest: str
    parish_id: str
    order: str
    says: Says
    text: str
    sent_at: str


def make_link(folder: Path, parish_id: str, order: str, now: datetime) -> str:
    """A new token for a parish, good for 30 days."""
    folder.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(24)
    known = _links(folder)
    known[_digest(token)] = Link(parish_id, order, (now + LIFE).isoformat())
    alive = {key: asdict(link) for key, link in known.items() if datetime.fromisoformat(link.ends_at) > now}
    with replacing(folder / _LINKS) as aside:
        aside.write_bytes(orjson.dumps(alive, option=orjson.OPT_SORT_KEYS))
    return token


def link_of(folder: Path, token: str, now: datetime) -> Link | None:
    """What a token stands for; None for a foreign, ended or answered one."""
    digest = _digest(token)
    link = _links(folder).get(digest)
    if link is None or datetime.fromisoformat(link.ends_at) <= now:
        return None
    return None if any(one.digest == digest for one in read_answers(folder)) else link


def answer(folder: Path, token: str, says: Says, text: str, now: datetime) -> bool:
    """Append an answer, once for each link; whether it was taken.

    Raises:
        StorageError: the disk refuses.
    """
    with _LOCK:
        link = link_of(folder, token, now)
        if link is None:
            return False
        said = Answer(
            _digest(token), link.parish_id, link.order, says, one_line(text[:LONGEST_TEXT]), now.isoformat(timespec="minutes")
        )
        append_line(folder / _ANSWERS, said)
    return True


def read_answers(folder: Path) -> Iterator[Answer]:
    """All whole answers, oldest first."""
    return whole_lines(folder / _ANSWERS, Answer)


def order_digest(parish_id: str, rows: Iterable[ScheduleRow]) -> str:
    """Digest of a standing order: another one as soon as it says something else."""
    return content_id(*sorted(mass_id(parish_id, row) for row in rows if row.exception is None))


def _links(folder: Path) -> dict[str, Link]:
    try:
        found = orjson.loads((folder / _LINKS).read_bytes())
        return {key: Link(**value) for key, value in found.items()}
    except (OSError, orjson.JSONDecodeError, TypeError, AttributeError):
        return {}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
