"""What strangers wrote is parsed here when it is ordinary, and where it can be ended when it is not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest

from mass_pipeline.guard import Guard, Limits, TooCostly
from mass_pipeline.guard.sandbox import ORDINARY_BYTES, in_parsing_thread, parsed, parsed_aside
from mass_pipeline_tests.guard import work

LARGE = "x" * (ORDINARY_BYTES + 1)


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    guard = Guard(Limits(cpu_seconds=1, wall_seconds=3600), modules=("mass_pipeline_tests.guard.work",))
    yield guard
    guard.close()


class TestDoor:
    @pytest.mark.parametrize(("content", "is_here"), [("Msze 8.00", True), (LARGE, False), (b"%PDF-1.4", False)])
    def test_only_what_is_ordinary_is_parsed_in_this_process(self, guard: Guard, content: bytes | str, is_here: bool) -> None:
        for length, process in (
            parsed(work.length_and_process, content, guard=guard),
            asyncio.run(parsed_aside(work.length_and_process, content, guard=guard)),
        ):
            assert length == len(content)
            assert (process == os.getpid()) is is_here

    def test_what_is_slow_here_is_ended_there_and_the_event_loop_goes_on(self, guard: Guard) -> None:
        async def turns() -> int:
            count = 0
            working = asyncio.create_task(parsed_aside(work.spin_over, "Msze 8.00", guard=guard, slow_seconds=0.1))
            while not working.done():
                await asyncio.sleep(0.01)
                count += 1
            with pytest.raises(TooCostly, match="over 1 s of CPU for 9 bytes"):
                await working
            return count

        assert asyncio.run(turns()) > 2

    def test_beside_the_loop_one_is_parsed_at_a_time(self) -> None:
        """The memories of the grammar are made for one thread."""
        active = 0
        most = 0

        def enter() -> None:
            nonlocal active, most
            active += 1
            most = max(most, active)
            work.spin_for(0.02)
            active -= 1

        async def both() -> None:
            await asyncio.gather(*(in_parsing_thread(enter) for _ in range(3)))

        asyncio.run(both())

        assert most == 1
