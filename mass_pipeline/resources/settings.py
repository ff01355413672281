"""The one table of settings: read once from the environment, checked, printed by `mass-pipeline settings`.

Each section is a frozen dataclass declared where the values are used; here they only meet. The variable of a setting is
`MASS_PIPELINE_<NAME>` for general ones and `MASS_PIPELINE_<SECTION>_<NAME>` otherwise. A field without `setting(...)` is a
constant: a variable of that name, which was a setting once, is reported once and ignored.
"""

from __future__ import annotations

import logging
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import platformdirs

from mass_pipeline.model.errors import ConfigurationError, nearest
from mass_pipeline.model.project_files import checkout, project_file
from mass_pipeline.model.settings import UNSET, SettingInfo, setting, settings_of
from mass_pipeline.resources.opt_outs import read_refusals
from mass_pipeline.storage.opening import is_remote

PREFIX: Final = "MASS_PIPELINE_"
_CONTACT: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://[^/\s]+\.\S+")
_FOLDERS: Final = {"demo": "demo-run", "staging": "staging", "live": "live"}  # of the data, by profile
_REPORTED: Final[set[str]] = set()  # variables of constants, by this process
Section = TypeVar("Section")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GeneralSettings:
    """Who runs this, with which profile, and where the data lie."""

    profile: str = setting(
        "demo",
        "The emulated web on loopback without its pauses (demo) or by the rules of real hosts (staging), or real hosts (live)",
        choices=("demo", "staging", "live"),
    )
    contact: str = setting("", "E-mail or URL of the operator, for webmasters and readers; the live profile demands it")
    data_folder: str = setting(
        "",
        "Folder of tables and state, or s3://bucket/prefix for several machines; empty means a folder for the profile in data "
        "(data/demo-run, data/staging, data/live) of a checkout, else the user's own",
    )
    state_folder: str = setting(
        "",
        "Folder of this machine for crawl state and logs where the data folder is object storage; empty means where the data "
        "folder would be by default",
    )
    dioceses_file: str = setting("", "CSV of dioceses (key, name, spellings); empty means data/dioceses.csv of the project")
    leases: str = setting(
        "",
        "Host lock store, shared by all runs: a folder of this machine, or postgresql://... for several; empty means data/leases",
    )
    state_database: str = setting(
        "", "Where several machines keep the state of discovery and the ledger of Places: postgresql://...; empty means a file"
    )
    seed: int = 20261120  # Random seed


