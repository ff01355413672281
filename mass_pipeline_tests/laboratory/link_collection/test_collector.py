"""The collector: what it stores, in which order it reads, how it ends."""

from __future__ import annotations

import pytest

from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.spider import ParsedPage
from mass_pipeline.laboratory.bandits.policies import POLICIES
from mass_pipeline.laboratory.link_collection import loading
from mass_pipeline.laboratory.link_collection.store import LinkStore, remove_site, target_sites  # fmt: skip
from mass_pipeline.model.errors import UsageError
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.laboratory.link_collection.conftest import Collection
from mass_pipeline_tests.laboratory.link_collection.sites import Make, web


class TestTables:
    """B1."""

    @pytest.mark.row("B1")
    def test_internal_external_and_bad_links_are_kept_with_their_page(self, collection: Make) -> None:
        body = (
            '<p>Polecamy <a href="http://radio.example/">radio</a> co dzień</p><a href="/msze">M</a><a href="mailto:x@y.pl">p</a>'
        )
        made = collection({"a.example": {"/": Page(body), "/msze": Page(links("http://radio.example/", "http://b.example/x"))}})
        made.run()

        assert made.links("external", "url", "host", "level", "anchor", "context", "found_on") == [
            ("http://radio.example/", "radio.example", 0, "radio", "Polecamy [...] co dzień", "http://a.example/"),
            ("http://b.example/x", "b.example", 1, "http://b.example/x", "http://radio.example/ [...]", "http://a.example/msze"),
        ]
        assert made.links("internal", "url", "level", "state", "outcome", "found_on") == [
            ("http://a.example/", 0, "processed", "ok", None),
            ("http://a.example/msze", 1, "processed", "ok", "http://a.example/"),
        ]
        assert made.links("bad", "url", "reason") == [("mailto:x@y.pl", "scheme")]

    @pytest.mark.row("B2")
    def test_levels_are_the_least_number_of_links_and_the_maximal_level_is_the_last_one_read(self, collection: Make) -> None:
        """B2."""
        chain = {f"/{n}": Page(links(f"/{n + 1}", "/", f"http://e{n}.example/")) for n in range(6)}
        made = collection({"a.example": {"/": Page(links("/0", "/3"))} | chain})
        made.run(max_level=2)

        assert made.links("internal", "url", "level") == [
            ("http://a.example/", 0), ("http://a.example/0", 1), ("http://a.example/3", 1),
            ("http://a.example/1", 2), ("http://a.example/4", 2),
        ]  # fmt: skip
        assert made.links("external", "url", "level")[-1] == ("http://e4.example/", 2)

    def test_a_greater_maximal_level_later_goes_on_where_it_ended(self, collection: Make) -> None:
        chain = {f"/{n}": Page(links(f"/{n + 1}", f"http://e{n}.example/")) for n in range(4)}
        made = collection({"a.example": {"/": Page(links("/0"))} | chain})
        made.run(max_level=1)
        made.run(max_level=3)

        assert len(made.links()) == 3
        assert len(set(made.asked)) == 4

    def test_a_smaller_maximal_level_leaves_what_lies_deeper_for_a_greater_one(self, collection: Make) -> None:
        chain = {f"/{n}": Page(links(f"/{n + 1}", f"http://e{n}.example/")) for n in range(5)}
        made = collection({"a.example": {"/": Page(links("/0"))} | chain})
        reports = [made.run(max_level=level, budget_pages=budget) for level, budget in ((4, 2), (1, 9), (2, 9), (9, 99))]

        assert [report.ended for report in reports] == ["budget", "finished", "finished", "finished"]
        assert [report.pages for report in reports][:2] == [2, 0]
        assert len(made.links()) == 5
        assert len(made.asked) - len(set(made.asked)) == 1  # the greatest level of the third run, for its inner links

    def test_links_to_other_sites_of_the_own_domain_stand_with_the_internal_ones_and_are_not_asked(
        self, collection: Make
    ) -> None:
        """B1: they leave the site and lead to no other one."""
        page = Page(links("http://sklep.a.example/", "http://forum.a.example:81/x", "http://sklep.a.example/", "/msze"))
        made = collection({"a.example": {"/": page, "/msze": Page("m")}})
        made.run()

        assert made.links() == []
        assert made.links("internal", "url", "state", "reason")[1:] == [
            ("http://sklep.a.example/", "refused", "another site of the same domain"),
            ("http://forum.a.example:81/x", "refused", "another site of the same domain"),
            ("http://a.example/msze", "processed", ""),
        ]

    @pytest.mark.row("B3")
    def test_frames_and_wrong_charsets_are_read(self, collection: Make) -> None:
        """B3: frame addresses are internal links; the bytes say the encoding, not the header."""
        page = Page('<frameset><frame src="/menu.html"></frameset>', content_type="text/html; charset=utf-16")
        menu = Page('<meta charset=utf-8><a href="http://b.example/">Święto</a>'.encode("iso-8859-2"), content_type="text/html")
        made = collection({"a.example": {"/": page, "/menu.html": menu}})
        made.run()

        assert made.links("external", "url", "anchor") == [("http://b.example/", "Święto")]

    @pytest.mark.row("B4")
    def test_links_that_differ_in_case_or_slash_are_one_only_when_asked(self, collection: Make) -> None:
        """B4, as an option; the choice holds for the whole collection."""
        made = collection({"a.example": {"/": Page(links("http://b.example/X/", "http://b.example/x"))}})
        made.run(merge_case_and_slash=True)

        assert made.links() == ["http://b.example/X/"]
        with pytest.raises(UsageError, match="identity"):
            made.run(merge_case_and_slash=False)

    @pytest.mark.row("B3")
    def test_a_site_that_cannot_be_loaded_is_not_available_and_tried_again_by_the_next_start(self, collection: Make) -> None:
        """B3."""
        made = collection(
            {"a.example": {"/": [Page("x", status=404), Page(links("http://b.example/"))]}, "c.example": {"/": Page("c")}}
        )
        made.add("nowhere.example")
        made.run()
        with LinkStore(made.state) as store:
            first = {site.short_name: (site.status, site.reason) for site in target_sites(store)}
        made.run()
        with LinkStore(made.state) as store:
            second = {site.short_name: site.status for site in target_sites(store)}

        assert first["a.example"] == ("not_available", "HTTP 404")
        assert first["nowhere.example"][0] == "not_available"
        assert first["c.example"] == ("finished", "")
        assert second == {"a.example": "finished", "nowhere.example": "not_available", "c.example": "finished"}
        assert made.links() == ["http://b.example/"]


