"""The rules of a lease store as SQL that SQLite and PostgreSQL both understand, and the store of one machine in one SQLite file.

Its clock is the machine's steady one, which nobody can set; its moments mean nothing after a restart of the machine. So every
start of the machine has a file of its own, and nothing need reach the disk: kill -9 loses nothing that was committed, and what
a power cut leaves behind is never read again. Rollback journal: several processes write (hazards 0.6).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Final, Protocol

from mass_pipeline.crawling.fetching.leases.ports import HOST, Claim, Grant, Heard, HostNote, Lease, RulesNote, Said
from mass_pipeline.model.boot import boot_name, seconds_since_boot
from mass_pipeline.model.state_file import StateFormat, open_state, state_error, transaction

# Moments are seconds of the store's clock. `fences` has one row: whoever changes anything takes it first, so that one is served
# after the other.
TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS lease_fences(one INTEGER PRIMARY KEY, fence BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS leases(lease_key TEXT NOT NULL, slot INTEGER NOT NULL, owner TEXT NOT NULL, "
    "fence BIGINT NOT NULL, until DOUBLE PRECISION NOT NULL, PRIMARY KEY(lease_key, slot))",
    "CREATE INDEX IF NOT EXISTS leases_of_owner ON leases(owner)",
    "CREATE TABLE IF NOT EXISTS lease_wants(lease_key TEXT NOT NULL, owner TEXT NOT NULL, since DOUBLE PRECISION NOT NULL, "
    "until DOUBLE PRECISION NOT NULL, PRIMARY KEY(lease_key, owner))",
    "CREATE TABLE IF NOT EXISTS leased_hosts(lease_key TEXT PRIMARY KEY, not_before DOUBLE PRECISION NOT NULL, "
    "delay DOUBLE PRECISION NOT NULL, crawl_delay DOUBLE PRECISION NOT NULL, failures INTEGER NOT NULL)",
    "INSERT INTO lease_fences VALUES(1, 0) ON CONFLICT(one) DO NOTHING",
    "CREATE TABLE IF NOT EXISTS leased_rules(origin TEXT PRIMARY KEY, lease_key TEXT NOT NULL, robots_state TEXT, "
    "robots_reason TEXT NOT NULL, robots_text TEXT NOT NULL, robots_at DOUBLE PRECISION, mining_text TEXT, "
    "mining_at DOUBLE PRECISION)",
    "CREATE INDEX IF NOT EXISTS leased_rules_of_host ON leased_rules(lease_key)",
)
WANT_SECONDS: Final = 8.0  # who waits asks again every second or two; one that stopped asking keeps nobody waiting for long
_FORGET_SECONDS: Final = 2 * 86_400.0  # robots.txt is asked for again after a day (RFC 9309 2.4)
_LOST_SECONDS: Final = 3600.0  # longer than any gap

_NEXT_FENCE: Final = "UPDATE lease_fences SET fence = fence + ? WHERE one = 1 RETURNING fence"
_PUT_HOST: Final = (
    "INSERT INTO leased_hosts VALUES(?,?,?,?,?) ON CONFLICT(lease_key) DO UPDATE SET not_before=excluded.not_before, "
    "delay=excluded.delay, crawl_delay=excluded.crawl_delay, failures=excluded.failures"
)
_PUT_RULES: Final = (
    "INSERT INTO leased_rules VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(origin) DO UPDATE SET lease_key=excluded.lease_key, "
    "robots_state=excluded.robots_state, robots_reason=excluded.robots_reason, robots_text=excluded.robots_text, "
    "robots_at=excluded.robots_at, mining_text=excluded.mining_text, mining_at=excluded.mining_at"
)
_PUT_LEASE: Final = (
    "INSERT INTO leases VALUES(?,?,?,?,?) ON CONFLICT(lease_key, slot) DO UPDATE SET owner=excluded.owner, "
    "fence=excluded.fence, until=excluded.until"
)
_PUT_WANT: Final = (
    "INSERT INTO lease_wants VALUES(?,?,?,?) ON CONFLICT(lease_key, owner) DO UPDATE SET "
    "since=CASE WHEN lease_wants.until > ? THEN lease_wants.since ELSE excluded.since END, until=excluded.until"
)
_WANTED: Final = (
    "SELECT DISTINCT w.lease_key FROM leases l JOIN lease_wants w ON w.lease_key = l.lease_key "
    "WHERE l.owner = ? AND w.owner <> ? AND w.until > ?"
)

Row = Sequence[object]


class Execute(Protocol):
    """One statement inside the open transaction; its rows."""

    def __call__(self, statement: str, values: Sequence[object] = ()) -> Iterable[Row]:
        """Statements have `?` where values go."""
        ...


def exchange(execute: Execute, now: float, owner: str, said: Said, lease_seconds: float) -> Heard:
    """What `LeaseStore.exchange` promises, inside a transaction that excludes others.

    Args:
        now: moment of the store's clock, taken inside the transaction.
    """
    changes = bool(said.claims or said.given_up or said.notes or said.rules)
    (fence,) = _row(execute(_NEXT_FENCE, (len(said.claims),)))
    mine = _held(execute, owner, now)
    if changes:
        _write_notes(execute, now, mine, said)
        for lease in mine.intersection(said.given_up):
            values = (lease.key, lease.slot, owner, lease.fence)
            execute("DELETE FROM leases WHERE lease_key=? AND slot=? AND owner=? AND fence=?", values)
    if said.seconds:
        execute("UPDATE leases SET until=? WHERE owner=? AND until>?", (now + said.seconds, owner, now))
    first = _int(fence) - len(said.claims) + 1
    grants = tuple(_claim(execute, now, owner, claim, number, lease_seconds) for number, claim in enumerate(said.claims, first))
    wanted = frozenset(str(key) for (key,) in execute(_WANTED, (owner, owner, now)))
    return Heard(grants, _held(execute, owner, now), wanted)


def tidy(execute: Execute, now: float) -> None:
    """Drop what no longer says anything."""
    execute("DELETE FROM leases WHERE until<?", (now - _LOST_SECONDS,))
    execute("DELETE FROM lease_wants WHERE until<?", (now - _LOST_SECONDS,))
    execute("DELETE FROM leased_rules WHERE coalesce(robots_at,0)<? AND coalesce(mining_at,0)<?", 2 * (now - _FORGET_SECONDS,))


def _held(execute: Execute, owner: str, now: float) -> frozenset[Lease]:
    rows = execute("SELECT lease_key, slot, fence FROM leases WHERE owner=? AND until>?", (owner, now))
    return frozenset(Lease(str(key), _int(slot), _int(fence)) for key, slot, fence in rows)


def _write_notes(execute: Execute, now: float, mine: frozenset[Lease], said: Said) -> None:
    """Only the holder says how a host stands: who was cut off meanwhile does not overwrite what the next one learnt."""
    for lease, note in said.notes.items():
        if lease in mine:
            execute(_PUT_HOST, (lease.key, now + note.wait_seconds, note.delay, note.crawl_delay, note.failures))
    for lease, several in said.rules.items():
        for one in several if lease in mine else ():
            robots_at = None if one.robots_age is None else now - one.robots_age
            mining_at = None if one.mining_age is None else now - one.mining_age
            state, mining = one.robots_state, _plain(one.mining_text)
            values = (
                one.origin,
                lease.key,
                state,
                _plain(one.robots_reason),
                _plain(one.robots_text),
                robots_at,
                mining,
                mining_at,
            )
            execute(_PUT_RULES, values)


def _claim(execute: Execute, now: float, owner: str, claim: Claim, fence: int, seconds: float) -> Grant | None:
    rows = execute("SELECT slot, owner, until FROM leases WHERE lease_key=?", (claim.key,))
    taken = {_int(slot): (str(holder), as_float(until)) for slot, holder, until in rows}
    free = [slot for slot in range(claim.slots) if slot not in taken or taken[slot][1] <= now]
    if len(free) <= _before_me(execute, now, owner, claim.key):
        execute(_PUT_WANT, (claim.key, owner, now, now + WANT_SECONDS, now))
        return None
    execute("DELETE FROM lease_wants WHERE lease_key=? AND owner=?", (claim.key, owner))
    slot = free[0]
    execute(_PUT_LEASE, (claim.key, slot, owner, fence, now + seconds))
    lease = Lease(claim.key, slot, fence)
    if not claim.key.startswith(HOST):
        return Grant(lease)
    return Grant(lease, _note(execute, now, claim.key), _rules(execute, now, claim.key), was_lost=slot in taken)


def _before_me(execute: Execute, now: float, owner: str, key: str) -> int:
    """How many others have been waiting for longer."""
    rows = [
        (as_float(since), str(who))
        for since, who in execute("SELECT since, owner FROM lease_wants WHERE lease_key=? AND until>?", (key, now))
    ]
    mine = min((since for since, who in rows if who == owner), default=now)
    return sum((since, who) < (mine, owner) for since, who in rows if who != owner)


def _note(execute: Execute, now: float, key: str) -> HostNote | None:
    rows = list(execute("SELECT not_before, delay, crawl_delay, failures FROM leased_hosts WHERE lease_key=?", (key,)))
    if not rows:
        return None
    not_before, delay, crawl_delay, failures = rows[0]
    return HostNote(max(as_float(not_before) - now, 0.0), as_float(delay), as_float(crawl_delay), _int(failures))


def _rules(execute: Execute, now: float, key: str) -> tuple[RulesNote, ...]:
    rows = execute(
        "SELECT origin, robots_state, robots_reason, robots_text, robots_at, mining_text, mining_at FROM leased_rules "
        "WHERE lease_key=?",
        (key,),
    )
    return tuple(
        RulesNote(
            str(origin), _text(state), str(reason), str(text), _age(robots_at, now), _text(mining), _age(mining_at, now)
        )
        for origin, state, reason, text, robots_at, mining, mining_at in rows
    )  # fmt: skip


def _plain(text: str | None) -> str | None:
    """Text that every database takes: hostile robots.txt files hold NUL and halves of characters."""
    return None if text is None else text.replace("\x00", "").encode("utf-8", "replace").decode()


def _row(rows: Iterable[Row]) -> Row:
    return next(iter(rows))


def _age(at: object, now: float) -> float | None:
    return None if at is None else max(now - as_float(at), 0.0)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def as_float(value: object) -> float:
    """A number of a row."""
    assert isinstance(value, int | float)
    return float(value)


FORMAT: Final = StateFormat(
    1,
    "; ".join(TABLES),
    journal="TRUNCATE",
    synchronous="OFF",
    is_shared=True,
    other="another data folder",
    name="leases of hosts",
)


class SqliteLeases:
    """A lease store (see `ports.LeaseStore`) of one machine.

    Args:
        folder: beside the data; made when absent. On a file system of this machine: other machines need PostgreSQL.

    Raises:
        StorageError: it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"{boot_name() or 'unknown'}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _leave_others(folder, self.path)
        except OSError as error:
            raise state_error(self.path, error, FORMAT) from error
        self._db = open_state(self.path, FORMAT)
        with self._transaction():
            tidy(self._execute, seconds_since_boot())

    def exchange(self, owner: str, said: Said, lease_seconds: float) -> Heard:
        """See `LeaseStore.exchange`."""
        with self._transaction():
            return exchange(self._execute, seconds_since_boot(), owner, said, lease_seconds)

    def close(self) -> None:
        """See `LeaseStore.close`."""
        self._db.close()

    def _execute(self, statement: str, values: Sequence[object] = ()) -> Iterable[Row]:
        return self._db.execute(statement, values).fetchall()

    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        return transaction(self._db, self.path, FORMAT)


def erase_leases(folder: Path, covers: Callable[[str], bool]) -> Iterator[tuple[Path, int]]:
    """Forget the pace and the rules of hosts that are never asked again.

    Args:
        folder: as of `SqliteLeases`; it need not exist.
        covers: whether an address of a host is to be forgotten.

    Yields:
        Each file, and how many hosts of it were forgotten.
    """
    tables = ("leases", "lease_wants", "leased_hosts", "leased_rules")
    for path in sorted(folder.glob("*.sqlite")):
        with closing(open_state(path, FORMAT)) as database:
            database.execute("PRAGMA secure_delete=ON")
            known = database.execute(" UNION ".join(f"SELECT lease_key FROM {table}" for table in tables))  # noqa: S608
            keys = [(key,) for (key,) in known if key.startswith(HOST) and covers(f"http://{key.removeprefix(HOST)}/")]
            for table in tables:
                database.executemany(f"DELETE FROM {table} WHERE lease_key=?", keys)  # noqa: S608
        yield path, len(keys)


def _leave_others(folder: Path, mine: Path) -> None:
    """Files of earlier starts of the machine say nothing any more."""
    for path in folder.glob("*.sqlite*"):
        if not path.name.startswith(mine.name):
            path.unlink(missing_ok=True)
