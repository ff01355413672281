"""Operators: names, passwords (scrypt), sessions that can be ended. The store keeps only hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from mass_pipeline.annotation.database import aware, insert_ignoring, reading
from mass_pipeline.annotation.schema import operator_sessions, operators
from mass_pipeline.annotation.store import Store
from mass_pipeline.model.errors import UsageError

LEAST_PASSWORD: Final = 12  # ASVS 5.0 6.2.1 asks for 8, recommends 15
_COST: Final = {"n": 2**15, "r": 8, "p": 1}  # OWASP password storage: about 32 MiB and 0.1 s a try
_NOBODY: Final = f"scrypt${bytes(16).hex()}${bytes(64).hex()}"  # compared for unknown names: they cost the same time
_MEMORY: Final = 64 * 1024 * 1024


def add_operator(store: Store, name: str, password: str, *, now: datetime) -> None:
    """Create an operator account or give it a new password; its sessions end.

    Raises:
        UsageError: name or password too short or too long.
    """
    if not (1 <= len(name) <= 64 and name.isprintable()):
        raise UsageError("An operator's name has 1 to 64 printable characters.")
    if not LEAST_PASSWORD <= len(password) <= 200:
        raise UsageError(f"The password must have {LEAST_PASSWORD} to 200 characters.")
    with store.engine.begin() as connection:
        values = {"password_hash": _hash(password, secrets.token_bytes(16))}
        statement = insert_ignoring(connection.dialect.name, operators).values(name=name, created_at=now, **values)
        connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))
        connection.execute(sa.delete(operator_sessions).where(operator_sessions.c.name == name))


def log_in(store: Store, name: str, password: str, *, now: datetime) -> str | None:
    """Token of a new session, or None when name or password is wrong; both take the same time."""
    with reading(store.engine) as connection:
        known = connection.execute(sa.select(operators.c.password_hash).where(operators.c.name == name)).scalar_one_or_none()
    reference = known or _NOBODY
    matches = hmac.compare_digest(_hash(password[:200], bytes.fromhex(reference.split("$")[1])), reference)
    if known is None or not matches:
        return None
    token = secrets.token_urlsafe(32)
    expires = now + timedelta(hours=store.config.operator_hours)
    with store.engine.begin() as connection:
        connection.execute(sa.delete(operator_sessions).where(operator_sessions.c.expires_at <= now))
        connection.execute(sa.insert(operator_sessions).values(session_hash=_session_hash(token), name=name, expires_at=expires))
    return token


def operator_of(store: Store, token: str, *, now: datetime) -> str | None:
    """Name of the operator whose session this is, or None when it ended or never was."""
    query = sa.select(operator_sessions.c.name, operator_sessions.c.expires_at).where(
        operator_sessions.c.session_hash == _session_hash(token)
    )
    with reading(store.engine) as connection:
        row = connection.execute(query).one_or_none()
    return str(row.name) if row and aware(row.expires_at) > now else None


def log_out(store: Store, token: str) -> None:
    """End a session; nothing happens when it ended before."""
    with store.engine.begin() as connection:
        connection.execute(sa.delete(operator_sessions).where(operator_sessions.c.session_hash == _session_hash(token)))


def _hash(password: str, salt: bytes) -> str:
    digest = hashlib.scrypt(password.encode("utf-8", "replace"), salt=salt, maxmem=_MEMORY, **_COST)
    return f"scrypt${salt.hex()}${digest.hex()}"


def _session_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
