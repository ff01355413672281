"""Pages, files and answers made to hurt: growth of time, CPU seconds and memory of each, in a process of its own.

    python -m mass_pipeline_tests.benchmarks.hostile_pages [--sizes 20000 40000 80000 160000] [--only PART ...] [--door]

Every shape of `mass_pipeline_tests.hostile` is made in growing sizes and read as the product reads it. Printed: the exponent
of growth (slope of log CPU over log bytes, of the sizes that took longer than the noise), CPU seconds at the largest size,
the greatest memory above that of the idle process, and `!` after what misses an aim. A size that would take more than the
limit ends the shape: it is printed as `ended`.

With `--door` pages are read as the pipeline reads them: through the door after which their reading can be ended, then judged
here. Memory is that of this process and of the kept one together; a page that was ended is told with its reason, which is no
fault: what it cost until then is measured.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from mass_pipeline.guard import Guard, Limits, TooCostly
from mass_pipeline.site_reading.guarded import read_guarded
from mass_pipeline_tests.hostile import READERS, SHAPES, Shape
from mass_pipeline_tests.hostile.shapes import PAGE_URL, judged_page

SIZES = (20_000, 40_000, 80_000, 160_000)
TARGET_EXPONENT = 1.2
TARGET_SECONDS = 2.0  # CPU, of 150 kB
TARGET_BYTES = 150_000
MEMORY_RATIO, MEMORY_MIB = 20, 100
NOISE_SECONDS = 0.02  # shorter times tell nothing about growth
_LIMIT_SECONDS = 30
_LIMIT_BYTES = 6 * 2**30
_PATIENCE_SECONDS = 1200  # of the clock, behind the door: what CPU seconds end is told, not what a busy machine is late
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Measured:
    """What one input cost: bytes of the input, CPU seconds, and bytes of memory above the idle process.

    Attributes:
        ended: why its reading was ended at the door; "" when it was not.
    """

    size: int
    seconds: float
    memory: int
    ended: str = ""


def measure(shape: Shape, size: int, *, by_door: bool = False) -> Measured | None:
    """Read an input of about so many bytes in a process of its own; None when it had to be ended from outside."""
    body = shape.make(size)
    ours, theirs = _FORK.Pipe(duplex=False)
    work = _read_by_door if by_door and shape.reader == "page" else _read
    child = _FORK.Process(target=work, args=(shape.reader, body, theirs))
    child.start()
    theirs.close()
    try:
        seconds, memory, ended = ours.recv()
    except EOFError:
        return None
    finally:
        child.join()
    return Measured(len(body), seconds, memory, ended)


def _read_by_door(_reader: str, body: bytes, answer: Connection) -> None:
    guard = Guard(Limits(wall_seconds=_PATIENCE_SECONDS), modules=("mass_pipeline.site_reading.guarded",))
    guard.call(os.getpid, size=0)  # the kept process begins, and loads what it needs
    kept = multiprocessing.active_children()[0].pid or 0
    idle, before, began, ended = _peak_of(kept), _peak(), cpu_of(kept), ""
    started = time.process_time()
    beside = 0
    try:
        reading = read_guarded(body, url=PAGE_URL, guard=guard)[1]
        beside = _peak_of(kept) - idle
        judged_page(reading)
    except TooCostly as error:
        ended = str(error)
        guard.close()  # only processes that have ended are counted
        beside = max(0, _peak(resource.RUSAGE_CHILDREN) - idle)
    of_the_kept = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) if ended else cpu_of(kept)
    seconds = time.process_time() - started + of_the_kept - began
    answer.send((seconds, max(0, _peak() - before) + beside, ended))
    guard.close()


def _peak_of(process: int) -> int:
    """Greatest memory that a process ever held, in bytes."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024


def cpu_of(process: int) -> float:
    """CPU seconds of a process; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _read(reader: str, body: bytes, answer: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT_SECONDS, _LIMIT_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_LIMIT_BYTES, _LIMIT_BYTES))
    before = _peak()
    started = time.process_time()
    READERS[reader](body)
    answer.send((time.process_time() - started, max(0, _peak() - before), ""))


def _peak(who: int = resource.RUSAGE_SELF) -> int:
    return resource.getrusage(who).ru_maxrss * 1024


def exponent(measured: Sequence[Measured]) -> float | None:
    """Slope of log seconds over log bytes; None when fewer than two sizes took long enough."""
    points = [(math.log(one.size), math.log(one.seconds)) for one in measured if one.seconds >= NOISE_SECONDS]
    if len(points) < 2 or points[0][0] == points[-1][0]:
        return None
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def warm_up() -> None:
    """Load the vocabulary, so that no child pays for it."""
    READERS["page"](b"<p>Niedziele: 8.00, 10.00; w tygodniu 18.00 (w wakacje 17.00)</p><p>Sunday 8 am</p>")
    for name in ("PDF: text", "Word: paragraphs", "sitemap: entries"):
        chosen = next(shape for shape in SHAPES if shape.name == name)
        READERS[chosen.reader](chosen.make(2_000))


def faults(measured: Sequence[Measured], slope: float | None) -> str:
    """Which aims are missed: growth, seconds, memory."""
    found = []
    if slope is not None and slope > TARGET_EXPONENT:
        found.append("growth")
    worst = measured[-1]
    if worst.seconds > TARGET_SECONDS * max(1.0, worst.size / TARGET_BYTES):
        found.append("seconds")
    if any(one.memory > MEMORY_RATIO * one.size + MEMORY_MIB * 2**20 for one in measured):
        found.append("memory")
    return ", ".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="hostile_pages", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="bytes (default: %(default)s)")
    parser.add_argument("--only", nargs="+", default=[""], help="shapes whose name holds one of these, or whose reader is one")
    parser.add_argument("--door", action="store_true", help="read pages through the door after which they can be ended")
    options = parser.parse_args()
    warm_up()
    missed = total = 0
    print(f"{'shape':36} {'reader':6} {'exponent':>8} {'kB':>7} {'CPU s':>7} {'MiB':>7}")
    for shape in (one for one in SHAPES if one.reader in options.only or any(part in one.name for part in options.only)):
        measured: list[Measured] = []
        ended = 0
        for size in sorted({min(size, shape.largest) for size in options.sizes}):
            found = measure(shape, size, by_door=options.door)
            if found is None:
                ended = size
                break
            measured.append(found)
        total += 1
        slope = exponent(measured)
        told = f"{shape.name:36} {shape.reader:6} {'-' if slope is None else f'{slope:.2f}':>8} "
        if measured:
            worst = measured[-1]
            told += f"{worst.size / 1000:7.0f} {worst.seconds:7.2f} {max(one.memory for one in measured) / 2**20:7.1f}"
        wrong = f"ended at {ended / 1000:.0f} kB" if ended else faults(measured, slope)
        missed += bool(wrong)
        told += f"  ended: {measured[-1].ended}" if measured and measured[-1].ended else ""
        print(told + (f"  ! {wrong}" if wrong else ""), flush=True)
    print(f"{total - missed} of {total} shapes within the aims")


if __name__ == "__main__":
    main()
