"""`mass-pipeline serve-demo-web` as a user runs it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import httpx
import pytest

from mass_pipeline_tests.shared import PATIENCE_SECONDS


@pytest.mark.slow
class TestServeDemoWeb:
    def test_serves_until_interrupted_and_ends_well(self) -> None:
        command = [
            sys.executable,
            "-c",
            "from mass_pipeline.cli import main; main()",
            "serve-demo-web",
            "--port",
            "0",
            "--sites",
            "2",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
            assert found is not None
            answer = httpx.get(
                f"http://127.0.0.1:{found[1]}/parafie-koscioly/",
                headers={"Host": "parafie.demo-katalog.example"},
                timeout=PATIENCE_SECONDS,
            )
            for _ in range(3):
                process.stdout.readline()
            process.send_signal(signal.SIGINT)
            code = process.wait(PATIENCE_SECONDS)

        assert (answer.status_code, code) == (200, 0)
