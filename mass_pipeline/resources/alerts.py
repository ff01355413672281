"""Tell an operator by e-mail and web hook what needs a person; nothing twice for one cause within a stated time.

What is reported, and when, is decided elsewhere (automation.alerts). What was reported is kept in a state file, by channel: a
mail that went out is not sent again because the web hook failed. Crawled words come here in summaries of checks only, as plain
text.

Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 5322 (messages).
"""

from __future__ import annotations

import json
import logging
import smtplib
import sqlite3
import ssl
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from mass_pipeline.model import state_file
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.model.settings import setting
from mass_pipeline.resources.notifications import post_json

_SECONDS: Final = 20.0
_LONGEST: Final = 1_000  # characters of one alert
_MOST: Final = 50  # alerts in one message; how many more there are is stated
_KEPT_DAYS: Final = 90
_OTHERS: Final = "others"  # the channel of letters to others than the operator
TOLD: Final = state_file.StateFormat(
    0,
    "CREATE TABLE IF NOT EXISTS told (channel TEXT, kind TEXT, cause TEXT, at REAL, PRIMARY KEY (channel, kind, cause))",
    journal="DELETE",
    busy_seconds=_SECONDS,
    name="alerts told",
)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AlertsConfig:
    """Who is told, and how (section `alerts`)."""

    email_to: tuple[str, ...] = setting((), "Addresses that alerts go to, separated by commas; empty means no e-mail")
    email_from: str = setting("", "Address that alerts come from; empty means the first of those they go to")
    smtp_host: str = setting("localhost", "Server that takes the mail")
    smtp_port: int = setting(25, "Its port: 25, 465 (tls) or 587 (starttls)", minimum=1, maximum=65535)
    smtp_security: str = setting("none", "How the connection is secured", choices=("none", "starttls", "tls"), source="RFC 3207")
    smtp_user: str = setting("", "Name for the log-in; empty means none")
    smtp_password: str = setting("", "Password for it", secret=True)
    webhook: str = setting("", "http(s) URL that gets alerts as JSON by POST; empty means none", secret=True)
    repeat_hours: float = 24.0  # So long nothing is told again for the same cause, h


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing that needs a person.

    Attributes:
        kind: `run_failed`, `check_failed`, `overdue`, `quota` or `parishes_lost`.
        cause: what it is about, such as `crawl_job/lodzka`; with the kind it says whether it was reported already.
        text: one or some sentences, with the remedy where there is one.
    """

    kind: str
    cause: str
    text: str


Send = Callable[[Sequence[Alert], datetime], bool]  # whether it was taken


class Alerts:
    """The channels of one data folder.

    Args:
        config: channels and rhythm.
        state: SQLite file of what was reported; made when needed.

    Raises:
        ConfigurationError: a setting that cannot work; the message names it.
    """

    def __init__(self, config: AlertsConfig, state: Path) -> None:
        _refuse_nonsense(config)
        self._config = config
        self._state = state
        self._channels: dict[str, Send] = {}
        if config.email_to:
            self._channels["email"] = self._mail
        if config.webhook:
            self._channels["webhook"] = self._post

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of the channels that are set."""
        return tuple(self._channels)

    def tell(self, alerts: Sequence[Alert], now: datetime) -> int:
        """Send what was not reported lately, in one message per channel. Never raises for a channel that is out of order.

        Args:
            alerts: what is known to be wrong now.
            now: aware.

        Returns:
            how many messages were taken.
        """
        taken = 0
        for name, send in self._channels.items():
            # Claimed before it is sent: of two processes one tells. What was not taken is given back, and tried again next time.
            fresh = self._claim(name, alerts, now)
            if not fresh:
                continue
            if send(fresh, now):
                taken += 1
            else:
                self._give_back(name, fresh)
        return taken

    def _claim(self, channel: str, alerts: Sequence[Alert], now: datetime) -> list[Alert]:
        return self._claimed(channel, alerts, now, timedelta(hours=self._config.repeat_hours))

    def mail_once(
        self, kind: str, cause: str, to: str, now: datetime, within: timedelta, text: Callable[[], tuple[str, str]]
    ) -> bool:
        """Write to somebody else than the operator, once for a cause within a time; whether it was sent now.

        Args:
            to: address; "" counts the cause as dealt with, and nothing is sent. It is kept nowhere.
            text: subject and words, made when they are needed.
        """
        alert = Alert(kind, cause, "")
        if not self._claimed(_OTHERS, [alert], now, within) or not to:
            return False
        if self._deliver(letter_of(to, *text(), self._config)):
            return True
        self._give_back(_OTHERS, [alert])
        return False

    def mailed(self, kind: str) -> frozenset[str]:
        """Causes of a kind that others were written to about, or that needed no letter, of the last 90 days."""
        with closing(self._open()) as state:
            rows = state.execute("SELECT cause FROM told WHERE channel = ? AND kind = ?", (_OTHERS, kind))
            return frozenset(cause for (cause,) in rows)

    def _claimed(self, channel: str, alerts: Sequence[Alert], now: datetime, within: timedelta) -> list[Alert]:
        since = (now - within).timestamp()
        with closing(self._open()) as state, state:
            state.execute("BEGIN IMMEDIATE")
            state.execute("DELETE FROM told WHERE at < ?", ((now - timedelta(_KEPT_DAYS)).timestamp(),))
            known = {
                (kind, cause)
                for kind, cause in state.execute("SELECT kind, cause FROM told WHERE channel = ? AND at > ?", (channel, since))
            }
            fresh = list({(one.kind, one.cause): one for one in alerts if (one.kind, one.cause) not in known}.values())
            rows = [(channel, one.kind, one.cause, now.timestamp()) for one in fresh]
            state.executemany("INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?)", rows)
        return fresh

    def _give_back(self, channel: str, alerts: Sequence[Alert]) -> None:
        with closing(self._open()) as state, state:
            rows = [(channel, one.kind, one.cause) for one in alerts]
            state.executemany("DELETE FROM told WHERE channel = ? AND kind = ? AND cause = ?", rows)

    def _open(self) -> sqlite3.Connection:
        return state_file.open_state(self._state, TOLD)

    def _mail(self, alerts: Sequence[Alert], now: datetime) -> bool:
        return self._deliver(message_of(alerts, now, self._config))

    def _deliver(self, message: EmailMessage) -> bool:
        config = self._config
        try:
            with _connected(config) as server:
                if config.smtp_user:
                    server.login(config.smtp_user, config.smtp_password)
                server.send_message(message)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            log.error("alerts.mail_failed host=%s error=%s", config.smtp_host, type(error).__name__)
            return False
        return True

    def _post(self, alerts: Sequence[Alert], now: datetime) -> bool:
        found = [{"kind": one.kind, "cause": one.cause, "text": _short(one.text)} for one in alerts]
        body = {"at": now.isoformat(), "text": subject_of(alerts), "alerts": found[:_MOST], "more": max(0, len(found) - _MOST)}
        failure = post_json(self._config.webhook, json.dumps(body, ensure_ascii=False).encode())
        if failure:  # the address is a secret and stays out of the log
            log.error("alerts.webhook_failed %s", failure)
        return not failure


