"""Hooks for grave errors: a program without a shell, a web hook; neither ever raises (J4)."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling.watching.records import GraveError
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.resources.notifications import notify_of
from mass_pipeline_tests.crawling.loopback import Loopback, Page, Request

_ERROR = GraveError(datetime(2026, 11, 21, tzinfo=UTC), "site", "p", "http://a.example/", "robots.txt; rm -rf $HOME", 3)


class TestProgram:
    def test_it_gets_the_error_on_its_standard_input_and_no_shell_reads_it(self, tmp_path: Path) -> None:
        out = tmp_path / "told $(date).json"
        script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
        notify = notify_of(f"{sys.executable} -c '{script}' '{out}'", "")
        assert notify is not None
        notify(_ERROR)

        assert json.loads(out.read_text("utf-8")) == {
            "at": "2026-11-21T00:00:00+00:00", "kind": "site", "site_id": "p", "url": "http://a.example/",
            "reason": "robots.txt; rm -rf $HOME", "more": 3,
        }  # fmt: skip

    @pytest.mark.parametrize("command", ["/no/such/program", f"{sys.executable} -c 'raise SystemExit(3)'"])
    def test_a_program_that_fails_is_logged_and_nothing_else(self, command: str, caplog: pytest.LogCaptureFixture) -> None:
        notify = notify_of(command, "")
        assert notify is not None
        notify(_ERROR)

        assert "notify.command_failed" in caplog.text


class TestWebHook:
    def test_it_gets_the_error_by_post(self) -> None:
        bodies: list[bytes] = []

        async def take(request: Request, writer: asyncio.StreamWriter) -> None:
            bodies.append(request.headers["content-type"].encode())
            writer.write(Page("ok").wire())
            await writer.drain()

        with Loopback({"127.0.0.1": {"/hook": take}}) as server:
            notify = notify_of("", f"http://127.0.0.1:{server.port}/hook")
            assert notify is not None
            notify(_ERROR)

        assert bodies == [b"application/json"]

    def test_a_hook_that_is_not_there_is_logged_without_its_address(self, caplog: pytest.LogCaptureFixture) -> None:
        """A web hook's address is a secret: whoever has it can write."""
        caplog.set_level(logging.INFO)
        notify = notify_of("", "http://127.0.0.1:9/secret-token")
        assert notify is not None
        notify(_ERROR)

        assert "notify.webhook_failed" in caplog.text
        assert "secret-token" not in caplog.text


class TestSettings:
    def test_without_hooks_there_is_nothing_to_call(self) -> None:
        assert notify_of("", "") is None

    @pytest.mark.parametrize(("command", "webhook"), [("'", ""), ("  ", ""), ("", "slack")])
    def test_what_cannot_be_a_hook_is_refused_at_once(self, command: str, webhook: str) -> None:
        with pytest.raises(ConfigurationError, match="NOTIFY"):
            notify_of(command, webhook)