class SettingRow(NamedTuple):
    """One line of the settings table."""

    variable: str
    section: str
    name: str
    value: Any
    is_default: bool
    info: SettingInfo


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections, validated.

    Attributes:
        general: profile, contact and folders.
        sections: section name -> its dataclass (see `sections()`).
        rows: the table as printed.
    """

    general: GeneralSettings
    sections: Mapping[str, Any]
    rows: tuple[SettingRow, ...]

    @property
    def is_live(self) -> bool:
        """Whether real hosts are asked."""
        return self.general.profile == "live"

    @property
    def data_folder(self) -> Path:
        """Folder of everything a run derives; with object storage, of what stays on this machine."""
        return self._data if self._named_folder else self._data / _FOLDERS[self.general.profile]

    @property
    def shared(self) -> Path | str:
        """Where tables, models, reviews and counts lie, for all machines: the data folder, or an address in object storage."""
        return self.general.data_folder if is_remote(self.general.data_folder) else self.data_folder

    @property
    def _named_folder(self) -> str:
        return self.general.state_folder if is_remote(self.general.data_folder) else self.general.data_folder

    @property
    def _data(self) -> Path:
        """Folder that the profiles share."""
        if self._named_folder:
            return Path(self._named_folder).expanduser().resolve()
        root = checkout()
        return root / "data" if root is not None else platformdirs.user_data_path("mass_pipeline")

    @property
    def leases(self) -> str:
        """Where every process of the installation finds the leases of hosts, whatever its profile."""
        return self.general.leases or str(self._data / "leases")

    @property
    def dioceses_file(self) -> Path:
        """CSV of the dioceses, the partitions of the project."""
        if self.general.dioceses_file:
            return Path(self.general.dioceses_file).expanduser().resolve()
        return project_file("data", "dioceses.csv")

    def section(self, config: type[Section]) -> Section:
        """The validated values of one section, found by its class."""
        for value in self.sections.values():
            if isinstance(value, config):
                return value
        raise KeyError(config.__name__)


def sections() -> dict[str, type]:
    """Section name -> dataclass, in the order of the lineage. Imported late so that commands start fast."""
    from mass_pipeline.annotation.config import AnnotationConfig
    from mass_pipeline.crawling.fetching.config import CrawlConfig
    from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig, WebsitesConfig
    from mass_pipeline.learning.config import LearningConfig
    from mass_pipeline.resources.alerts import AlertsConfig
    from mass_pipeline.resources.operation import OperationConfig
    from mass_pipeline.schedules.config import FreshnessConfig

    return {
        "": GeneralSettings,
        "operation": OperationConfig,
        "alerts": AlertsConfig,
        "directory": DirectoryConfig,
        "places": PlacesConfig,
        "websites": WebsitesConfig,
        "freshness": FreshnessConfig,
        "crawl": CrawlConfig,
        "polling": PollingConfig,
        "watch": WatchConfig,
        "classification": LearningConfig,
        "annotation": AnnotationConfig,
        "public": PublicConfig,
    }


def load_settings(environ: Mapping[str, str], *, with_removals: bool = True) -> Settings:
    """Read, convert and validate every setting.

    Args:
        environ: usually `os.environ`.
        with_removals: with what owners asked to have removed; without it only where `with_refusals` follows before a request.

    Raises:
        ConfigurationError: an unknown `MASS_PIPELINE_` variable, a malformed value, or a live profile without contact;
            the message lists what is accepted.
    """
    profile = environ.get(PREFIX + "PROFILE", "demo")
    known: set[str] = set()
    constants: dict[str, Any] = {}
    values: dict[str, Any] = {}
    rows: list[SettingRow] = []
    for name, config in sections().items():
        section_rows = list(_read_section(name, config, profile, environ))
        known.update(row.variable for row in section_rows)
        constants |= {_variable(name, field.name): field.default for field in fields(config)}
        rows.extend(section_rows)
        values[name] = config(**{row.name: row.value for row in section_rows})
    for name in ("annotation", "public"):  # who runs the crawl answers for the sites too
        values[name] = replace(values[name], contact=values[""].contact)
    _reject_unknown(environ, known, constants)
    settings = Settings(values.pop(""), values, tuple(rows))
    if settings.is_live and not settings.general.contact.strip():
        raise ConfigurationError(
            "The live profile needs MASS_PIPELINE_CONTACT (an e-mail address or URL): it goes into the User-Agent so that "
            "webmasters can find out who asks. Set it, or use MASS_PIPELINE_PROFILE=demo."
        )
    if settings.is_live and not _CONTACT.fullmatch(settings.general.contact.strip()):
        raise ConfigurationError(
            f"MASS_PIPELINE_CONTACT={settings.general.contact!r} reaches nobody: it must be an e-mail address "
            "(info@parish-times.example) or a page (https://parish-times.example/bot)."
        )
    return with_refusals(settings) if with_removals else settings


def with_refusals(settings: Settings) -> Settings:
    """The settings with what `mass-pipeline purge` recorded until now, for all machines."""
    refusals = read_refusals(settings.shared)
    if not (refusals.hosts or refusals.urls):
        return settings
    crawl = settings.sections["crawl"]
    crawl = replace(
        crawl,
        removed_hosts=tuple(dict.fromkeys((*crawl.removed_hosts, *refusals.hosts))),
        removed_urls=tuple(dict.fromkeys((*crawl.removed_urls, *refusals.urls))),
    )
    return replace(settings, sections={**settings.sections, "crawl": crawl})


def _read_section(section: str, config: type, profile: str, environ: Mapping[str, str]) -> Iterator[SettingRow]:
    hints = typing.get_type_hints(config)
    defaults = {f.name: f.default for f in fields(config)}
    for name, info in settings_of(config).items():
        variable = _variable(section, name)
        default = _default(info, profile, defaults[name])
        text = environ.get(variable)
        value = default if text is None or text == "" else _convert(variable, text, hints[name])
        _check(variable, value, info)
        yield SettingRow(variable, section, name, value, value == default, info)


def _variable(section: str, name: str) -> str:
    return PREFIX + (f"{section}_{name}" if section else name).upper()


def _default(info: SettingInfo, profile: str, live: Any) -> Any:
    if profile == "demo" and info.demo is not UNSET:
        return info.demo
    return live if profile == "live" or info.emulated is UNSET else info.emulated


def _convert(variable: str, text: str, hint: Any) -> Any:
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    target = next(option for option in options if option is not type(None))
    try:
        if target is bool:
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.strip().lower()]
        if typing.get_origin(target) is tuple:
            return tuple(part.strip() for part in text.split(",") if part.strip())
        return target(text.strip())
    except (ValueError, KeyError) as error:
        accepted = "true or false" if target is bool else f"a value of type {getattr(target, '__name__', target)}"
        raise ConfigurationError(f"{variable}={text!r}: expected {accepted}.") from error


def _check(variable: str, value: Any, info: SettingInfo) -> None:
    if info.choices and value not in info.choices:
        raise ConfigurationError(f"{variable}={value!r}: expected one of {', '.join(info.choices)}.")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = info.minimum, info.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"at least {low}" if high is None else f"at most {high}" if low is None else f"between {low} and {high}"
            raise ConfigurationError(f"{variable}={value}: expected a number {bounds} {info.unit}".rstrip() + ".")


def _reject_unknown(environ: Mapping[str, str], known: set[str], constants: Mapping[str, Any]) -> None:
    for variable in environ:
        if not variable.startswith(PREFIX) or variable in known:
            continue
        if constants.get(variable, "") not in (
            "",
            False,
        ):  # what is chosen by the caller is empty by default, and was never a setting
            if variable not in _REPORTED:
                log.warning("%s is no setting any more: it is %s, whatever is set.", variable, constants[variable])
                _REPORTED.add(variable)
        else:
            of_all = PREFIX + variable.rpartition("_")[2]  # as MASS_PIPELINE_CONTACT, which no section has for itself
            hint = f" Did you mean {of_all}?" if of_all in known else nearest(variable, known)
            raise ConfigurationError(f"{variable} is not a setting.{hint} `mass-pipeline settings` lists them all.")
