"""What the assets read that no asset makes: decisions of people, files of the operator and of others, and one loop.

Each is an observable source: a sensor looks at it (`automation.sensors`) and its new versions are shown in the UI, where an
asset may follow them. How it is read is its I/O manager's. Belongs here: their names, how they are
read, what their version is.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import dagster as dg
import orjson

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.crawling.watching.config import WatchConfig
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.gathering.config import DirectoryConfig, WebsitesConfig
from mass_pipeline.model.columns import MASS_SCHEDULES, PARISHES
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.clients import open_annotations
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures
from mass_pipeline.schedules.reviews import proposal_as_dict

if TYPE_CHECKING:
    from mass_pipeline.publishing.positions import MapFiles

GROUP: Final = "sources"
OPT_OUTS: Final = "opt_outs"
OPERATOR_TABLES: Final = "operator_tables"
_WHOLE: Final = ""  # in the place of a partition

Versions = Mapping[str, str]  # diocese, or _WHOLE -> version; what holds nothing has none


@dataclass(frozen=True, slots=True)
class Source:
    """Something that is read and not made.

    Attributes:
        name: asset key.
        description: for the UI.
        read: what its readers are given; None for what they have by their settings.
        versions: what changes when it does.
        partitioned: one version per diocese.
    """

    name: str
    description: str
    read: Callable[[Settings, Lake, Sequence[str] | None], object] | None
    versions: Callable[[Settings, Lake], Versions]
    partitioned: bool = False

    def build(self, dioceses: dg.PartitionsDefinition[str]) -> dg.SourceAsset:
        """The source for these dioceses."""

        def observe(context: dg.OpExecutionContext) -> dg.DataVersion | dg.DataVersionsByPartition:
            versions = self.versions(context.resources.settings, context.resources.lake)
            if self.partitioned:
                known = set(dioceses.get_partition_keys())
                return dg.DataVersionsByPartition({key: one for key, one in versions.items() if key in known})
            return dg.DataVersion(versions.get(_WHOLE, "none"))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dg.BetaWarning)
            return dg.observable_source_asset(
                name=self.name,
                description=self.description,
                group_name=GROUP,
                io_manager_key="source_io",
                partitions_def=dioceses if self.partitioned else None,
                required_resource_keys={"settings", "lake"},
            )(observe)

    def observations(self, settings: Settings, lake: Lake) -> Iterable[dg.AssetObservation]:
        """What it is like now."""
        for key, version in sorted(self.versions(settings, lake).items()):
            yield dg.AssetObservation(self.name, partition=key or None, tags={"dagster/data_version": version})


class SourceIO(dg.IOManager):
    """Gives assets what they read of sources.

    Args:
        settings: name files and folders.
        lake: the published tables.
    """

    def __init__(self, settings: Settings, lake: Lake) -> None:
        self._settings = settings
        self._lake = lake

    def load_input(self, context: dg.InputContext) -> object:
        """See `Source.read`."""
        source = _BY_NAME[context.asset_key.path[-1]]
        assert source.read is not None
        keys = list(context.asset_partition_keys) if context.has_asset_partitions else None
        with clear_failures():
            return source.read(self._settings, self._lake, keys)

    def handle_output(self, context: dg.OutputContext, obj: object) -> None:
        """Dagster asks every I/O manager for it.

        Raises:
            NotImplementedError: always, as the pipeline writes no source.
        """
        raise NotImplementedError(f"{context.asset_key.to_user_string()} is a source: the pipeline reads it only.")


def _digest(*values: object) -> str:
    return hashlib.sha256(orjson.dumps(values, default=str)).hexdigest()[:16]


def _version_of_files(*files: Path | None) -> Versions:
    """By size and time, as an extract of a country is large; a file that is not there counts as one."""
    named = [file for file in files if file is not None]
    if not named:
        return {}
    known = [(str(file), file.stat() if file.exists() else None) for file in named]
    return {_WHOLE: _digest([(name, stat and (stat.st_size, stat.st_mtime_ns)) for name, stat in known])}


def _versions_of_approvals(settings: Settings, lake: Lake) -> Versions:
    """By diocese, of what was decided there; proposals are the pipeline's own."""
    decisions = ReviewLog(settings.shared).read().decisions
    if not decisions:
        return {}
    listed = lake.published(PARISHES).rows(["parish_id", "diocese_key"])
    dioceses = {str(row["parish_id"]): str(row["diocese_key"]) for row in listed}
    by_diocese: dict[str, list[object]] = {}
    for one in decisions:
        if key := dioceses.get(one.proposal.parish_id):
            by_diocese.setdefault(key, []).append((one.verdict, one.by, one.at, proposal_as_dict(one.proposal)))
    return {key: _digest(found) for key, found in by_diocese.items()}


