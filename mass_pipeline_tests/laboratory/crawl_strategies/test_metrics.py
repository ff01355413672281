"""The measures of V11 on crawls small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.laboratory.crawl_strategies.metrics import (
    Visit,
    average_relevance,
    harvest_rate,
    requests_until,
    robustness,
    search_lengths,
    target_recall,
    windowed_relevance,
)

VISITS = st.lists(st.builds(Visit, st.sampled_from("abcdefgh"), st.floats(0, 1), st.booleans()), max_size=80)


def visits(letters: str, relevant: str = "") -> list[Visit]:
    """A crawl that asks for pages named by one letter each."""
    return [Visit(letter, float(letter in relevant), letter in relevant) for letter in letters]


@pytest.mark.row("V11")
class TestHarvestRate:
    def test_is_the_share_of_relevant_pages_among_the_requests(self) -> None:
        assert harvest_rate(visits("abcd", "bd")) == 0.5

    def test_a_404_is_a_request_that_brought_nothing(self) -> None:
        assert harvest_rate([*visits("b", "b"), Visit("gone")]) == 0.5

    def test_nothing_asked_nothing_harvested(self) -> None:
        assert harvest_rate([]) == 0.0


@pytest.mark.row("V11")
class TestAverageRelevance:
    def test_is_cumulative(self) -> None:
        assert average_relevance(visits("abca", "a")) == pytest.approx([1, 1 / 2, 1 / 3, 2 / 4])

    def test_of_a_window_forgets_what_is_older_than_fifty_pages(self) -> None:
        curve = windowed_relevance(visits("a" * 50 + "b" * 60, "a"))

        assert (curve[49], curve[74], curve[109]) == pytest.approx((1.0, 0.5, 0.0))

    @given(VISITS)
    def test_both_lie_between_the_least_and_the_most_relevant_page(self, crawl: list[Visit]) -> None:
        values = [visit.relevance for visit in crawl]

        for curve in (average_relevance(crawl), windowed_relevance(crawl, 5)):
            assert len(curve) == len(crawl)
            assert all(min(values) - 1e-9 <= value <= max(values) + 1e-9 for value in curve)


@pytest.mark.row("V11")
class TestTargetRecall:
    def test_counts_each_target_once(self) -> None:
        assert target_recall(visits("xaay"), {"a", "y"}) == [0.0, 0.5, 0.5, 1.0]

    @given(VISITS, st.sets(st.sampled_from("abcdefgh")))
    def test_never_falls(self, crawl: list[Visit], targets: set[str]) -> None:
        curve = target_recall(crawl, targets)

        assert curve == sorted(curve)
        assert all(0 <= value <= 1 for value in curve)


@pytest.mark.row("V11")
class TestRequestsUntil:
    def test_counts_the_target_itself(self) -> None:
        assert requests_until(visits("xya"), {"a", "b"}) == 3

    def test_a_target_that_was_not_found_has_no_number(self) -> None:
        assert requests_until(visits("xy"), {"a"}) is None


@pytest.mark.row("V11")
class TestSearchLengths:
    def test_are_told_for_three_shares_and_none_for_what_was_never_reached(self) -> None:
        visits = [Visit(f"p{n}") for n in range(12)]

        assert search_lengths(visits, {f"p{n}" for n in range(1, 11)}) == {0.1: 2, 0.5: 6, 0.9: 10}
        assert search_lengths(visits, {"p3", "elsewhere"}) == {0.1: 4, 0.5: 4, 0.9: None}
        assert search_lengths(visits, set()) == {}


@pytest.mark.row("V11")
class TestRobustness:
    def test_is_the_share_of_common_relevant_pages(self) -> None:
        assert robustness(visits("abx", "abc"), visits("bcy", "abc")) == pytest.approx(1 / 3)

    def test_two_crawls_that_found_nothing_say_nothing(self) -> None:
        assert robustness(visits("x"), visits("y")) is None
