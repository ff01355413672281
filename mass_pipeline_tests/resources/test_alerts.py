"""Alerts by e-mail, web hook and program: what arrives, what is told once only, and what a channel out of order costs."""

from __future__ import annotations

import asyncio
import email
import email.policy
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from mass_pipeline.crawling.watching.records import GraveError
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.resources.alerts import Alert, Alerts, AlertsConfig, notify_of
from mass_pipeline_tests.crawling.loopback import Loopback, Request

NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)
FAILED = Alert("run_failed", "crawl_job/lodzka", "Cannot write: No space left on device.")
LOST = Alert("parishes_lost", "parish_states: nothing_lost/lodzka", "2 parishes have no order any more.")


class Postbox:
    """Keeps the mails a local server was handed; refuses them while `closed`."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.closed = False

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        if self.closed:
            return "451 try again later"
        self.mails.append(email.message_from_bytes(envelope.content, EmailMessage, policy=email.policy.default))
        return "250 taken"


class MailServer(Controller):
    """On a port that the system chose."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()


@pytest.fixture
def postbox() -> Postbox:
    return Postbox()


@pytest.fixture
def config(postbox: Postbox) -> Iterator[AlertsConfig]:
    server = MailServer(postbox, hostname="127.0.0.1", port=0)
    server.start()
    try:
        yield AlertsConfig(email_to=("ops@a.example", "b@a.example"), smtp=f"smtp://127.0.0.1:{server.port}")
    finally:
        server.stop()


