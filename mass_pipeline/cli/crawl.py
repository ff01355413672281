"""`mass-pipeline crawl`: the crawler without Dagster. Seeds in, JSON Lines out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.options import (
    FILE,
    FOLDER,
    asking_options,
    progress_line,
    refuse_haste,
    require_folder_of,
    the_settings,
    warn_without_contact,
)
from mass_pipeline.crawling.fetching.config import SCORERS, STRATEGIES
from mass_pipeline.model.errors import BadInput, DiskFull

_MOST_CUT_SITES: Final = 10  # named by the report

if TYPE_CHECKING:
    from mass_pipeline.crawling import CrawlConfig, CrawlReport, Progress, Seed
    from mass_pipeline.resources.settings import Settings


@click.command()
@click.option("--seeds", "seeds_file", required=True, type=FILE, help="Start URLs, one per line.")
@click.option("--out", required=True, type=FILE, help="JSON Lines file of the pages.")
@click.option("--depth", type=click.IntRange(0, 20), help="Maximum link depth from the start page.  [default: 3]")
@click.option("--sites-at-once", type=click.IntRange(1, 5000), help="Sites crawled at the same time.  [default: 100]")
@click.option("--max-pages", type=click.IntRange(min=1), help="Maximum number of pages kept per site.  [default: 60]")
@click.option("--state", type=FOLDER, help="Folder to resume from; without it nothing is kept.")
@click.option(
    "--revisit", type=click.Choice(["due", "all", "never"]), help="Which pages a finished crawl asks again.  [default: due]"
)
@click.option(
    "--strategy",
    type=click.Choice([name.replace("_", "-") for name in STRATEGIES]),
    help="Which page comes next.  [default: breadth-first]",
)
@click.option("--scorer", type=click.Choice(SCORERS), help="What makes a link promising.  [default: words]")
@click.option("--stop-when-found", is_flag=True, help="Ask no new page of a site once two pages state the same schedule.")
@click.option("--contact", help="E-mail or URL of the operator, for the User-Agent.")
@click.option("--keep-pdf", is_flag=True, help="Keep PDF files too, in the state.")
@asking_options
def crawl(seeds_file: Path, out: Path, state: Path | None, **options: object) -> None:
    """Crawl the sites of a seed file, politely, and write their pages.

    Each line of the file is a URL, or parish_id, tab, URL, and optionally a tab and the path prefix of the parish on a
    shared host. Lines that are empty or begin with # are skipped.

    \b
    Examples:
      mass-pipeline crawl --seeds seeds.txt --out pages.jsonl --contact me@example.org
      mass-pipeline crawl --seeds seeds.txt --out pages.jsonl --state crawl-state     # again: goes on where it stopped
      mass-pipeline crawl --seeds demo.txt --out pages.jsonl --allow-private-hosts --no-delay
      mass-pipeline crawl --seeds seeds.txt --out pages.jsonl --strategy best-first --scorer learnt --stop-when-found
    """
    import tempfile

    from mass_pipeline.crawling import crawl_sites

    seeds = read_seeds(seeds_file)
    config = config_of(options)
    require_folder_of(out)
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-crawl-") as scratch:
        folder = state or Path(scratch)
        parishes = {seed.parish_id for seed in seeds}
        rule = None
        if config.stop_when_found:  # the reader takes a tenth of the start
            from mass_pipeline.crawl_readers.stop_rule import ScheduleFoundTwice

            rule = ScheduleFoundTwice
        report = crawl_sites(seeds, state=folder, config=config, on_progress=show_progress(), stop_rule=rule)
        if report.paused:
            raise DiskFull(f"The crawl ended early: {report.paused}. Free space and repeat the command with the same --state.")
        write_pages(folder, out, parishes)
    print_report(report, out)
    report.require_an_answer()


def config_of(options: Mapping[str, object]) -> CrawlConfig:
    """Settings of a crawl: those of the table that were changed, with the options given on top."""
    from dataclasses import replace

    refuse_haste(options)
    # Options are called like their settings, but for two.
    names = {"depth": "max_depth", "max_pages": "max_pages_per_site"}
    given = ("depth", "sites_at_once", "max_pages", "revisit", "scorer")
    changed = {names.get(option, option): options[option] for option in given if options.get(option) is not None}
    if options.get("strategy") is not None:
        changed["strategy"] = str(options["strategy"]).replace("-", "_")
    if options.get("stop_when_found"):
        changed["stop_when_found"] = True
    return replace(
        manners_of(the_settings(), options),
        keep_pdf=bool(options.get("keep_pdf")),  # JSON Lines hold text alone (P8)
        **changed,  # type: ignore[arg-type]  # values checked by click
    )


def manners_of(settings: Settings, options: Mapping[str, object]) -> CrawlConfig:
    """How sites that a person names are asked: by the settings that were changed, never of those whose owners want no part.

    The demo profile's defaults are made for its own loopback web; here the manners are those of real hosts.
    """
    from dataclasses import replace

    from mass_pipeline.crawling import CrawlConfig
    from mass_pipeline.resources.opt_outs import read_refusals

    config = CrawlConfig(**{row.name: row.value for row in settings.rows if row.section == "crawl" and not row.is_default})
    refused = read_refusals(settings.shared)
    contact = str(options["contact"] or settings.general.contact)
    if not options["allow_private_hosts"]:
        warn_without_contact(contact)
    return replace(
        config,
        contact=contact,
        leases=settings.leases,
        allow_private_hosts=bool(options["allow_private_hosts"]),
        no_delay=bool(options["no_delay"]),
        removed_hosts=(*config.removed_hosts, *refused.hosts),
        removed_urls=(*config.removed_urls, *refused.urls),
    )


def read_seeds(path: Path) -> list[Seed]:
    """The start URLs of a seed file.

    Raises:
        BadInput: it cannot be read, a line is malformed, or there is none.
    """
    from mass_pipeline.crawling import Seed

    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: the seed file cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}).") from error
    seeds: dict[str, Seed] = {}
    for number, parts in _lines(text):
        seed = Seed(parts[0], parts[0]) if len(parts) == 1 else Seed(parts[0], parts[1], parts[2] if len(parts) > 2 else "/")
        if len(parts) > 3 or not seed.parish_id or not seed.url:
            raise BadInput(f"{path}, line {number}: expected a URL, or parish_id, tab, URL and perhaps tab and path prefix.")
        if seeds.setdefault(seed.parish_id, seed) != seed:
            raise BadInput(f"{path}, line {number}: {seed.parish_id!r} stands there twice with different URLs.")
    if not seeds:
        raise BadInput(f"{path}: no start URL in it.")
    return list(seeds.values())


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, [part.strip() for part in line.split("\t")]


def show_progress() -> Callable[[Progress], None]:
    """A line that renews itself on a terminal; otherwise a plain line every ten seconds."""
    tell = progress_line()

    def show(progress: Progress) -> None:
        line = (
            f"{progress.sites_finished}/{progress.sites_total} sites, {progress.sites_open} open, {progress.pages} pages, "
            f"{progress.requests} requests, {progress.body_bytes / 1e6:.1f} MB, {progress.seconds:.0f} s"
        )
        if progress.paused:
            line += f"; paused: {progress.paused}"
        tell(line, progress.seconds)

    return show


def write_pages(folder: Path, out: Path, parishes: set[str], *, told: dict[str, dict[str, float]] | None = None) -> None:
    """Write the pages of some parishes out of a state as JSON Lines, with what else is told of them (`write_jsonl`)."""
    from mass_pipeline.crawling import read_pages
    from mass_pipeline.crawling.sites.reading import write_jsonl

    write_jsonl((page for page in read_pages(folder) if page.parish_id in parishes), out, told)


def print_report(report: CrawlReport, out: Path) -> None:
    from mass_pipeline.crawling.sites.records import left_out

    if sys.stderr.isatty():
        click.echo("", err=True)
    click.echo(
        f"{report.pages} pages of {len(report.sites)} sites in {report.seconds:.1f} s, {report.requests} requests -> {out}"
    )
    click.echo("outcomes: " + ", ".join(f"{name} {count}" for name, count in report.outcomes.items()))
    stopped = sum(site.reason.startswith("stopped: ") for site in report.sites)
    if stopped:
        click.echo(f"{stopped} sites stopped: schedule found twice")
    cut = [site for site in report.sites if site.left_out]
    for site in cut[:_MOST_CUT_SITES]:
        click.echo(f"not asked for at {site.start_url}: {left_out(site)}")
    if len(cut) > _MOST_CUT_SITES:
        click.echo(f"not asked for at {len(cut) - _MOST_CUT_SITES} more sites")
    if not report.finished:
        click.echo("Some URLs wait for another run: repeat the command with the same --state.")
