"""The crawl report for people: a table of the sites and a picture of how the fetches ended. Values in, Markdown or PNG out."""

from __future__ import annotations

import io
from typing import Final

from mass_pipeline.crawling.sites.records import CrawlReport

_MOST_SITES: Final = 60  # rows shown: what needs a look stands first, and the UI stays quick


def sites_markdown(report: CrawlReport) -> str:
    """One line per site, those that gave fewest pages first; the head alone for a crawl without sites."""
    lines = ["| site | outcome | pages | requests | kB | seconds |", "|---|---|---|---|---|---|"]
    sites = sorted(report.sites, key=lambda site: (site.pages, site.start_url))
    for site in sites[:_MOST_SITES]:
        outcome = f"{site.outcome} ({site.reason})" if site.reason else str(site.outcome)
        size = site.body_bytes / 1000
        lines.append(
            f"| {_cell(site.start_url)} | {_cell(outcome)} | {site.pages} | {site.requests} | {size:.0f} | {site.seconds:.1f} |"
        )
    if len(sites) > _MOST_SITES:
        lines.append(f"| and {len(sites) - _MOST_SITES} more | | | | | |")
    return "\n".join(lines)


def outcomes_plot(report: CrawlReport) -> bytes:
    """How many URLs ended in which outcome, as a PNG with one bar each on a logarithmic scale."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = sorted(report.outcomes, key=lambda name: (report.outcomes[name], name))
    figure = Figure(figsize=(7, 1.2 + 0.3 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    bars = axes.barh(names, [report.outcomes[name] for name in names], color="#4c72b0")
    axes.bar_label(bars, padding=3)
    axes.set_xscale("symlog")
    axes.set_xlabel("URLs")
    axes.margins(x=0.15)
    FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    return buffer.getvalue()


def _cell(text: str) -> str:
    """Text of the web as plain text of a Markdown cell: no markup, no cell border, no line break."""
    return "".join(c if c.isalnum() or c in " .:/-_()%=&?,;+~@" else f"&#{ord(c)};" for c in text)
