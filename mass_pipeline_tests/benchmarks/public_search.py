"""The public index of a whole country: building, the nearest Masses, pages and API, and swaps under load.

    python -m mass_pipeline_tests.benchmarks.public_search [--parishes 10130] [--days 60] [--twice] [--folder DIR]

Parishes are made: towns in clusters, orders of about 14 rows. Times of queries, pages and building are the processor's, not the
clock's: other work on the machine lengthens them little. Ends with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from starlette.types import ASGIApp, Message, Scope

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index.building import Horizon, build_index
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.generations import INDEX_NAME, Generations
from mass_pipeline.finding.index.library import Library, connect
from mass_pipeline.finding.nearby import Filters, near
from mass_pipeline.model.records import Mass
from mass_pipeline.public_web.app import create_app
from mass_pipeline.public_web.site import make_site
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.benchmarks.targets import Quantiles, Targets

POLAND = 10_130  # parishes
NOW = datetime(2026, 11, 22, 6, tzinfo=UTC)  # a Sunday, seven in Poland
FIRST = date(2026, 11, 21)
SUNDAY = 1440  # minutes: the second day laid out
_SECONDS = 8.0  # of every timed loop


def parishes(count: int, seed: int) -> Iterator[ParishFacts]:
    """Made parishes: a third in towns of many, the rest in villages."""
    rng = random.Random(seed)
    centres = [(rng.uniform(49.5, 54.3), rng.uniform(14.6, 23.5)) for _ in range(max(1, count // 90))]
    for number in range(count):
        latitude, longitude = rng.choice(centres) if number % 3 == 0 else (rng.uniform(49.3, 54.6), rng.uniform(14.4, 23.8))
        spread = 0.05 if number % 3 == 0 else 0.0
        rows = [_row(["Su", "PH"], rng.randrange(7, 13), rng.choice((0, 30)), number, rng) for _ in range(rng.randrange(2, 6))]
        rows += [_row(["Mo", "Tu", "We", "Th", "Fr", "Sa"], hour, 0, number, rng) for hour in (7, 17, 18)[: rng.randrange(1, 4)]]
        rows += [_row(["Su"], rng.randrange(16, 20), 0, number, rng, season="04-10"), _row(["Fr"], 17, 30, number, rng, nth=(1,))]
        yield ParishFacts(
            parish_id=f"{number:016x}",
            name=f"Świętego Jana {number}",
            town=f"Miejscowość {number // 4}",
            voivodeship="małopolskie",
            diocese_key=f"diecezja-{number % 44}",
            diocese=f"diecezja {number % 44}",
            site=f"https://parafia{number}.example/",
            state="fresh",
            checked_at=NOW,
            latitude=latitude + rng.uniform(-spread, spread),
            longitude=longitude + rng.uniform(-spread, spread),
            precision_m=rng.choice((100, 100, 100, 2000, 5000)),
            position_method="table",
            rows=tuple({row.mass: row for row in rows}.values()),
        )


def _row(
    days: Sequence[str],
    hour: int,
    minute: int,
    number: int,
    rng: random.Random,
    season: str = "all",
    nth: tuple[int, ...] | None = None,
) -> ScheduleRow:
    note = "po angielsku" if rng.random() < 0.002 else ""
    mass = Mass(tuple(days), f"{hour:02d}:{minute:02d}", season, nth, "", note)  # type: ignore[arg-type]  # days by name
    quote = f"Msze święte: {hour}.{minute:02d} w kościele parafialnym, {rng.randrange(10**6)}"
    return ScheduleRow(
        mass, f"https://parafia{number}.example/msze", quote, hashlib.sha256(quote.encode()).hexdigest(), NOW, confidence=0.97
    )


def build(folder: Path, count: int, days: int, twice: bool, targets: Targets) -> None:
    """Build a generation and put it in force; tell time, memory, size, and whether a second build has the same bytes."""
    generations = Generations(folder)

    def write(aside: Path) -> dict[str, object]:
        started, cpu = time.perf_counter(), time.process_time()
        figures = build_index(aside / INDEX_NAME, parishes(count, 1), Horizon(FIRST, days), NOW)
        size = (aside / INDEX_NAME).stat().st_size / 1e6
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        spent = time.process_time() - cpu
        wall = time.perf_counter() - started
        print(f"build: {figures.occurrences:,} Masses of {count:,} parishes x {days} days, {wall:.0f} s wall")
        if count == POLAND:
            targets.at_most("building", spent, 240, " s CPU")
            targets.at_most("memory", memory, 600, " MB")
            targets.at_most("file", size, 120, " MB")
        else:
            print(f"  {spent:.0f} s CPU, {memory:.0f} MB RSS, {size:.0f} MB")
        return {"objections": []}

    made = generations.build(NOW, write)
    generations.put_in_force(made)
    if twice:
        other = folder / "again.sqlite"
        build_index(other, parishes(count, 1), Horizon(FIRST, days), NOW)
        same = hashlib.sha256(other.read_bytes()).digest() == hashlib.sha256(made.index.read_bytes()).digest()
        targets.at_least("second build with the same bytes", same, 1)
        other.unlink()


def time_near(index: Path, targets: Targets) -> None:
    """Nearest 20 Masses: any three hours, the Sunday peak, and with a language."""
    connection = connect(index)
    days, count = (
        int(connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]) for key in ("days", "parishes")
    )
    rng = random.Random(5)

    def anywhere() -> Point:
        return Point(rng.uniform(49.5, 54.4), rng.uniform(14.8, 23.5))

    def any_time() -> int:
        return rng.randrange(1, days - 1) * 1440 + rng.randrange(6, 19) * 60

    cases: list[tuple[str, Callable[[], object]]] = [
        ("3 h, any time", lambda: (lambda at: near(connection, anywhere(), at, at + 180, limit=20))(any_time())),
        ("Sunday 7-13", lambda: near(connection, anywhere(), SUNDAY + 420, SUNDAY + 780, limit=20)),
        (
            "in English, Sunday",
            lambda: near(
                connection, anywhere(), SUNDAY, SUNDAY + 1439, limit=20, radius_m=100_000, filters=Filters(language="en")
            ),
        ),
    ]
    for name, ask in cases:
        spent = _timed(ask)
        print(f"near, {name}: {spent}")
        if "English" in name:
            continue  # told, not asked for
        targets.at_least(f"near, {name}", spent.per_second, 800 if count <= POLAND else 700, " per core-second")
        if count <= POLAND:
            targets.at_most(f"near, {name}, p50", spent.p50, 2, " ms")
            targets.at_most(f"near, {name}, p99", spent.p99, 20, " ms")
    connection.close()


def _timed(ask: Callable[[], object]) -> Quantiles:
    for _ in range(30):
        ask()
    spent, ended = list[float](), time.perf_counter() + _SECONDS
    while time.perf_counter() < ended:
        started = time.thread_time()
        ask()
        spent.append((time.thread_time() - started) * 1000)
    return Quantiles.of(spent)


def time_pages(folder: Path, targets: Targets) -> None:
    """Pages and API over ASGI in this process, uncached, at the Sunday peak; and what a page weighs."""
    config = PublicConfig(pages_per_minute=10**7, api_per_minute=10**7, public_hosts=("localhost",))
    app = create_app(make_site(Library(folder), config, lambda: NOW, folder))
    rng = random.Random(9)

    async def run() -> None:
        for name, path in (
            ("page of results", "/msze?lat={lat:.3f}&lon={lon:.3f}&dzien=2026-11-22&od=07:00&do=13:00"),
            ("API", "/api/v1/masses?lat={lat:.3f}&lon={lon:.3f}&from=2026-11-22T07:00&to=2026-11-22T13:00"),
        ):
            for _ in range(20):  # the first puts the table of places together
                packed = await _asked(app, path.format(lat=52, lon=20))
            spent, ended = list[float](), time.perf_counter() + _SECONDS
            while time.perf_counter() < ended:
                started = time.thread_time()
                packed = await _asked(app, path.format(lat=rng.uniform(49.6, 54), lon=rng.uniform(15, 23)))
                spent.append((time.thread_time() - started) * 1000)
            figures = Quantiles.of(spent)
            print(f"{name}: {figures}, {_weight(packed)}")
            targets.at_least(name, figures.per_second, 300, " per core-second")
            if name != "API":
                targets.at_most("page of results, gzipped", len(packed) / 1000, 10, " kB")
        for name in ("/", "/mapa"):
            packed = await _asked(app, name)
            print(f"{name}: {_weight(packed)}")
            targets.at_most(f"{name}, gzipped", len(packed) / 1000, 250, " kB")

    asyncio.run(run())


def _weight(packed: bytes) -> str:
    return f"{len(gzip.decompress(packed)) / 1000:.1f} kB, {len(packed) / 1000:.1f} kB gzipped"


async def _asked(app: ASGIApp, path: str) -> bytes:
    """The gzipped body of a GET, put to the app as a server would: no client takes part in the figures."""
    plain, _, query = path.partition("?")
    scope: Scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "https", "root_path": "",
        "path": plain, "raw_path": plain.encode(), "query_string": query.encode(), "client": ("127.0.0.1", 1),
        "server": ("localhost", 443), "headers": [(b"host", b"localhost"), (b"accept-encoding", b"gzip")],
    }  # fmt: skip
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    assert sent[0]["status"] == 200
    return b"".join(message.get("body", b"") for message in sent[1:])


def swap_under_load(folder: Path, swaps: int, targets: Targets) -> None:
    """Readers ask two generations in turn while one replaces the other: an answer of both is a mixed one."""
    generations = Generations(folder)
    made = []
    for number in range(2):

        def write(aside: Path, number: int = number) -> dict[str, object]:
            few = list(parishes(200, 10 + number))
            build_index(aside / INDEX_NAME, few, Horizon(FIRST, 20), NOW, meta={"number": str(number)})
            return {"objections": []}

        made.append(generations.build(NOW + timedelta(seconds=number), write))
    expected = {one.name: _fingerprint_of(one.index) for one in made}
    generations.put_in_force(made[0])
    library, done = Library(folder), threading.Event()
    counts = {"reads": 0, "mixed": 0, "errors": 0}

    def read() -> None:
        clock = 0.0
        while not done.is_set():
            clock += 2.0  # every request looks for a new generation
            try:
                index = library.present(time.monotonic() + clock)
                with index.connection() as connection:
                    first = connection.execute("SELECT count(*), sum(t) FROM occ").fetchone()
                    found = (*first, *connection.execute("SELECT count(*), sum(length(quote)) FROM mass").fetchone())
                counts["reads"] += 1
                counts["mixed"] += found != expected[index.name]
            except Exception:
                counts["errors"] += 1

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(swaps):
        generations.put_in_force(made[number % 2])
        time.sleep(0.01)
    done.set()
    for reader in readers:
        reader.join()
    print(f"{swaps} swaps under 3 readers: {counts['reads']} reads")
    targets.at_most("mixed answers and errors", counts["mixed"] + counts["errors"], 0)


def _fingerprint_of(index: Path) -> tuple[object, ...]:
    connection = connect(index)
    first = connection.execute("SELECT count(*), sum(t) FROM occ").fetchone()
    found = (*first, *connection.execute("SELECT count(*), sum(length(quote)) FROM mass").fetchone())
    connection.close()
    return found


def main() -> int:
    """Run everything that was asked for; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parishes", type=int, default=POLAND)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--twice", action="store_true", help="build a second time and compare the bytes")
    parser.add_argument("--swaps", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help="where to build; a temporary folder by default")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = chosen.folder or Path(temporary)
        targets = Targets()
        build(folder, chosen.parishes, chosen.days, chosen.twice, targets)
        present = Generations(folder).current()
        assert present is not None
        time_near(present.index, targets)
        time_pages(folder, targets)
        if chosen.swaps:
            swap_under_load(folder / "swaps", chosen.swaps, targets)
    return targets.end()


if __name__ == "__main__":
    sys.exit(main())
