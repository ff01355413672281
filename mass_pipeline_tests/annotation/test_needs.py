"""What a campaign still needs, on the desk and in `annotate stats`."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mass_pipeline.annotation.needs import Need, lines_of, needs_of
from mass_pipeline.annotation.store import Store
from mass_pipeline_tests.annotation.support import START, answer, item, row_item

NOW = START + timedelta(days=3)


@pytest.fixture
def campaign(store: Store) -> Store:
    """Two dioceses: eight rows that waited and were found right, two found wrong, six and one open, and hours."""
    settled = [row_item(n, row_id=f"s{n}") for n in range(10)]
    waiting = [row_item(n, row_id=f"w{n}", diocese="tarnowska", parish=f"Wieś {n}, św. Jana") for n in range(6)]
    doubted = [row_item(9, row_id="d", diocese="elblaska", reason="contradicted")]
    store.add_items([*settled, *waiting, *doubted, item(1, diocese="elblaska"), item(2, diocese="elblaska")], now=START)
    for number, one in enumerate(settled):
        for voter in "abc" if number < 8 else "abcd":
            answer(store, voter, one.candidate_id, "yes" if number < 8 else "other")
    answer(store, "a", "w5", "yes")
    return store


class TestNeeds:
    def test_answers_and_gain_by_diocese_the_best_bargain_first(self, campaign: Store) -> None:
        found = needs_of(campaign, "default", NOW)

        assert found.dioceses == (Need("tarnowska", 6, 0, 0, 18, 4), Need("elblaska", 1, 1, 2, 9, 0))

    def test_who_waits_longest_and_what_was_wrong(self, campaign: Store) -> None:
        found = needs_of(campaign, "default", NOW)

        assert [(one.days, one.answers) for one in found.longest] == [(3, 0)] * 5
        assert found.contradicted == {"waits": (10, 2)}

    def test_agreement_is_that_of_each_kind(self, campaign: Store) -> None:
        for voter, word in zip("abc", ("yes", "no", "yes"), strict=True):
            answer(campaign, voter, "c0001", word)
        alpha = needs_of(campaign, "default", NOW).alpha

        assert alpha["row"] == 1.0
        assert alpha["hour"] < 0.5

    def test_it_is_told_in_lines(self, campaign: Store) -> None:
        told = "\n".join(lines_of(needs_of(campaign, "default", NOW)))

        assert "tarnowska: 18 answers more (6 rows, 0 hours), then about 4 rows more are published" in told
        assert "waits: of 10 settled rows people found 2 wrong" in told

    def test_an_empty_campaign_needs_nothing(self, store: Store) -> None:
        assert lines_of(needs_of(store, "default", NOW)) == []
