"""Values that one run is given in the Launchpad: typed, within the bounds of the settings, and for that run alone.

Without postponed annotations: Dagster looks at the types of an asset's parameters itself.
"""

from typing import Any

import dagster as dg
import pydantic
import pytest

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.resources.run_values import RESOURCES, CrawlRun, build_run_values, with_run_values
from mass_pipeline.resources.settings import Settings, load_settings

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
SETTINGS = load_settings({"MASS_PIPELINE_CRAWL_MAX_DEPTH": "4", "MASS_PIPELINE_CRAWL_HOST_GAP_SECONDS": "2"})


def crawled_with(**run_config: Any) -> CrawlConfig:
    """Settings of the crawl as an asset of such a run has them."""
    values, seen = build_run_values(SETTINGS), list[CrawlConfig]()

    @dg.resource(required_resource_keys=set(values))
    def settings(context: dg.InitResourceContext) -> Settings:
        return with_run_values(SETTINGS, {name: getattr(context.resources, name) for name in values})

    @dg.asset
    def crawled_pages(config: CrawlRun, settings: dg.ResourceParam[Settings]) -> None:
        seen.append(config.applied(settings.section(CrawlConfig)))

    defs = dg.Definitions([crawled_pages], resources={**values, "settings": settings})
    defs.resolve_implicit_global_asset_job_def().execute_in_process(run_config={**QUIET, **run_config})
    return seen[0]


class TestRunValues:
    def test_a_run_that_says_nothing_has_the_settings(self) -> None:
        assert crawled_with() == SETTINGS.section(CrawlConfig)

    def test_what_a_run_says_of_a_resource_and_of_itself_counts_together(self) -> None:
        said = crawled_with(
            resources={"http_manners": {"config": {"host_gap_seconds": 7.5}}},
            ops={"crawled_pages": {"config": {"max_depth": 1, "revisit": "all"}}},
        )

        assert (said.host_gap_seconds, said.max_depth, said.revisit) == (7.5, 1, "all")
        assert said.max_pages_per_site == SETTINGS.section(CrawlConfig).max_pages_per_site

    @pytest.mark.parametrize(
        "run_config",
        [
            {"resources": {"http_manners": {"config": {"host_gap_seconds": 1.9}}}},
            {"resources": {"http_manners": {"config": {"max_attempts": 9}}}},
            {"resources": {"crawl_limits": {"config": {"sites_at_once": "many"}}}},
            {"ops": {"crawled_pages": {"config": {"max_depth": 21}}}},
            {"ops": {"crawled_pages": {"config": {"revisit": "sometimes"}}}},
        ],
        ids=[
            "a shorter pause than the operator's",
            "more tries than the operator allows",
            "no number",
            "above the bound",
            "no such word",
        ],
    )
    def test_what_the_settings_would_refuse_ends_the_run_before_it_asks_anybody(self, run_config: dict[str, Any]) -> None:
        with pytest.raises((dg.DagsterError, pydantic.ValidationError)):
            crawled_with(**run_config)

    @pytest.mark.parametrize("name", sorted(RESOURCES))
    def test_each_shows_what_its_settings_mean_and_are(self, name: str) -> None:
        section, _, names = RESOURCES[name]
        made = build_run_values(SETTINGS)[name]

        assert made.model_dump() == {one: getattr(SETTINGS.section(section), one) for one in names}
        assert all(type(made).model_fields[one].description for one in names)