class TestMail:
    @pytest.mark.row("J4")
    def test_all_that_is_new_comes_in_one_mail(self, config: AlertsConfig, postbox: Postbox, tmp_path: Path) -> None:
        assert Alerts(config, tmp_path / "alerts.sqlite").tell([FAILED, LOST, FAILED], NOW) == 1

        (mail,) = postbox.mails
        assert mail["subject"] == "mass_pipeline: run failed: crawl_job/lodzka, and 1 more"
        assert mail["to"] == "ops@a.example, b@a.example"
        assert mail["auto-submitted"] == "auto-generated"
        text = mail.get_content()
        assert text.count("No space left on device") == 1
        assert "2 parishes have no order any more." in text

    def test_the_same_cause_is_told_again_only_after_the_stated_time(
        self, config: AlertsConfig, postbox: Postbox, tmp_path: Path
    ) -> None:
        def told(after: timedelta) -> int:
            return Alerts(config, tmp_path / "alerts.sqlite").tell([FAILED], NOW + after)

        assert [told(timedelta(hours=hours)) for hours in (0, 1, 23.9, 24.1, 25)] == [1, 0, 0, 1, 0]
        assert len(postbox.mails) == 2

    def test_what_the_server_did_not_take_is_told_next_time(
        self, config: AlertsConfig, postbox: Postbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        alerts = Alerts(config, tmp_path / "alerts.sqlite")
        postbox.closed = True
        first = alerts.tell([FAILED], NOW)
        postbox.closed = False

        assert (first, alerts.tell([FAILED], NOW + timedelta(minutes=1))) == (0, 1)
        assert "alerts.mail_failed" in caplog.text

    def test_words_of_others_shape_neither_header_nor_message(
        self, config: AlertsConfig, postbox: Postbox, tmp_path: Path
    ) -> None:
        hostile = Alert("run_failed", "x\r\nBcc: all@a.example\r\n\r\nhello", "a\nb\x1b[2J" + "z" * 5000)
        Alerts(config, tmp_path / "alerts.sqlite").tell([hostile], NOW)

        (mail,) = postbox.mails
        assert mail["bcc"] is None
        assert "\x1b" not in mail.get_content()
        assert len(mail.get_content()) < 2000


class TestWebHook:
    def test_it_gets_json_and_a_refusal_is_tried_again_without_a_second_mail(
        self, config: AlertsConfig, postbox: Postbox, tmp_path: Path
    ) -> None:
        answers = ["HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 Taken\r\nContent-Length: 0\r\n\r\n"]
        asked: list[Request] = []

        async def take(request: Request, writer: asyncio.StreamWriter) -> None:
            asked.append(request)
            writer.write(answers[len(asked) - 1].encode())
            await writer.drain()
            writer.close()

        with Loopback({"127.0.0.1": {"/hook": take}}) as server:
            both = AlertsConfig(
                email_to=config.email_to,
                smtp=config.smtp,
                webhook=f"http://127.0.0.1:{server.port}/hook",
            )
            taken = [Alerts(both, tmp_path / "alerts.sqlite").tell([FAILED], NOW) for _ in range(3)]

        assert taken == [1, 1, 0]
        assert len(postbox.mails) == 1
        assert len(asked) == 2

    def test_a_hook_that_is_not_there_is_logged_without_its_address(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        config = AlertsConfig(webhook="http://127.0.0.1:9/secret-token")

        assert Alerts(config, tmp_path / "alerts.sqlite").tell([FAILED], NOW) == 0
        assert "alerts.webhook_failed" in caplog.text
        assert "secret-token" not in caplog.text + repr(config)


class TestProgram:
    def program(self, folder: Path) -> tuple[Path, Alerts]:
        """A file that will hold what the program gets, and the alerts that call it."""
        out = folder / "told $(date).json"
        script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
        return out, Alerts(AlertsConfig(command=f"{sys.executable} -c '{script}' '{out}'"), folder / "alerts.sqlite")

    def test_of_many_alerts_the_first_fifty_come_with_how_many_more_there_are(self, tmp_path: Path) -> None:
        out, alerts = self.program(tmp_path)
        alerts.tell([Alert("check_failed", f"c{n}", "t") for n in range(60)], NOW)

        body = json.loads(out.read_text("utf-8"))
        assert body["text"] == "check failed: c0, and 59 more"
        assert (len(body["alerts"]), body["more"]) == (50, 10)

    @pytest.mark.row("J4")
    def test_it_gets_json_on_its_standard_input_and_no_shell_reads_it(self, tmp_path: Path) -> None:
        out, alerts = self.program(tmp_path)

        notify = notify_of(alerts)
        assert notify is not None
        notify(GraveError(NOW, "site", "p", "http://a.example/", "robots.txt; rm -rf $HOME", 3))

        (alert,) = json.loads(out.read_text("utf-8"))["alerts"]
        assert alert == {
            "kind": "watch_site", "cause": "p",
            "text": "http://a.example/ robots.txt; rm -rf $HOME 3 more since the last message.",
        }  # fmt: skip

    @pytest.mark.parametrize("command", ["/no/such/program", f"{sys.executable} -c 'raise SystemExit(3)'"])
    def test_a_program_that_fails_is_logged_and_asked_again(
        self, command: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        alerts = Alerts(AlertsConfig(command=command), tmp_path / "alerts.sqlite")

        assert [alerts.tell([FAILED], NOW), alerts.tell([FAILED], NOW)] == [0, 0]
        assert caplog.text.count("alerts.command_failed") == 2


class TestSettings:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"webhook": "slack"},
            {"email_to": ("nobody",)},
            {"smtp": "smtp://me:x@a.example"},
            {"smtp": "a.example:25"},
            {"email_from": "a b@c.example"},
            {"command": "'"},
            {"command": "  "},
        ],
    )
    def test_what_cannot_work_is_refused_at_once(self, wrong: dict[str, Any], tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match="MASS_PIPELINE_ALERTS"):
            Alerts(AlertsConfig(**wrong), tmp_path / "alerts.sqlite")

    def test_without_channels_nothing_is_told_and_nothing_remembered(self, tmp_path: Path) -> None:
        assert Alerts(AlertsConfig(), tmp_path / "alerts.sqlite").tell([FAILED], NOW) == 0
        assert not list(tmp_path.iterdir())
        assert notify_of(Alerts(AlertsConfig(), tmp_path / "alerts.sqlite")) is None
