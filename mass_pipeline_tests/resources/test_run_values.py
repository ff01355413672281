"""Values that one run is given in the Launchpad: typed, within the bounds of the settings, and for that run alone.

Without postponed annotations: Dagster looks at the types of an asset's parameters itself.
"""

from typing import Any

import dagster as dg
import pytest

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.definitions import build_defs
from mass_pipeline.resources.run_values import RESOURCES, build_run_values, with_run_values
from mass_pipeline.resources.settings import Settings, load_settings

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
SETTINGS = load_settings({"MASS_PIPELINE_CRAWL_MAX_DEPTH": "4", "MASS_PIPELINE_CRAWL_HOST_GAP_SECONDS": "2"})


def crawled_with(**given: Any) -> CrawlConfig:
    """Settings of the crawl as an asset of such a run has them."""
    values, seen = build_run_values(SETTINGS), list[CrawlConfig]()

    @dg.resource(required_resource_keys=set(values))
    def settings(context: dg.InitResourceContext) -> Settings:
        return with_run_values(SETTINGS, {name: getattr(context.resources, name) for name in values})

    @dg.asset
    def crawled_pages(settings: dg.ResourceParam[Settings]) -> None:
        seen.append(settings.section(CrawlConfig))

    defs = dg.Definitions([crawled_pages], resources={**values, "settings": settings})
    defs.resolve_implicit_global_asset_job_def().execute_in_process(run_config={**QUIET, "resources": given})
    return seen[0]


class TestRunValues:
    def test_a_run_that_says_nothing_has_the_settings(self) -> None:
        assert crawled_with() == SETTINGS.section(CrawlConfig)

    def test_what_a_run_says_of_two_resources_counts_together(self) -> None:
        said = crawled_with(
            http_manners={"config": {"host_gap_seconds": 7.5}}, crawl_limits={"config": {"max_depth": 1, "revisit": "all"}}
        )

        assert (said.host_gap_seconds, said.max_depth, said.revisit) == (7.5, 1, "all")
        assert said.max_pages_per_site == SETTINGS.section(CrawlConfig).max_pages_per_site

    @pytest.mark.parametrize(
        ("resource", "setting", "value", "told"),
        [
            ("http_manners", "host_gap_seconds", 1.9, "1.9 is too little: at least 2.0."),
            ("http_manners", "max_attempts", 9, "9 is too much: at most 3."),
            ("crawl_limits", "sites_at_once", "many", "sites_at_once"),
            ("crawl_limits", "max_depth", 21, "21 is too much: at most 20."),
            ("crawl_limits", "revisit", "sometimes", "revisit"),
            ("crawl_limits", "depth", 2, "depth"),
        ],
    )
    def test_what_the_settings_would_refuse_is_refused_at_launch(
        self, resource: str, setting: str, value: object, told: str
    ) -> None:
        with pytest.raises(dg.DagsterInvalidConfigError, match=told):
            crawled_with(**{resource: {"config": {setting: value}}})

    @pytest.mark.parametrize("name", sorted(RESOURCES))
    def test_each_shows_what_its_settings_mean_and_are(self, name: str) -> None:
        section, meaning, names = RESOURCES[name]
        made = build_run_values(SETTINGS)[name]
        fields: Any = getattr(made.config_schema.config_type, "fields")  # noqa: B009

        assert {one: fields[one].default_value for one in names} == {
            one: getattr(SETTINGS.section(section), one) for one in names
        }
        assert all(fields[one].description for one in names)
        assert made.description == meaning


def test_every_resource_shows_its_type_and_what_it_is() -> None:
    shown = build_defs(SETTINGS).get_repository_def().get_top_level_resources()

    assert all((one.description or "").endswith(".") and "<lambda>" not in one.resource_fn.__name__ for one in shown.values())
