"""`mass-pipeline lab links sites`: the target set (B1, B5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import FILE_THERE, plain, the_settings
from mass_pipeline.laboratory.cli.links.common import open_store, state_option
from mass_pipeline.model.errors import BadInput

if TYPE_CHECKING:
    from mass_pipeline.laboratory.link_collection.store import LinkStore


@dataclass(frozen=True, slots=True)
class _Wanted:
    url: str
    short_name: str = ""
    full_name: str = ""
    max_level: int | None = None
    scope_prefix: str = "/"


@click.group()
def sites() -> None:
    """The sites whose external links are collected. Changes count from the next page on, also while a collection runs.

    \b
    Examples:
      mass-pipeline lab links sites add http://parafia.example/ --short anna --name "Parafia św. Anny"
      mass-pipeline lab links sites add --diocese elblaska
      mass-pipeline lab links sites list
      mass-pipeline lab links sites remove anna
    """


@sites.command()
@click.argument("url", required=False)
@click.option("--short", default="", help="Unique short name.  [default: the host]")
@click.option("--name", default="", help="Full name.")
@click.option("--level", type=click.IntRange(0, 100), help="Greatest level read on this site.  [default: that of the collection]")
@click.option("--prefix", default="/", show_default=True, help="Path that belongs to the site on a shared host.")
@click.option("--from", "file", type=FILE_THERE, help="Add every line of a file.")
@click.option("--diocese", help="Add the parish sites of this diocese from the table parish_urls.")
@state_option
def add(
    url: str | None,
    short: str,
    name: str,
    level: int | None,
    prefix: str,
    file: Path | None,
    diocese: str | None,
    state: Path | None,
) -> None:
    """Add the site at URL, or the sites of a file or a diocese; a removed one comes back with all that is known of it.

    A line of the file is an address, then, after tabs, short name, full name and greatest level as far as they are known.
    Of a file or a diocese, sites that stand in the set already are passed over.

    \b
    Examples:
      mass-pipeline lab links sites add parafia.example --short anna --name "Parafia św. Anny" --level 3
      mass-pipeline lab links sites add --from institutes.tsv
      mass-pipeline lab links sites add --diocese elblaska
    """
    from mass_pipeline.laboratory.link_collection.store import add_site

    if sum(source is not None for source in (url, file, diocese)) != 1:
        raise click.UsageError("Name one address, or --from FILE, or --diocese KEY.")
    if url is not None:
        with open_store(state, create=True) as store:
            site = add_site(store, url, short_name=short, full_name=name, max_level=level, scope_prefix=prefix)
        click.echo(f"{site.number}  {site.short_name}  {site.start_url}")
        return
    wanted = list(_sites_of_file(file) if file is not None else _sites_of_diocese(str(diocese)))
    with open_store(state, create=True) as store:
        added = _add_all(store, wanted)
    click.echo(f"{added} sites added, {len(wanted) - added} stood in the set already.")


@sites.command("list")
@state_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def list_sites(state: Path | None, as_json: bool) -> None:
    """List the sites: number, short name, how it stands, start address, full name.

    \b
    Example:
      mass-pipeline lab links sites list
    """
    import json
    from dataclasses import asdict

    from mass_pipeline.laboratory.link_collection.store import target_sites

    with open_store(state) as store:
        found = target_sites(store)
    for site in found:
        if as_json:
            click.echo(json.dumps(asdict(site), ensure_ascii=False))
        else:
            status = site.status + (f" ({plain(site.reason, 60)})" if site.reason else "")
            click.echo(f"{site.number}\t{plain(site.short_name)}\t{status}\t{site.start_url}\t{plain(site.full_name)}")


@sites.command()
@click.argument("site")
@click.option("--with-links", is_flag=True, help="Forget its links too; what it cost of the budget stays spent.")
@state_option
def remove(site: str, with_links: bool, state: Path | None) -> None:
    """Take SITE (short name, number or address) out of the set; its links stay unless --with-links.

    \b
    Examples:
      mass-pipeline lab links sites remove anna
      mass-pipeline lab links sites remove 3 --with-links
    """
    from mass_pipeline.laboratory.link_collection.store import remove_site

    with open_store(state) as store:
        gone = remove_site(store, site, with_links=with_links)
    click.echo(
        f"{gone.short_name} is no longer in the set" + (", and its links are forgotten." if with_links else "; its links stay.")
    )


def _add_all(store: LinkStore, wanted: list[_Wanted]) -> int:
    from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
    from mass_pipeline.laboratory.link_collection.store import add_site, target_sites

    known = {site.start_url for site in target_sites(store)}
    added = 0
    for site in wanted:
        try:
            url = canonicalize(site.url if "://" in site.url else "http://" + site.url)
        except BadUrl as error:
            raise BadInput(f"{site.url!r} is no web address ({error}); {added} sites were added before it.") from error
        if url not in known:
            names = {"short_name": site.short_name, "full_name": site.full_name}
            add_site(store, url, **names, max_level=site.max_level, scope_prefix=site.scope_prefix)
            known.add(url)
            added += 1
    return added


def _sites_of_file(path: Path) -> Iterator[_Wanted]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'}).") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("\t")]
        url, short, name, level = (*parts, "", "", "")[:4]
        if len(parts) > 4 or (level and not level.isdigit()):
            raise BadInput(f"{path}, line {number}: expected address, short name, full name and a level, with tabs between them.")
        yield _Wanted(url, short, name, int(level) if level else None)


def _sites_of_diocese(key: str) -> Iterator[_Wanted]:
    from mass_pipeline.model.columns import PARISH_URLS, PARISHES
    from mass_pipeline.resources.lake import open_lake

    lake = open_lake(the_settings())
    names = {
        row["parish_id"]: f"{row['name']}, {row['town']}" for row in lake.reader(PARISHES).rows(["parish_id", "name", "town"])
    }
    found = False
    for row in lake.reader(PARISH_URLS).rows(["parish_id", "diocese_key", "url", "scope_prefix"]):
        if row["diocese_key"] == key and row["url"]:
            found = True
            parish = str(row["parish_id"])
            yield _Wanted(str(row["url"]), parish, names.get(parish, ""), None, str(row["scope_prefix"] or "/"))
    if not found:
        raise BadInput(f"parish_urls has no site of the diocese {key!r}. The keys stand in data/dioceses.csv.")
