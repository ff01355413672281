"""How a setting is declared: a dataclass field with unit, meaning and source, so that one table can list them all.

Each domain package declares its own frozen dataclass of settings with `setting(...)`; reading the environment is the
business of `resources.settings` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

_KEY: Final = "setting"
UNSET: Final = object()  # "the demo profile uses the same default"


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """What the settings table prints beside a name and its value."""

    meaning: str
    unit: str = ""
    source: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    demo: Any = UNSET  # default in the demo profile, where it differs


def setting(
    default: Any,
    meaning: str,
    *,
    unit: str = "",
    source: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
    secret: bool = False,
    demo: Any = UNSET,
) -> Any:
    """Declare a setting as a dataclass field.

    Args:
        default: value when the environment names none.
        meaning: one sentence for the settings table.
        unit: unit of the value, "" for none.
        source: requirement row, RFC section or measurement it comes from.
        minimum, maximum: inclusive bounds of a number.
        choices: accepted values of a word.
        secret: never printed or logged.
        demo: default in the demo profile, where it differs.
    """
    info = SettingInfo(meaning, unit, source, minimum, maximum, choices, secret, demo)
    return field(default=default, metadata={_KEY: info}, repr=not secret)


def settings_of(config: type) -> dict[str, SettingInfo]:
    """Name -> description of every declared setting of a dataclass, in order."""
    return {f.name: f.metadata[_KEY] for f in fields(config) if _KEY in f.metadata}
