"""A crawl on a file system that fills up and is enlarged when the crawl has noticed; run in a mount namespace of its own.

unshare -m python -m mass_pipeline_tests.crawling.state.small_disk FOLDER
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

from mass_pipeline.crawling import Progress, Seed, crawl_sites
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK

# Pages that do not compress, so that they need room.
SITE = {f"/{n}": Page(random.Random(n).randbytes(4000).hex()) for n in range(48)}
CONFIG = replace(QUICK, commit_seconds=0.05, max_disk_wait_seconds=600, max_pages_per_site=100)


def main(folder: Path) -> int:
    """Entry point; exit code 1 when the crawl did not pause and go on, or asked for a page twice."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(folder)], check=True)
    noticed: list[str] = []

    def enlarge() -> None:
        subprocess.run(["mount", "-o", "remount,size=50m", str(folder)], check=True)

    def watch(progress: Progress) -> None:
        if progress.paused and not noticed:
            noticed.append(progress.paused)
            threading.Timer(1.5, enlarge).start()

    with Loopback({"a.example": {"/": Page(links(*SITE)), **SITE}}) as server:
        seeds = [Seed("a", "http://a.example/")]
        report = crawl_sites(seeds, state=folder / "state", config=CONFIG, connect_to=server.connect_to, on_progress=watch)
        asked = server.paths()
    words = [line.split()[1] for line in (folder / "state" / "progress.log").read_text().splitlines()]
    events = [word for word in words if word in ("paused_disk", "resumed")]
    print(events, report.pages, len(asked), noticed)
    return int(not (report.finished and report.pages == len(SITE) + 1 == len(set(asked)) - 1 == len(asked) - 1
                    and events and events[-1] == "resumed"))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