def _version_of_labels(settings: Settings, _: Lake) -> Versions:
    count = open_annotations(settings).count()
    return {_WHOLE: str(count)} if count else {}


def _version_of_opt_outs(settings: Settings, _: Lake) -> Versions:
    crawl = settings.section(CrawlConfig)
    return {_WHOLE: _digest(crawl.removed_hosts, crawl.removed_urls, crawl.never_crawl)}


def _inbox(settings: Settings) -> Path:
    return settings.data_folder / "public-inbox"


def _map_files(settings: Settings) -> MapFiles:
    from mass_pipeline.publishing.positions import MapFiles

    return MapFiles.of(settings)


def _operator_tables(settings: Settings) -> list[Path | None]:
    from mass_pipeline.publishing.positions import named_file

    directory = settings.section(DirectoryConfig)
    names = (
        directory.table_file,
        "" if "://" in directory.osm_source else directory.osm_source,
        settings.section(WebsitesConfig).operator_file,
        settings.section(WatchConfig).sites_file,
        settings.section(PublicConfig).positions_table,
    )
    return [named_file(name) for name in names]


SOURCES: Final = (
    Source(
        "approvals",
        "What people approved and rejected of proposed standing orders and dated changes (`mass-pipeline schedules`). What is "
        "approved is published by itself.",
        lambda settings, lake, keys: ReviewLog(settings.shared),
        _versions_of_approvals,
        partitioned=True,
    ),
    Source(
        "labels",
        "What people say about candidate hours: the annotation app, a file of labels, in the demo the authors of its pages.",
        lambda settings, lake, keys: open_annotations(settings),
        _version_of_labels,
    ),
    Source(
        OPT_OUTS,
        "Hosts and pages whose owners want no part (`mass-pipeline purge`, settings of the crawl). The settings of every run "
        "hold them: nothing of them is asked for.",
        None,
        _version_of_opt_outs,
    ),
    Source(
        "visitor_reports",
        "What visitors of the public site report; the pages that they doubt are asked for sooner.",
        lambda settings, lake, keys: _inbox(settings),
        lambda settings, lake: _version_of_files(_inbox(settings) / "reports.jsonl") if _inbox(settings).exists() else {},
    ),
    Source(
        "published_schedules",
        "Mass schedules as they are published when a crawl begins: the pages they rest on are asked for every week. The one "
        "loop: `mass_schedules` is made of these pages. It has no version, as pages would never be in step with it.",
        lambda settings, lake, keys: lake.published(MASS_SCHEDULES, keys),
        lambda settings, lake: {},
        partitioned=True,
    ),
    Source(
        "osm_extract",
        "An extract of OpenStreetMap with churches (MASS_PIPELINE_PUBLIC_OSM_EXTRACT): their positions and hours.",
        lambda settings, lake, keys: _map_files(settings).osm_extract,
        lambda settings, lake: _version_of_files(_map_files(settings).osm_extract),
    ),
    Source(
        "gazetteer",
        "Towns and villages with their positions.",
        lambda settings, lake, keys: _map_files(settings).gazetteer,
        lambda settings, lake: _version_of_files(_map_files(settings).gazetteer),
    ),
    Source(
        OPERATOR_TABLES,
        "Tables that the operator keeps by hand: parishes, web sites, watched lists, positions. The settings name the files.",
        None,
        lambda settings, lake: _version_of_files(*_operator_tables(settings)),
    ),
)
_BY_NAME: Final = {source.name: source for source in SOURCES}
