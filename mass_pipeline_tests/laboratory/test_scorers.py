"""What each scorer thinks of links, and that best-first follows them over real HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.crawling.pages.relevance import TOPICS_FOLDER, Words
from mass_pipeline.crawling.sites.frontier import Item, LinkScorer, PageReader, SiteFrontier, best_first
from mass_pipeline.crawling.sites.learnt_scorer import likeness
from mass_pipeline.laboratory.orders import Order
from mass_pipeline.laboratory.scorers import SCORERS
from mass_pipeline.laboratory.scorers.cosine import CosineOfPage
from mass_pipeline.laboratory.scorers.importance import PageImportance, Weights
from mass_pipeline.laboratory.scorers.page_rank import page_rank
from mass_pipeline.laboratory.scorers.query import Query, query_topic
from mass_pipeline.laboratory.scorers.shark import ANCHOR_SHARE, DECAY, INHERITED_SHARE, SharkSearch
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.crawling.loopback import Page
from mass_pipeline_tests.crawling.made import QUICK, Crawl, link, page

MASSES = "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.30. Dni powszednie 18.00."


@pytest.mark.row("V9")
class TestCosineOfPage:
    def test_links_of_a_page_about_masses_come_before_those_of_a_gallery(self) -> None:
        scorer = CosineOfPage()
        scorer.observe(page("/liturgia", f"{MASSES}<a href=/dalej>dalej</a>"))
        scorer.observe(page("/galeria", "<p>Zdjęcia z festynu<a href=/foto>więcej</a>"))

        assert scorer.score(link("/dalej")) > scorer.score(link("/foto")) == 0.0

    def test_a_waiting_link_rises_when_a_better_page_holds_it_too(self) -> None:
        scorer = CosineOfPage()

        assert not scorer.observe(page("/", "<p>Witamy<a href=/x>x</a>"))
        assert scorer.observe(page("/liturgia", f"{MASSES}<a href=/x>x</a>"))
        assert scorer.score(link("/x")) == pytest.approx(likeness("Msze święte Niedziele: 8.00, 10.30. Dni powszednie 18.00. x"))


@pytest.mark.row("V9")
class TestSharkSearch:
    def test_scores_are_those_of_the_paper(self) -> None:
        """Figure 2; the context counts in full where the anchor fits."""
        scorer = SharkSearch()
        home = page("/", f"{MASSES}<ul><li><a href=/a>Porządek Mszy św.</a></li><li><a href=/b>Galeria</a></li></ul>")
        scorer.observe(home)
        inherited = DECAY * likeness(home.words)
        neighbourhood = ANCHOR_SHARE * likeness("Porządek Mszy św.") + (1 - ANCHOR_SHARE)

        assert scorer.score(link("/a")) == pytest.approx(INHERITED_SHARE * inherited + (1 - INHERITED_SHARE) * neighbourhood)
        assert scorer.score(link("/b")) == pytest.approx(INHERITED_SHARE * inherited)

    def test_words_around_a_silent_anchor_count(self) -> None:
        scorer = SharkSearch()
        scorer.observe(page("/", "<p>Godziny Mszy św. <a href=/a>tutaj</a></p><p>Zdjęcia <a href=/b>tutaj</a></p>"))

        assert scorer.score(link("/a")) > scorer.score(link("/b"))

    def test_a_page_without_a_word_of_the_topic_hands_on_what_it_inherited(self) -> None:
        scorer = SharkSearch()
        scorer.observe(page("/", f"{MASSES}<a href=/pusta>strona</a>"))
        scorer.observe(page("/pusta", "<a href=/dalej>strona</a>", 1))
        scorer.observe(page("/obca", "<a href=/gdzies>strona</a>", 1))

        assert scorer.score(link("/dalej", depth=2)) > scorer.score(link("/gdzies", depth=2)) == 0.0


@pytest.mark.row("V10")
class TestPageImportance:
    """V10: each part has its say."""

    def score_of(self, path: str, text: str = "", **weights: float) -> float:
        nothing = dict.fromkeys(Weights.__dataclass_fields__, 0.0)
        scorer = PageImportance(Weights(**{**nothing, **weights}))
        scorer.observe(page("/", "<title>Msze</title><p>Parafia w Wilczętach<a href=/a>a</a><a href=/b>b</a><a href=/msze>m</a>"))
        scorer.observe(page("/a", f"{MASSES}<a href=/b>b</a>", 1))
        scorer.observe(page("/c", "".join(f"<a href=/c{n}>{n}</a>" for n in range(99)), 1))
        return scorer.score(link(path, text))

    @pytest.mark.parametrize(
        ("part", "better", "worse"),
        [
            ("keywords", ("/msze", ""), ("/b", "")),
            ("frequency", ("/b", ""), ("/c1", "")),
            ("tags", ("/a", ""), ("/c1", "")),
            ("seed", ("/x", "Parafia"), ("/x", "Przepisy")),
            ("rank", ("/b", ""), ("/msze", "")),
            ("in_links", ("/b", ""), ("/msze", "")),
            ("out_links", ("/msze", ""), ("/c1", "")),
        ],
    )
    def test_each_part_prefers_what_it_should(self, part: str, better: tuple[str, str], worse: tuple[str, str]) -> None:
        assert self.score_of(*better, **{part: 1.0}) > self.score_of(*worse, **{part: 1.0})

    def test_likeness_is_the_cosine_with_the_joined_seed_documents(self) -> None:
        nothing = dict.fromkeys(Weights.__dataclass_fields__, 0.0)
        scorer = PageImportance(Weights(**{**nothing, "seed": 1.0}))
        for n, text in enumerate(("parafia parafia kaplica", "kaplica dzwonnica")):
            scorer.read(f"http://s{n}.example/", 0, Words(text), [])

        assert scorer.score(link("/x", "kaplica")) == pytest.approx(2 / 3)  # (2, 2, 1) with (0, 1, 0)
        assert scorer.score(link("/x", "przepisy")) == 0

    def test_the_importance_of_every_page_read_comes_out(self) -> None:
        scorer = PageImportance()
        for path, text, urls in (("/", "Parafia", ["/msze", "/foto"]), ("/msze", MASSES, ["/"]), ("/foto", "Galeria", [])):
            scorer.read(path, 0 if path == "/" else 1, Words(text), urls)
        importance = scorer.importance()

        assert importance.keys() == {"/", "/msze", "/foto"}
        assert importance["/msze"] > importance["/foto"]

    def test_a_page_seen_twice_counts_once(self) -> None:
        scorer = PageImportance()
        home = page("/", "<a href=/a>a</a>")

        assert [scorer.observe(home), scorer.observe(home)] == [True, False]


@pytest.mark.row("V10")
class TestPageRank:
    def test_shares_add_up_to_one_with_pages_that_link_nowhere(self) -> None:
        rank = page_rank({"a": ["b", "c", "a"], "b": ["c"], "d": []})

        assert sum(rank.values()) == pytest.approx(1.0)
        assert max(rank, key=lambda url: rank[url]) == "c"

    def test_no_links_no_shares(self) -> None:
        assert page_rank({}) == {}

    def test_a_graph_without_links_is_even(self) -> None:
        assert page_rank({"a": [], "b": []}) == pytest.approx({"a": 0.5, "b": 0.5})


@pytest.mark.row("V9")
class TestNBestFirst:
    def test_what_is_found_meanwhile_waits_until_the_batch_is_done(self) -> None:
        class ByNumber:
            def score(self, link: object) -> float:
                return float(link.url.rsplit("/", 1)[1])  # type: ignore[attr-defined]

        scorer: LinkScorer = ByNumber()
        order = best_first(scorer, batch=2)
        frontier = SiteFrontier(order.key, 100, batch=order.batch)
        for number in (1, 5, 3):
            frontier.add(Item(number, f"/{number}", f"/{number}", 1), link(f"/{number}"))
        taken = [frontier.take(0.0)]
        frontier.add(Item(9, "/9", "/9", 2), link("/9"))
        taken += [frontier.take(0.0) for _ in range(3)]

        assert [item.url for item in taken if item] == ["/5", "/3", "/9", "/1"]
        assert frontier.take(0.0) is None


class TestEveryScorer:
    SITE = {
        "/": Page("<p>Witamy<a href=/galeria>Galeria</a><a href=/historia>Historia</a><a href=/x>Porządek Mszy Świętych</a>"),
        "/x": Page(f"{MASSES}<a href=/y>Nabożeństwa</a>"),
    } | {path: Page(path) for path in ("/galeria", "/historia", "/y")}

    @pytest.mark.parametrize("name", list(SCORERS))
    def test_crawls_the_whole_site(self, crawl: Crawl, name: str) -> None:
        crawled = crawl({"a.example": self.SITE}, order=Order("best_first", name))

        assert sorted(crawled.server.paths()[1:]) == sorted(self.SITE)

    @pytest.mark.parametrize("name", ["words", "shark", "importance", "learnt"])
    def test_that_reads_anchors_finds_the_schedule_at_once(self, crawl: Crawl, name: str) -> None:
        crawled = crawl({"a.example": self.SITE}, order=Order("best_first", name))

        assert [path for path in crawled.server.paths() if path in self.SITE][:2] == ["/", "/x"]

    @pytest.mark.parametrize("name", ["cosine", "shark", "importance", "learnt"])
    def test_that_reads_pages_is_fresh_for_every_site(self, name: str) -> None:
        one, other = (Order("best_first", name)(QUICK, "a") for _ in range(2))
        seen = page("/", f"{MASSES}<a href=/porzadek>dalej</a>")
        one.observe(seen)

        assert one.reads_pages
        assert one.key(link("/porzadek")) != other.key(link("/porzadek"))


class TestQuery:
    """V9: the query is the operator's."""

    @pytest.mark.parametrize("name", ["cosine", "shark", "importance"])
    def test_words_of_ones_own_decide_which_link_comes_first(self, name: str) -> None:
        home = page(
            "/",
            "<p>Witamy<ul><li><a href=/koleda>Wizyta duszpasterska</a></li><li><a href=/msze>Msze święte</a></li></ul>",
        )
        of_koleda = page("/a", "<h1>Wizyta duszpasterska</h1><p>Porządek kolędy<a href=/plan>dalej</a>")
        of_masses = page("/b", f"{MASSES}<a href=/porzadek>dalej</a>")
        ours, usual = (SCORERS[name](Query(topic)) for topic in (query_topic("wizyta duszpasterska"), None))
        for scorer in (ours, usual):
            assert isinstance(scorer, PageReader)
            for seen in (home, of_koleda, of_masses):
                scorer.observe(seen)

        assert ours.score(link("/plan")) > ours.score(link("/porzadek"))
        assert usual.score(link("/plan")) < usual.score(link("/porzadek"))

    def test_a_topic_file_is_a_query_too(self, tmp_path: Path) -> None:
        file = tmp_path / "own.toml"
        file.write_text((TOPICS_FOLDER / "education.toml").read_text("utf-8"), "utf-8")

        assert Query(query_topic(str(file))).likeness("Egzamin maturalny w szkole") > 0.2

    @pytest.mark.parametrize("query", ["no_such_topic", "missing.toml", "?"])
    def test_what_is_neither_topic_nor_words_is_named(self, query: str) -> None:
        with pytest.raises(BadInput, match="topic"):
            query_topic(query)
