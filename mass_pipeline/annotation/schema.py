"""Tables of the annotation store; the same on SQLite and PostgreSQL. Changes go through `migrations/`.

No address is kept anywhere: `origin` is a random token that a voter's network got for at most a day (web_common.origins).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata: Final = MetaData(
    naming_convention={"ix": "ix_%(table_name)s_%(column_0_N_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s"}
)
_SERIAL: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers only INTEGER keys by itself
_MOMENT: Final = DateTime(timezone=True)

items: Final = Table(
    "items",
    metadata,
    Column("candidate_id", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),  # vocabulary.KINDS
    Column("campaign", String(64), nullable=False),
    Column("parish_id", String(200), nullable=False),
    Column("diocese", String(64), nullable=False),  # its key; "" where it is not known
    Column("url", Text, nullable=False),
    Column("time", String(16), nullable=False),
    Column("raw", Text, nullable=False),
    Column("left", Text, nullable=False),
    Column("right", Text, nullable=False),
    Column("heading", Text, nullable=False),
    Column("day_scope", Text, nullable=False),
    Column("block_key", String(16), nullable=False),
    Column("position", Integer, nullable=False),
    Column("tier", Integer, nullable=False),  # items.TIERS: the least is asked first
    Column("priority", Float, nullable=False),  # 0 is asked first in its tier: the distance of the classifier from not knowing
    Column("shuffle", Float, nullable=False),  # place in the random order, from the id
    Column("text_digest", String(16), nullable=False),  # of the words that the question rests on
    Column("mass", Text, nullable=False),  # of a row: the Mass as JSON; "" of an hour
    Column("place", Text, nullable=False),  # of a row: the parish and its town, as the question names them
    Column("quote", Text, nullable=False),  # of a row: the words on the page, masked
    Column("reason", String(20), nullable=False),  # of a row: why it is asked (checked.REASONS)
    Column("context", String(16), nullable=False),  # of a row: checked.context_of
    Column("wording", String(16), nullable=False),  # of a row: equal for rows that rest on the same kind of words
    Column("gold", String(16), nullable=True),
    Column("wanted", Integer, nullable=False),
    Column("n_taken", Integer, nullable=False, default=0),  # counted votes and live reservations
    Column("n_votes", Integer, nullable=False, default=0),
    Column("state", String(16), nullable=False, default="open"),
    Column("decided", Boolean, nullable=False, default=False),  # by the operator: votes change nothing any more
    Column("label", String(16), nullable=True),
    Column("probability", Float, nullable=True),
    Column("added_at", _MOMENT, nullable=False),
    Index(None, "campaign", "state", "n_taken", "tier", "priority", "shuffle"),
    Index(None, "campaign", "state", "n_taken", "shuffle"),
    Index(None, "campaign", "gold"),
    Index(None, "campaign", "decided"),
    Index(None, "block_key"),
)

voters: Final = Table(
    "voters",
    metadata,
    Column("voter_id", String(64), primary_key=True),
    Column("standing", String(16), nullable=False, default="normal"),
    Column("standing_by", String(64), nullable=False, default=""),
    Column("skill", Float, nullable=True),  # share of right answers, estimated; null before the first estimate
    Column("share", Float, nullable=False, default=1.0),  # how far the cap of its network lets a vote count
    Column("n_compared", Integer, nullable=False, default=0),
    Column("n_votes", Integer, nullable=False, default=0),
    Column("created_at", _MOMENT, nullable=False),
)

votes: Final = Table(
    "votes",
    metadata,
    Column("vote_id", _SERIAL, primary_key=True, autoincrement=True),
    Column("candidate_id", String(64), ForeignKey("items.candidate_id"), nullable=False),
    Column("voter_id", String(64), ForeignKey("voters.voter_id"), nullable=False),
    Column("answer", String(16), nullable=False),
    Column("origin", String(32), nullable=False),
    Column("duration_ms", Integer, nullable=True),
    Column("voted_at", _MOMENT, nullable=False),
    Column("sequence", Integer, nullable=False),  # place in the voter's own history: undo walks it back
    Column("withdrawn", Boolean, nullable=False, default=False),
    Index("ux_votes_candidate_voter", "candidate_id", "voter_id", unique=True),
    Index(None, "voter_id", "withdrawn", "sequence"),
)

reservations: Final = Table(
    "reservations",
    metadata,
    Column("candidate_id", String(64), ForeignKey("items.candidate_id"), primary_key=True),
    Column("voter_id", String(64), ForeignKey("voters.voter_id"), primary_key=True),
    Column("expires_at", _MOMENT, nullable=False),
    Column("takes_slot", Boolean, nullable=False),
    Index(None, "expires_at"),
    Index(None, "voter_id"),
)

label_events: Final = Table(
    "label_events",
    metadata,
    Column("event_id", _SERIAL, primary_key=True, autoincrement=True),
    Column("candidate_id", String(64), ForeignKey("items.candidate_id"), nullable=False),
    Column("label", String(16), nullable=False),
    Column("labelled_at", _MOMENT, nullable=False),
)

decisions: Final = Table(
    "decisions",
    metadata,
    Column("candidate_id", String(64), ForeignKey("items.candidate_id"), primary_key=True),
    Column("label", String(16), nullable=False),
    Column("operator", String(64), nullable=False),
    Column("note", Text, nullable=False, default=""),
    Column("decided_at", _MOMENT, nullable=False),
)

reports: Final = Table(  # what people say is wrong with a question
    "reports",
    metadata,
    Column("candidate_id", String(64), ForeignKey("items.candidate_id"), primary_key=True),
    Column("voter_id", String(64), ForeignKey("voters.voter_id"), primary_key=True),
    Column("reason", String(16), nullable=False),
    Column("comment", Text, nullable=False),
    Column("reported_at", _MOMENT, nullable=False),
)

operators: Final = Table(
    "operators",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("password_hash", String(256), nullable=False),
    Column("created_at", _MOMENT, nullable=False),
)

invitations: Final = Table(  # that were used: each makes one voter trusted, once, whatever becomes of that voter
    "invitations", metadata, Column("name", String(64), primary_key=True), Column("used_at", _MOMENT, nullable=False)
)

operator_sessions: Final = Table(
    "operator_sessions",
    metadata,
    Column("session_hash", String(64), primary_key=True),
    Column("name", String(64), ForeignKey("operators.name"), nullable=False),
    Column("expires_at", _MOMENT, nullable=False),
)
