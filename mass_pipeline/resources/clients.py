"""The resources by name, built from the settings: storage, the web of the profile, directory and Places clients, annotations.

Clients live as long as a run and are closed after it; all of them share one web.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import dagster as dg

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig
from mass_pipeline.gathering.ports import PlacesClient
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.resources.annotations import AnnotationStore, AppAnnotations, DemoAnnotations, FileAnnotations, SeveralStores
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.run_values import build_run_values, with_run_values
from mass_pipeline.resources.settings import Settings, with_refusals
from mass_pipeline.resources.storage import Judge, ModelIO, ParquetIO
from mass_pipeline.resources.web import OpenWeb, RateLimitedHttp, Web

if TYPE_CHECKING:
    from mass_pipeline.gathering.asking import Directory
    from mass_pipeline.site_reading.pages import SiteReader

_DEMO_SHARE: Final = 0.2  # of the hours that the demo's crowd has got round to


class PageReading:
    """Reads the crawled pages of sites; what a run has read is read once."""

    @cached_property
    def reader(self) -> SiteReader:
        """Opened by the first who reads."""
        from mass_pipeline.reading.words.effective_date import today_in_poland
        from mass_pipeline.site_reading.pages import SiteReader

        return SiteReader(today_in_poland)


def build_resources(settings: Settings, lake: Lake, open_web: OpenWeb, judge: Judge) -> Mapping[str, object]:
    """Resource key -> resource."""

    values = build_run_values(settings)

    @dg.resource(
        required_resource_keys=set(values),
        description="All settings as the run was given them, with what owners asked to have removed until it began.",
    )
    def present_settings(context: dg.InitResourceContext) -> Settings:
        of_run = {name: getattr(context.resources, name) for name in values}
        return with_refusals(with_run_values(settings, of_run))

    @dg.resource(description="The web that the run reaches: real, or the demo web on loopback while the run lasts.")
    def web(_: dg.InitResourceContext) -> Iterator[Web]:
        with open_web(settings) as opened:
            yield opened

    @dg.resource(
        required_resource_keys={"web", "settings"},
        description="HTTP clients behind the one gate: addresses, robots.txt, pace, limits.",
    )
    def http(context: dg.InitResourceContext) -> RateLimitedHttp:
        return RateLimitedHttp(context.resources.settings, context.resources.web)

    @dg.resource(required_resource_keys={"http"}, description="Pages of the directory and of lists, by the crawler's manners.")
    def directory(context: dg.InitResourceContext) -> Iterator[Directory]:
        from mass_pipeline.gathering.asking import Directory

        opened: RateLimitedHttp = context.resources.http
        with opened.client("directory") as client:
            yield Directory(client, settings.section(DirectoryConfig).max_attempts, settings.section(OperationConfig).clock())

    @dg.resource(description="Reads the crawled pages of sites; what a run has read is read once.")
    def site_reader(_: dg.InitResourceContext) -> PageReading:
        return PageReading()

    return {
        **values,
        "settings": present_settings,
        "lake": shown(lake),
        "lake_io": shown(ParquetIO(lake, judge)),
        "model_io": shown(ModelIO(settings.shared)),
        "web": web,
        "http": http,
        "directory": directory,
        "site_reader": site_reader,
    }


def shown(resource: object) -> dg.ResourceDefinition:
    """A resource that is there already, with the type and the description that its class has."""
    kind = type(resource)

    def given(_: dg.InitResourceContext) -> Any:
        return resource

    given.__name__, given.__module__ = kind.__name__, kind.__module__
    definition = dg.IOManagerDefinition if isinstance(resource, dg.IOManager) else dg.ResourceDefinition
    return definition(given, description=(inspect.getdoc(kind) or "").partition("\n")[0])


@contextmanager
def places_client(http: RateLimitedHttp) -> Iterator[PlacesClient | None]:
    """The Places client of the settings while the context lasts; None when Places is not wanted (no key, terms not confirmed).

    Opened by the asset itself, so that a wrong key is the asset's clear failure.

    Raises:
        ConfigurationError: a key without confirmed terms, confirmed terms without a key, or a key that cannot be one.
    """
    from mass_pipeline.resources.places_legacy import GooglePlacesLegacy
    from mass_pipeline.resources.places_new import GooglePlacesNew

    config = http.settings.section(PlacesConfig)
    if not config.api_key and not config.terms_confirmed:
        yield None
        return
    if not config.api_key:
        raise ConfigurationError(
            "The Places key is missing: set MASS_PIPELINE_PLACES_API_KEY, or unset MASS_PIPELINE_PLACES_TERMS_CONFIRMED to go "
            "on without Places."
        )
    if not config.terms_confirmed:
        raise ConfigurationError(
            "There is a Places key, but its terms are not confirmed: read docs/terms.md, then set "
            "MASS_PIPELINE_PLACES_TERMS_CONFIRMED=true, or unset MASS_PIPELINE_PLACES_API_KEY."
        )
    base_url = http.web.places_base_url
    if config.api == "legacy":
        yield GooglePlacesLegacy(config, base_url)
        return
    with http.client("places") as client:
        yield GooglePlacesNew(config, client, base_url)


def open_annotations(settings: Settings) -> AnnotationStore:
    """All labels of people: the annotation app's database, a file of labels, and in the demo profile the labelled pages of
    the demo web; where they speak of the same hour, the file outranks the app and the app the demo.
    """
    asked = (AppAnnotations.of(settings), FileAnnotations(settings.data_folder / "annotations.jsonl"))
    if settings.is_live:
        return SeveralStores(asked)
    from mass_pipeline.demo_web.web import DemoWeb

    least = settings.section(AnnotationConfig).least_page_score
    return SeveralStores((DemoAnnotations(DemoWeb().annotations, _DEMO_SHARE, least), *asked))
