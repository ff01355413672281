"""Settings that a single run may be given other values of, as Dagster shows and takes them: resources, configuration of assets.

Each is made of settings as they are declared: name, type, meaning, bounds and value are said there alone. Belongs here: which
settings a run may change. Not here: what a setting means (`settings`), who uses it.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

import dagster as dg
import pydantic

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.model.settings import SettingInfo, settings_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.config import FreshnessConfig

Section = TypeVar("Section")

# Resource -> section, what it is, and its settings.
RESOURCES: Final[Mapping[str, tuple[type, str, tuple[str, ...]]]] = {
    "crawl_limits": (
        CrawlConfig,
        "How much a crawl takes, of a site and at once.",
        ("sites_at_once", "max_site_seconds", "max_crawl_seconds"),
    ),
    "http_manners": (
        CrawlConfig,
        "The rate-limited HTTP client: pauses between requests to a host, and how often it tries.",
        ("start_delay_seconds", "host_gap_seconds", "max_crawl_delay_seconds", "max_attempts"),
    ),
    "places_limits": (
        PlacesConfig,
        "Google Places: which API is asked, and how fast.",
        ("api", "queries_per_second"),
    ),
    "publication": (
        FreshnessConfig,
        "Which rows are published, and from which age they count as stale.",
        ("publish_from", "stale_days"),
    ),
}  # fmt: skip
_PAUSES: Final = frozenset({"start_delay_seconds", "host_gap_seconds", "max_crawl_delay_seconds"})
_DEMANDS: Final = frozenset({"max_attempts"})


def _declared(section: type, names: tuple[str, ...]) -> Iterator[tuple[str, Any, SettingInfo]]:
    """Name, type and description of settings of a section."""
    hints, infos = typing.get_type_hints(section), settings_of(section)
    known = {one.name for one in fields(section)}
    for name in names:
        assert name in known, name
        info = infos[name]
        yield name, hints[name], info


def _bounds(info: SettingInfo) -> dict[str, Any]:
    unit = f" [{info.unit}]" if info.unit else f" ({', '.join(info.choices)})" if info.choices else ""
    words = {"pattern": f"^({'|'.join(info.choices)})$"} if info.choices else {}
    return {"description": f"{info.meaning}{unit}", "ge": info.minimum, "le": info.maximum, **words}


def _field(name: str, value: Any, info: SettingInfo) -> Any:
    """Field of a resource; a run may be gentler to servers than the operator's settings, never less so."""
    gentler = {"ge": value} if name in _PAUSES else {"le": value} if name in _DEMANDS else {}
    return pydantic.Field(value, **{**_bounds(info), **gentler})


class RunValues(dg.ConfigurableResource[Any]):
    """Values of some settings of one section; what a run is given in the Launchpad counts for it alone."""

    def applied(self, section: Section) -> Section:
        """The section with these values."""
        return replace(section, **self.model_dump())  # type: ignore[type-var]


def build_run_values(settings: Settings) -> dict[str, RunValues]:
    """The resources with the values of these settings."""
    made: dict[str, RunValues] = {}
    for name, (section, meaning, names) in RESOURCES.items():
        now: object = settings.section(section)
        values = {one: (kind, _field(one, getattr(now, one), info)) for one, kind, info in _declared(section, names)}
        made[name] = pydantic.create_model(name, __base__=RunValues, __doc__=meaning, **values)()  # type: ignore[call-overload]
    return made


def with_run_values(settings: Settings, values: Mapping[str, RunValues]) -> Settings:
    """The settings as a run was given them."""
    changed = dict(settings.sections)
    for resource, one in values.items():
        section = RESOURCES[resource][0]
        name = next(name for name, value in changed.items() if isinstance(value, section))
        changed[name] = one.applied(changed[name])
    return replace(settings, sections=changed)


def _as_set(section: type, name: str) -> Any:
    """Field of a setting that is left as it is where a run says nothing."""
    ((_, _, info),) = _declared(section, (name,))
    return pydantic.Field(None, **_bounds(info))


class RunConfig(dg.Config):
    """What one run does otherwise than the settings say; what is left empty is as they say."""

    def applied(self, section: Section) -> Section:
        """The section as the run wants it."""
        said = {name: value for name, value in self.model_dump().items() if value is not None}
        return replace(section, **said)  # type: ignore[type-var]


class CrawlRun(RunConfig):
    """How one run crawls."""

    max_depth: int | None = _as_set(CrawlConfig, "max_depth")
    max_pages_per_site: int | None = _as_set(CrawlConfig, "max_pages_per_site")
    revisit: str | None = _as_set(CrawlConfig, "revisit")
    stop_when_found: bool | None = _as_set(CrawlConfig, "stop_when_found")


class LookUpRun(RunConfig):
    """What one run of look-ups may spend."""

    units_per_day: int | None = _as_set(PlacesConfig, "units_per_day")
