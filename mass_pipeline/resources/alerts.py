"""Tell an operator by e-mail, web hook or a program what needs a person; nothing twice for one cause within a stated time (J4).

What is reported, and when, is decided elsewhere (automation.alerts, crawling.watching). What was reported is kept in a state
file, by channel: a mail that went out is not sent again because the web hook failed. Crawled words come as plain text.

Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 5322 (messages).
"""

from __future__ import annotations

import json
import logging
import shlex
import smtplib
import sqlite3
import ssl
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.model.settings import setting
from mass_pipeline.resources.settings import Settings

_SECONDS: Final = 20.0
_LONGEST: Final = 1_000  # characters of one alert
_MOST: Final = 50  # alerts in one message; how many more there are is stated
_KEPT_DAYS: Final = 90
_OTHERS: Final = "others"  # the channel of letters to others than the operator
_PORTS: Final = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
_MANNERS: Final = CrawlConfig(
    allow_private_hosts=True,  # the operator's own machine, as often as not
    allow_unverified_tls=False,
    never_crawl=(),
    connect_seconds=_SECONDS,
    idle_seconds=_SECONDS,
    total_seconds=_SECONDS,
)
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
    smtp: str = setting(
        "smtp://localhost:25",
        "Server that takes the mail: smtp://HOST:PORT, smtp+starttls://NAME:PASSWORD@HOST:587 or smtps://NAME:PASSWORD@HOST:465",
        secret=True,
        source="RFC 3207",
    )
    webhook: str = setting("", "http(s) URL that gets alerts as JSON by POST; empty means none", secret=True)
    command: str = setting("", "Program that gets alerts as JSON on its standard input, run without a shell; empty means none")
    repeat_hours: float = 24.0  # So long nothing is told again for the same cause, h

    @property
    def sender(self) -> str:
        """Address that mails come from; "" where no setting says so."""
        return self.email_from or next(iter(self.email_to), "")


@dataclass(frozen=True, slots=True)
class Alert:
    """One thing that needs a person.

    Attributes:
        kind: `run_failed`, `check_failed`, `overdue`, `quota`, `parishes_lost` or `watch_` with the kind of a grave error.
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
        self._server = _server_of(config.smtp)
        self._channels: dict[str, Send] = {}
        if config.email_to:
            self._channels["email"] = lambda alerts, now: self._deliver(message_of(alerts, now, config))
        if config.webhook:
            self._channels["webhook"] = self._post
        if config.command:
            self._channels["command"] = self._run

    @classmethod
    def of(cls, settings: Settings) -> Alerts:
        """Those of the settings."""
        return cls(settings.section(AlertsConfig), settings.data_folder / "state" / "alerts.sqlite")

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
            fresh = self._claim(name, alerts, now, timedelta(hours=self._config.repeat_hours))
            if not fresh:
                continue
            if send(fresh, now):
                taken += 1
            else:
                self._give_back(name, fresh)
        return taken

    def mail_once(
        self, kind: str, cause: str, to: str, now: datetime, within: timedelta, text: Callable[[], tuple[str, str]]
    ) -> bool:
        """Write to somebody else than the operator, once for a cause within a time; whether it was sent now.

        Args:
            to: address; "" counts the cause as dealt with, and nothing is sent. It is kept nowhere.
            text: subject and words, made when they are needed.
        """
        alert = Alert(kind, cause, "")
        if not self._claim(_OTHERS, [alert], now, within) or not to:
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

    def _claim(self, channel: str, alerts: Sequence[Alert], now: datetime, within: timedelta) -> list[Alert]:
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

    def _deliver(self, message: EmailMessage) -> bool:
        try:
            with _connected(self._server) as server:
                if self._server.username:
                    server.login(unquote(self._server.username), unquote(self._server.password or ""))
                server.send_message(message)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            log.error("alerts.mail_failed host=%s error=%s", self._server.hostname, type(error).__name__)
            return False
        return True

    def _post(self, alerts: Sequence[Alert], now: datetime) -> bool:
        """Redirects are not followed, the answer's body is not read; the address, often a secret, stays out of the log."""
        import httpx  # settings of alerts are read by every command, and few of them send one

        from mass_pipeline.crawling.fetching.http_client import RateLimitedClient

        try:
            with RateLimitedClient(_MANNERS, service=True) as client:
                kind = {"Content-Type": "application/json"}
                status = client.post(self._config.webhook, content=as_json(alerts, now), headers=kind).status_code
        except (httpx.HTTPError, httpx.InvalidURL) as failure:
            log.error("alerts.webhook_failed error=%s", type(failure).__name__)
            return False
        if status >= 300:
            log.error("alerts.webhook_failed status=%s", status)
        return status < 300

    def _run(self, alerts: Sequence[Alert], now: datetime) -> bool:
        words = shlex.split(self._config.command)
        try:
            done = subprocess.run(words, input=as_json(alerts, now), timeout=_SECONDS, capture_output=True, check=False)  # noqa: S603  # the operator's own program, no shell
        except (OSError, subprocess.SubprocessError) as error:
            log.error("alerts.command_failed program=%s error=%s", words[0], error)
            return False
        if done.returncode:
            log.error("alerts.command_failed program=%s code=%d", words[0], done.returncode)
        return not done.returncode


