"""`mass-pipeline lab crawl`: the crawler with every strategy and scorer, and crawls that leave their sites."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.crawl import config_of, print_report, read_seeds, show_progress, write_pages
from mass_pipeline.cli.options import FILE, FOLDER, asking_options, require_folder_of
from mass_pipeline.laboratory.orders import STRATEGIES, Order
from mass_pipeline.laboratory.scorers import SCORERS, WITH_QUERY
from mass_pipeline.laboratory.scorers.query import STANDING_ORDER

if TYPE_CHECKING:
    from mass_pipeline.laboratory.topical import TopicalReport


@click.command()
@click.option("--seeds", "seeds_file", type=FILE, help="Start URLs, as for mass-pipeline crawl.")
@click.option("--demo", is_flag=True, help="In place of a seed file: the sites of the demo web, served on loopback.")
@click.option("--out", required=True, type=FILE, help="JSON Lines file of the pages.")
@click.option("--depth", type=click.IntRange(0, 20), help="Maximum link depth from the start page.  [default: 3]")
@click.option("--sites-at-once", type=click.IntRange(1, 5000), help="Sites crawled at the same time.  [default: 100]")
@click.option("--max-pages", type=click.IntRange(min=1), help="Maximum number of pages kept per site.  [default: 60]")
@click.option("--state", type=FOLDER, help="Folder to resume from; without it nothing is kept.")
@click.option(
    "--strategy",
    type=click.Choice([name.replace("_", "-") for name in STRATEGIES]),
    default="breadth-first",
    show_default=True,
    help="Which page comes next.",
)
@click.option(
    "--scorer", type=click.Choice(list(SCORERS)), default="words", show_default=True, help="What makes a link promising."
)
@click.option(
    "--query", help=f"What {', '.join(WITH_QUERY)} look for: a topic, a topic file, or words.  [default: {STANDING_ORDER}]"
)
@click.option(
    "--leave-sites", type=click.IntRange(min=0), default=0, help="Go on to so many other sites that links promise the query on."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the random strategy.")
@click.option("--contact", help="E-mail or URL of the operator, for the User-Agent.")
@asking_options
def crawl(
    seeds_file: Path | None, demo: bool, out: Path, state: Path | None, leave_sites: int, query: str | None, **options: object
) -> None:
    """Crawl the sites of a seed file with a strategy and scorer of one's choice, and go on to others that they link to.

    Each line of the result tells the importance of its page (docs/crawl-strategies.md) beside its fields.

    \b
    Examples:
      mass-pipeline lab crawl --demo --out pages.jsonl --strategy best-first --scorer importance
      mass-pipeline lab crawl --seeds seeds.txt --out pages.jsonl --strategy best-first --scorer shark --query "kolęda"
      mass-pipeline lab crawl --seeds seeds.txt --out pages.jsonl --scorer shark --query "wizyta duszpasterska" --leave-sites 50
    """
    from mass_pipeline.crawling import Seed, crawl_sites, read_pages
    from mass_pipeline.demo_web.web import DemoWeb
    from mass_pipeline.laboratory.scorers.query import Query, query_topic
    from mass_pipeline.laboratory.topical import importance_of, topical_crawl

    strategy, scorer, seed = (options.pop(name) for name in ("strategy", "scorer", "seed"))
    if query is not None and scorer not in WITH_QUERY and not leave_sites:
        raise click.UsageError(
            f"--query: the scorer {scorer!r} has none. Add one of --scorer {', '.join(WITH_QUERY)}, or --leave-sites."
        )
    order = Order(str(strategy).replace("-", "_"), str(scorer), query or STANDING_ORDER, int(str(seed)))
    if demo == (seeds_file is not None):
        raise click.UsageError("Whose sites? Give either --seeds or --demo.")
    seeds = read_seeds(seeds_file) if seeds_file else []
    if demo:
        options |= {"allow_private_hosts": True, "no_delay": True}
    config = config_of(options)
    order(config, "")  # a query that is none is reported before anything runs
    require_folder_of(out)
    told = dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-crawl-") as scratch, DemoWeb() if demo else nullcontext() as web:
        folder = state or Path(scratch)
        connect_to = web.connect_to if web else None
        seeds += [Seed(one.key, one.start_url, one.site.prefix) for one in web.parishes] if web else []
        parishes = {seed.parish_id for seed in seeds}
        if leave_sites:
            found = topical_crawl(
                seeds, state=folder, config=config, order=order, most_sites=leave_sites, on_progress=show_progress(),
                connect_to=connect_to,
            )  # fmt: skip
            report, told["likeness"] = found.report, found.likeness
            parishes.update(found.left_for)
            _print_topical(found, out)
        else:
            report = crawl_sites(
                seeds, state=folder, config=config, order=order, on_progress=show_progress(), connect_to=connect_to
            )
        told["importance"] = importance_of(read_pages(folder), Query(query_topic(order.query)))
        write_pages(folder, out, parishes, told=told)
    print_report(report, out)
    report.require_an_answer()


def _print_topical(found: TopicalReport, out: Path) -> None:
    lengths = ", ".join(f"{share:.0%} by page {page}" for share, page in found.search_length.items())
    click.echo(
        f"{len(found.left_for)} other sites: {', '.join(found.left_for.values()) or 'none that links promise the query on'}"
    )
    click.echo(f"{found.relevant} of {len(found.likeness)} pages are like the query{f' ({lengths})' if lengths else ''} -> {out}")
