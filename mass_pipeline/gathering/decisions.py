"""What look-ups leave in the state file, so that a run resumes where it stopped and nothing is paid for twice.

Answers of Places under its storage rules: place_id stays, everything else has a date of removal (docs/terms.md). There is no slot
for any other field than those of `Place`, and none of them but place_id lies outside the `content` column, which `sweep` empties.
A decision holds for one fingerprint: the parish's row, its other candidates and the policy. When one of them changes, or the site
has been dead for some runs, the parish is looked up again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.ports import Place
from mass_pipeline.gathering.state import ANSWERS, DECISIONS, DiscoveryState, put
from mass_pipeline.model.identifiers import ParishId, content_id

log = logging.getLogger(__name__)

_ALIVE: Final = frozenset({"ok", "not_modified", "truncated", "noindex"})
_DEAD: Final = frozenset(
    {"dns_error", "refused", "timeout", "tls_error", "protocol_error", "http_4xx", "http_5xx", "gone", "bad_url", "error"}
)


def find_decision(state: DiscoveryState, parish_id: ParishId, fingerprint: str, dead_runs_limit: int) -> ParishUrl | None:
    """The decided row, None when there is none that still holds. One that a disk has changed is removed: a letter of a URL
    that flips is another site."""
    rows = state.rows(_valid(parish_id, fingerprint, dead_runs_limit))
    found = _unpacked(str(rows[0][0])) if rows else None
    if rows and found is None:
        log.error("decision.damaged parish_id=%s: it is looked up again", parish_id)
        with state.transaction() as connection:
            connection.execute(sa.delete(DECISIONS).where(DECISIONS.c.parish_id == parish_id))
    return found


def _valid(parish_id: ParishId, fingerprint: str, dead_runs_limit: int) -> sa.Select[Any]:
    same = (DECISIONS.c.parish_id == parish_id) & (DECISIONS.c.fingerprint == fingerprint)
    return sa.select(DECISIONS.c.result).where(same, DECISIONS.c.dead_runs < dead_runs_limit)


def _unpacked(kept: str) -> ParishUrl | None:
    """The row, None when it is not what was kept; rows of earlier versions have no digest."""
    digest, text = ("", kept) if kept.startswith("{") else kept.partition(" ")[::2]
    try:
        return ParishUrl.from_json(text) if digest in ("", content_id(text)) else None
    except (ValueError, LookupError, TypeError):
        return None


def is_decided(connection: sa.Connection, parish_id: ParishId, fingerprint: str, dead_runs_limit: int) -> bool:
    """Whether `find_decision` would find one, inside the caller's transaction."""
    return connection.execute(_valid(parish_id, fingerprint, dead_runs_limit)).first() is not None


def store_decision(
    state: DiscoveryState,
    row: ParishUrl,
    fingerprint: str,
    now: datetime,
    *,
    valid_until: datetime | None = None,
    served: Iterable[str] = (),
) -> None:
    """Keep a decided row; it replaces the parish's earlier one.

    Args:
        valid_until: when the row must go, because it holds unverified Places content or a site did not answer; None: never.
        served: questions whose answers have served their purpose: their content is removed in the same transaction.
    """
    text = row.to_json()  # kept behind its digest
    values = {
        "parish_id": row.parish_id, "fingerprint": fingerprint, "decided_at": now.timestamp(), "dead_runs": 0,
        "valid_until": valid_until.timestamp() if valid_until else None, "result": f"{content_id(text)} {text}",
    }  # fmt: skip
    with state.transaction() as connection:
        put(connection, DECISIONS, values)
        remove_content(connection, served)


def record_crawl(state: DiscoveryState, outcomes: Mapping[ParishId, str]) -> None:
    """Note which sites gave a page and which are dead, by the outcome of their start page.

    Args:
        outcomes: parish -> one of `model.columns.OUTCOMES`; what says nothing about life (deferred, robots) changes nothing.
    """
    alive = [parish_id for parish_id, outcome in outcomes.items() if outcome in _ALIVE]
    dead = [parish_id for parish_id, outcome in outcomes.items() if outcome in _DEAD]
    record_liveness(state, alive, dead)


def record_liveness(state: DiscoveryState, alive: Iterable[ParishId], dead: Iterable[ParishId]) -> None:
    """Count runs in a row in which a parish's site gave no page; one page resets the count.

    Args:
        alive: parishes whose site gave at least one page in this run.
        dead: parishes whose site gave none.
    """
    with state.transaction() as connection:
        for keys, runs in ((alive, 0), (dead, DECISIONS.c.dead_runs + 1)):
            connection.execute(sa.update(DECISIONS).where(DECISIONS.c.parish_id.in_(list(keys))).values(dead_runs=runs))


def store_answer(
    connection: sa.Connection, question: str, places: Sequence[Place], now: datetime, content_until: datetime
) -> None:
    """Keep an answer inside the caller's transaction; a later answer replaces an earlier one."""
    values = {
        "question": question,
        "answered_at": now.timestamp(),
        "place_ids": json.dumps([place.place_id for place in places]),
        "content": json.dumps([asdict(place) for place in places], ensure_ascii=False),
        "content_until": content_until.timestamp(),
    }
    put(connection, ANSWERS, values)


def find_answer(state: DiscoveryState, question: str, now: datetime) -> tuple[Place, ...] | None:
    """The places that answer a question; None when it was never answered, or when their content is past its date."""
    for content, until in state.rows(sa.select(ANSWERS.c.content, ANSWERS.c.content_until).where(ANSWERS.c.question == question)):
        if content is not None and isinstance(until, float) and until > now.timestamp():
            with suppress(ValueError, LookupError, TypeError):  # changed by a disk: asked again when its time is over
                return tuple(Place(**{**item, "types": tuple(item["types"])}) for item in json.loads(str(content)))
    return None


def remove_content(connection: sa.Connection, questions: Iterable[str]) -> None:
    """Remove the content of answers inside the caller's transaction; place_id stays, and so does "no such place"."""
    served = ANSWERS.c.question.in_(list(questions)) & (ANSWERS.c.place_ids != "[]")
    connection.execute(sa.update(ANSWERS).where(served).values(content=None, content_until=None))


def sweep(state: DiscoveryState, now: datetime) -> int:
    """Remove what is overdue: content of answers, and decisions that hold for a time only.

    Returns:
        Number of answers and decisions touched.
    """
    with state.transaction() as connection:
        overdue = ANSWERS.c.content.is_not(None) & (ANSWERS.c.content_until <= now.timestamp())
        answers = connection.execute(sa.update(ANSWERS).where(overdue).values(content=None, content_until=None))
        decisions = connection.execute(sa.delete(DECISIONS).where(DECISIONS.c.valid_until <= now.timestamp()))
        return answers.rowcount + decisions.rowcount
