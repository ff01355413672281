"""The companion set: sites outside the target set that it links to, in disjoint subsets by how many target sites link to them.

Source: B11. The graph is written as GraphML (http://graphml.graphdrawing.org/specification.html); `drawing` draws it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from mass_pipeline.crawling.web_graph.external_links import ExternalLink
from mass_pipeline.model.whole_files import replacing

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
        if link.site not in target_domains:
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


def write_graphml(companions: Sequence[Companion], links: Iterable[ExternalLink], path: Path) -> None:
    """Write the two-sided graph: target sites, companions, an edge per pair with the number of links.

    Args:
        path: file to write; an existing one is replaced as a whole or not at all.
    """
    named = {companion.site for companion in companions}
    edges: dict[tuple[str, str], int] = defaultdict(int)
    for link in links:
        if link.site in named:
            edges[link.parish_id, link.site] += 1
    root = Element("graphml", xmlns=_NAMESPACE)
    SubElement(root, "key", {"id": "kind", "for": "node", "attr.name": "kind", "attr.type": "string"})
    SubElement(root, "key", {"id": "connectivity", "for": "node", "attr.name": "connectivity", "attr.type": "int"})
    SubElement(root, "key", {"id": "links", "for": "edge", "attr.name": "links", "attr.type": "int"})
    graph = SubElement(root, "graph", id="companion-set", edgedefault="directed")
    for target in sorted({source for source, _ in edges}):
        _node(graph, f"target:{target}", "target", None)
    for companion in companions:
        _node(graph, f"site:{companion.site}", "companion", companion.connectivity)
    for (source, site), number in sorted(edges.items()):
        edge = SubElement(graph, "edge", source=f"target:{source}", target=f"site:{site}")
        SubElement(edge, "data", key="links").text = str(number)
    indent(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as aside:
        ElementTree(root).write(aside, encoding="utf-8", xml_declaration=True)


def _node(graph: Element, name: str, kind: str, connectivity: int | None) -> None:
    node = SubElement(graph, "node", id=name)
    SubElement(node, "data", key="kind").text = kind
    if connectivity is not None:
        SubElement(node, "data", key="connectivity").text = str(connectivity)
