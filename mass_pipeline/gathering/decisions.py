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
from typing import Final

from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.ports import Place
from mass_pipeline.gathering.state_port import Connection, StateStore
from mass_pipeline.model.identifiers import ParishId, content_id

log = logging.getLogger(__name__)

_VALID: Final = "SELECT result FROM decisions WHERE parish_id = ? AND fingerprint = ? AND dead_runs < ?"
_PUT: Final = (
    "INSERT INTO decisions (parish_id, fingerprint, decided_at, valid_until, result) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (parish_id) DO UPDATE SET fingerprint = excluded.fingerprint, decided_at = excluded.decided_at, dead_runs = 0, "
    "valid_until = excluded.valid_until, result = excluded.result"
)
_ALIVE: Final = frozenset({"ok", "not_modified", "truncated", "noindex"})
_DEAD: Final = frozenset(
    {"dns_error", "refused", "timeout", "tls_error", "protocol_error", "http_4xx", "http_5xx", "gone", "bad_url", "error"}
)


def find_decision(state: StateStore, parish_id: ParishId, fingerprint: str, dead_runs_limit: int) -> ParishUrl | None:
    """The decided row, None when there is none that still holds. One that a disk has changed is removed: a letter of a URL
    that flips is another site."""
    rows = state.rows(_VALID, (parish_id, fingerprint, dead_runs_limit))
    found = _unpacked(str(rows[0][0])) if rows else None
    if rows and found is None:
        log.error("decision.damaged parish_id=%s: it is looked up again", parish_id)
        state.write(lambda connection: connection.execute("DELETE FROM decisions WHERE parish_id = ?", (parish_id,)))
    return found


def _packed(row: ParishUrl) -> str:
    """A row as it is kept, behind its digest."""
    text = row.to_json()
    return f"{content_id(text)} {text}"


def _unpacked(kept: str) -> ParishUrl | None:
    """The row, None when it is not what was kept; rows of earlier versions have no digest."""
    digest, text = ("", kept) if kept.startswith("{") else kept.partition(" ")[::2]
    try:
        return ParishUrl.from_json(text) if digest in ("", content_id(text)) else None
    except (ValueError, LookupError, TypeError):
        return None


def is_decided(connection: Connection, parish_id: ParishId, fingerprint: str, dead_runs_limit: int) -> bool:
    """Whether `find_decision` would find one, inside the caller's transaction."""
    return connection.execute(_VALID, (parish_id, fingerprint, dead_runs_limit)).fetchone() is not None


def store_decision(
    state: StateStore,
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
    until = valid_until.timestamp() if valid_until else None
    values = (row.parish_id, fingerprint, now.timestamp(), until, _packed(row))

    def work(connection: Connection) -> None:
        connection.execute(_PUT, values)
        remove_content(connection, served)

    state.write(work)


def record_crawl(state: StateStore, outcomes: Mapping[ParishId, str]) -> None:
    """Note which sites gave a page and which are dead, by the outcome of their start page.

    Args:
        outcomes: parish -> one of `model.columns.OUTCOMES`; what says nothing about life (deferred, robots) changes nothing.
    """
    alive = [parish_id for parish_id, outcome in outcomes.items() if outcome in _ALIVE]
    dead = [parish_id for parish_id, outcome in outcomes.items() if outcome in _DEAD]
    record_liveness(state, alive, dead)


def record_liveness(state: StateStore, alive: Iterable[ParishId], dead: Iterable[ParishId]) -> None:
    """Count runs in a row in which a parish's site gave no page; one page resets the count.

    Args:
        alive: parishes whose site gave at least one page in this run.
        dead: parishes whose site gave none.
    """
    with state.transaction() as connection:
        connection.executemany("UPDATE decisions SET dead_runs = 0 WHERE parish_id = ?", [(key,) for key in alive])
        connection.executemany("UPDATE decisions SET dead_runs = dead_runs + 1 WHERE parish_id = ?", [(key,) for key in dead])


def store_answer(connection: Connection, question: str, places: Sequence[Place], now: datetime, content_until: datetime) -> None:
    """Keep an answer inside the caller's transaction; a later answer replaces an earlier one."""
    content = json.dumps([asdict(place) for place in places], ensure_ascii=False)
    identifiers = json.dumps([place.place_id for place in places])
    connection.execute(
        "INSERT INTO answers (question, answered_at, place_ids, content, content_until) VALUES (?, ?, ?, ?, ?) ON CONFLICT "
        "(question) DO UPDATE SET answered_at = excluded.answered_at, place_ids = excluded.place_ids, "
        "content = excluded.content, content_until = excluded.content_until",
        (question, now.timestamp(), identifiers, content, content_until.timestamp()),
    )


def find_answer(state: StateStore, question: str, now: datetime) -> tuple[Place, ...] | None:
    """The places that answer a question; None when it was never answered, or when their content is past its date."""
    for content, until in state.rows("SELECT content, content_until FROM answers WHERE question = ?", (question,)):
        if content is not None and isinstance(until, float) and until > now.timestamp():
            with suppress(ValueError, LookupError, TypeError):  # changed by a disk: asked again when its time is over
                return tuple(Place(**{**item, "types": tuple(item["types"])}) for item in json.loads(str(content)))
    return None


def remove_content(connection: Connection, questions: Iterable[str]) -> None:
    """Remove the content of answers inside the caller's transaction; place_id stays, and so does "no such place"."""
    update = "UPDATE answers SET content = NULL, content_until = NULL WHERE question = ? AND place_ids <> '[]'"
    connection.executemany(update, [(question,) for question in questions])


def sweep(state: StateStore, now: datetime) -> int:
    """Remove what is overdue: content of answers, and decisions that hold for a time only.

    Returns:
        Number of answers and decisions touched.
    """
    with state.transaction() as connection:
        answers = connection.execute(
            "UPDATE answers SET content = NULL, content_until = NULL WHERE content IS NOT NULL AND content_until <= ?",
            (now.timestamp(),),
        )
        decisions = connection.execute("DELETE FROM decisions WHERE valid_until <= ?", (now.timestamp(),))
        return answers.rowcount + decisions.rowcount
