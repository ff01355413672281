"""Links and directives of any markup that ever was."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import canonicalize, in_encoding
from mass_pipeline.crawling.pages.links import read_links, robots_header
from mass_pipeline.crawling.pages.near_duplicates import SeriesGuard, distance, simhash
from mass_pipeline.crawling.pages.spider import parse_aside, read_body
from mass_pipeline.crawling.sites.frontier import Added, Item, Link, ScheduleWords, SiteFrontier, best_first, breadth_first
from mass_pipeline.laboratory.orders import Order
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.shared import shared_folder


def hrefs(markup: str) -> list[str]:
    return [link.href for link in read_links(markup).links]


def answer(body: bytes, content_type: str = "text/html") -> Answer:
    return Answer(200, {"Content-Type": content_type}, body, 0.0, 0.0)


class TestReading:
    def test_the_text_of_a_link_is_what_people_see(self) -> None:
        markup = '<a href=1>Msze\n <b>św.</b></a><a href=2><img alt="Porządek"></a><a href=3 title="Kontakt"></a>'

        assert [link.text() for link in read_links(markup).links] == ["Msze św.", "Porządek", "Kontakt"]

    def test_entities_and_blanks_in_addresses_are_resolved_as_browsers_do(self) -> None:
        assert hrefs('<a href=" a?x=1&amp;y=2 ">x</a>') == [" a?x=1&y=2 "]

    def test_they_stand_in_the_order_of_the_page(self) -> None:
        """Links of equal promise are followed in that order."""
        markup = '<a href=1>x</a><a name=top>x</a><map><area href=2></map><a href=3>x</a><iframe src=4></iframe><a href="">x</a>'

        assert hrefs(markup) == ["1", "2", "3", "4", ""]
        assert hrefs("<a href=1>x</a><p><a name=top>x</a><a href=2>x</a><a href>x</a>") == ["1", "2", ""]

    @pytest.mark.parametrize(
        ("markup", "found"),
        [
            ('<select onchange="location=this.value"><option value="/msze.html">Msze<option value="kontakt.php?id=1">K</select>',
             ["/msze.html", "kontakt.php?id=1"]),
            ('<select onchange="sort()"><option value="1">rosnąco<option value="pl">polski<option value="">-</select>', []),
            ('<select><option value="/msze.html">Msze</select>', []),
            ("<div onclick=\"window.location.href='/msze.html'\">Msze</div>", ["/msze.html"]),
            ("<p onClick=\"document.location = 'msze.php?x=1&amp;y=2'\">Msze</p>", ["msze.php?x=1&y=2"]),
            ("<A HREF='#' ONCLICK='window.open(\"ogloszenia.htm\", \"okno\")'>Ogłoszenia</A>", ["#", "ogloszenia.htm"]),
            ("<p onclick='location.assign(\"/a\"); return false'>a</p>", ["/a"]),
            ("<p onclick=\"show('menu')\">a</p><p onclick=\"if (location.href == '/a') hide()\">b</p>", []),
        ],
    )  # fmt: skip
    def test_menus_that_only_scripts_follow_lead_on_where_the_address_is_written_out(self, markup: str, found: list[str]) -> None:
        assert hrefs(markup) == found
        assert [link.href for link in read_links(markup.encode()).links] == found

    def test_their_text_is_what_people_choose(self) -> None:
        markup = "<select onchange=go()><option value=/a.html>Msze święte</select><div onclick=\"location='/b'\">Kontakt</div>"

        assert {link.href: link.text() for link in read_links(markup).links} == {"/a.html": "Msze święte", "/b": "Kontakt"}

    @pytest.mark.parametrize(
        ("encoding", "asked"),
        [("windows-1250", "/?d=%9Cwi%EAta"), ("iso-8859-2", "/?d=%B6wi%EAta"), ("utf-8", "/?d=%C5%9Bwi%C4%99ta")],
    )
    def test_queries_are_in_the_encoding_of_their_page(self, encoding: str, asked: str) -> None:
        """WHATWG URL 4.4; paths are UTF-8 in any page."""
        body = f'<meta charset={encoding}><p>Parafia świętej Anny<a href="/?d=święta">x</a><a href="/święta">y</a>'.encode(
            encoding
        )
        first, second = (canonicalize(link.href, "http://a.pl/") for link in read_body(body, "text/html", True).links.links)

        assert first == f"http://a.pl{asked}"
        assert second == "http://a.pl/%C5%9Bwi%C4%99ta"

    def test_letters_that_an_encoding_lacks_are_references(self) -> None:
        assert in_encoding("?ż", "iso-8859-2") == "?%BF"
        assert canonicalize(in_encoding("?я", "iso-8859-2"), "http://a.pl/") == "http://a.pl/?%26%231103%3B"

    def test_five_thousand_links_are_enough(self) -> None:
        assert len(hrefs("<a href=x>x</a>" * 100_000)) == 5000

    @pytest.mark.parametrize(
        ("name", "directives"), [("robots", (True, True)), ("MassPipelineBot", (True, True)), ("googlebot", (False, False))]
    )
    def test_directives_count_for_all_and_for_us_alone(self, name: str, directives: tuple[bool, bool]) -> None:
        page = read_links(f'<meta content="NOINDEX, nofollow" name="{name}">')

        assert (page.noindex, page.nofollow) == directives

    @pytest.mark.parametrize(
        ("value", "directives"),
        [
            ("none", (True, True)),
            ("googlebot: noindex, nofollow", (False, False)),
            ("masspipelinebot: noindex", (True, False)),
            ("unavailable_after: 25 Jun 2010, noindex", (True, False)),
            ("", (False, False)),
        ],
    )
    def test_the_header_says_it_too(self, value: str, directives: tuple[bool, bool]) -> None:
        assert robots_header(value) == directives

    def test_at_the_greatest_depth_directives_still_count(self) -> None:
        page = asyncio.run(parse_aside(answer(b"<META NAME=ROBOTS CONTENT=NOINDEX><a href=x>x</a>"), with_links=False))

        assert page.noindex


@pytest.mark.row("V7")
class TestAnyMarkup:
    @given(st.binary(max_size=2000))
    def test_no_bytes_raise(self, body: bytes) -> None:
        asyncio.run(parse_aside(answer(body)))

    @pytest.mark.parametrize("depth", [256, 300, 5000, 100_000])
    def test_links_inside_and_behind_deep_nesting_are_found(self, depth: int) -> None:
        """hazards 0.2: other parsers drop such pages silently."""
        markup = "<div>" * depth + '<a href="/inside">x</a>' + "</div>" * depth + '<a href="/behind">x</a>'

        assert hrefs(markup) == ["/inside", "/behind"]

    def test_a_text_of_eleven_megabytes_hides_no_link(self) -> None:
        assert hrefs("<p>" + "x " * 5_500_000 + '</p><a href="/behind">x</a>') == ["/behind"]

    def test_fifty_thousand_attributes_hide_no_link(self) -> None:
        markup = "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + '><a href="/x">x</a>'

        assert hrefs(markup) == ["/x"]

    @pytest.mark.parametrize("piece", ["<div>", "<p a", " b=c", "<a href=x>", "</p>", "<b><i>", "<table><tr><td>", "<!--", "<a "])
    def test_no_megabyte_holds_up_the_other_sites(self, piece: str) -> None:
        """One loop drives a hundred sites: a page may not keep it for long."""
        began = time.process_time()
        read_links(piece * (1_000_000 // len(piece)))

        assert time.process_time() - began < 3

    @pytest.mark.shared
    def test_the_public_trees_and_tokens_never_raise(self) -> None:
        """T3: 1,792 tree and 6,810 tokenizer cases."""
        count = 0
        for path in shared_folder("suites/html/html5lib_tree").rglob("*.dat"):
            for case in path.read_bytes().split(b"#data\n")[1:]:
                read_links(case.split(b"\n#errors")[0])
                count += 1
        for path in shared_folder("suites/html/html5lib_tokenizer").rglob("*.test"):
            for case in json.loads(path.read_text("utf-8")).get("tests", []):
                read_links(case["input"].encode("utf-8", "surrogatepass"))
                count += 1

        assert count > 8000

    @pytest.mark.shared
    def test_a_bad_base_hides_no_good_link(self) -> None:
        """U7, Heritrix 788219: three pages with a broken base, each leading to a good page."""
        folder = shared_folder("suites/crawl/heritrix_selftest/testdata/selftest/BadURIsStopPageParsingSelfTest/htdocs")
        found = {
            Path(href).name for name in ("one", "two", "three") for href in hrefs((folder / f"{name}.html").read_text("latin-1"))
        }

        assert {"goodone.html", "goodtwo.html", "goodthree.html"} <= found

    @pytest.mark.shared
    def test_every_frame_is_found(self) -> None:
        folder = shared_folder("suites/crawl/heritrix_selftest/testdata/selftest/FramesSelfTestCase/htdocs")

        assert {"topframe.html", "leftframe.html", "rightframe.html"} <= set(hrefs((folder / "index.html").read_text("latin-1")))


@pytest.mark.row("C4")
class TestNearDuplicates:
    def test_a_changed_word_moves_few_bits_and_another_page_many(self) -> None:
        words = [f"słowo{n}" for n in range(500)]
        one = simhash(" ".join(words).encode())
        near = simhash(" ".join([*words[:250], "inne", *words[251:]]).encode())
        far = simhash(" ".join(f"x{n}" for n in range(500)).encode())

        assert distance(one, near) <= 6
        assert distance(one, far) > 15

    def test_pages_too_short_to_compare_are_no_repeats(self) -> None:
        guard = SeriesGuard(3)

        assert not any(guard.repeats(f"/p{n}", b"ab") for n in range(60))


@pytest.mark.row("V1")
class TestFrontierLaws:
    """V1."""

    @given(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=120),
        st.sampled_from(["breadth_first", "depth_first", "random"]),
    )
    def test_no_url_leaves_it_twice_and_depths_are_the_least_seen_before(
        self, links: list[tuple[int, int]], strategy: str
    ) -> None:
        frontier = SiteFrontier(Order(strategy)(QUICK, "p").key, 1000)
        least: dict[str, int] = {}
        for number, depth in links:
            key = str(number)
            if frontier.status(key, depth) is Added.NEW:
                frontier.add(Item(number, key, key, depth), Link(key, "", depth, "", "p"))
            least[key] = min(depth, least.get(key, depth))
        taken = []
        while (item := frontier.take(0.0)) is not None:
            taken.append(item)

        assert {item.url: item.depth for item in taken} == least
        assert len(taken) == len(least)

    def test_a_full_breadth_first_frontier_takes_only_as_much_as_it_gives(self) -> None:
        frontier = SiteFrontier(breadth_first(ScheduleWords()).key, 2)
        for number in range(3):
            status = frontier.status(str(number), 0)
            if status is Added.NEW:
                frontier.add(Item(number, str(number), str(number), 0), Link(str(number), "", 0, "", "p"))

        assert status is Added.FULL
        frontier.take(0.0)
        assert frontier.status("2", 0) is Added.NEW

    def test_a_full_best_first_frontier_drops_its_worst(self) -> None:
        frontier = SiteFrontier(best_first(ScheduleWords()).key, 2, drop_worst=True)
        for number, text in enumerate(("Galeria", "Kontakt", "Porządek Mszy")):
            frontier.add(Item(number, text, text, 1), Link(f"http://a.pl/{number}", text, 1, "", "p"))

        assert [item.url for item in frontier.dropped] == ["Galeria"]
