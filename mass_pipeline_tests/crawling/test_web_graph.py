"""External links of a target set and its companion set (B1, B3, B4, B11)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.web_graph import (
    BadLink,
    Companion,
    ExternalLink,
    companion_sites,
    external_links,
    graph_plot,
    subsets,
    write_graphml,
)
from mass_pipeline.demo_web.web import DemoWeb

_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


@dataclass(frozen=True)
class _Page:
    body: bytes | None
    parish_id: str = "a"
    url: str = "http://www.a.example/msze/"
    final_url: str | None = None
    start_url: str = "http://www.a.example/"
    domain: str = "a.example"
    depth: int = 1
    content_type: str | None = "text/html; charset=utf-8"


def _addresses(body: str, **options: bool) -> list[str]:
    return [link.url for link in external_links([_Page(body.encode())], **options)[0]]


@pytest.mark.row("B1")
class TestExternalLinks:
    def test_hrefs_and_frames_that_leave_the_site_are_taken_inner_ones_are_not(self) -> None:
        body = '<a href="/b">b</a><a href="http://a.example/k">k</a><a href=//b.example/x>x</a><iframe src="http://c.example/f"></iframe>'

        assert _addresses(body) == ["http://b.example/x", "http://c.example/f"]

    def test_links_to_other_hosts_of_the_own_domain_are_a_class_of_their_own(self) -> None:
        body = b'<a href="http://kuria.a.example/">k</a><a href="http://a.example/m">m</a><a href="http://b.example/">b</a>'
        links, _ = external_links([_Page(body)])

        assert [(link.url, link.relation) for link in links] == [
            ("http://b.example/", "external"),
            ("http://kuria.a.example/", "subdomain"),
        ]
        assert [companion.site for companion in companion_sites(links)] == ["b.example"]

    def test_a_link_carries_page_level_site_and_words(self) -> None:
        (link,), _ = external_links([_Page('<a href="http://www.Radio.example/Na-żywo">Słuchaj <b>radia</b></a>'.encode())])

        assert link == ExternalLink(
            "a", "http://www.a.example/msze/", 1, "http://www.radio.example/Na-%C5%BCywo", "radio.example", "Słuchaj radia"
        )

    @pytest.mark.row("B2")
    def test_a_link_found_twice_is_kept_with_its_least_level(self) -> None:
        deep, near = (_Page(b'<a href="http://b.example/">b</a>', url=f"http://a.example/{d}", depth=d) for d in (3, 1))

        assert [link.level for link in external_links([deep, near])[0]] == [1]

    @pytest.mark.row("B4")
    def test_case_and_trailing_slash_merge_only_when_asked(self) -> None:
        body = '<a href="http://b.example/Msze/">1</a><a href="http://b.example/msze">2</a>'

        assert len(_addresses(body)) == 2
        assert len(_addresses(body, merge_case_and_slash=True)) == 1

    def test_the_base_of_a_page_counts_and_a_bad_base_does_not(self) -> None:
        assert _addresses('<base href="http://b.example/d/"><a href="x">x</a>') == ["http://b.example/d/x"]
        assert _addresses('<base href="javascript:1"><a href="x">x</a>') == []

    @pytest.mark.parametrize(
        ("href", "reason"), [("javascript:void(0)", "scheme"), ("mailto:a@b.example", "scheme"), ("http://", "unparsable")]
    )
    def test_unusable_links_are_kept_apart_with_their_reason(self, href: str, reason: str) -> None:
        links, bad = external_links([_Page(f'<a href="{href}">x</a>'.encode())])

        assert links == []
        assert bad == [BadLink("a", "http://www.a.example/msze/", href, reason)]

    def test_pages_without_a_body_give_nothing(self) -> None:
        assert external_links([_Page(None), _Page(b"")]) == ([], [])


@pytest.mark.row("B11")
class TestCompanions:
    _LINKS = (
        ExternalLink("a", "u", 1, "http://x.example/1", "x.example", ""),
        ExternalLink("a", "u", 1, "http://x.example/2", "x.example", ""),
        ExternalLink("b", "u", 1, "http://x.example/1", "x.example", ""),
        ExternalLink("b", "u", 1, "http://y.example/", "y.example", ""),
        ExternalLink("b", "u", 1, "http://a.example/", "a.example", ""),
    )

    def test_are_the_sites_outside_the_set_by_how_many_of_it_link_to_them(self) -> None:
        assert companion_sites(self._LINKS, {"a.example", "b.example"}) == [
            Companion("x.example", ("a", "b"), 3),
            Companion("y.example", ("b",), 1),
        ]

    @given(
        st.lists(
            st.builds(
                lambda p, s: ExternalLink(p, "u", 1, f"http://{s}/", s, ""),
                st.sampled_from("abcd"),
                st.sampled_from(["x", "y", "z"]),
            )
        )
    )
    def test_subsets_are_disjoint_and_together_all(self, links: list[ExternalLink]) -> None:
        companions = companion_sites(links)
        groups = subsets(companions)

        assert sorted(c.site for group in groups.values() for c in group) == sorted({link.site for link in links})
        assert all(c.connectivity == connectivity for connectivity, group in groups.items() for c in group)

    def test_graphml_has_a_node_per_site_and_an_edge_per_pair(self, tmp_path: Path) -> None:
        path = tmp_path / "graph.graphml"
        write_graphml(companion_sites(self._LINKS), self._LINKS, path)
        root = ElementTree.parse(path).getroot()
        edges = {(e.get("source"), e.get("target"), e.findtext(f"{_GRAPHML}data")) for e in root.iter(f"{_GRAPHML}edge")}

        assert {node.get("id") for node in root.iter(f"{_GRAPHML}node")} == {
            "target:a", "target:b", "site:x.example", "site:y.example", "site:a.example",
        }  # fmt: skip
        assert ("target:a", "site:x.example", "2") in edges
        assert len(edges) == 4

    def test_the_model_names_the_targets_and_has_the_links_among_them(self, tmp_path: Path) -> None:
        path = tmp_path / "graph.graphml"
        targets = {"a": ("św. Anny, Wilczęta", "a.example"), "b": ("św. Barbary, Bór", "b.example")}
        write_graphml(companion_sites(self._LINKS, {"a.example", "b.example"}), self._LINKS, path, targets)
        root = ElementTree.parse(path).getroot()
        nodes = {node.get("id"): [one.text for one in node] for node in root.iter(f"{_GRAPHML}node")}

        assert nodes["target:a"] == ["target", "św. Anny, Wilczęta"]
        assert nodes["site:x.example"] == ["companion", "x.example", "2"]
        assert ("target:b", "target:a") in {(e.get("source"), e.get("target")) for e in root.iter(f"{_GRAPHML}edge")}

    def test_an_existing_graph_is_replaced_as_a_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "exports" / "graph.graphml"
        for links in (self._LINKS, self._LINKS[:1]):
            write_graphml(companion_sites(links), links, path)

        assert len(list(ElementTree.parse(path).getroot().iter(f"{_GRAPHML}edge"))) == 1
        assert [file.name for file in path.parent.iterdir()] == ["graph.graphml"]


class TestContext:
    """B1: external links with their anchor context."""

    @pytest.mark.parametrize(
        ("body", "context"),
        [
            ("<p>Msze w <a href='http://b.example'>radiu</a> o 9:00</p>", "Msze w [...] o 9:00"),
            ("<p>Msze w <b><i><a href='http://b.example'>radiu</a></i></b> o 9:00</p>", "Msze w [...] o 9:00"),
            ("<ul><li>inne</li><li><a href='http://b.example'>radio</a></li></ul>", ""),
            ("<p><script>x()</script><a href='http://b.example'>radio</a></p>", ""),
            (f"<p>{'daleko ' * 90}blisko <a href='http://b.example'>r</a></p>", "daleko " * 13 + "blisko [...]"),
        ],
    )
    def test_is_the_words_beside_the_link_not_far_and_not_its_own(self, body: str, context: str) -> None:
        (link,), _ = external_links([_Page(body.encode())])

        assert link.context.endswith(context)
        assert len(link.context) <= 206

    def test_of_thousands_of_links_in_one_line_costs_no_square_of_them(self) -> None:
        """Hostile pages: the words of a link are looked for among its nearest siblings only."""
        pages = [_Page(b"".join(b"<a href='http://b.example/%d'>b</a>" % n for n in range(count))) for count in (500, 4000)]
        seconds = []
        for page in pages:
            began = time.process_time()
            external_links([page])
            seconds.append(time.process_time() - began)

        assert seconds[1] < 40 * seconds[0]


class TestPicture:
    def test_is_the_same_bytes_for_the_same_set_and_drawn_for_empty_and_hostile_ones(self) -> None:
        hostile = Companion("a$b_{c}.example" + "x" * 80, ("a",), 1)
        many = [Companion(f"s{n}.example", tuple(f"t{m}" for m in range(n % 7 + 1)), n) for n in range(90, 0, -1)]
        for companions in ([], [hostile], many):
            first, second = (graph_plot(companions) for _ in range(2))

            assert first == second
            assert first.startswith(b"\x89PNG")


class TestDemoWeb:
    def test_the_companions_of_the_demo_sites_are_what_their_link_pages_name(self) -> None:
        pages = [
            _Page(page.response.body, parish.key, page.url, None, page.url, parish.site.host, 1, page.response.content_type)
            for parish in DemoWeb().parishes
            for page in parish.pages
            if page.source.slug == "linki"
        ]
        companions = companion_sites(external_links(pages)[0])
        named = {companion.site: companion.connectivity for companion in companions}

        assert len(pages) == 4
        assert named == {"diecezja.example": 4, "tygodnik.example": 4, "radio-katolickie.example": 4}
