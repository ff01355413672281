"""`mass-pipeline watch`: announcements that never sleep, without Dagster (C1-C9, J1, J5, J6)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.options import (
    FILE,
    FOLDER,
    asking_options,
    progress_line,
    refuse_haste,
    replaced_file,
    require_folder_of,
    the_settings,
)
from mass_pipeline.model.errors import BadInput

if TYPE_CHECKING:
    from mass_pipeline.crawling.fetching.addresses import ConnectTo
    from mass_pipeline.crawling.pages.relevance import Topic
    from mass_pipeline.crawling.watching.records import WatchProgress, WatchReport
    from mass_pipeline.crawling.watching.sites import WatchedSite
    from mass_pipeline.resources.settings import Settings

_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|m|h|d)?")
_UNITS: Final = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, None: 1.0}


def _seconds(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Seconds of a time such as 90s, 30m, 2h, 7d; a bare number means seconds."""
    if value is None:
        return None
    match = _DURATION.fullmatch(value.strip())
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"{value!r}: expected a time over 0 such as 90s, 30m, 2h or 7d.", ctx, param)
    return float(match[1]) * _UNITS[match[2]]


@click.command()
@click.option(
    "--sites", "sites_file", type=FILE, help="Sites to watch: TOML, or lines of URLs.  [default: the parishes of parish_urls]"
)
@click.option("--topic", help="What is kept: a topic of the project, or a file.  [default: services]")
@click.option("--once", is_flag=True, help="Do what is due now, then end.")
@click.option("--for", "seconds", metavar="DURATION", callback=_seconds, help="End after this time, such as 30m or 2h.")
@click.option("--state", type=FOLDER, help="Folder to resume from.  [default: in the data folder]")
@click.option("--out", type=FILE, help="Write what was kept as JSON Lines at the end.")
@click.option("--contact", help="E-mail or URL of the operator, for the User-Agent.")
@asking_options
def watch(
    sites_file: Path | None,
    topic: str | None,
    once: bool,
    seconds: float | None,
    state: Path | None,
    out: Path | None,
    **options: object,
) -> None:
    """Watch sites: poll their lists of news, fetch new articles, keep what belongs to the topic.

    Runs until Ctrl-C, --for or --once. Stopped in whatever way, it goes on where it was when called again with the same
    --state. The state folder holds progress.log, errors.log and everything kept. In the demo profile the bundled demo web
    is watched.

    \b
    Examples:
      mass-pipeline watch --once --out announcements.jsonl
      mass-pipeline watch --sites parishes.txt --state watch-state --contact me@example.org
      mass-pipeline watch --sites data/demo/portals.toml --topic education --once --out news.jsonl
      MASS_PIPELINE_ALERTS_COMMAND='mail -s watch me@example.org' mass-pipeline watch --for 2h
    """
    from dataclasses import replace

    from mass_pipeline.cli.crawl import manners_of
    from mass_pipeline.crawl_readers.articles import read_article
    from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
    from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
    from mass_pipeline.crawling.watching.engine import watch_sites
    from mass_pipeline.resources.alerts import Alerts, notify_of
    from mass_pipeline.resources.web import crawl_config

    refuse_haste(options)
    require_folder_of(out)
    settings = the_settings()
    config = settings.section(WatchConfig)
    chosen: Topic = load_topic(topic_path(topic or config.topic))
    sites = _sites(sites_file, settings)
    folder = state or settings.data_folder / "state" / "watch" / f"by-hand-{chosen.name}"
    with _web(settings, sites) as connect_to:
        if connect_to is None:
            crawl = manners_of(settings, options)
        else:
            contact = str(options["contact"] or settings.general.contact)
            crawl = replace(crawl_config(settings, is_local=True), contact=contact, no_delay=bool(options["no_delay"]))
        try:
            report = watch_sites(
                sites, state=folder, topic=chosen, read_article=read_article,
                crawl=crawl, watch=config,
                polling=settings.section(PollingConfig), connect_to=connect_to, once=once, seconds=seconds,
                on_progress=_progress(), notify=notify_of(Alerts.of(settings)),
            )  # fmt: skip
        finally:
            if sys.stderr.isatty():
                click.echo("", err=True)
            if out is not None and (folder / "watch.sqlite").exists():
                click.echo(f"{write_jsonl(folder, out)} announcements -> {out}")
    _print_report(report, folder)


