"""What the table of hosts promises, whoever asks from wherever: in a file and in PostgreSQL."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.host_table import HOST, HostTable, erase_hosts, open_hosts
from mass_pipeline.crawling.fetching.hosts import Grant, HostNote, RulesNote
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawling.fetching.hosts.conftest import Open, PassTime

KEY = HOST + "a.example"
LONG = 3600.0  # no test takes so long, however busy the machine is
NOTE = HostNote(wait_seconds=30.0, delay=2.5, crawl_delay=10.0, failures=2)


def granted(table: HostTable, owner: str) -> Grant:
    """A host that must be free."""
    grant = table.take(KEY, owner, LONG)
    assert grant is not None
    return grant


class TestTaking:
    def test_a_host_has_one_holder_until_it_is_given_back(self, opened: Open) -> None:
        one, other = opened(), opened()
        granted(one, "one")
        assert other.take(KEY, "other", LONG) is None
        one.beat("one", LONG, {}, [KEY])

        assert not granted(other, "other").was_lost

    def test_it_ends_by_itself_and_the_next_holder_is_told(self, opened: Open, pass_time: PassTime) -> None:
        """A process that was killed gives nothing back."""
        granted(opened(), "one")
        pass_time(LONG)

        assert granted(opened(), "other").was_lost

    def test_renewed_it_goes_on_once_ended_it_does_not(self, opened: Open, pass_time: PassTime) -> None:
        """Its holder may have been cut off: another one may have asked and gone meanwhile."""
        one = opened()
        granted(one, "one")
        for _ in range(4):
            pass_time(LONG / 2)
            assert one.beat("one", LONG, {}) == {KEY: False}
        pass_time(LONG)

        assert one.beat("one", LONG, {}) == {}

    def test_the_holder_hears_that_others_want_it(self, opened: Open, pass_time: PassTime) -> None:
        one = opened()
        granted(one, "one")
        opened().take(KEY, "other", LONG)
        assert one.beat("one", LONG, {}) == {KEY: True}
        pass_time(10.0)

        assert one.beat("one", LONG, {}) == {KEY: False}

    def test_who_was_cut_off_gives_back_and_says_nothing_of_what_is_anothers(self, opened: Open, pass_time: PassTime) -> None:
        one, other = opened(), opened()
        granted(one, "one")
        pass_time(LONG)
        granted(other, "other")
        other.beat("other", LONG, {KEY: NOTE})
        one.beat("one", LONG, {KEY: HostNote(0.0, 0.0)}, [KEY])

        assert other.beat("other", LONG, {}, [KEY]) == {}
        note = granted(one, "one").note
        assert note is not None
        assert note.delay == 2.5

    def test_many_at_once_never_hold_the_same_host(self, opened: Open) -> None:
        """Threads with connections of their own, as processes have them."""
        inside: list[str] = []
        most: list[int] = []

        def work(owner: str, table: HostTable) -> None:
            for _ in range(5):
                while table.take(KEY, owner, LONG) is None:
                    time.sleep(0.002)
                inside.append(owner)
                most.append(len(inside))
                time.sleep(0.002)
                inside.remove(owner)
                table.beat(owner, LONG, {}, [KEY])

        threads = [threading.Thread(target=work, args=(f"w{n}", opened())) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert most == [1] * 20


class TestWhatIsKnown:
    RULES = RulesNote("http://a.example", "rules", "", "User-agent: *\nDisallow: /x", 60.0, '[["/", true]]', 30.0)

    def test_nobody_knows_a_new_host(self, opened: Open) -> None:
        assert granted(opened(), "one") == Grant()

    def test_pace_and_rules_reach_the_next_holder(self, opened: Open, pass_time: PassTime) -> None:
        one = opened()
        granted(one, "one")
        one.put_rules(KEY, self.RULES)
        one.beat("one", LONG, {KEY: NOTE}, [KEY])
        pass_time(10.0)
        grant = granted(opened(), "other")

        assert grant.note is not None
        assert 0 < grant.note.wait_seconds <= 20
        assert (grant.note.delay, grant.note.crawl_delay, grant.note.failures) == (2.5, 10.0, 2)
        (rules,) = grant.rules
        assert (rules.robots_text, rules.mining_text) == (self.RULES.robots_text, self.RULES.mining_text)
        assert rules.robots_age is not None
        assert rules.robots_age >= 60

    def test_a_pause_that_is_over_waits_for_nothing(self, opened: Open, pass_time: PassTime) -> None:
        table = opened()
        granted(table, "one")
        table.beat("one", LONG, {KEY: NOTE}, [KEY])
        pass_time(31.0)
        note = granted(table, "one").note

        assert note is not None
        assert note.wait_seconds == 0

    def test_hostile_rules_are_stored_all_the_same(self, opened: Open) -> None:
        table = opened()
        granted(table, "one")
        table.put_rules(KEY, RulesNote("http://a.example", "rules", "", "User-agent: *\x00\nDisallow: /\ud800", 0.0))
        table.beat("one", LONG, {}, [KEY])
        (rules,) = granted(table, "one").rules

        assert rules.robots_text == "User-agent: *\nDisallow: /?"


class TestOutOfOrder:
    def test_a_folder_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(StorageError, match="table of hosts"):
            open_hosts(str(tmp_path / "file" / "leases"))

    def test_a_server_that_does_not_answer_is_said_within_seconds(self) -> None:
        with pytest.raises(StorageError, match="PostgreSQL"):
            open_hosts("postgresql://nobody@127.0.0.1:1/none")

    def test_files_of_earlier_starts_of_the_machine_are_left_behind(self, tmp_path: Path) -> None:
        """Their moments mean nothing any more."""
        old = tmp_path / "0000-old.sqlite"
        old.write_bytes(b"damaged by a power cut")
        open_hosts(str(tmp_path)).close()

        assert not old.exists()


def test_a_host_that_is_never_asked_again_is_erased(tmp_path: Path) -> None:
    table = open_hosts(str(tmp_path))
    granted(table, "one")
    table.take(HOST + "b.example", "one", LONG)
    [(path, count)] = erase_hosts(tmp_path, lambda url: "//a.example/" in url)
    table.close()

    assert count == 1
    assert b"a.example" not in path.read_bytes()
    assert b"b.example" in path.read_bytes()
