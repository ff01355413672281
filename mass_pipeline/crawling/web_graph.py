"""The web around a target set of sites: external links (B1, B3), the companion set they lead to (B11), a picture of both.

Values in, values or PNG bytes out; fetches nothing. The graph is written as GraphML
(http://graphml.graphdrawing.org/specification.html).
"""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from mass_pipeline.crawling.fetching.content_type import HEAD_BYTES, is_markup
from mass_pipeline.crawling.fetching.scope import registrable_domain
from mass_pipeline.crawling.fetching.urls import BadUrl, base_of, canonical_or_none, canonicalize, identity, split
from mass_pipeline.crawling.pages.links import PageLinks, read_links, words_around
from mass_pipeline.model.whole_files import replacing
from mass_pipeline.reading.text.charset import decode


class PagePlace(NamedTuple):
    """Where a page stands: columns of `crawled_pages`."""

    parish_id: str
    url: str
    final_url: str | None
    start_url: str
    domain: str
    depth: int


@dataclass(frozen=True, slots=True)
class ExternalLink:
    """A link that leaves its site.

    Attributes:
        parish_id: site of the target set it was found on.
        source_url: page. level: least number of links from the start page to it.
        url: where it leads, canonical. site: registrable domain of that.
        relation: `subdomain` for another host of the site's own registrable domain, else `external`.
        anchor: words of the link; "" when it has none.
        context: words before and after it with the link as `[...]` between them; "" when it stands alone.
    """

    parish_id: str
    source_url: str
    level: int
    url: str
    site: str
    anchor: str
    context: str = ""
    relation: str = "external"


@dataclass(frozen=True, slots=True)
class BadLink:
    """A link that is no http(s) address.

    Attributes:
        href: as written, at most 200 characters.
        reason: `scheme` (javascript, mailto, ...), `unparsable`, `too_long` or `no_host`.
    """

    parish_id: str
    source_url: str
    href: str
    reason: str


def external_links(pages: Iterable[Any], *, merge_case_and_slash: bool = False) -> tuple[list[ExternalLink], list[BadLink]]:
    """External and bad links of the pages of a target set.

    Args:
        pages: crawled pages, with columns of `crawled_pages` as attributes: those of `PagePlace`, body and content_type.
        merge_case_and_slash: count links that differ in case or a trailing slash as one (B4).

    Returns:
        External links, each once per site with its page of least level, sorted by site, level, page and address; bad
        links, each once per page.
    """
    best: dict[tuple[str, str], ExternalLink] = {}
    bad: dict[tuple[str, str, str], BadLink] = {}
    for page in pages:
        for link in links_of(page):
            if isinstance(link, BadLink):
                bad[link.parish_id, link.source_url, link.href] = link
                continue
            key = (link.parish_id, identity(link.url, merge_case_and_slash))
            known = best.get(key)
            if known is None or (link.level, link.source_url, link.url) < (known.level, known.source_url, known.url):
                best[key] = link
    ordered = sorted(best.values(), key=lambda link: (link.parish_id, link.level, link.source_url, link.url))
    return ordered, sorted(bad.values(), key=lambda link: (link.parish_id, link.source_url, link.href))


def links_of(page: Any) -> Iterator[ExternalLink | BadLink]:
    """External and bad links of one page in document order, repeated ones too; none for what is no HTML."""
    if not page.body or not is_markup(page.body[:HEAD_BYTES], page.content_type):
        return
    text = decode(page.body, page.content_type)
    place = PagePlace(*(getattr(page, name) for name in PagePlace._fields))
    yield from judge_links(read_links(text.text, encoding=text.encoding), place)


