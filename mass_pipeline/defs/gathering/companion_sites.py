"""The asset `companion_sites`: the sites outside the target set that it links to, in subsets by connectivity (B11)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import LINKS, code_version
from mass_pipeline.defs.conditions import at_ticks
from mass_pipeline.defs.wiring import image
from mass_pipeline.model.columns import COMPANION_SITES
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures, preview

if TYPE_CHECKING:
    from mass_pipeline.crawling.web_graph import Companion, ExternalLink

_NAMED_PER_SUBSET: Final = 5
_NOON: Final = "0 12 * * *"
DECIDED_BY: Final = LINKS


@dg.asset(
    group_name="web_graph",
    kinds={"python", "parquet", "graphml"},
    io_manager_key="lake_io",
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=at_ticks(_NOON, ["external_links"], needs=["parish_urls"]),
)
@clear_failures()
def companion_sites(
    context: dg.AssetExecutionContext,
    external_links: TableReader,
    parish_urls: TableReader,
    settings: dg.ResourceParam[Settings],
) -> pa.Table:
    """The companion set of all parish sites whose links were collected, the base of a model of their part of the web.

    Each companion belongs to exactly one subset: the companions that as many parishes link to. Links among parish sites make
    no companion, but an edge of the graph, which is written as GraphML beside the tables (`exports/companion_sites.graphml`).
    """
    from mass_pipeline.crawling.web_graph import companion_sites as companions_of
    from mass_pipeline.crawling.web_graph import graph_plot, target_domains, write_graphml

    links, own = read_links(external_links), target_domains(row["url"] for row in parish_urls.rows(["url"]))
    companions = companions_of(links, own)
    path = settings.data_folder / "exports" / "companion_sites.graphml"
    write_graphml(companions, links, path, targets_of(parish_urls))
    context.add_output_metadata(
        {
            "links": len(links),
            "target_sites": len({link.parish_id for link in links}),
            "links_among_targets": sum(link.site in own for link in links),
            "subsets": _subsets_table(companions),
            "graph": image(lambda: graph_plot(companions), "companion graph"),
            "graphml": dg.MetadataValue.path(str(path)),
        }
    )
    return table_of(COMPANION_SITES, companion_rows(companions, links, diocese_of(parish_urls)))


def read_links(table: TableReader) -> "list[ExternalLink]":
    """The published external links of all partitions there are, by parish and address."""
    from mass_pipeline.crawling.web_graph import ExternalLink

    columns = ["parish_id", "source_url", "level", "url", "site", "anchor", "relation"]
    found = [ExternalLink(**row) for row in table.rows(columns)]  # type: ignore[arg-type]  # columns of the schema, by name
    return sorted(found, key=lambda link: (link.parish_id, link.url))


def targets_of(parish_urls: TableReader) -> dict[str, tuple[str, str]]:
    """Parish -> the host of its site, by which the model names it, and its registrable domain."""
    from mass_pipeline.crawling.web_graph import target_domains

    rows = [(str(row["parish_id"]), str(row["url"] or "")) for row in parish_urls.rows(["parish_id", "url"])]
    return {parish: (urlsplit(url).hostname or url, domain) for parish, url in rows for domain in target_domains([url])}


def diocese_of(parish_urls: TableReader) -> dict[str, str]:
    """Parish -> key of its diocese."""
    return {str(row["parish_id"]): str(row["diocese_key"]) for row in parish_urls.rows(["parish_id", "diocese_key"])}


def companion_rows(
    companions: "Iterable[Companion]", links: "Iterable[ExternalLink]", dioceses: Mapping[str, str]
) -> list[dict[str, object]]:
    """Rows of `companion_sites`.

    Args:
        companions: the set.
        links: the links it was made of.
        dioceses: parish -> diocese key.
    """
    to_site: dict[str, list[ExternalLink]] = defaultdict(list)
    for link in links:
        to_site[link.site].append(link)
    rows = []
    for companion in companions:
        url, anchor = _example(to_site[companion.site])
        rows.append(
            {
                "site": companion.site,
                "connectivity": companion.connectivity,
                "links": companion.links,
                "dioceses": sorted({dioceses[parish] for parish in companion.linked_from if parish in dioceses}),
                "linked_from": list(companion.linked_from),
                "example_url": url,
                "example_anchor": anchor,
            }
        )
    return rows


def _example(links: "Collection[ExternalLink]") -> tuple[str, str]:
    """The address linked most often, and the words used for it most often."""
    urls = Counter(link.url for link in links)
    url = min(urls, key=lambda address: (-urls[address], len(address), address))
    anchors = Counter(link.anchor for link in links if link.url == url and link.anchor)
    return url, min(anchors, key=lambda words: (-anchors[words], words), default="")


def _subsets_table(companions: "Iterable[Companion]") -> dg.MetadataValue:
    from mass_pipeline.crawling.web_graph import subsets

    rows = [
        {
            "linked_by": connectivity,
            "companions": len(group),
            "for_example": ", ".join(companion.site for companion in group[:_NAMED_PER_SUBSET]),
        }
        for connectivity, group in subsets(companions).items()
    ]
    schema = pa.schema([("linked_by", pa.int64()), ("companions", pa.int64()), ("for_example", pa.string())])
    return preview(pa.Table.from_pylist(rows, schema=schema), schema.names)