def _refuse_nonsense(config: AlertsConfig) -> None:
    if config.webhook and not config.webhook.startswith(("http://", "https://")):
        raise ConfigurationError("MASS_PIPELINE_ALERTS_WEBHOOK: expected an http(s) URL.")
    if config.smtp_password and config.smtp_security == "none":
        raise ConfigurationError("MASS_PIPELINE_ALERTS_SMTP_PASSWORD: a log-in needs MASS_PIPELINE_ALERTS_SMTP_SECURITY.")
    wrong = [one for one in (*config.email_to, config.email_from) if one and ("@" not in one or any(c.isspace() for c in one))]
    if wrong:
        raise ConfigurationError(f"MASS_PIPELINE_ALERTS_EMAIL_TO, _FROM: {wrong[0]!r} is no e-mail address.")


def _connected(config: AlertsConfig) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if config.smtp_security == "tls":
        return smtplib.SMTP_SSL(config.smtp_host, config.smtp_port, timeout=_SECONDS, context=context)
    server = smtplib.SMTP(config.smtp_host, config.smtp_port, timeout=_SECONDS)
    if config.smtp_security == "starttls":
        server.starttls(context=context)
    return server


def message_of(alerts: Sequence[Alert], now: datetime, config: AlertsConfig) -> EmailMessage:
    """One mail with all of them, plain text."""
    message = EmailMessage()
    message["Subject"] = f"mass_pipeline: {subject_of(alerts)}"
    message["From"] = config.email_from or config.email_to[0]
    message["To"] = ", ".join(config.email_to)
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office answers
    lines = [f"{one.kind}: {_short(one.cause)}\n  {_short(one.text)}" for one in alerts[:_MOST]]
    more = [f"... and {len(alerts) - _MOST} more."] if len(alerts) > _MOST else []
    end = f"Told at {now:%Y-%m-%d %H:%M} UTC; the same cause is not told again for {config.repeat_hours:g} hours."
    message.set_content("\n\n".join([*lines, *more, end]) + "\n")
    return message


def letter_of(to: str, subject: str, text: str, config: AlertsConfig) -> EmailMessage:
    """A letter to somebody else than the operator, plain text.

    Raises:
        ConfigurationError: no setting says whom it comes from.
    """
    sender = config.email_from or next(iter(config.email_to), "")
    if not sender:
        raise ConfigurationError("MASS_PIPELINE_ALERTS_EMAIL_FROM: needed for letters to parishes.")
    message = EmailMessage()
    message["Subject"] = _short(subject)[:200]
    message["From"] = sender
    message["To"] = to
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return message


def subject_of(alerts: Sequence[Alert]) -> str:
    """One line for all of them.

    >>> subject_of([Alert("run_failed", "crawl_job/lodzka", "..."), Alert("quota", "places", "...")])
    'run failed: crawl_job/lodzka, and 1 more'
    """
    first = alerts[0]
    more = f", and {len(alerts) - 1} more" if len(alerts) > 1 else ""
    return f"{first.kind.replace('_', ' ')}: {_short(first.cause)[:100]}{more}"


def _short(text: str) -> str:
    """One line without control characters: words of others must not shape a header or a message."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
