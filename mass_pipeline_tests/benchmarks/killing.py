"""Shared by the benchmarks that kill: end a child at a random instant, and look at the pauses it left the hosts."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Sequence
from itertools import pairwise

from mass_pipeline_tests.crawler.loopback import Loopback


def kill_at_random(command: Sequence[str], server: Loopback, chance: random.Random, longest_seconds: float) -> bool:
    """Start a child and kill it so long after its first request at most.

    Returns:
        False when it had ended before, with success.
    """
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    asked = len(server.requests)
    deadline = time.monotonic() + 60
    while len(server.requests) == asked and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        _, errors = process.communicate(timeout=chance.uniform(0, longest_seconds))
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        return True
    assert process.returncode == 0, errors.decode("utf-8", "replace")
    return False


def count_gaps(server: Loopback, figures: dict[str, float], gap_seconds: float) -> None:
    """Add the gaps between requests to one host, restarts included, to `early` and `least_gap_ms`; then forget the requests."""
    moments: dict[str, list[float]] = {}
    for request in server.requests:
        moments.setdefault(request.host, []).append(request.at)
    for times in moments.values():
        for earlier, later in pairwise(times):
            figures["least_gap_ms"] = min(figures["least_gap_ms"], round((later - earlier) * 1000, 1))
            figures["early"] += later - earlier < gap_seconds
    server.requests.clear()
