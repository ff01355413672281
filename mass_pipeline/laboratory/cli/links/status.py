"""`mass-pipeline lab links status`: how a collection stands, once or again and again (B5)."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.options import plain
from mass_pipeline.laboratory.cli.links.common import open_store, state_option

if TYPE_CHECKING:
    from rich.console import Group

    from mass_pipeline.laboratory.link_collection.records import CollectionStatus, SiteFigures

_MOST_ROWS: Final = 30  # of the live view: what fits a terminal; --json and `sites list` have all


@click.command()
@click.option("--watch", is_flag=True, help="Renew it until the collection ends, or Ctrl-C.")
@click.option("--every", type=click.FloatRange(min=0.1), default=1.0, show_default=True, help="Seconds between two looks.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@state_option
def status(watch: bool, every: float, as_json: bool, state: Path | None) -> None:
    """Tell how the collection stands: process, policy, pages, links, and each site.

    With --watch on a terminal the view renews itself; elsewhere a plain line is printed at every look.

    \b
    Examples:
      mass-pipeline lab links status
      mass-pipeline lab links status --watch
      mass-pipeline lab links status --json
    """
    if watch:
        _watch(state, every)
        return
    found = _look(state)
    if as_json:
        click.echo(json.dumps(asdict(found), ensure_ascii=False, default=str))
    else:
        for line in _lines(found):
            click.echo(line)


def _look(state: Path | None) -> CollectionStatus:
    from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
    from mass_pipeline.laboratory.link_collection.reading import read_status

    with open_store(state) as store:
        return read_status(store, LinkBanditConfig())


def _watch(state: Path | None, every: float) -> None:
    found = _look(state)
    if not sys.stdout.isatty():
        while True:
            click.echo(_headline(found))
            if found.process is None:
                return
            time.sleep(every)
            found = _look(state)
    from rich.live import Live

    with Live(_view(found), auto_refresh=False) as live:
        while found.process is not None:
            time.sleep(every)
            found = _look(state)
            live.update(_view(found), refresh=True)


def _headline(found: CollectionStatus) -> str:
    running = "nobody collects" if found.process is None else f"process {found.process} collects"
    stopping = " and was asked to stop" if found.stopping and found.process is not None else ""
    when = f", last page {found.last_at:%Y-%m-%d %H:%M:%S}Z {plain(found.last_url, 80)}" if found.last_at is not None else ""
    return (
        f"{running}{stopping}; policy {found.policy}, {found.pages} of {found.settings.budget_pages} pages, "
        f"{found.external} external links ({found.links_per_page:.2f} per page), {found.bad} bad links{when}"
    )


def _lines(found: CollectionStatus) -> list[str]:
    lines = [_headline(found)]
    for row in found.sites:
        level = "-" if row.level is None else row.level
        lines.append(
            f"{row.site.number}\t{plain(row.site.short_name)}\t{_state(row)}\t{row.pages} pages\t{row.external} links\t"
            f"{row.waiting} waiting\tlevel {level}"
        )
    return lines


def _state(row: SiteFigures) -> str:
    return row.site.status + (f" ({plain(row.site.reason, 40)})" if row.site.reason else "")


def _view(found: CollectionStatus) -> Group:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table(expand=True)
    for title in ("", "site", "pages", "links", "links per page", "waiting", "level", "state"):
        table.add_column(title, justify="left" if title in ("site", "state") else "right")
    best = sorted(found.sites, key=lambda row: (-row.external, row.site.number))
    for row in best[:_MOST_ROWS]:
        mean = f"{row.external / row.pages:.2f}" if row.pages else ""
        cells = (
            row.site.number, plain(row.site.short_name, 40), row.pages, row.external, mean, row.waiting,
            "" if row.level is None else row.level, _state(row),
        )  # fmt: skip
        table.add_row(*(Text(str(cell)) for cell in cells))
    if len(best) > _MOST_ROWS:
        table.caption = f"and {len(best) - _MOST_ROWS} more sites"
    return Group(Text(_headline(found)), ProgressBar(found.settings.budget_pages, found.pages), table)