def notify_of(alerts: Alerts) -> Notify | None:
    """What a watch tells its grave errors to; None when no channel is set."""

    def notify(error: GraveError) -> None:
        more = f" {error.more} more since the last message." if error.more else ""
        text = " ".join(filter(None, (error.url, f"{error.reason}{more}")))
        alerts.tell([Alert(f"watch_{error.kind}", error.site_id or "announcements", text)], error.at)

    return notify if alerts.channels else None


def as_json(alerts: Sequence[Alert], now: datetime) -> bytes:
    """What web hooks and programs get: at, text, alerts (kind, cause, text), more."""
    found = [{"kind": one.kind, "cause": one.cause, "text": _short(one.text)} for one in alerts]
    body = {"at": now.isoformat(), "text": subject_of(alerts), "alerts": found[:_MOST], "more": max(0, len(found) - _MOST)}
    return json.dumps(body, ensure_ascii=False).encode()


def _refuse_nonsense(config: AlertsConfig) -> None:
    if config.webhook and not config.webhook.startswith(("http://", "https://")):
        raise ConfigurationError("MASS_PIPELINE_ALERTS_WEBHOOK: expected an http(s) URL.")
    try:
        is_program = bool(shlex.split(config.command)) or not config.command
    except ValueError:
        is_program = False
    if not is_program:
        raise ConfigurationError("MASS_PIPELINE_ALERTS_COMMAND: expected a program and its arguments.")
    wrong = [one for one in (*config.email_to, config.email_from) if one and ("@" not in one or any(c.isspace() for c in one))]
    if wrong:
        raise ConfigurationError(f"MASS_PIPELINE_ALERTS_EMAIL_TO, _FROM: {wrong[0]!r} is no e-mail address.")


def _server_of(url: str) -> SplitResult:
    server = urlsplit(url)
    try:
        is_right = server.scheme in _PORTS and bool(server.hostname) and server.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise ConfigurationError(f"MASS_PIPELINE_ALERTS_SMTP: expected {', '.join(f'{one}://HOST:PORT' for one in _PORTS)}.")
    if server.password and server.scheme == "smtp":
        raise ConfigurationError("MASS_PIPELINE_ALERTS_SMTP: a log-in needs smtp+starttls:// or smtps://.")
    return server


def _connected(server: SplitResult) -> smtplib.SMTP:
    host, port = server.hostname or "", server.port or _PORTS[server.scheme]
    context = ssl.create_default_context()
    if server.scheme == "smtps":
        return smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=context)
    connection = smtplib.SMTP(host, port, timeout=_SECONDS)
    if server.scheme == "smtp+starttls":
        connection.starttls(context=context)
    return connection


def _message(subject: str, sender: str, to: str, text: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, sender, to
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office answers
    message.set_content(text)
    return message


def message_of(alerts: Sequence[Alert], now: datetime, config: AlertsConfig) -> EmailMessage:
    """One mail with all of them, plain text."""
    lines = [f"{alert.kind}: {_short(alert.cause)}\n  {_short(alert.text)}" for alert in alerts[:_MOST]]
    more = [f"... and {len(alerts) - _MOST} more."] if len(alerts) > _MOST else []
    end = f"Told at {now:%Y-%m-%d %H:%M} UTC; the same cause is not told again for {config.repeat_hours:g} hours."
    text = "\n\n".join([*lines, *more, end]) + "\n"
    return _message(f"mass_pipeline: {subject_of(alerts)}", config.sender, ", ".join(config.email_to), text)


def letter_of(to: str, subject: str, text: str, config: AlertsConfig) -> EmailMessage:
    """A letter to somebody else than the operator, plain text.

    Raises:
        ConfigurationError: no setting says whom it comes from.
    """
    if not config.sender:
        raise ConfigurationError("MASS_PIPELINE_ALERTS_EMAIL_FROM: needed for letters to parishes.")
    return _message(_short(subject)[:200], config.sender, to, text)


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