class TestManners:
    def test_pages_that_ask_not_to_be_indexed_give_no_external_links(self, collection: Make) -> None:
        made = collection(
            {
                "a.example": {
                    "/": Page('<meta name=robots content=noindex><a href="http://b.example/">b</a><a href="/c">c</a>'),
                    "/c": Page("c"),
                }
            }
        )
        made.run()

        assert made.links() == []
        assert len(made.asked) == 2


class TestRedirects:
    def test_the_start_page_may_move_the_site_to_another_host(self, collection: Make) -> None:
        made = collection({"old.example": {"/": Page("", 301, headers={"Location": "http://new.example/"})}, "new.example": {}})
        with LinkStore(made.state) as store:
            remove_site(store, "new.example")
        made.server.sites["new.example"] = {"/": Page(links("/a", "http://old.example/x", "http://b.example/")), "/a": Page("a")}
        made.run()

        assert made.links() == ["http://b.example/"]
        assert ("new.example", "/a") in made.asked

    def test_a_page_behind_two_addresses_is_asked_once_and_counts_once(self, collection: Make) -> None:
        moved = Page("", 302, headers={"Location": "/page"})
        made = collection(
            {
                "a.example": {
                    "/": Page(links("/go", "/page", "/go2")),
                    "/go": moved,
                    "/go2": moved,
                    "/page": Page(links("http://b.example/")),
                }
            }
        )
        report = made.run()

        assert [path for _, path in made.asked] == ["/", "/go", "/page", "/go2"]
        assert (report.pages, report.new_links) == (3, 1)

    def test_an_inner_address_that_leads_out_is_an_external_link(self, collection: Make) -> None:
        """Sites count clicks after addresses of their own."""
        made = collection(
            {"a.example": {"/": Page(links("/out?to=b")), "/out?to=b": Page("", 302, headers={"Location": "http://b.example/"})}}
        )

        assert made.run().new_links == 1
        assert made.links() == ["http://b.example/"]
        assert all(host == "a.example" for host, _ in made.asked)

    def test_a_page_that_failed_behind_a_redirect_is_read_by_the_next_start(self, collection: Make) -> None:
        target = [Page("", 503), Page(links("http://b.example/"))]
        made = collection(
            {"a.example": {"/": Page(links("/go")), "/go": Page("", 302, headers={"Location": "/page"}), "/page": target}}
        )
        made.run(crawl={"max_attempts": 1})
        before = made.links()
        made.run()

        assert (before, made.links()) == ([], ["http://b.example/"])


