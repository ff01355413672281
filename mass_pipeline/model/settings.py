"""How a setting is declared: a dataclass field with unit, meaning and source, so that one table can list them all.

Each domain package declares its own frozen dataclass of settings with `setting(...)`; reading the environment is the
business of `resources.settings` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

_KEY: Final = "setting"
UNSET: Final = object()  # "every profile uses the same default"


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """What the settings table prints beside a name and its value.

    Attributes:
        meaning: one sentence.
        unit: of the value, "" for none.
        source: requirement row, RFC section or measurement it comes from.
        minimum, maximum: inclusive bounds of a number.
        choices: accepted values of a word.
        secret: never printed or logged.
        demo: default in the demo profile, where it differs: mostly manners that loopback does not need.
        emulated: default where the web is emulated (profiles demo and staging): its addresses and contents, and leave to ask it.
    """

    meaning: str
    unit: str = ""
    source: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    demo: Any = UNSET
    emulated: Any = UNSET


def setting(default: Any, meaning: str, **more: Any) -> Any:
    """Declare a setting as a dataclass field: its value when the environment names none, and the rest of `SettingInfo`."""
    info = SettingInfo(meaning, **more)
    return field(default=default, metadata={_KEY: info}, repr=not info.secret)


def settings_of(config: type) -> dict[str, SettingInfo]:
    """Name -> description of every declared setting of a dataclass, in order."""
    return {f.name: f.metadata[_KEY] for f in fields(config) if _KEY in f.metadata}
