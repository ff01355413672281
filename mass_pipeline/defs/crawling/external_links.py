"""The asset `external_links`: every link of the parishes' sites that leaves its site, with the words around it (B1-B4)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.defs.code_version import LINKS, code_version
from mass_pipeline.defs.conditions import WEEKLY, follow
from mass_pipeline.defs.wiring import PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import EXTERNAL_LINKS
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, Partitions, preview

if TYPE_CHECKING:
    from mass_pipeline.crawling.web_graph import BadLink

_MOST_SITES: Final = 20
DECIDED_BY: Final = (*LINKS, "reading.text.charset")


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A row of `crawled_pages`, as far as its links go."""

    parish_id: str
    url: str
    final_url: str | None
    start_url: str
    domain: str
    depth: int
    content_type: str | None
    outcome: str
    body: bytes | None
    body_sha256: str | None
    fetched_at: datetime | None


@dg.asset(
    **PER_DIOCESE,
    group_name="web_graph",
    kinds={"python", "parquet"},
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=follow("external_links", ["crawled_pages"]),
    freshness_policy=WEEKLY,
)
def external_links(
    context: dg.AssetExecutionContext, crawled_pages: TableReader, settings: dg.ResourceParam[Settings]
) -> Partitions:
    """Links to other sites, once per parish with the page of least level, its words and the words around it.

    Read from the pages that were crawled already: no webmaster is asked again. Links that are no web address (javascript,
    mail, unparsable) are counted by reason. A diocese without pages gives an empty partition.
    """
    config = settings.section(CrawlConfig)

    def links_of(diocese: str) -> Produced:
        found, bad = links_of_pages(crawled_pages.required(diocese), merge_case_and_slash=config.merge_case_and_slash)
        return table_of(EXTERNAL_LINKS, found), links_metadata(found, bad)

    return each_diocese(context, links_of)


def links_of_pages(pages: TableReader, *, merge_case_and_slash: bool) -> "tuple[list[dict[str, object]], list[BadLink]]":
    """Rows of `external_links` and the bad links of some crawled pages."""
    from mass_pipeline.crawling.web_graph import external_links as read_external_links

    sources: dict[tuple[str, str], StoredPage] = {}

    def remembered() -> Iterator[StoredPage]:
        for row in pages.rows([field.name for field in fields(StoredPage)]):
            page = StoredPage(**row)  # type: ignore[arg-type]  # the columns of the schema, by name
            yield page
            if page.body is not None:
                sources[page.parish_id, page.url] = replace(page, body=None)  # a partition holds gigabytes of bodies

    links, bad = read_external_links(remembered(), merge_case_and_slash=merge_case_and_slash)
    rows = []
    for link in links:
        source = sources[link.parish_id, link.source_url]
        rows.append({**asdict(link), "page_sha256": source.body_sha256, "fetched_at": source.fetched_at})
    return rows, bad


def links_metadata(rows: Sequence[Mapping[str, object]], bad: "Sequence[BadLink]") -> Metadata:
    """What the UI shows of one partition."""
    sites = Counter(str(row["site"]) for row in rows)
    levels = Counter(int(str(row["level"])) for row in rows)
    reasons = Counter(link.reason for link in bad)
    most = sorted(sites.items(), key=lambda item: (-item[1], item[0]))[:_MOST_SITES]
    best = pa.table({"site": [site for site, _ in most], "links": [count for _, count in most]})
    return {
        "parishes_with_links": len({row["parish_id"] for row in rows}),
        "linked_sites": len(sites),
        "most_linked_sites": preview(best, best.column_names),
        "levels": dg.MetadataValue.json({str(level): levels[level] for level in sorted(levels)}),
        "links_to_subdomains": sum(row["relation"] == "subdomain" for row in rows),
        "bad_links": len(bad),
        **{f"bad_links_{reason}": count for reason, count in sorted(reasons.items())},
    }