def judge_links(found: PageLinks, page: PagePlace) -> Iterator[ExternalLink | BadLink]:
    """Those of a page's links that leave its site, and those that are no web address; inner ones are passed over.

    A site's own are the hosts of its pages, with or without `www.`, and of its start page, for sites that have moved; other
    hosts of the same registrable domains are a class of their own, `subdomain` (B1).
    """
    own_url = page.final_url or page.url
    hosts, base = {_bare(split(url).host) for url in (own_url, page.url, page.start_url)}, base_of(own_url, found.base)
    own = {page.domain, *map(registrable_domain, hosts)}
    for raw in found.links:
        try:
            url = canonicalize(raw.href, base)
        except BadUrl as error:
            yield BadLink(page.parish_id, page.url, raw.href[:200], str(error))
            continue
        host = split(url).host
        site = registrable_domain(host)
        if site not in own or _bare(host) not in hosts:
            context = "" if raw.node is None else words_around(raw.node)
            relation = "subdomain" if site in own else "external"
            yield ExternalLink(page.parish_id, page.url, page.depth, url, site, raw.text(), context, relation)


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def target_domains(start_urls: Iterable[object]) -> set[str]:
    """Registrable domains of a target set: of every start URL that is one."""
    addresses = (canonical_or_none(str(url or "")) for url in start_urls)
    return {registrable_domain(split(address).host) for address in addresses if address}


_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


@dataclass(frozen=True, slots=True)
class Companion:
    """A site that the target set links to.

    Attributes:
        site: registrable domain.
        linked_from: target sites that link to it, sorted.
        links: number of different links to it.
    """

    site: str
    linked_from: tuple[str, ...]
    links: int

    @property
    def connectivity(self) -> int:
        """Number of target sites that link to it."""
        return len(self.linked_from)


