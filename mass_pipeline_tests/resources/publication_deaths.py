"""A publication in the lake that a power cut or a failing disk ends: the partition is the old one or the new one, whole."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.crawling.crash_states import Disk, random_faults, record

_CLEAR_EXIT = 3  # ended with one of our errors
_MODULE = __spec__.name if __spec__ else __name__


def through_power_cuts(states: int, seed: int) -> dict[str, int]:
    """Crash states of a publication over an older one.

    Returns:
        `states`; `mixed` ones that are neither the old nor the new partition, `forgotten` ones that are the old one though the
        publication had ended.
    """
    chance = random.Random(seed)
    figures = {"states": 0, "mixed": 0, "forgotten": 0}
    with tempfile.TemporaryDirectory(prefix="publication-") as folder:
        root, log = Path(folder) / "lake", Path(folder) / "strace.log"
        calls = record(_command(root, 1), root, log)
        old, first = _partition(root).read_bytes(), len(calls)
        calls += record(_command(root, 2), root, log)
        new = _partition(root).read_bytes()
        for _ in range(states):
            moment = chance.randint(first, len(calls))
            disk = Disk()
            for call in calls[:moment]:
                disk.play(call)
            found = disk.after_power_cut(chance).get(str(_partition(root)), b"")
            figures["states"] += 1
            figures["mixed"] += found not in (old, new)
            figures["forgotten"] += moment == len(calls) and found != new
    return figures


def through_faults(faults: int, seed: int) -> dict[str, int]:
    """Publications with one fault each.

    Returns:
        `faults`; `lost` partitions that are neither old nor new, `wrong` ones that are old though the publication went well or
        that have something left over beside them, `unclear` ends (neither success nor one clear error).
    """
    figures = {"faults": 0, "lost": 0, "wrong": 0, "unclear": 0}
    with tempfile.TemporaryDirectory(prefix="publication-") as folder:
        root = Path(folder) / "lake"
        bodies = {}
        for value in (2, 1):
            _publish(root, value)
            bodies[value] = _partition(root).read_bytes()
        command = _command(root, 2)
        for fault, strace in islice(random_faults(command, Path(folder) / "strace.log", random.Random(seed)), faults):
            _publish(root, 1)
            done = subprocess.run([*strace, *command], capture_output=True, text=True, timeout=120, check=False)
            found = _partition(root).read_bytes()
            figures["faults"] += 1
            figures["unclear"] += done.returncode not in (0, _CLEAR_EXIT)
            figures["lost"] += found not in bodies.values()
            figures["wrong"] += done.returncode == 0 and found != bodies[2]
            figures["wrong"] += len(list(_partition(root).parent.iterdir())) != 1
            if done.returncode not in (0, _CLEAR_EXIT):
                print(f"{fault}: exit code {done.returncode}\n{done.stderr[-3000:]}", file=sys.stderr)
    return figures


def _partition(root: Path) -> Path:
    return Lake(root).path(CRAWLED_PAGES, "d")


def _command(root: Path, value: int) -> list[str]:
    return [sys.executable, "-m", _MODULE, str(root), str(value)]


def _publish(root: Path, value: int) -> None:
    """Replace the partition by one whose bodies are all made of one value."""
    tables = (table_of(CRAWLED_PAGES, _rows(value, part)) for part in range(4))
    Lake(root).publish(CRAWLED_PAGES, {"d": tables})


def _rows(value: int, part: int) -> list[dict[str, object]]:
    body = random.Random(value).randbytes(20_000)
    common = {
        "final_url": None, "url_md5": "0" * 32, "start_url": "http://a/", "domain": "a", "depth": 0, "referrer": None,
        "link_text": None, "outcome": "ok", "truncated": False, "body": body,
    }  # fmt: skip
    return [{"parish_id": "p", "url": f"http://a/{part}{n:03}", **common} for n in range(50)]


def main() -> int:
    """Publish into a folder, in a process of its own."""
    try:
        _publish(Path(sys.argv[1]), int(sys.argv[2]))
    except MassPipelineError as error:
        print(error)
        return _CLEAR_EXIT
    return 0


if __name__ == "__main__":
    sys.exit(main())
