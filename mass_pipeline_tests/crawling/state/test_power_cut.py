"""The model of power cuts: whatever part of the unsynced writes a disk kept. Who is held to it: test_users_of_the_chain."""

from __future__ import annotations

import random

from mass_pipeline_tests.crawling.crash_states import Call, Disk


def states_after(*calls: Call, rounds: int = 300) -> set[tuple[tuple[str, bytes], ...]]:
    disk = Disk()
    for call in calls:
        disk.play(call)
    chance = random.Random(1)
    return {tuple(sorted(disk.after_power_cut(chance).items())) for _ in range(rounds)}


class TestModel:
    MADE = (Call("make", "/d/a"), Call("write", "/d/a", b"old", 0), Call("sync", "/d/a"), Call("sync", "/d"))

    def test_what_was_synced_is_sure(self) -> None:
        assert states_after(*self.MADE) == {(("/d/a", b"old"),)}

    def test_what_was_not_may_be_there_or_not(self) -> None:
        assert states_after(*self.MADE, Call("write", "/d/a", b"new", 0)) == {(("/d/a", b"old"),), (("/d/a", b"new"),)}

    def test_long_writes_are_torn_at_sectors(self) -> None:
        found = {dict(state)["/d/a"] for state in states_after(*self.MADE, Call("write", "/d/a", b"x" * 1024, 0))}

        assert b"x" * 512 in found
        assert bytes(b"old" + bytes(509) + b"x" * 512) in found

    def test_a_new_name_may_be_missing_until_its_folder_was_synced(self) -> None:
        assert () in states_after(*self.MADE[:3])

    def test_a_rename_is_whole_or_has_not_happened(self) -> None:
        aside = (
            Call("make", "/d/b"),
            Call("write", "/d/b", b"new", 0),
            Call("sync", "/d/b"),
            Call("rename", "/d/b", other="/d/a"),
        )

        assert {dict(state)["/d/a"] for state in states_after(*self.MADE, *aside)} == {b"old", b"new"}
