"""Which assets run together, and under which name. One run is one diocese, so that a bad one costs only itself; the whole chain
in one process is a range run over all dioceses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import dagster as dg

from mass_pipeline.defs.conditions import tag_of

DIRECTORY: Final = ("parishes", "parish_urls")
CRAWL: Final = ("crawled_pages", "candidate_hours")
LEARNING: Final = ("annotated_set", "hours_classifier")
SCHEDULES: Final = ("mass_schedules", "confession_hours", "parish_states")
WEB_GRAPH: Final = ("external_links", "companion_sites")
ANNOUNCEMENTS: Final = ("announcements",)
PUBLIC: Final = ("parish_positions", "public_index")
SCHEDULE_CHAIN: Final = DIRECTORY + CRAWL + ANNOUNCEMENTS + LEARNING + SCHEDULES
# Tags of runs that nobody waits for: those that people ask for go first, then the crawls of the week, then what follows.
WEEKLY: Final = {"dagster/priority": "-1"}
FOLLOWING: Final = {"dagster/priority": "-2"}

if TYPE_CHECKING:
    from mass_pipeline.dagster_internals import UnresolvedAssetJobDefinition


def build_jobs(dioceses: Sequence[str], profile: str, everything: Sequence[str]) -> list[UnresolvedAssetJobDefinition]:
    """The whole chain as one range run, and its parts for regular operation.

    Args:
        everything: names of all assets.
    """
    tags = {"profile": profile}
    whole_range = {"dagster/asset_partition_range_start": dioceses[0], "dagster/asset_partition_range_end": dioceses[-1]}
    return [
        _job("mass_schedules_job", "The whole chain over all dioceses in one process.", SCHEDULE_CHAIN, {**tags, **whole_range}),
        _job("full_pipeline_job", "Every asset over all dioceses in one process.", everything, {**tags, **whole_range}),
        _job(
            "answers_job",
            "What follows at once from answers of people about rows, over all dioceses in one process.",
            ("hours_classifier", *SCHEDULES, *PUBLIC),  # their hours join the annotated set with the next training
            {**tags, **whole_range},
        ),
        _job("directory_job", "Parishes and their web sites.", DIRECTORY, tags),
        _job("crawl_job", "Pages and candidate hours of one diocese.", CRAWL, tags),
        _job("learning_job", "The annotated set and the classifier.", LEARNING, tags),
        _job("schedules_job", "Published schedules of one diocese.", SCHEDULES, tags),
        _job("announcements_job", "What is due of the announcements of one diocese.", ANNOUNCEMENTS, tags),
        _job("public_index_job", "Positions of the parishes and the index people ask.", PUBLIC, tags),
        _job("external_links_job", "External links of the crawled pages of one diocese.", WEB_GRAPH[:1], tags),
        _job("companion_sites_job", "The companion set of all dioceses whose links were collected.", WEB_GRAPH[1:], tags),
        _job("web_graph_job", "Links of all dioceses and their companion set.", WEB_GRAPH, {**tags, **whole_range}),
    ]


def _job(name: str, description: str, assets: Sequence[str], tags: Mapping[str, str]) -> UnresolvedAssetJobDefinition:
    made = {tag_of(asset): "true" for asset in assets}
    selection = dg.AssetSelection.assets(*assets)
    return dg.define_asset_job(name, selection, description=description, run_tags={**tags, **made})


def keys_of(assets: Sequence[str]) -> list[dg.AssetKey]:
    """What a request for a run names, so that the conditions know from its start what it will make.

    Without it, Dagster takes the run of a job for one that makes nothing but what it has made so far: candidate hours were
    computed again after every weekly crawl, which made them itself a moment after the pages that they follow.
    """
    return [dg.AssetKey(name) for name in assets]
