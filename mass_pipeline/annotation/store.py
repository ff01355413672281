"""The annotation store: questions in, labels out. The one door for the pipeline and the command line.

Time is an argument; the web pages use the transactions of `queue` and `voting` on the same engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import PATIENT_SECONDS, aware, insert_ignoring, migrate, open_engine, reading
from mass_pipeline.annotation.items import TIERS, Item, columns_of_row
from mass_pipeline.annotation.schema import decisions, invitations, items, label_events, reports, reservations, voters, votes
from mass_pipeline.annotation.vocabulary import ANSWER_OF_LABEL, LABEL_OF_ANSWER, LABELS
from mass_pipeline.annotation.voting import ensure_voter, lock_item, note_label, recount
from mass_pipeline.model.errors import BadInput, StorageError

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_CAMPAIGN: Final = "default"
_CHUNK: Final = 500
VOTE_FIELDS: Final = (
    "vote_id", "candidate_id", "kind", "voter_id", "answer", "origin", "standing", "duration_ms", "voted_at", "sequence",
    "withdrawn",
)  # fmt: skip
SETTLED_FIELDS: Final = (
    "kind", "id", "parish_id", "url", "text_digest", "verdict", "by", "people", "networks", "day", "probability", "mass", "quote",
    "context", "wording",
)  # fmt: skip
_ABOUT: Final = ("candidate_id", "parish_id", "url", "text_digest", "mass", "quote", "context", "wording")
_POLAND: Final = ZoneInfo("Europe/Warsaw")


@dataclass(frozen=True, slots=True)
class NewLabels:
    """Items that got a (new) label since a cursor, and the cursor for the next time."""

    count: int
    cursor: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign is: items by state, answers given, and the share of wanted answers that are there."""

    n_items: int
    n_open: int
    n_settled: int
    n_disputed: int
    n_votes: int
    share_done: float