def companion_sites(links: Iterable[ExternalLink], target_domains: Collection[str] = ()) -> list[Companion]:
    """Companions of a target set, the best connected first, then by name.

    Args:
        links: external links of the set.
        target_domains: registrable domains of the set itself; links among its sites make no companion.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    count: dict[str, int] = defaultdict(int)
    for link in links:
        if link.site not in target_domains and link.relation == "external":
            sources[link.site].add(link.parish_id)
            count[link.site] += 1
    companions = [Companion(site, tuple(sorted(found)), count[site]) for site, found in sources.items()]
    return sorted(companions, key=lambda companion: (-companion.connectivity, companion.site))


def subsets(companions: Iterable[Companion]) -> Mapping[int, tuple[Companion, ...]]:
    """Connectivity -> the companions of exactly that connectivity; disjoint, together all, highest first."""
    groups: dict[int, list[Companion]] = defaultdict(list)
    for companion in companions:
        groups[companion.connectivity].append(companion)
    return {connectivity: tuple(groups[connectivity]) for connectivity in sorted(groups, reverse=True)}


def write_graphml(
    companions: Sequence[Companion],
    links: Iterable[ExternalLink],
    path: Path,
    targets: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Write the conceptual model: target sites with their names, companions, an edge per pair with the number of links.

    Args:
        path: file to write; an existing one is replaced as a whole or not at all.
        targets: target -> its name and registrable domain; links among targets are edges too.
    """
    known = targets or {}
    nodes = {companion.site: f"site:{companion.site}" for companion in companions}
    nodes |= {domain: f"target:{target}" for target, (_, domain) in sorted(known.items(), reverse=True)}
    edges: dict[tuple[str, str], int] = defaultdict(int)
    for link in links:
        end = nodes.get(link.site)
        if end is not None and end != f"target:{link.parish_id}":
            edges[f"target:{link.parish_id}", end] += 1
    ends = {end for edge in edges for end in edge}
    root = Element("graphml", xmlns=_NAMESPACE)
    SubElement(root, "key", {"id": "kind", "for": "node", "attr.name": "kind", "attr.type": "string"})
    SubElement(root, "key", {"id": "name", "for": "node", "attr.name": "name", "attr.type": "string"})
    SubElement(root, "key", {"id": "connectivity", "for": "node", "attr.name": "connectivity", "attr.type": "int"})
    SubElement(root, "key", {"id": "links", "for": "edge", "attr.name": "links", "attr.type": "int"})
    graph = SubElement(root, "graph", id="companion-set", edgedefault="directed")
    for target in sorted(end.removeprefix("target:") for end in ends if end.startswith("target:")):
        _node(graph, f"target:{target}", "target", known.get(target, (target, ""))[0], None)
    for companion in companions:
        _node(graph, f"site:{companion.site}", "companion", companion.site, companion.connectivity)
    for (source, end), number in sorted(edges.items()):
        edge = SubElement(graph, "edge", source=source, target=end)
        SubElement(edge, "data", key="links").text = str(number)
    indent(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as aside:
        ElementTree(root).write(aside, encoding="utf-8", xml_declaration=True)


def _node(graph: Element, identifier: str, kind: str, name: str, connectivity: int | None) -> None:
    node = SubElement(graph, "node", id=identifier)
    SubElement(node, "data", key="kind").text = kind
    SubElement(node, "data", key="name").text = name
    if connectivity is not None:
        SubElement(node, "data", key="connectivity").text = str(connectivity)


_TARGET: Final = "#b8860b"
_COMPANION: Final = "#3a5c7a"
_MOST_COMPANIONS: Final = 60  # drawn: the best connected ones; the whole graph is in the GraphML file
_MOST_TARGETS: Final = 240
_NAMED: Final = 24


def graph_plot(companions: Sequence[Companion]) -> bytes:
    """The two-sided graph as a PNG: target sites on the outer circle, companions within, the better connected the nearer
    to the centre.

    Args:
        companions: best connected first; of large sets the first 60 are drawn, with at most 240 of their target sites.
    """
    import numpy as np
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    drawn = list(companions[:_MOST_COMPANIONS])
    targets = sorted({target for companion in drawn for target in companion.linked_from})[:_MOST_TARGETS]
    outer = dict(zip(targets, _circle(len(targets), 1.0), strict=True))
    inner = dict(zip((companion.site for companion in drawn), _rings(drawn), strict=True))
    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.add_subplot()
    edges = [(inner[c.site], outer[target]) for c in drawn for target in c.linked_from if target in outer]
    axes.add_collection(LineCollection(edges, colors="#00000030", linewidths=0.6))
    (outer_x, outer_y), (inner_x, inner_y) = (np.reshape([*places.values()], (-1, 2)).T for places in (outer, inner))
    axes.scatter(outer_x, outer_y, s=18, c=_TARGET, label=f"target sites ({len(targets)})", zorder=2)
    sizes = [30 + 40 * math.sqrt(companion.connectivity) for companion in drawn]
    axes.scatter(inner_x, inner_y, s=sizes, c=_COMPANION, label=f"companion sites ({len(drawn)})", zorder=3)
    for companion in drawn[:_NAMED]:
        axes.annotate(
            _short(companion.site), inner[companion.site], xytext=(0, 8), textcoords="offset points", ha="center", fontsize=8
        )
    left_out = len(companions) - len(drawn)
    axes.set(title="Companion graph" + (f"; {left_out} less connected companions not drawn" if left_out else ""))
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    axes.axis("off")
    axes.legend(loc="lower right", fontsize=8)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90, metadata={"Software": None})
    return buffer.getvalue()


def _rings(companions: Sequence[Companion]) -> Iterator[tuple[float, float]]:
    """A place per companion: a ring per subset, the highest connectivity inmost; a ring is turned against its neighbour."""
    groups = subsets(companions)
    for number, group in enumerate(groups.values(), 1):
        alone_in_the_middle = number == 1 and len(group) == 1
        yield from _circle(len(group), 0.0 if alone_in_the_middle else 0.8 * number / len(groups), turn=0.4 * number)


def _circle(count: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    angles = [turn + 2 * math.pi * n / max(count, 1) for n in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _short(name: str) -> str:
    """Names come from the web: long ones are cut, and the dollar sign begins no formula."""
    return (name if len(name) <= 32 else name[:31] + "…").replace("$", "\\$")
