"""The learnt scorer: its features, its weights, its training; the shipped weights on links nobody trained on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling import read_pages
from mass_pipeline.crawling.sites.learnt_scorer import BITS, LearntScorer, LinkModel, LinkSight, features, load_model
from mass_pipeline.laboratory.link_scorer.training import DISCOUNT, Example, examples_of_site, train
from mass_pipeline.laboratory.link_scorer.written_menus import load_groups, written_menus
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.crawling.loopback import Page
from mass_pipeline_tests.crawling.made import Crawl, link, page


class TestFeatures:
    @given(st.text(), st.text(), st.text(), st.integers(0, 5000))
    def test_are_slots_in_order_for_any_words(self, anchor: str, path: str, title: str, position: int) -> None:
        """Crawled text is hostile: lone surrogates, no letters, very long words."""
        found = features(LinkSight(anchor, f"http://a.example/{path}", title=title, position=position))

        assert found == sorted(set(found))
        assert all(0 <= slot < 1 << BITS for slot in found)

    def test_know_words_in_camel_case_and_percent_signs(self) -> None:
        assert features(LinkSight("", "http://a.pl/planMszy.html")) == features(LinkSight("", "http://b.pl/plan-mszy.html"))
        assert features(LinkSight("", "http://a.pl/og%C5%82oszenia")) == features(LinkSight("", "http://a.pl/ogloszenia"))


class TestShippedWeights:
    def test_tell_the_schedule_from_the_rest_of_a_menu(self) -> None:
        model = load_model()
        menu = ["Msze Święte w naszej parafii", "Historia", "Galeria", "Kontakt", "Cmentarz parafialny", "Ogłoszenia"]
        chances = [model.probability(LinkSight(words, f"http://a.example/{n}")) for n, words in enumerate(menu)]

        assert chances[0] > 0.8 > 5 * max(chances[1:3])
        assert chances[0] == max(chances)

    def test_rank_a_page_by_its_address_when_the_link_is_a_picture(self) -> None:
        scorer = LearntScorer()
        scorer.observe(page("/", "<a href=/foto.html><img src=a.png></a><a href=/godziny-mszy.html><img src=b.png></a>"))

        assert scorer.score(link("/godziny-mszy.html")) > 2 * scorer.score(link("/foto.html"))

    def test_a_file_of_another_form_is_refused_with_the_remedy(self, tmp_path: Path) -> None:
        file = tmp_path / "weights.json"
        file.write_text('{"format": 1, "bits": 3, "intercept": 0, "weights": {}}')

        with pytest.raises(BadInput, match="train-link-scorer"):
            load_model(file)

    def test_survive_being_written_and_read(self, tmp_path: Path) -> None:
        model = LinkModel(-0.5, {7: 1.25, 3: -0.5})
        (tmp_path / "w.json").write_bytes(model.to_json())

        assert load_model(tmp_path / "w.json") == model


class TestLearntScorer:
    def test_a_waiting_link_rises_when_a_better_anchor_leads_to_it(self) -> None:
        scorer = LearntScorer()

        assert not scorer.observe(page("/", "<a href=/x>zobacz</a>"))
        low = scorer.score(link("/x", "zobacz"))
        assert scorer.observe(page("/start", "<a href=/x>Porządek Mszy św.</a>"))
        assert scorer.score(link("/x", "zobacz")) > low

    def test_a_link_of_a_resumed_crawl_is_judged_by_anchor_and_address(self) -> None:
        scorer = LearntScorer()

        assert scorer.score(link("/msze", "Msze św.")) > scorer.score(link("/foto", "Galeria"))


SITE = {
    "/": Page("<title>Parafia</title><a href=/foto>Galeria</a><a href=/dzial>Liturgia</a>"),
    "/dzial": Page("<p>Liturgia<a href=/plan>Porządek</a><a href=/spiew>Śpiew</a>"),
    "/plan": Page("<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>"),
    "/foto": Page("zdjęcia"),
    "/spiew": Page("pieśni"),
}


class TestTraining:
    def examples(self, crawl: Crawl) -> list[Example]:
        crawled = crawl({"a.example": SITE})
        sites = groupby(read_pages(crawled.state), key=lambda one: one.parish_id)
        return [one for _, pages in sites for one in examples_of_site(pages, lambda seen: seen.url.endswith("/plan"))]

    def test_a_link_is_worth_the_discounted_way_to_the_schedule(self, crawl: Crawl) -> None:
        values = {one.sight.anchor: one.value for one in self.examples(crawl)}

        assert values == {"Galeria": 0.0, "Liturgia": DISCOUNT, "Porządek": 1.0, "Śpiew": 0.0}

    def test_a_site_with_the_schedule_in_every_margin_teaches_nothing(self, crawl: Crawl) -> None:
        crawled = crawl({"a.example": SITE})

        assert list(examples_of_site(read_pages(crawled.state), lambda _: True)) == []

    def test_the_same_examples_give_the_same_bytes(self) -> None:
        def menus() -> Iterator[Example]:
            return (Example(sight, float(leads)) for sight, leads in written_menus(60, seed=3))

        one, two = train(menus(), seed=1), train(menus(), seed=1)

        assert one.to_json() == two.to_json()
        assert one.probability(LinkSight("Msze", "http://a.pl/msze")) > one.probability(LinkSight("Galeria", "http://a.pl/foto"))

    def test_examples_of_one_kind_are_refused(self) -> None:
        with pytest.raises(BadInput, match="one kind"):
            train([Example(LinkSight("Msze", "http://a.pl/"), 1.0)], seed=1)


class TestWrittenMenus:
    def test_phrases_are_named_once_and_priors_are_probabilities(self) -> None:
        groups = load_groups()
        anchors = [anchor for group in groups.values() for anchor in group.anchors]

        assert all(0 < group.prior < 1 for group in groups.values())
        assert len(anchors) == len(set(anchors))
