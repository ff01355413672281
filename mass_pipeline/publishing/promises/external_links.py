"""Checks of `external_links`: each link leaves its site, and stands on a crawled page of its parish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mass_pipeline.publishing.promises.verdict import Verdict

_MOST_FINDINGS = 20


def validate_links(links: Iterable[Mapping[str, object]], pages: Iterable[Mapping[str, object]]) -> Verdict:
    """Every link names a page that was crawled for its parish, and no site is its parish's own.

    Args:
        links: parish_id, url, site, source_url.
        pages: parish_id, url, domain of the crawled pages.
    """
    domain_of = {(row["parish_id"], row["url"]): row["domain"] for row in pages}
    count, orphans, inner = 0, [], []
    for row in links:
        count += 1
        domain = domain_of.get((row["parish_id"], row["source_url"]))
        if domain is None:
            orphans.append(row)
        elif domain == row["site"]:
            inner.append(row)
    faults = [*orphans, *inner]
    remedy = " Materialize external_links of that diocese again: its pages have changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} links: {len(orphans)} without a crawled page of their parish, {len(inner)} within their site.{remedy}",
        {"links": count, "without_page": len(orphans), "inner": len(inner)},
        [{"parish_id": str(row["parish_id"]), "url": str(row["url"])} for row in faults[:_MOST_FINDINGS]],
    )