@dataclass(frozen=True, slots=True)
class Store:
    """An open annotation database. Make one with `open_store`; `close` it in the end."""

    engine: Engine
    config: AnnotationConfig

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    def add_items(self, new: Iterable[Item], *, now: datetime, campaign: str = DEFAULT_CAMPAIGN) -> int:
        """Load questions; known ones get the new priority and text, and keep their votes and state.

        Args:
            new: any number of items; the last of equal ids wins.
            now: time stamp of new items.
            campaign: 1 to 64 characters.

        Returns:
            number of items that were new.
        """
        n_new = 0
        for chunk in _chunks(new):
            with self.engine.begin() as connection:
                n_new += self._add_chunk(connection, {item.candidate_id: item for item in chunk}, campaign, now)
        return n_new

    def _add_chunk(self, connection: Connection, chunk: dict[str, Item], campaign: str, now: datetime) -> int:
        known_query = sa.select(items.c.candidate_id).where(items.c.candidate_id.in_(chunk))
        known = set(connection.execute(known_query).scalars())
        rows = [_item_row(item, campaign, self.config, now) for item in chunk.values()]
        statement = insert_ignoring(connection.dialect.name, items)
        fresh = (
            "left", "right", "heading", "day_scope", "block_key", "position", "priority", "campaign", "url", "raw", "time",
            "diocese",
            "tier", "text_digest", "mass", "place", "quote", "reason", "context", "wording",
        )  # fmt: skip
        replaced = {name: statement.excluded[name] for name in fresh}
        replaced["state"] = sa.case((items.c.state == "retired", "open"), else_=items.c.state)
        connection.execute(statement.on_conflict_do_update(index_elements=["candidate_id"], set_=replaced), rows)
        for candidate_id in sorted(known):
            gold = chunk[candidate_id].gold
            if gold is not None:
                self._make_gold(connection, candidate_id, chunk[candidate_id].kind, gold)
        return len(chunk) - len(known)

    def parishes_asked_whole(self, campaign: str = DEFAULT_CAMPAIGN) -> set[str]:
        """Parishes whose own people look through every row of theirs (`annotate load --parish`)."""
        whole = (items.c.campaign == campaign) & (items.c.reason == "parish") & (items.c.state != "retired")
        with reading(self.engine) as connection:
            return set(connection.execute(sa.select(items.c.parish_id).where(whole).distinct()).scalars())

    def retire_rows(self, still_asked: Set[str], campaign: str = DEFAULT_CAMPAIGN) -> int:
        """Ask no more about the open and disputed rows of a campaign but these; a row that is loaded again is asked again.

        Returns:
            number of rows that are asked no more.
        """
        unsettled = (items.c.kind == "row") & (items.c.campaign == campaign) & items.c.state.in_(("open", "disputed"))
        with self.engine.begin() as connection:
            names = connection.execute(sa.select(items.c.candidate_id).where(unsettled)).scalars()
            gone = sorted(name for name in names if name not in still_asked)
            for start in range(0, len(gone), _CHUNK):
                change = sa.update(items).where(unsettled, items.c.candidate_id.in_(gone[start : start + _CHUNK]))
                connection.execute(change.values(state="retired"))
        return len(gone)

    def ask_first(self, candidate_ids: Sequence[str]) -> int:
        """Put hours before all others, in the order given; unknown ids are passed over.

        Returns:
            number of items that were put there.
        """
        rows = [{"candidate": name, "new": n / len(candidate_ids)} for n, name in enumerate(candidate_ids)]
        key = items.c.candidate_id == sa.bindparam("candidate")
        statement = sa.update(items).where(key).values(tier=TIERS["first"], priority=sa.bindparam("new"))
        rows.sort(key=lambda row: str(row["candidate"]))
        n_set = 0
        for start in range(0, len(rows), _CHUNK):
            with self.engine.begin() as connection:
                n_set += connection.execute(statement, rows[start : start + _CHUNK]).rowcount
        return n_set

    def _make_gold(self, connection: Connection, candidate_id: str, kind: str, answer: str) -> None:
        lock_item(connection, candidate_id)
        connection.execute(
            sa.update(items)
            .where(items.c.candidate_id == candidate_id)
            .values(gold=answer, state="gold", label=LABEL_OF_ANSWER[kind][answer], probability=1.0)
        )

    def decide(
        self, candidate_id: str, label: str, *, operator: str, now: datetime, note: str = "", as_gold: bool = False
    ) -> None:
        """Settle an item by the operator's word; it wins over every vote.

        Args:
            label: of the kind of the item (vocabulary.LABELS).
            as_gold: from now on the item is a hidden test question.

        Raises:
            BadInput: unknown item or label.
        """
        with self.engine.begin() as connection:
            row = lock_item(connection, candidate_id)
            if row is None:
                raise BadInput(f"There is no item {candidate_id!r}.")
            if label not in LABELS[row.kind]:
                raise BadInput(f"{label!r} is no label; expected one of {', '.join(LABELS[row.kind])}.")
            values = {"label": label, "operator": operator, "note": note[:500], "decided_at": now}
            statement = insert_ignoring(connection.dialect.name, decisions).values(candidate_id=candidate_id, **values)
            connection.execute(statement.on_conflict_do_update(index_elements=["candidate_id"], set_=values))
            change = sa.update(items).where(items.c.candidate_id == candidate_id)
            connection.execute(change.values(state="settled", label=label, probability=1.0, decided=True))
            if as_gold or row.gold is not None:
                self._make_gold(connection, candidate_id, row.kind, ANSWER_OF_LABEL[row.kind][label])
            if label != row.label:
                note_label(connection, candidate_id, label, now)

    def set_standing(self, voter_id: str, standing: str, *, by: str, now: datetime) -> None:
        """Make a voter trusted, normal or banned, and count the items it touched anew. Raises BadInput for an unknown voter."""
        with self.engine.begin() as connection:
            self._set_standing(connection, voter_id, standing, by, now)

    def accept_invitation(self, voter_id: str, name: str, *, now: datetime) -> bool:
        """Make a voter trusted by an invitation, in one transaction with its use.

        Returns:
            False when the invitation was used before, by whomever, or when the voter is banned; then nothing changed.
        """
        with self.engine.begin() as connection:
            if ensure_voter(connection, voter_id, now).standing == "banned":
                return False
            statement = insert_ignoring(connection.dialect.name, invitations).values(name=name, used_at=now)
            if connection.execute(statement.on_conflict_do_nothing().returning(invitations.c.name)).first() is None:
                return False
            self._set_standing(connection, voter_id, "trusted", f"invite:{name}", now)
            return True

    def is_invitation_used(self, name: str) -> bool:
        """Whether an invitation was accepted before."""
        with reading(self.engine) as connection:
            query = sa.select(invitations.c.name).where(invitations.c.name == name)
            return connection.execute(query).first() is not None

    def _set_standing(self, connection: Connection, voter_id: str, standing: str, by: str, now: datetime) -> None:
        change = sa.update(voters).where(voters.c.voter_id == voter_id).values(standing=standing, standing_by=by)
        if connection.execute(change).rowcount == 0:
            raise BadInput(f"There is no voter {voter_id!r}.")
        touched = sa.select(votes.c.candidate_id).where(votes.c.voter_id == voter_id)
        for candidate_id in sorted(connection.execute(touched).scalars()):
            recount(connection, candidate_id, now, self.config)

    def erase_questions(self, covers: Callable[[str], bool]) -> int:
        """Erase every question whose source page is covered, with its votes and labels, at the wish of the page's owner.

        Returns:
            how many that were; all of them go in one transaction.
        """
        with self.engine.begin() as connection:
            gone = [name for name, url in connection.execute(sa.select(items.c.candidate_id, items.c.url)) if covers(url)]
            if self.engine.dialect.name == "sqlite":
                connection.execute(sa.text("PRAGMA secure_delete=ON"))
            for start in range(0, len(gone), _CHUNK):
                for table in (votes, reports, reservations, label_events, decisions, items):
                    connection.execute(sa.delete(table).where(table.c.candidate_id.in_(gone[start : start + _CHUNK])))
        return len(gone)

    def known_labels(self) -> dict[str, str]:
        """Candidate -> label of hidden test questions and of the operator's decisions."""
        with reading(self.engine) as connection:
            gold = connection.execute(
                sa.select(items.c.candidate_id, items.c.kind, items.c.gold).where(items.c.gold.is_not(None))
            )
            known = {row.candidate_id: LABEL_OF_ANSWER[row.kind][row.gold] for row in gold}
            decided = connection.execute(sa.select(decisions.c.candidate_id, decisions.c.label))
            return known | {row.candidate_id: row.label for row in decided}

    def votes(self, *, with_withdrawn: bool = False) -> pd.DataFrame:
        """Every vote: columns `VOTE_FIELDS`, in the order of arrival; empty frame with the columns when there is none."""
        import pandas as pd

        with reading(self.engine) as connection:
            rows = list(_vote_rows(connection, with_withdrawn))
        return pd.DataFrame(rows, columns=list(VOTE_FIELDS))

    def labels(self) -> pd.DataFrame:
        """Published and decided labels: see `labels.aggregate` for the columns, plus parish_id; sorted by candidate_id.

        Contested items and those without enough independent answers are left out.
        """
        found = self.all_labels()
        return found[found["status"] != "withheld"].reset_index(drop=True)

    def all_labels(self) -> pd.DataFrame:
        """As `labels`, the withheld ones included. Decided items appear even without a vote."""
        from mass_pipeline.annotation.labels import aggregate

        frame = aggregate(self.votes(), self.known_labels(), self.config)
        with reading(self.engine) as connection:
            query = sa.select(items.c.candidate_id, items.c.parish_id, items.c.kind)
            about = {row.candidate_id: (row.parish_id, row.kind) for row in connection.execute(query)}
        frame.insert(1, "parish_id", frame["candidate_id"].map(lambda name: about[name][0]).astype("str"))
        frame["kind"] = frame["candidate_id"].map(lambda name: about[name][1]).astype("str")
        return frame.sort_values("candidate_id", ignore_index=True)

    def settled(self) -> pd.DataFrame:
        """What people settled, hours and rows, sorted by kind and id; empty frame with the columns when nothing is.

        Returns:
            Columns `SETTLED_FIELDS`: kind (hour, row), id, parish_id, url, text_digest (of the words it rests on), verdict (a
            label of the kind), by (people, operator), people and networks (certainly distinct ones who said so; an operator is
            one), day (in Poland), probability (0 to 1), and of rows mass (JSON), quote, context and wording, "" of hours.
        """
        import pandas as pd

        labels = self.labels()
        moments: dict[str, datetime] = {}
        by_operator = set(self.known_labels())
        with reading(self.engine) as connection:
            last = sa.select(label_events.c.candidate_id, sa.func.max(label_events.c.labelled_at)).group_by(
                label_events.c.candidate_id
            )
            for query in (
                sa.select(items.c.candidate_id, items.c.added_at),
                last,
                sa.select(decisions.c.candidate_id, decisions.c.decided_at),
            ):
                moments.update((row[0], row[1]) for row in connection.execute(query))
            about = {row.candidate_id: row for row in connection.execute(sa.select(*(items.c[name] for name in _ABOUT)))}
        rows = []
        for label in labels.to_dict("records"):
            name = str(label["candidate_id"])
            item, is_operator = about[name], name in by_operator
            rows.append(
                (
                    label["kind"], name, item.parish_id, item.url, item.text_digest, label["label"],
                    "operator" if is_operator else "people", 1 if is_operator else label["n_people"],
                    1 if is_operator else label["n_origins"], aware(moments[name]).astimezone(_POLAND).date(), label["weight"],
                    item.mass, item.quote, item.context, item.wording,
                )
            )  # fmt: skip
        return pd.DataFrame(rows, columns=list(SETTLED_FIELDS)).sort_values(["kind", "id"], ignore_index=True)

    def count_new_since(self, cursor: str | None) -> NewLabels:
        """How many items got a label, or another one, since the cursor of the last call (None: since the beginning).

        Raises:
            BadInput: the cursor is not one of ours.
        """
        if cursor is not None and not (cursor.isascii() and cursor.isdigit()):
            raise BadInput(f"{cursor!r} is no cursor of count_new_since; pass None to count from the beginning.")
        since = int(cursor or 0)
        with reading(self.engine) as connection:
            row = connection.execute(
                sa.select(sa.func.count(label_events.c.candidate_id.distinct()), sa.func.max(label_events.c.event_id)).where(
                    label_events.c.event_id > since
                )
            ).one()
        return NewLabels(row[0], str(row[1] or since))

    def campaigns(self) -> dict[str, int]:
        """Number of questions of each campaign."""
        with reading(self.engine) as connection:
            counted = sa.select(items.c.campaign, sa.func.count()).group_by(items.c.campaign).order_by(items.c.campaign)
            return {str(name): int(count) for name, count in connection.execute(counted)}

    def progress(self, campaign: str = DEFAULT_CAMPAIGN) -> Progress:
        """How far a campaign is; test questions are not counted. All zero for an unknown campaign."""
        kinds = (items.c.state, items.c.n_votes, items.c.wanted)
        query = sa.select(*kinds, sa.func.count().label("n")).group_by(*kinds)
        with reading(self.engine) as connection:
            rows = connection.execute(query.where(items.c.campaign == campaign, items.c.gold.is_(None))).all()
        of_state: Counter[str] = Counter()
        n_votes = done = wanted = 0
        for row in rows:  # a few dozen kinds of items
            of_state[row.state] += row.n
            n_votes += row.n * row.n_votes
            wanted += row.n * row.wanted
            done += row.n * (min(row.n_votes, row.wanted) if row.state == "open" else row.wanted)
        share_done = done / wanted if wanted else 0.0
        return Progress(of_state.total(), of_state["open"], of_state["settled"], of_state["disputed"], n_votes, share_done)


