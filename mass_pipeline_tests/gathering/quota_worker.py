"""Processes of the quota soak: each looks parishes up against a counting server until all are answered or the units are spent.

Run as `python -m mass_pipeline_tests.gathering.quota_worker`: reads lines `STATE PORT PARISHES LIMIT LEASE`, forks a process for
each, answers with its number; "wait" waits for all and answers with the number that ended badly. Forking spares a second a kill.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from mass_pipeline.gathering.config import PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.lookups import open_ledger
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.gathering.websites import Sources, find_websites
from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
from mass_pipeline_tests.gathering.support import parish


def run(state: Path, port: int, parishes: int, limit: int, lease_seconds: float) -> None:
    """Look so many parishes up; those that another process has claimed or that find no units stay pending."""
    config = PlacesConfig(
        api_key="AIzaSoak",
        terms_confirmed=True,
        units_per_day=limit,
        lease_seconds=lease_seconds,
        parallel_lookups=3,
        max_attempts=1,
        queries_per_second=1000,
        timeout_seconds=5.0,
    )
    client = GooglePlacesLegacy(config, f"http://127.0.0.1:{port}")
    everyone = [parish(f"św. Anny {number}", "Opole", street=None) for number in range(parishes)]
    with DiscoveryState(state) as opened:
        policy = WebsitesConfig(verify=False)
        find_websites(everyone, Sources(client, config), open_ledger(opened, config), policy, None, lambda: datetime.now(UTC))


def nurse() -> None:
    """Serve standard input."""
    children: list[int] = []
    for line in sys.stdin:
        if line.strip() == "wait":
            print(sum(os.waitpid(child, 0)[1] != 0 for child in children), flush=True)
            children.clear()
            continue
        state, *numbers, lease = line.rsplit(maxsplit=4)
        child = os.fork()
        if child == 0:
            run(Path(state), *(int(number) for number in numbers), float(lease))
            os._exit(0)
        children.append(child)
        print(child, flush=True)


if __name__ == "__main__":
    nurse()
