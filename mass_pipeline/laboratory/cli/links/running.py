"""`mass-pipeline lab links start` and `stop` (B5)."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from mass_pipeline.cli.options import plain, the_settings
from mass_pipeline.laboratory.cli.links.common import folder_of, open_store, state_option
from mass_pipeline.model.errors import MassPipelineError, UsageError

if TYPE_CHECKING:
    from mass_pipeline.crawling.fetching.addresses import ConnectTo
    from mass_pipeline.laboratory.link_collection.collector import OnPage
    from mass_pipeline.laboratory.link_collection.records import CollectionSettings, CollectReport
    from mass_pipeline.resources.settings import Settings

_POLICIES: Final = ("sequential", "quantum", "time", "r1", "r2", "r3")
_LINE_SECONDS: Final = 10.0  # between plain progress lines where there is no terminal
_POLL_SECONDS: Final = 0.2
_LOOPBACK: Final = "127.0.0.1"
_CLOSED_PORT: Final = 9  # discard: nothing listens there
_ENDS: Final = {
    "budget": "the budget of pages is spent; --budget raises it",
    "finished": "every page within the maximal level was read",
    "stopped": "it was asked to stop; the same command goes on",
}


@click.command()
@click.option("--policy", type=click.Choice(_POLICIES), help="Which site comes next.  [default: by theme]")
@click.option("--theme", help="Theme of the target set: institutes, universities; any other is unknown.")
@click.option("--budget", "budget_pages", type=click.IntRange(min=1), help="Pages over all sites and runs.  [default: 2000]")
@click.option("--level", "max_level", type=click.IntRange(0, 100), help="Greatest level read.  [default: 5]")
@click.option(
    "--merge-case-and-slash/--keep-case-and-slash",
    default=None,
    help="Whether links that differ so count as one.  [default: keep]",
)
@click.option("--seed", type=click.IntRange(min=0), help="Of the random policies.")
@state_option
def start(state: Path | None, **options: Any) -> None:
    """Collect external links from the target set, or go on where the last run ended; options are kept for later runs.

    It ends when the budget is spent, when every page was read, on `links stop`, on Ctrl-C or when killed: no link that was
    stored is ever lost, none is stored twice. What robots.txt and the hosts' pauses ask for is obeyed.

    \b
    Examples:
      mass-pipeline lab links start
      mass-pipeline lab links start --theme universities --budget 2000 --level 5
      mass-pipeline lab links start --policy r2
    """
    from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
    from mass_pipeline.laboratory.link_collection.collector import collect_links
    from mass_pipeline.laboratory.link_collection.store import target_sites
    from mass_pipeline.resources.web import crawl_config, open_web

    settings = the_settings()
    bandits = LinkBanditConfig()
    with open_store(state) as store:
        chosen = _settings_of(settings, store.settings(), options)
        spent = sum(turn.asked for turn in store.log())
        if not target_sites(store):
            raise UsageError("The target set is empty: add sites with `mass-pipeline lab links sites add URL`.")
    with open_web(settings) as web, _progress(chosen.budget_pages, spent) as on_page:
        config = crawl_config(settings, is_local=web.is_local)
        report = collect_links(
            folder_of(state), chosen, config=config, bandits=bandits, connect_to=_only_loopback(web.connect_to), on_page=on_page
        )  # fmt: skip
    _tell(report, state, settings.is_live)


@click.command()
@click.option("--timeout", type=click.IntRange(min=0), default=180, show_default=True, help="Seconds to wait for its end.")
@state_option
def stop(timeout: int, state: Path | None) -> None:
    """Ask the running process to finish its page and end; wait until it has.

    \b
    Example:
      mass-pipeline lab links stop
    """
    from mass_pipeline.laboratory.link_collection.store import collecting_process

    folder = folder_of(state)
    process = collecting_process(folder)
    if process is None:
        click.echo("Nobody collects here.")
        return
    with open_store(state) as store:
        store.request_stop()
    deadline = time.monotonic() + timeout
    while collecting_process(folder) == process:
        if time.monotonic() >= deadline:
            raise MassPipelineError(
                f"Process {process} still waits for its page (hosts are left their pauses); it will end after it. "
                f"`kill {process}` ends it at once, without harm."
            )
        time.sleep(_POLL_SECONDS)
    click.echo(f"Process {process} has ended.")


def _settings_of(settings: Settings, kept: CollectionSettings | None, options: dict[str, Any]) -> CollectionSettings:
    """What was kept, else the defaults, with the options given on top; a policy or a theme replaces the other."""
    from mass_pipeline.crawling import CrawlConfig
    from mass_pipeline.laboratory.link_collection.records import CollectionSettings

    merge = settings.section(CrawlConfig).merge_case_and_slash
    base = kept or CollectionSettings(merge_case_and_slash=merge, seed=settings.general.seed)
    given = {field.name: options[field.name] for field in fields(base) if options.get(field.name) is not None}
    if "theme" in given and "policy" not in given:
        given["policy"] = ""
    return replace(base, **given)


def _only_loopback(connect_to: ConnectTo | None) -> ConnectTo | None:
    """The demo profile leaves its hosts no pauses, so it never leaves loopback: other hosts lead to a closed door."""
    if connect_to is None:
        return None

    def inside(host: str, port: int) -> tuple[str, int] | None:
        if host in (_LOOPBACK, "localhost"):
            return _LOOPBACK, port
        return connect_to(host, port) or (_LOOPBACK, _CLOSED_PORT)

    return inside


@contextmanager
def _progress(budget: int, spent: int) -> Iterator[OnPage]:
    """A bar of the budget on a terminal, a plain line every ten seconds elsewhere; figures are those of this run."""
    found = [0, 0]

    def count(new_links: int, asked: bool) -> str:
        found[0] += asked
        found[1] += new_links
        return f"{found[0]} pages, {found[1]} new external links"

    if not sys.stderr.isatty():
        said = [time.monotonic()]

        def say(site: object, link: Any, page: Any, new_links: int) -> None:
            line = count(new_links, page.asked)
            if time.monotonic() - said[0] >= _LINE_SECONDS:
                said[0] = time.monotonic()
                click.echo(f"{line}, {plain(link.url, 100)}", err=True)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.text import Text

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=budget)

        def show(site: Any, link: Any, page: Any, new_links: int) -> None:
            line = count(new_links, page.asked)
            bar.update(task, completed=spent + found[0], description=Text(f"{line}  {plain(link.url, 60)}").plain)

        yield show


def _tell(report: CollectReport, state: Path | None, is_live: bool) -> None:
    from mass_pipeline.laboratory.link_collection.store import target_sites

    click.echo(
        f"{report.pages} pages, {report.new_links} new external links, {report.requests} requests in {report.seconds:.1f} s "
        f"(policy {report.policy}): {_ENDS[report.ended]}."
    )
    with open_store(state) as store:
        missing = [site for site in target_sites(store) if site.status == "not_available"]
        total = len(target_sites(store))
    for site in missing[:10]:
        click.echo(f"Not available: {plain(site.short_name)} {site.start_url} ({plain(site.reason, 80)})", err=True)
    if len(missing) > 10:
        click.echo(f"... and {len(missing) - 10} more; `mass-pipeline lab links sites list` shows them.", err=True)
    if missing and not is_live:
        click.echo(
            "The demo profile reaches the demo web on loopback alone; real sites need MASS_PIPELINE_PROFILE=live.", err=True
        )
    if missing and len(missing) == total:
        raise MassPipelineError("No site of the target set can be loaded. Check the addresses and the network of this machine.")