def open_store(url: str, config: AnnotationConfig | None = None, *, busy_seconds: float | None = None) -> Store:
    """Open, and create or upgrade when needed, the annotation database.

    Args:
        url: `sqlite:///file.db` or `postgresql://user@host/name`.
        config: thresholds; the defaults when absent.
        busy_seconds: how long to wait for a database that others hold; as long as a command may when absent.

    Raises:
        StorageError: the URL is malformed, the driver unknown, or the database cannot be reached or upgraded.
    """
    engine = open_engine(url, busy_seconds=PATIENT_SECONDS if busy_seconds is None else busy_seconds)
    try:
        migrate(engine)
    except StorageError:
        engine.dispose()
        raise
    return Store(engine, replace(config) if config else AnnotationConfig())


def _vote_rows(connection: Connection, with_withdrawn: bool) -> Iterator[tuple[object, ...]]:
    of_others = {"standing": voters.c.standing, "kind": items.c.kind}
    query = sa.select(*(of_others[name] if name in of_others else votes.c[name] for name in VOTE_FIELDS))
    query = query.select_from(votes.join(voters).join(items)).order_by(votes.c.vote_id)
    moment = VOTE_FIELDS.index("voted_at")
    for row in connection.execute(query if with_withdrawn else query.where(~votes.c.withdrawn)):
        yield (*row[:moment], aware(row[moment]), *row[moment + 1 :])


def _item_row(item: Item, campaign: str, config: AnnotationConfig, now: datetime) -> dict[str, object]:
    names = (
        "candidate_id", "kind", "parish_id", "diocese", "url", "time", "raw", "left", "right", "heading", "day_scope",
        "block_key", "position", "tier", "priority", "shuffle", "text_digest", "gold",
    )  # fmt: skip
    known = item.gold is not None
    return {
        **{name: getattr(item, name) for name in names},
        **columns_of_row(item.row),
        "campaign": campaign,
        "wanted": config.overlap,
        "n_taken": 0,
        "n_votes": 0,
        "decided": False,
        "state": "gold" if known else "open",
        "label": LABEL_OF_ANSWER[item.kind][item.gold] if item.gold else None,
        "probability": 1.0 if known else None,
        "added_at": now,
    }


def _chunks(new: Iterable[Item]) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in new:
        chunk.append(item)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
