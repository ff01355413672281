"""The parishes of all configured sources as one table's rows: walk, read, merge. The way in for the `parishes` asset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.gathering import deon, osm, tabular
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.merging import merge, twin_groups
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import Clock, Fetch
from mass_pipeline.gathering.raw_pages import open_edition
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.errors import BadInput, ConfigurationError, LayoutChanged


@dataclass(slots=True)
class Walk:
    """What the sources are given to read their parishes with.

    Attributes:
        config: sources, start URL, selectors, files.
        fetch: gives pages, with back-off and gaps.
        dioceses: gives the keys of the dioceses.
        state: keeps the raw pages of the walk, so that a stopped one goes on.
        previous_count: parishes of the last good run, for the canary of the directory.
        published_at: when the latest page of that run was fetched; a walk begun later is continued though it had ended.
        reused_pages: pages taken from an unfinished earlier walk; the source that walks says so.
    """

    config: DirectoryConfig
    fetch: Fetch
    dioceses: Dioceses
    state: DiscoveryState
    now: Clock
    previous_count: int | None = None
    published_at: datetime | None = None
    reused_pages: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """A source of parishes: how it is read, and the setting without which there is nothing to read."""

    read: Callable[[Walk], Iterable[Parish]]
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Parishes of all sources, with the figures the operator wants to see.

    Attributes:
        parishes: in the order of the sources.
        per_source: source -> entries read.
        twins: number of parishes that share name and town with another.
    """

    parishes: tuple[Parish, ...]
    per_source: dict[str, int]
    twins: int


def gather_parishes(walk: Walk) -> Gathered:
    """Read every configured source and merge them in their order.

    Raises:
        ConfigurationError: an unknown source, or one whose file is not set.
        LayoutChanged, BadInput, FetchError: a source cannot be read; nothing may be published then.
    """
    config = walk.config
    _check_sources(config)
    entries = [list(SOURCES[source].read(walk)) for source in config.used_sources]
    merged = merge(entries)
    counts = {source: len(found) for source, found in zip(config.used_sources, entries, strict=True)}
    return Gathered(merged, counts, sum(map(len, twin_groups(merged))))


def read_churches(config: DirectoryConfig, fetch: Fetch) -> Iterator[osm.Church]:
    """OSM churches of the configured file or Overpass URL; none when nothing is configured.

    Raises:
        BadInput: the file or answer cannot be read. FetchError: Overpass does not answer.
    """
    if not config.osm_source:
        return iter(())
    if config.osm_source.startswith(("http://", "https://")):
        return osm.read_overpass(fetch(config.osm_source).body, config.osm_source)
    try:
        content = Path(config.osm_source).read_bytes()
    except OSError as error:
        raise BadInput(f"{config.osm_source}: cannot be read ({error.strerror}).") from error
    return osm.read_overpass(content, config.osm_source)


def _read_deon(walk: Walk) -> list[Parish]:
    edition = open_edition(walk.state, walk.config.start_url, walk.now(), walk.published_at)
    only = len(walk.config.used_sources) == 1
    try:
        found = list(
            deon.read_directory(
                edition.keep(walk.fetch),
                walk.config,
                dioceses=walk.dioceses,
                previous_count=walk.previous_count if only else None,
            )
        )
    except LayoutChanged:
        edition.discard()
        raise
    edition.finish(walk.now())
    walk.reused_pages = edition.reused
    return found


SOURCES: Final[Mapping[str, Source]] = {
    deon.SOURCE: Source(_read_deon),
    tabular.SOURCE: Source(lambda walk: tabular.read_table(Path(walk.config.table_file), walk.dioceses), "table_file"),
    osm.SOURCE: Source(lambda walk: osm.osm_parishes(read_churches(walk.config, walk.fetch), walk.dioceses), "osm_source"),
}
"""Sources by their name in MASS_PIPELINE_DIRECTORY_SOURCES."""


def _check_sources(config: DirectoryConfig) -> None:
    unknown = [source for source in config.used_sources if source not in SOURCES]
    if unknown:
        named = ", ".join(unknown)
        raise ConfigurationError(
            f"MASS_PIPELINE_DIRECTORY_SOURCES: {named} is no source of parishes; accepted: {', '.join(SOURCES)}."
        )
    for source in config.used_sources:
        needs = SOURCES[source].needs
        if needs and not getattr(config, needs):
            raise ConfigurationError(f"The source {source} needs MASS_PIPELINE_DIRECTORY_{needs.upper()}.")
