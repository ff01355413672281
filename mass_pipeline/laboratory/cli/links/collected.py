"""`mass-pipeline lab links show`, `export` and `delete`: what was collected (B1, B5, B11)."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from mass_pipeline.cli.options import FILE, plain, replaced_file, require_folder_of
from mass_pipeline.laboratory.cli.links.common import open_store, state_option

if TYPE_CHECKING:
    from mass_pipeline.laboratory.link_collection.reading import LinkFilter
    from mass_pipeline.laboratory.link_collection.store import LinkStore

F = TypeVar("F", bound=Callable[..., Any])
_KINDS: Final = ("external", "internal", "bad")
_SHOWN: Final = {
    "external": ("id", "site", "level", "url", "anchor"),
    "internal": ("id", "site", "level", "state", "outcome", "url"),
    "bad": ("site", "reason", "url", "found_on"),
}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet would run


def _filters(command: F) -> F:
    for option in (
        click.option("--text", default="", help="Stands in the address or the words, letter case aside."),
        click.option("--level", type=click.IntRange(min=0), help="On pages up to this level."),
        click.option("--host", default="", help="External links to this site (registrable domain)."),
        click.option("--site", default="", help="Of this site of the set (short name, number or address)."),
    ):
        command = option(command)
    return command


@click.command()
@click.option("--kind", type=click.Choice(_KINDS), default="external", show_default=True, help="Which links.")
@_filters
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, with every column.")
@state_option
def show(kind: Any, limit: int, as_json: bool, state: Path | None, **chosen: Any) -> None:
    """Print links, one per line; works while the collection runs.

    \b
    Examples:
      mass-pipeline lab links show --host diecezja.example
      mass-pipeline lab links show --site anna --level 1 --text transmisja
      mass-pipeline lab links show --kind bad --json
    """
    from mass_pipeline.laboratory.link_collection.reading import read_links

    with open_store(state) as store:
        rows = read_links(store, kind, _filter(store, chosen), limit=limit + 1)
    for row in rows[:limit]:
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            click.echo("\t".join(plain(row[name]) for name in _SHOWN[kind]))
    if len(rows) > limit:
        click.echo("... there are more; --limit shows them, `links export` writes them all.", err=True)


@click.command()
@click.argument("out", type=FILE)
@click.option("--kind", type=click.Choice(_KINDS), default="external", show_default=True, help="Which links, in .csv and .jsonl.")
@_filters
@state_option
def export(out: Path, kind: Any, state: Path | None, **chosen: Any) -> None:
    """Write links to OUT: .csv or .jsonl a line per link, .graphml the graph of the companion set, .png its picture.

    The companion set are the sites outside the target set that it links to. A file that exists is replaced as a whole.

    \b
    Examples:
      mass-pipeline lab links export links.csv
      mass-pipeline lab links export links.jsonl --site anna
      mass-pipeline lab links export companions.graphml
      mass-pipeline lab links export companions.png
    """
    writers = {".csv": _write_csv, ".jsonl": _write_jsonl}
    if out.suffix not in (*writers, ".graphml", ".png"):
        raise click.UsageError(f"{out}: the name must end with .csv, .jsonl, .graphml or .png.")
    require_folder_of(out)
    from mass_pipeline.laboratory.link_collection.reading import read_links

    with open_store(state) as store:
        if out.suffix not in writers:
            click.echo(_write_companions(store, _filter(store, chosen), out))
            return
        rows = read_links(store, kind, _filter(store, chosen))
    with replaced_file(out) as aside:
        writers[out.suffix](rows, aside)
    click.echo(f"{len(rows)} {kind} links -> {out}")


@click.command()
@click.argument("ids", nargs=-1, type=click.IntRange(min=1))
@_filters
@click.option("--all", "everything", is_flag=True, help="Every external link.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def delete(ids: tuple[int, ...], everything: bool, yes: bool, state: Path | None, **chosen: Any) -> None:
    """Delete external links by IDS (first column of `links show`) or by filter; found again, they stay deleted.

    \b
    Examples:
      mass-pipeline lab links delete 17 18
      mass-pipeline lab links delete --host spam.example --yes
    """
    from dataclasses import replace

    from mass_pipeline.laboratory.link_collection.reading import delete_links, read_links

    with open_store(state) as store:
        meant = replace(_filter(store, chosen), ids=ids)
        if meant.is_empty != everything:
            raise click.UsageError("Name links by number or filter, or all of them with --all.")
        count = len(read_links(store, "external", meant))
        if count and not yes:
            if not sys.stdin.isatty():
                raise click.UsageError(f"{count} links would be deleted: say --yes.")
            click.confirm(f"Delete {count} external links?", abort=True)
        click.echo(f"{delete_links(store, meant)} links deleted.")


def _filter(store: LinkStore, chosen: dict[str, Any]) -> LinkFilter:
    from mass_pipeline.laboratory.link_collection.reading import LinkFilter
    from mass_pipeline.laboratory.link_collection.store import find_site, target_sites

    site = str(chosen["site"])
    if site:
        removed = {one.short_name for one in target_sites(store, removed=True)}
        site = site if site in removed else find_site(store, site).short_name
    return LinkFilter(site, str(chosen["host"]), chosen["level"], str(chosen["text"]))


def _write_jsonl(rows: list[dict[str, object]], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_csv(rows: list[dict[str, object]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0] if rows else _SHOWN["external"])
        writer.writerows([_cell(value) for value in row.values()] for row in rows)


def _cell(value: object) -> object:
    """Words of the web never become a formula of a spreadsheet."""
    return "'" + value if isinstance(value, str) and value.startswith(_FORMULA) else value


def _write_companions(store: LinkStore, chosen: LinkFilter, out: Path) -> str:
    from mass_pipeline.crawling.fetching.scope import registrable_domain
    from mass_pipeline.crawling.fetching.urls import split
    from mass_pipeline.crawling.web_graph import companion_sites, graph_plot, subsets, write_graphml
    from mass_pipeline.laboratory.link_collection.reading import read_external_links
    from mass_pipeline.laboratory.link_collection.store import target_sites

    links = read_external_links(store, chosen)
    sites = target_sites(store)
    own = {registrable_domain(split(url).host) for site in sites for url in (site.start_url, *site.hosts)}
    companions = companion_sites(links, own)
    if out.suffix == ".graphml":
        targets = {site.short_name: (site.full_name, registrable_domain(split(site.start_url).host)) for site in sites}
        write_graphml(companions, links, out, targets)
    else:
        with replaced_file(out) as aside:
            aside.write_bytes(graph_plot(companions))
    sizes = ", ".join(f"{len(group)} linked by {connectivity}" for connectivity, group in subsets(companions).items())
    return f"{len(companions)} companion sites ({sizes or 'none'}) -> {out}"
