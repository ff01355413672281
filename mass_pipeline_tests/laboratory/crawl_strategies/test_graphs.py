"""Generated graphs: reproducible, with the properties they are made for, and crawled by the crawler's own frontier."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from mass_pipeline.laboratory.crawl_strategies.graphs import ON_TOPIC, Graph, GraphShape, make_graph
from mass_pipeline.laboratory.crawl_strategies.metrics import harvest_rate, target_recall
from mass_pipeline.laboratory.crawl_strategies.running import crawl_graph
from mass_pipeline.laboratory.orders import ARMS, order_of
from mass_pipeline.model.errors import UsageError
from mass_pipeline_tests.crawling.made import QUICK

SHAPE = GraphShape(pages=600, on_topic=0.08)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return make_graph(SHAPE, seed=4)


class TestMakeGraph:
    def test_the_same_seed_gives_the_same_graph(self, graph: Graph) -> None:
        assert make_graph(SHAPE, 4) == graph
        assert make_graph(SHAPE, 5) != graph

    def test_pages_link_to_their_own_topic_more_than_chance_would(self, graph: Graph) -> None:
        pairs = [(graph.topics[url], graph.topics[to]) for url, links in graph.links.items() for to, _ in links]
        same = sum(one == other for one, other in pairs) / len(pairs)
        shares = Counter(graph.topics.values())
        by_chance = sum((count / len(graph.topics)) ** 2 for count in shares.values())

        assert same > 2 * by_chance

    def test_few_hubs_hold_many_links(self, graph: Graph) -> None:
        counts = sorted(map(len, graph.links.values()), reverse=True)

        assert counts[0] > 5 * counts[len(counts) // 2]

    def test_some_regions_are_no_page_of_the_topic_links_to(self, graph: Graph) -> None:
        linked = {to for url, links in graph.links.items() if graph.topics[url] == ON_TOPIC for to, _ in links}
        off = {url for url, topic in graph.topics.items() if topic != ON_TOPIC}

        assert len(off - linked) > len(off) / 4


class TestCrawlGraph:
    @pytest.mark.parametrize("arm", ARMS)
    def test_no_page_is_asked_for_twice_and_the_budget_holds(self, graph: Graph, arm: str) -> None:
        asked = [visit.url for visit in crawl_graph(graph, graph.relevant[:3], order_of(arm, 1), 60)]

        assert len(asked) == len(set(asked)) == 60
        assert set(asked[:3]) == set(graph.relevant[:3]) or ARMS[arm][0] != "breadth_first"

    def test_a_focused_crawl_harvests_more_than_breadth_first_and_that_more_than_chance(self, graph: Graph) -> None:
        seeds, targets = graph.relevant[:3], frozenset(graph.relevant[3:])
        crawls = {
            arm: crawl_graph(graph, seeds, order_of(arm, 1), 100)
            for arm in ("random", "breadth-first", "best-first, shark-search", "best-first, learnt")
        }
        harvest = {arm: harvest_rate(visits) for arm, visits in crawls.items()}

        assert (
            harvest["random"] < harvest["breadth-first"] < min(harvest["best-first, shark-search"], harvest["best-first, learnt"])
        )
        assert target_recall(crawls["best-first, learnt"], targets)[-1] > 0.6

    def test_without_a_limit_everything_in_reach_is_crawled(self, graph: Graph) -> None:
        config = replace(QUICK, frontier_capacity=10_000)
        crawls = [crawl_graph(graph, graph.relevant[:3], order_of(arm, 1), 10_000, config) for arm in ("breadth-first", "random")]

        assert {visit.url for visit in crawls[0]} == {visit.url for visit in crawls[1]}


class TestArms:
    def test_an_unknown_strategy_is_named_with_the_known_ones(self) -> None:
        with pytest.raises(UsageError, match=r"'fastest'.*'breadth-first'"):
            order_of("fastest", 1)
