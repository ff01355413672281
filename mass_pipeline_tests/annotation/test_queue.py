"""Who is asked what, on SQLite and PostgreSQL."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from mass_pipeline.annotation.queue import Draw, block_of
from mass_pipeline.annotation.store import Store
from mass_pipeline_tests.annotation.support import NO_CHANCE, START, answer, ask, item, quick, row_item, row_of


class TestQueue:
    def test_what_was_begun_is_finished_before_a_new_one_is_asked(self, store: Store) -> None:
        """Networks are told apart within one key period only: one answer to each of many questions settles none of them."""
        store.add_items([item(n) for n in range(9)], now=START)
        answer(store, "a", "c0004", "yes")
        for voter in "bc":
            asked = ask(store, voter)
            assert asked is not None
            answer(store, voter, asked.candidate_id, "yes")

        assert row_of(store, "c0004").state == "settled"
        assert sum(row_of(store, f"c{n:04d}").n_votes for n in range(9)) == 3

    def test_rows_come_before_hours_and_what_was_begun_leads_only_in_its_tier(self, store: Store) -> None:
        store.add_items([item(1), row_item(1, reason="waits"), row_item(2, reason="reported")], now=START)
        answer(store, "a", "c0001", "yes")
        asked = []
        for _ in range(3):
            found = ask(store, "b")
            assert found is not None
            answer(store, "b", found.candidate_id, "yes")
            asked.append(found.question.kind if found.question.kind == "hour" else row_of(store, found.candidate_id).reason)

        assert asked == ["reported", "waits", "hour"]

    def test_among_equals_the_most_uncertain_comes_first(self, store: Store) -> None:
        store.add_items([item(1, probability=0.98), item(2, probability=0.52), item(3)], now=START)

        assert ask(store, "a").candidate_id == "c0002"  # type: ignore[union-attr]

    def test_a_random_slice_does_not_look_at_uncertainty(self, store: Store) -> None:
        """What the classifier is wrongly sure of must be seen too."""
        store.add_items([item(n, probability=0.5 if n == 0 else 0.99) for n in range(40)], now=START)
        rng = random.Random(2)
        seen = Counter(ask(store, f"v{n}", draw=Draw(False, True, rng.random())).candidate_id for n in range(30))  # type: ignore[union-attr]

        assert len(seen) > 15

    def test_nobody_gets_an_item_twice(self, store: Store) -> None:
        store.add_items([item(n) for n in range(6)], now=START)
        got = []
        while (asked := ask(store, "a")) is not None:
            got.append(asked.candidate_id)
            answer(store, "a", asked.candidate_id, "yes")

        assert sorted(got) == [f"c{n:04d}" for n in range(6)]

    def test_a_reload_shows_the_same_question(self, store: Store) -> None:
        store.add_items([item(n) for n in range(6)], now=START)

        assert ask(store, "a") == ask(store, "a", START + timedelta(seconds=30))

    def test_a_reservation_that_ran_out_frees_its_place(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            ask(store, voter)
        late = START + timedelta(seconds=store.config.reservation_seconds)

        assert ask(store, "d", late - timedelta(seconds=1)) is None
        assert ask(store, "d", late) is not None
        assert row_of(store, "c0001").n_taken == 1

    def test_people_who_come_at_once_never_share_the_last_place(self, store: Store) -> None:
        store.add_items([item(n) for n in range(5)], now=START)
        with ThreadPoolExecutor(8) as pool:
            asked = list(pool.map(lambda n: ask(store, f"v{n}"), range(24)))
        counts = Counter(question.candidate_id for question in asked if question)

        assert sum(counts.values()) == 15
        assert set(counts.values()) == {3}
        assert {3} == {row_of(store, name).n_taken for name in counts}

    def test_a_settled_item_is_asked_no_more(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")

        assert row_of(store, "c0001").state == "settled"
        assert ask(store, "d") is None

    def test_a_banned_voter_keeps_no_place_from_others(self, store: Store) -> None:
        store.add_items([item(1), item(2)], now=START)
        answer(store, "bad", "c0002", "no")
        store.set_standing("bad", "banned", by="test", now=START)
        ask(store, "bad")

        assert row_of(store, "c0001").n_taken == 0

    def test_items_of_another_campaign_are_not_asked(self, store: Store) -> None:
        store.add_items([item(1)], now=START, campaign="old")

        assert ask(store, "a") is None


class TestGold:
    def test_test_questions_hide_among_real_ones_and_never_run_out_for_others(self, store: Store) -> None:
        store.add_items([item(1), item(2, gold="yes")], now=START)
        draw = replace(NO_CHANCE, wants_gold=True)

        assert {"c0002"} == {ask(store, f"v{n}", draw=draw).candidate_id for n in range(9)}  # type: ignore[union-attr]

    def test_a_done_campaign_asks_no_test_questions(self, store: Store) -> None:
        store.add_items([item(2, gold="yes")], now=START)

        assert ask(store, "a", draw=replace(NO_CHANCE, wants_gold=True)) is None

    def test_the_shares_of_test_questions_and_random_items_are_those_of_the_settings(self) -> None:
        rng = random.Random(5)
        draws = [Draw.by(rng, quick(gold_share=0.1, random_share=0.2)) for _ in range(20_000)]

        assert sum(d.wants_gold for d in draws) / 20_000 == pytest.approx(0.1, abs=0.01)
        assert sum(d.wants_random for d in draws) / 20_000 == pytest.approx(0.2, abs=0.01)


class TestBlock:
    def test_a_block_holds_the_open_hours_of_one_list_in_order(self, store: Store) -> None:
        times = {4: "11:00", 5: "08:00", 6: "09:30"}
        store.add_items([item(n, parish_id="p", url="u", time=time) for n, time in times.items()], now=START)
        store.add_items([item(9, probability=0.99)], now=START)
        asked = ask(store, "a")
        assert asked is not None
        with store.engine.begin() as connection:
            names = block_of(connection, asked.candidate_id, "a", START, store.config)

        assert names == ["c0005", "c0006", "c0004"]
        assert {1} == {row_of(store, name).n_taken for name in names}

    def test_asking_again_reserves_nothing_more(self, store: Store) -> None:
        store.add_items([item(n, parish_id="p", url="u") for n in (4, 5, 6)], now=START)
        for _ in range(3):
            asked = ask(store, "a")
            assert asked is not None
            with store.engine.begin() as connection:
                block_of(connection, asked.candidate_id, "a", START, store.config)

        assert [row_of(store, f"c000{n}").n_taken for n in (4, 5, 6)] == [1, 1, 1]

    def test_what_enough_people_are_asked_is_left_out(self, store: Store) -> None:
        store.add_items([item(n, parish_id="p", url="u") for n in (4, 5)], now=START)
        answer(store, "a", "c0005", "yes")
        answer(store, "b", "c0005", "no")
        with store.engine.begin() as connection:
            blocks = [block_of(connection, "c0004", voter, START, store.config) for voter in "cd"]

        assert blocks == [["c0004", "c0005"], ["c0004"]]
