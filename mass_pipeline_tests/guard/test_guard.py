"""A guard ends what costs too much, tells what it was, and goes on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest

from mass_pipeline.guard import Guard, Limits, Slow, TooCostly, within_seconds
from mass_pipeline_tests.guard import work

LIMITS = Limits(cpu_seconds=1, wall_seconds=3600, memory_bytes=64 * 2**20)


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard(LIMITS, modules=("mass_pipeline_tests.guard.work",))
    yield guard
    guard.close()


class TestGuard:
    def test_answers_and_errors_come_through(self, guard: Guard) -> None:
        assert guard.call(work.double, 21, size=1) == 42
        with pytest.raises(ValueError, match="as expected"):
            guard.call(work.fail, size=1)

    def test_its_process_is_kept(self, guard: Guard) -> None:
        assert guard.call(work.process_id, size=1) == guard.call(work.process_id, size=1)

    @pytest.mark.parametrize(
        ("function", "what"),
        [(work.spin, "cpu"), (work.backtrack, "cpu"), (work.eat, "memory"), (work.lose_an_error, "memory"), (work.die, "crash")],
    )
    def test_what_costs_too_much_is_ended_and_named(self, guard: Guard, function: object, what: str) -> None:
        with pytest.raises(TooCostly, match="for 1,000 bytes") as caught:
            guard.call(function, size=1000)  # type: ignore[arg-type]

        assert caught.value.what == what
        assert guard.call(work.double, 2, size=1) == 4  # the next piece of work has a process again

    def test_what_only_waits_is_ended_by_the_clock(self) -> None:
        guard = Guard(Limits(wall_seconds=1))
        with pytest.raises(TooCostly, match="over 1 s for 5 bytes"):
            guard.call(work.sleep, size=5)
        guard.close()

    def test_the_limit_is_of_each_piece_of_work(self, guard: Guard) -> None:
        """A kept process has used more CPU than one piece of work may after a few of them."""
        assert [guard.call(work.spin_for, 0.6, size=1) for _ in range(3)] == ["done"] * 3

    def test_an_answer_may_be_a_long_chain(self, guard: Guard) -> None:
        chain = guard.call(work.linked, 2000, size=1)

        for _ in range(2000):
            (chain,) = chain  # type: ignore[assignment]

    def test_the_event_loop_goes_on_beside_it(self, guard: Guard, tmp_path: Path) -> None:
        """The work ends when the loop says so: one that waited for it would never."""

        async def beside() -> str:
            working = asyncio.create_task(guard.call_aside(work.wait_for, str(tmp_path / "said"), size=1))
            await asyncio.sleep(0)
            (tmp_path / "said").touch()
            return await working

        assert asyncio.run(beside()) == "done"

    def test_closed_it_begins_anew_when_asked(self) -> None:
        guard = Guard(LIMITS)
        guard.close()

        assert guard.call(work.double, 1, size=1) == 2
        guard.close()

    def test_a_fork_has_processes_of_its_own_and_ends_with_them(self) -> None:
        """The jobs of `mass-pipeline extract --jobs` may be forks of a process whose guard is at work."""
        assert work.double_guarded(1) == 2
        with ProcessPoolExecutor(1, mp_context=get_context("fork")) as jobs:
            answer = jobs.submit(work.double_guarded, 3).result(timeout=600)

        assert answer == 6
        assert work.double_guarded(5) == 10
        work.shared().close()


class TestWithinSeconds:
    def test_what_comes_in_time_comes(self) -> None:
        assert within_seconds(30, work.double, 4) == 8

    def test_what_does_not_is_interrupted(self) -> None:
        with pytest.raises(Slow):
            within_seconds(0.3, work.spin)

    def test_what_waits_has_ten_times_as_long(self) -> None:
        began = time.monotonic()
        with pytest.raises(Slow):
            within_seconds(0.1, work.wait_in_turns, 30)

        assert time.monotonic() - began >= 1

    def test_an_interruption_never_reaches_what_comes_behind(self) -> None:
        """Work that ends in the very moment of its deadline is through, or slow, and nothing else."""
        outcomes = set()
        for _ in range(8):
            try:
                outcomes.add(within_seconds(0.25, work.spin_for, 0.25))
            except Slow:
                outcomes.add("slow")
            work.spin_for(0.02)

        assert outcomes <= {"done", "slow"}

    @pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
    def test_an_interruption_lost_in_a_destructor_is_sent_again(self) -> None:
        """Python prints what a destructor raises and goes on: the page went on without any limit then."""
        with pytest.raises(Slow):
            within_seconds(0.3, work.spin_after_losing_an_interruption)

    def test_each_thread_has_its_own_deadline(self) -> None:
        other: list[str] = []
        beside = threading.Thread(target=lambda: other.append(within_seconds(30, work.spin_for, 0.8)))
        beside.start()
        with pytest.raises(Slow):
            within_seconds(0.3, work.spin)
        beside.join()

        assert other == ["done"]


class TestAfterWork:
    def test_the_interpreter_is_as_before(self) -> None:
        """An interruption called off the wrong way left it looking for one at every step; traced code stood still then."""
        code = """
import sys
from mass_pipeline.guard.watch import within_seconds
assert within_seconds(60, int, "7") == 7
def called(): return 1
sys.settrace(lambda *_: None)
print(called() + called())
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)

        assert done.stdout == "2\n", done.stderr

    def test_an_interruption_that_comes_late_goes_no_further(self) -> None:
        def slow() -> int:
            end = time.monotonic() + 0.6
            while time.monotonic() < end:
                pass
            return 7

        for _ in range(3):
            with suppress(Slow):
                within_seconds(0.1, slow)
            assert sum(range(1_000_000)) == 499_999_500_000
