"""What every lease store promises, whoever asks from wherever: the contract of the port, on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psycopg
import pytest

from mass_pipeline.crawling.fetching.leases.client import open_leases
from mass_pipeline.crawling.fetching.leases.ports import (
    ADDRESS,
    HOST,
    Claim,
    Grant,
    HostNote,
    LeaseStore,
    RulesNote,
    Said,
)
from mass_pipeline.crawling.fetching.leases.postgres_store import SET_UP_LOCK
from mass_pipeline.crawling.fetching.leases.statements import TABLES
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawling.fetching.leases.conftest import OpenStore, PassTime
from mass_pipeline_tests.postgres import fresh_database

HOST_A = Claim(HOST + "a.example")
LONG = 3600.0  # no test takes so long, however busy the machine is


def claim(store: LeaseStore, owner: str, *claims: Claim, seconds: float = LONG) -> list[Grant | None]:
    """The answers to some claims."""
    return list(store.exchange(owner, Said(claims=claims), seconds).grants)


def granted(store: LeaseStore, owner: str, wanted: Claim = HOST_A, seconds: float = LONG) -> Grant:
    """A claim that must succeed."""
    (grant,) = claim(store, owner, wanted, seconds=seconds)
    assert grant is not None
    return grant


class TestALease:
    def test_a_host_has_one_holder(self, opened: OpenStore) -> None:
        one, other = opened(), opened()
        granted(one, "one")

        assert claim(other, "other", HOST_A) == [None]

    def test_an_address_has_as_many_as_it_may_be_asked_by(self, opened: OpenStore) -> None:
        store = opened()
        address = Claim(ADDRESS + "192.0.2.1", 2)
        first, second = granted(store, "one", address), granted(store, "two", address)

        assert {first.lease.slot, second.lease.slot} == {0, 1}
        assert claim(store, "three", address) == [None]

    def test_given_back_it_is_free_at_once(self, opened: OpenStore) -> None:
        one, other = opened(), opened()
        lease = granted(one, "one").lease
        one.exchange("one", Said(given_up=(lease,)), LONG)

        assert not granted(other, "other").was_lost

    def test_it_ends_by_itself_and_the_next_holder_is_told(self, opened: OpenStore, pass_time: PassTime) -> None:
        """A process that was killed gives nothing back."""
        one, other = opened(), opened()
        granted(one, "one")
        assert claim(other, "other", HOST_A) == [None]
        pass_time(LONG)

        assert granted(other, "other").was_lost

    def test_renewed_it_goes_on(self, opened: OpenStore, pass_time: PassTime) -> None:
        one, other = opened(), opened()
        lease = granted(one, "one").lease
        for _ in range(4):
            pass_time(LONG / 2)
            assert one.exchange("one", Said(seconds=LONG), LONG).held == {lease}

        assert claim(other, "other", HOST_A) == [None]

    def test_once_ended_it_is_not_renewed(self, opened: OpenStore, pass_time: PassTime) -> None:
        """Its holder may have been cut off: another one may have asked and gone meanwhile."""
        store = opened()
        granted(store, "one")
        pass_time(LONG)

        assert store.exchange("one", Said(seconds=LONG), LONG).held == frozenset()

    def test_fences_grow_whoever_claims(self, opened: OpenStore) -> None:
        one, other = opened(), opened()
        fences = [granted(one, "one").lease.fence]
        fences.append(granted(other, "other", Claim(HOST + "b.example")).lease.fence)
        fences += [
            grant.lease.fence for grant in claim(one, "one", Claim(HOST + "c.example"), Claim(HOST + "d.example")) if grant
        ]

        assert fences == sorted(set(fences))
        assert len(fences) == 4

    def test_who_was_cut_off_gives_nothing_back_that_is_anothers(self, opened: OpenStore, pass_time: PassTime) -> None:
        one, other = opened(), opened()
        old = granted(one, "one").lease
        pass_time(LONG)
        new = granted(other, "other").lease
        one.exchange("one", Said(given_up=(old, new)), LONG)

        assert other.exchange("other", Said(), LONG).held == {new}


class TestWaiting:
    def test_the_holder_hears_that_others_wait(self, opened: OpenStore) -> None:
        one, other = opened(), opened()
        granted(one, "one")
        assert one.exchange("one", Said(), LONG).wanted == frozenset()
        claim(other, "other", HOST_A)

        assert one.exchange("one", Said(), LONG).wanted == {HOST_A.key}

    def test_who_came_first_is_served_first(self, opened: OpenStore) -> None:
        store = opened()
        lease = granted(store, "holder").lease
        assert claim(store, "early", HOST_A) == [None]
        assert claim(store, "late", HOST_A) == [None]
        store.exchange("holder", Said(given_up=(lease,)), LONG)

        assert claim(store, "late", HOST_A) == [None]
        assert claim(store, "holder", HOST_A) == [None]
        assert granted(store, "early").lease.fence > lease.fence

    def test_giving_up_and_claiming_at_once_lets_those_go_first_who_wait(self, opened: OpenStore) -> None:
        store = opened()
        lease = granted(store, "holder").lease
        claim(store, "other", HOST_A)

        assert store.exchange("holder", Said(given_up=(lease,), claims=(HOST_A,)), LONG).grants == (None,)

    def test_many_at_once_never_hold_the_same_host(self, opened: OpenStore) -> None:
        """Threads with connections of their own, as processes have them."""
        inside: list[str] = []
        most: list[int] = []
        guard = threading.Lock()

        def work(owner: str) -> None:
            store = opened()
            served = 0
            while served < 5:
                (grant,) = claim(store, owner, HOST_A)
                if grant is None:
                    time.sleep(0.002)
                    continue
                with guard:
                    inside.append(owner)
                    most.append(len(inside))
                time.sleep(0.002)
                with guard:
                    inside.remove(owner)
                store.exchange(owner, Said(given_up=(grant.lease,)), LONG)
                served += 1

        threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert most == [1] * 20


class TestWhatGoesWithIt:
    NOTE = HostNote(wait_seconds=30.0, delay=2.5, crawl_delay=10.0, failures=2)
    RULES = RulesNote("http://a.example", "rules", "", "User-agent: *\nDisallow: /x", 60.0, '[["/", true]]', 30.0)

    def test_nobody_knows_a_new_host(self, opened: OpenStore) -> None:
        grant = granted(opened(), "one")

        assert grant.note is None
        assert grant.rules == ()

    def test_pace_and_rules_reach_the_next_holder(self, opened: OpenStore) -> None:
        one, other = opened(), opened()
        lease = granted(one, "one").lease
        one.exchange("one", Said(notes={lease: self.NOTE}, rules={lease: (self.RULES,)}, given_up=(lease,)), LONG)
        grant = granted(other, "other")

        assert grant.note is not None
        assert 0 < grant.note.wait_seconds <= 30
        assert (grant.note.delay, grant.note.crawl_delay, grant.note.failures) == (2.5, 10.0, 2)
        (rules,) = grant.rules
        assert (rules.robots_text, rules.mining_text) == (self.RULES.robots_text, self.RULES.mining_text)
        assert rules.robots_age is not None
        assert rules.robots_age >= 60

    def test_a_pause_that_is_over_waits_for_nothing(self, opened: OpenStore, pass_time: PassTime) -> None:
        store = opened()
        lease = granted(store, "one").lease
        store.exchange("one", Said(notes={lease: HostNote(30.0, 1.0)}, given_up=(lease,)), LONG)
        pass_time(30.0)
        note = granted(store, "one").note

        assert note is not None
        assert note.wait_seconds == 0

    def test_who_was_cut_off_says_no_more_how_a_host_stands(self, opened: OpenStore, pass_time: PassTime) -> None:
        one, other = opened(), opened()
        old = granted(one, "one").lease
        pass_time(LONG)
        new = granted(other, "other").lease
        other.exchange("other", Said(notes={new: self.NOTE}), LONG)
        one.exchange("one", Said(notes={old: HostNote(0.0, 0.0)}), LONG)
        other.exchange("other", Said(given_up=(new,)), LONG)
        note = granted(one, "one").note

        assert note is not None
        assert note.delay == 2.5

    def test_hostile_rules_are_stored_all_the_same(self, opened: OpenStore) -> None:
        store = opened()
        lease = granted(store, "one").lease
        hostile = RulesNote("http://a.example", "rules", "", "User-agent: *\x00\nDisallow: /\ud800", 0.0)
        store.exchange("one", Said(rules={lease: (hostile,)}, given_up=(lease,)), LONG)
        (rules,) = granted(store, "one").rules

        assert rules.robots_text == "User-agent: *\nDisallow: /?"


class TestOutOfOrder:
    def test_a_folder_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(StorageError, match="leases of hosts"):
            open_leases(str(tmp_path / "file" / "leases"))

    def test_a_server_that_does_not_answer_is_said_within_seconds(self) -> None:
        with pytest.raises(StorageError, match="PostgreSQL"):
            open_leases("postgresql://nobody@127.0.0.1:1/none")

    def test_files_of_earlier_starts_of_the_machine_are_left_behind(self, tmp_path: Path) -> None:
        """Their moments mean nothing any more."""
        old = tmp_path / "0000-old.sqlite"
        old.write_bytes(b"damaged by a power cut")
        open_leases(str(tmp_path)).close()

        assert not old.exists()


_AT_THE_FENCE = (  # the activity of others is not shown anew within a transaction; locks are
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN "
    "(SELECT pid FROM pg_locks WHERE relation = 'lease_fences'::regclass)"
)


def test_two_that_set_up_at_once_do_not_lock_each_other_out() -> None:
    """Who waited while another made the tables leaves them alone, although it found none before."""
    with fresh_database() as url, psycopg.connect(url) as first, psycopg.connect(url) as exchanging:
        first.execute("SELECT pg_advisory_xact_lock(%s)", (SET_UP_LOCK,))
        opening = threading.Thread(target=lambda: opened.append(open_leases(url)))
        opened: list[LeaseStore] = []
        opening.start()
        waiting = (
            "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database "
            "WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()"
        )
        while exchanging.execute(waiting).fetchone() == (0,):
            time.sleep(0.02)
        for table in TABLES:
            exchanging.execute(table)
        exchanging.commit()
        exchanging.execute("UPDATE lease_fences SET fence = fence + 1")
        first.rollback()
        while exchanging.execute(_AT_THE_FENCE).fetchone() == (0,):
            time.sleep(0.02)
        exchanging.execute("DELETE FROM leases")  # a deadlock if it holds the tables meanwhile
        exchanging.commit()
        opening.join()
        for store in opened:
            store.close()

    assert len(opened) == 1
