"""The parishes of all configured sources as one table's rows: walk, read, merge. The way in for the `parishes` asset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mass_pipeline.discovery import deon, osm, tabular
from mass_pipeline.discovery.config import DirectoryConfig
from mass_pipeline.discovery.dioceses import Dioceses
from mass_pipeline.discovery.merging import merge, twin_groups
from mass_pipeline.discovery.parish import Parish
from mass_pipeline.discovery.ports import Clock, Fetch
from mass_pipeline.discovery.raw_pages import Edition, open_edition
from mass_pipeline.discovery.state_port import StateStore
from mass_pipeline.model.errors import BadInput, ConfigurationError, LayoutChanged

SOURCES: Final = (deon.SOURCE, tabular.SOURCE, osm.SOURCE)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Parishes of all sources, with the figures the operator wants to see.

    Attributes:
        parishes: in the order of the sources.
        per_source: source -> entries read.
        twins: number of parishes that share name and town with another.
        reused_pages: directory pages taken from an unfinished earlier walk.
    """

    parishes: tuple[Parish, ...]
    per_source: dict[str, int]
    twins: int
    reused_pages: int


def gather_parishes(
    config: DirectoryConfig,
    fetch: Fetch,
    dioceses: Dioceses,
    state: StateStore,
    now: Clock,
    previous_count: int | None = None,
    published_at: datetime | None = None,
) -> Gathered:
    """Read every configured source and merge them in their order.

    Args:
        config: sources, start URL, selectors, files.
        fetch: gives pages, with back-off and gaps.
        dioceses: gives the keys of the dioceses.
        state: keeps the raw pages of the walk, so that a stopped one goes on.
        now: the clock.
        previous_count: parishes of the last good run, for the canary of the directory.
        published_at: when the latest page of that run was fetched; a walk begun later is continued though it had ended.

    Raises:
        ConfigurationError: an unknown source, or one whose file is not set.
        LayoutChanged, BadInput, FetchError: a source cannot be read; nothing may be published then.
    """
    _check_sources(config)
    entries: list[list[Parish]] = []
    reused = 0
    for source in config.used_sources:
        if source == deon.SOURCE:
            only = len(config.used_sources) == 1
            edition = open_edition(state, config.start_url, now(), published_at)
            walked = _walk(config, edition, fetch, dioceses, previous_count if only else None)
            edition.finish(now())
            reused = edition.reused
            entries.append(walked)
        elif source == tabular.SOURCE:
            entries.append(list(tabular.read_table(Path(config.table_file), dioceses)))
        else:
            entries.append(list(osm.osm_parishes(read_churches(config, fetch), dioceses)))
    merged = merge(entries)
    counts = {source: len(found) for source, found in zip(config.used_sources, entries, strict=True)}
    return Gathered(merged, counts, sum(map(len, twin_groups(merged))), reused)


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


def _walk(
    config: DirectoryConfig, edition: Edition, fetch: Fetch, dioceses: Dioceses, previous_count: int | None
) -> list[Parish]:
    try:
        return list(deon.read_directory(edition.keep(fetch), config, dioceses=dioceses, previous_count=previous_count))
    except LayoutChanged:
        edition.discard()
        raise


def _check_sources(config: DirectoryConfig) -> None:
    unknown = [source for source in config.used_sources if source not in SOURCES]
    if unknown:
        named = ", ".join(unknown)
        raise ConfigurationError(
            f"MASS_PIPELINE_DIRECTORY_SOURCES: {named} is no source of parishes; accepted: {', '.join(SOURCES)}."
        )
    needs = {tabular.SOURCE: ("TABLE_FILE", config.table_file), osm.SOURCE: ("OSM_SOURCE", config.osm_source)}
    for source, (variable, value) in needs.items():
        if source in config.used_sources and not value:
            raise ConfigurationError(f"The source {source} needs MASS_PIPELINE_DIRECTORY_{variable}.")