class TestTraps:
    def test_pages_with_the_same_bytes_lead_no_further(self, collection: Make) -> None:
        same = links("x/", "http://b.example/")
        made = collection({"a.example": {"/": Page(links("/d/")), "/d/": Page(same), "/d/x/": Page(same)}})
        made.run()

        assert [path for _, path in made.asked] == ["/", "/d/", "/d/x/"]

    def test_an_unexpected_error_ends_at_its_page(self, collection: Make, monkeypatch: pytest.MonkeyPatch) -> None:
        """J4."""

        sound = loading.parse_aside

        async def burst(answer: Answer) -> ParsedPage:
            if b"<p>a</p>" in answer.body:
                raise ZeroDivisionError("boom")
            return await sound(answer)

        made = collection(
            {"a.example": {"/": Page(links("/a", "/b")), "/a": Page("<p>a</p>"), "/b": Page(links("http://b.example/"))}}
        )
        monkeypatch.setattr(loading, "parse_aside", burst)
        made.run()

        assert made.links() == ["http://b.example/"]
        assert "ZeroDivisionError: boom" in (made.state / "errors.log").read_text()


@pytest.mark.row("B6")
class TestPolicies:
    @pytest.mark.parametrize("policy", POLICIES)
    def test_a_run_in_pieces_reads_the_same_pages_in_the_same_order(self, collection: Make, policy: str) -> None:
        """B5: stopped after every page, it is as if it never had been; the policy's own state included."""
        made = collection(web(4, 9))
        whole = Collection(made.state.parent / "whole", made.server)
        whole.add(*web(4, 9))
        whole.run(policy=policy, budget_pages=26)
        expected = whole.asked
        made.server.requests.clear()
        for _ in range(30):
            made.run(policy=policy, budget_pages=26, after_page=made.ask_to_stop)

        assert made.asked == expected
        assert made.links("external") == whole.links("external")
        assert len(expected) == 26

    def test_the_rewards_are_the_new_links_of_a_page(self, collection: Make) -> None:
        made = collection(
            {
                "a.example": {
                    "/": Page(links("/x", "http://b.example/", "http://c.example/")),
                    "/x": Page(links("http://b.example/", "http://d.example/")),
                }
            }
        )
        made.run()
        with LinkStore(made.state) as store:
            assert [(turn.asked, turn.new_links) for turn in store.log()] == [(True, 2), (True, 1)]

    def test_quantum_takes_turns_and_the_budget_ends_it(self, collection: Make) -> None:
        made = collection(web(2, 9))
        report = made.run(policy="quantum", budget_pages=6)

        assert [host for host, _ in made.asked] == ["s1.example"] * 2 + ["s2.example"] * 2 + ["s1.example"] * 2
        assert (report.ended, report.pages) == ("budget", 6)

    @pytest.mark.parametrize(("theme", "policy"), [("institutes", "r2"), ("universities", "r3"), ("", "quantum")])
    def test_the_theme_chooses_the_policy(self, collection: Make, theme: str, policy: str) -> None:
        """B10."""
        assert collection(web(1, 1)).run(policy="", theme=theme).policy == policy