def _sites(path: Path | None, settings: Settings) -> list[WatchedSite]:
    """The sites of the file, else the parishes whose site is known."""
    from mass_pipeline.crawling.watching.config import WatchConfig
    from mass_pipeline.crawling.watching.sites import WatchedSite, read_sites, with_configuration
    from mass_pipeline.model.columns import PARISH_URLS
    from mass_pipeline.resources.lake import open_lake

    if path is not None:
        return read_sites(path)
    from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize

    rows = open_lake(settings).reader(PARISH_URLS).rows(["parish_id", "url", "scope_prefix"])
    sites = []
    for row in rows:
        try:
            if row["url"]:
                sites.append(WatchedSite(str(row["parish_id"]), canonicalize(str(row["url"])), str(row["scope_prefix"] or "/")))
        except BadUrl:
            click.echo(f"{row['parish_id']}: {row['url']!r} is no address; left out.", err=True)
    configured = settings.section(WatchConfig).sites_file
    if not sites:
        raise BadInput("parish_urls holds no site. Run the directory_job first, or name sites with --sites.")
    return with_configuration(sites, read_sites(Path(configured)) if configured else [])


@contextmanager
def _web(settings: Settings, sites: Sequence[WatchedSite]) -> Iterator[ConnectTo | None]:
    """The demo web when every site lies in it (and the profile is demo), the real one (None) otherwise."""
    from mass_pipeline.crawling.fetching.urls import split
    from mass_pipeline.resources.web import open_web

    if settings.is_live:
        yield None
        return
    with open_web(settings) as web:
        parts = [split(site.url) for site in sites]
        is_demo = web.connect_to is not None and all(web.connect_to(part.host, part.port) for part in parts)
        yield web.connect_to if is_demo else None


def write_jsonl(folder: Path, out: Path) -> int:
    """Write every announcement kept, sorted, aside first; how many."""
    import json
    from dataclasses import asdict

    from mass_pipeline.crawling.watching.store import read_announcements_of

    count = 0
    with replaced_file(out) as aside, aside.open("w", encoding="utf-8") as file:
        for one in read_announcements_of(folder):
            file.write(json.dumps(asdict(one), ensure_ascii=False, default=lambda value: value.isoformat()) + "\n")
            count += 1
    return count


def _progress() -> Callable[[WatchProgress], None]:
    """A line that renews itself on a terminal; otherwise a plain line every ten seconds."""
    tell = progress_line()

    def show(progress: WatchProgress) -> None:
        due = f"next due {progress.next_due.astimezone():%d.%m. %H:%M}" if progress.next_due else "working"
        line = (
            f"{progress.sites} sites, {progress.failing} failing, {progress.open} open, {progress.looks} looks, "
            f"{progress.articles} articles, {progress.announcements} new, {progress.errors} errors, "
            f"{progress.requests} requests, {due}"
        )
        tell(line, progress.seconds)

    return show


def _print_report(report: WatchReport, folder: Path) -> None:
    click.echo(
        f"{report.sites} sites, {report.looks} looks, {report.articles} articles, {report.new_announcements} new announcements, "
        f"{report.errors} errors, {report.requests} requests in {report.seconds:.1f} s; state in {folder}"
    )
    for site_id, reason in list(report.failing.items())[:20]:
        click.echo(f"  failing: {site_id}: {reason}")
    if report.sites and len(report.failing) == report.sites:
        raise BadInput("every site failed: check the network of this machine; errors.log in the state folder names each page.")
