"""The page that a look ends with: what answered, what a full run would cost, what to do next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.operations.canary.probes import DirectoryLook, Finding, SitesLook

_PAGES_PER_SITE: Final = 33  # asked of a site in a first crawl: 3,279 of 100 sites in the benchmark crawl_speed
_TYPICAL_BYTES: Final = 40_000  # of a page, where no site has answered
_WIDTH: Final = 100
_MB: Final = 1e6


@dataclass(frozen=True, slots=True)
class Cost:
    """What one stage of a full run would take. Figures are estimates from this look, rounded when they are printed."""

    stage: str
    requests: int
    hours: float
    megabytes: float
    note: str = ""


def full_run(
    directory: DirectoryLook,
    sites: SitesLook,
    directory_config: DirectoryConfig,
    places: PlacesConfig,
    crawl: CrawlConfig,
    runs_at_once: int,
) -> Iterator[Cost]:
    """Directory, Places and crawl of the whole country, reckoned from what this look saw; nothing when no parish is known.

    Args:
        directory: says how many parishes there are.
        sites: its answers give the size and the speed of a page.
        directory_config, places, crawl: the limits a run would keep.
        runs_at_once: crawls at the same time.
    """
    parishes = directory.parishes
    if not parishes:
        return
    if directory.page_bytes:
        requests = parishes + -(-parishes // directory_config.rows_per_page) + 1
        hours = requests * directory_config.request_gap_seconds / 3600
        yield Cost("Directory", requests, hours, requests * directory.page_bytes / _MB)
    if places.api_key:
        per_parish = places.search_units + (places.details_units if places.api == "legacy" else 0)
        units = parishes * per_parish
        days = units / places.units_per_day if places.units_per_day else 0.0
        calls = parishes * (2 if places.api == "legacy" else 1)
        note = f"{units:,} units or more: {days:,.0f} days at {places.units_per_day:,} units a day"
        yield Cost("Places", calls, days * places.window_hours, 0.0, note)
    read = [one for one in sites.answers if one.body]
    size = sum(len(one.body) for one in read) / len(read) if read else _TYPICAL_BYTES
    wait = crawl.host_gap_seconds + (sum(one.elapsed_ms or 0 for one in read) / len(read) / 1000 if read else 1.0)
    pages = parishes * _PAGES_PER_SITE
    hours = pages * wait / (crawl.sites_at_once * runs_at_once) / 3600
    yield Cost(
        "First crawl", pages, hours, pages * size / _MB, f"with a site for each parish and {_PAGES_PER_SITE} pages of each"
    )


def page(findings: Sequence[Finding], costs: Sequence[Cost], asked: Mapping[str, int], folder: str) -> list[str]:
    """All of it as lines for a terminal.

    Args:
        findings: in the order they were made.
        costs: see `full_run`.
        asked: what was asked in this look, by kind.
        folder: where the answers are kept.
    """
    lines = ["What answered"]
    for one in findings:
        lines += _wrapped(f"  {one.topic + ':':18}{one.verdict.value}. {one_line(one.seen)}", 20)
        lines += [line for where in one.where for line in _wrapped(f"{'':20}{one_line(where)}", 22)]
    lines += ["", "What a full run would take (estimates)"]
    for cost in costs:
        figures = f"{_round(cost.requests)} requests, {_hours(cost.hours)}" + (
            f", {_round(cost.megabytes)} MB" if cost.megabytes else ""
        )
        lines += _wrapped(f"  {cost.stage + ':':18}{figures}{f' ({cost.note})' if cost.note else ''}", 20)
    if not costs:
        lines.append("  unknown: no source of parishes can be read yet")
    lines += ["", "What to do next"]
    steps = [f"{one.topic}: {one.remedy}" for one in findings if one.remedy]
    if not any(one.is_trouble for one in findings):
        steps.append("Nothing stands against a run: one diocese first (docs/operating.md, Going live).")
    for number, step in enumerate(steps, start=1):
        lines += _wrapped(f"  {number}. {one_line(step)}", 5)
    counted = ", ".join(f"{count} {kind}" for kind, count in asked.items())
    lines += ["", *_wrapped(f"Asked now: {counted}. Answers are kept in {folder}; for a day they are not asked for again.", 0)]
    return lines


def _wrapped(line: str, indent: int) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * indent, drop_whitespace=True, break_long_words=False)


def _round(value: float) -> str:
    """Two digits that count.

    >>> _round(11_144), _round(0.4)
    ('11,000', '1')
    """
    if value < 1:
        return "1"
    digits = len(str(int(value))) - 2
    return f"{round(value, -digits) if digits > 0 else round(value):,.0f}"


def _hours(value: float) -> str:
    if value < 1:
        return f"{max(1, round(value * 60))} min"
    return f"{value:.1f} h" if value < 48 else f"{value / 24:.0f} days"
