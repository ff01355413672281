"""Signed cookies and form tokens, and the key that signs them. Nothing a browser sends back is believed without our signature
(ASVS 5.0 3.3, 3.5).

The form token of a question names voter, item and moment: it proves that the item was shown to this voter.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, Signer
from starlette.responses import Response

from mass_pipeline.model.errors import ConfigurationError

VOTER_COOKIE: Final = "__Host-voter"
LANGUAGE_COOKIE: Final = "__Host-language"
OPERATOR_COOKIE: Final = "__Host-operator"
FORM_LIFE: Final = timedelta(hours=12)
INVITE_LIFE: Final = timedelta(days=14)
_VOTER_ID: Final = re.compile(r"[0-9a-f]{32}")
_MOST_CHARACTERS: Final = 500
_LEAST_OF_KEY: Final = 32  # characters


@dataclass(frozen=True, slots=True)
class VoterCookie:
    """Who votes, when the instructions were last read, and the only parish that this person is asked about ("" for all)."""

    voter_id: str
    instructed_at: datetime
    parish: str = ""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to become a trusted voter, and the only parish that it is for ("" for all)."""

    name: str
    parish: str


@dataclass(frozen=True, slots=True)
class FormToken:
    """What a form was made for, and when."""

    subject: str
    issued_at: datetime


class Signing:
    """Makes and checks every signed text; one key, one salt for each use."""

    def __init__(self, secret: str) -> None:
        self._signers = {
            use: Signer(secret, salt=f"mass_pipeline.{use}", digest_method=hashlib.sha256) for use in ("voter", "form", "invite")
        }

    def _sign(self, use: str, *parts: str) -> str:
        return self._signers[use].sign("|".join(parts)).decode("ascii")

    def _unsign(self, use: str, text: str | None) -> list[str] | None:
        if not text or len(text) > _MOST_CHARACTERS or not text.isascii():
            return None
        try:
            return self._signers[use].unsign(text).decode("ascii").split("|")
        except (BadSignature, ValueError):
            return None

    def voter_cookie(self, cookie: VoterCookie) -> str:
        """Text of a voter's cookie."""
        return self._sign("voter", cookie.voter_id, _stamp(cookie.instructed_at), cookie.parish)

    def read_voter(self, text: str | None, *, now: datetime, life: timedelta) -> VoterCookie | None:
        """The voter of a cookie; None when it is absent, foreign, changed or too old."""
        parts = self._unsign("voter", text)
        if parts is None or len(parts) not in (2, 3) or not _VOTER_ID.fullmatch(parts[0]):  # two before parishes were invited
            return None
        instructed_at = _moment(parts[1])
        return VoterCookie(parts[0], instructed_at, "".join(parts[2:])) if now - instructed_at < life else None

    def form_token(self, voter_id: str, subject: str, *, now: datetime) -> str:
        """Token of a form made for this voter and subject ("task:<item>", "undo", ...)."""
        return self._sign("form", voter_id, subject, _stamp(now))

    def read_form(self, text: str | None, *, voter_id: str, now: datetime) -> FormToken | None:
        """What the form was made for; None when the token is not ours, not this voter's, or too old."""
        parts = self._unsign("form", text)
        if parts is None or len(parts) != 3 or not secrets.compare_digest(parts[0], voter_id):
            return None
        issued_at = _moment(parts[2])
        return FormToken(parts[1], issued_at) if timedelta(0) <= now - issued_at < FORM_LIFE else None

    def invite(self, *, now: datetime, parish: str = "") -> str:
        """Token of an invitation to become a trusted voter, of one parish alone where it is named."""
        return self._sign("invite", secrets.token_hex(8), _stamp(now), parish)

    def read_invite(self, text: str, *, now: datetime) -> Invitation | None:
        """A valid invitation, else None."""
        parts = self._unsign("invite", text)
        if parts is None or len(parts) != 3 or now - _moment(parts[1]) > INVITE_LIFE:
            return None
        return Invitation(parts[0], parts[2])


def new_voter_id() -> str:
    """128 random bits (ASVS 5.0 7.2.3)."""
    return secrets.token_hex(16)


def set_cookie(response: Response, name: str, value: str, life: timedelta) -> None:
    """A cookie that only this host gets, only over a trustworthy connection, invisible to scripts."""
    response.set_cookie(name, value, max_age=int(life.total_seconds()), path="/", secure=True, httponly=True, samesite="lax")


def drop_cookie(response: Response, name: str) -> None:
    """Make the browser forget a cookie."""
    response.delete_cookie(name, path="/", secure=True, httponly=True, samesite="lax")


def _stamp(moment: datetime) -> str:
    return str(int(moment.timestamp() * 1000))


def _moment(text: str) -> datetime:
    return datetime.fromtimestamp(int(text) / 1000, UTC)


def read_or_make_secret(given: str, path: Path) -> str:
    """The given key, else the one in the file, else a new one written there (mode 0600).

    Raises:
        ConfigurationError: the key is too short, or the file cannot be read or written.
    """
    try:
        secret = given or _from_file(path)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot keep the key of cookies there ({error.strerror}).") from error
    if len(secret) < _LEAST_OF_KEY:
        raise ConfigurationError(
            f"The annotation secret must have at least {_LEAST_OF_KEY} characters; remove it to get a new one."
        )
    return secret


def _from_file(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
        file.flush()
        os.fsync(file.fileno())
    return path.read_text(encoding="ascii").strip()
