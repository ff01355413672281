"""Settings that a single run may be given other values of, as Dagster shows, checks and takes them: one resource per kind.

Each is made of settings as they are declared: name, type, meaning, bounds and value are said there alone. Belongs here: which
settings a run may change. Not here: what a setting means (`settings`), who uses it.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import dagster as dg

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.dagster_internals import ConfigScalar, ConfigScalarKind, PostProcessingError
from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.model.settings import SettingInfo, settings_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.schedules.config import FreshnessConfig

# Resource -> section, what it is, and its settings.
RESOURCES: Final[Mapping[str, tuple[type, str, tuple[str, ...]]]] = {
    "crawl_limits": (
        CrawlConfig,
        "How far a crawl goes, how much it takes, of a site and at once.",
        (
            "max_depth", "max_pages_per_site", "revisit", "stop_when_found",
            "sites_at_once", "max_site_seconds", "max_crawl_seconds",
        ),
    ),
    "http_manners": (
        CrawlConfig,
        "The rate-limited HTTP client: pauses between requests to a host, and how often it tries.",
        ("start_delay_seconds", "host_gap_seconds", "max_crawl_delay_seconds", "max_attempts"),
    ),
    "places_limits": (
        PlacesConfig,
        "Google Places: which API is asked, how fast, and how much may be spent.",
        ("api", "queries_per_second", "units_per_day"),
    ),
    "publication": (
        FreshnessConfig,
        "Which rows are published, and from which age they count as stale.",
        ("publish_from", "stale_days"),
    ),
}  # fmt: skip
_PAUSES: Final = frozenset({"start_delay_seconds", "host_gap_seconds", "max_crawl_delay_seconds"})
_DEMANDS: Final = frozenset({"max_attempts"})


class _Within(ConfigScalar):
    """A number within bounds: what is outside is refused when the run is launched, before there is a run."""

    def __init__(self, kind: type, least: float | None, most: float | None) -> None:
        self._kind, self._least, self._most = kind, least, most
        name = f"{kind.__name__}_from_{least}_to_{most}".replace(".", "_").replace("-", "minus_")
        super().__init__(key=name, given_name=name, scalar_kind=ConfigScalarKind[kind.__name__.upper()])

    def post_process(self, value: float) -> float:
        """The number.

        Raises:
            PostProcessingError: it is out of bounds.
        """
        if self._least is not None and value < self._least:
            raise PostProcessingError(f"{value} is too little: at least {self._least}.")
        if self._most is not None and value > self._most:
            raise PostProcessingError(f"{value} is too much: at most {self._most}.")
        return self._kind(value)  # type: ignore[no-any-return]


def _field(name: str, kind: type, now: Any, info: SettingInfo) -> dg.Field:
    """A setting as Dagster's field; a run may be gentler to servers than the operator's settings, never less so."""
    unit = f" [{info.unit}]" if info.unit else ""
    if info.choices:
        config: Any = dg.Enum(name, [dg.EnumValue(one) for one in info.choices])
    elif kind in (int, float):
        config = _Within(kind, now if name in _PAUSES else info.minimum, now if name in _DEMANDS else info.maximum)
    else:
        config = kind
    return dg.Field(config, default_value=now, is_required=False, description=f"{info.meaning}{unit}")


def build_run_values(settings: Settings) -> dict[str, dg.ResourceDefinition]:
    """The resources with the values of these settings; each gives the values of its settings by their names."""
    made = {}
    for name, (section, meaning, names) in RESOURCES.items():
        now: object = settings.section(section)
        kinds, infos = typing.get_type_hints(section), settings_of(section)
        schema = {one: _field(one, kinds[one], getattr(now, one), infos[one]) for one in names}
        made[name] = dg.ResourceDefinition(values_of_run, schema, meaning)
    return made


def values_of_run(context: dg.InitResourceContext) -> Mapping[str, object]:
    """What the run was given, the settings where it was given nothing."""
    return context.resource_config  # type: ignore[no-any-return]


def with_run_values(settings: Settings, values: Mapping[str, Mapping[str, object]]) -> Settings:
    """The settings as a run was given them.

    Args:
        values: resource -> the values of its settings.
    """
    changed = dict(settings.sections)
    for resource, one in values.items():
        section = RESOURCES[resource][0]
        name = next(name for name, value in changed.items() if isinstance(value, section))
        changed[name] = replace(changed[name], **one)
    return replace(settings, sections=changed)
