"""Texts that a site keeps apart by language and shows by keys: `t("masses.sunday")`. Polish ones are shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from mass_pipeline.extraction.code.data_files import yaml_value
from mass_pipeline.extraction.code.site_files import SCRIPTS, SiteFiles, kind_of, stem_of
from mass_pipeline.extraction.code.values import UNKNOWN, Imported, Native, Value

_FOLDER: Final = re.compile(
    r"(?:^|/)(?:locales?|i18n|langs?|languages?|messages|translations?|tlumaczenia|dictionaries)(?:/|\.|$)", re.I
)
_POLISH: Final = re.compile(r"(?:^|[/._-])(?:pl|pl[-_]pl|polish|polski)(?=[/._-])", re.I)
_BLOCK: Final = re.compile(r"<i18n\b[^>]{0,200}>(.*?)</i18n>", re.S)
_PLACE: Final = re.compile(r"\{\{?\s*(\w+)\s*\}?\}")
_POLISH_KEYS: Final = ("pl", "pl-PL", "pl_PL")
_WRAPPERS: Final = ("translation", "messages", "resources")


class Translations:
    """Texts of one site.

    Args:
        site: its files.
        used: takes up the files of texts, those of other languages too.
        given: what a file of code gives by a name.
    """

    def __init__(self, site: SiteFiles, used: set[str], given: Callable[[Imported], Value]) -> None:
        self._site = site
        self._used = used
        self._given = given
        self._spaces: dict[str, Value] | None = None
        self._paths: set[str] = set()

    def translator(self, spaces: Value = UNKNOWN, prefix: str = "") -> Native:
        """`t`: the text of a key in some namespaces, with its gaps filled."""
        names = [one for one in (spaces if isinstance(spaces, list) else [spaces]) if isinstance(one, str)]

        def told(arguments: list[Value]) -> Value:
            key = arguments[0] if arguments else UNKNOWN
            if isinstance(key, list):
                key = key[0] if key else UNKNOWN
            if isinstance(key, dict):  # `intl.formatMessage({id: key})`
                key = key.get("id", UNKNOWN)
            if not isinstance(key, str):
                return UNKNOWN
            space, _, rest = key.rpartition(":")
            found = self._sought([space, *names] if space else names, [prefix] if prefix else [], rest)
            values = next((one for one in arguments[1:] if isinstance(one, dict)), {})
            default = next((one for one in arguments[1:] if isinstance(one, str)), values.get("defaultValue", UNKNOWN))
            return default if found is UNKNOWN else _filled(found, values)

        return Native(told)

    def _sought(self, names: list[str], prefix: list[str], key: str) -> Value:
        spaces = self._all()
        self._used |= self._paths
        known = [spaces[name] for name in names if name in spaces]
        within = [".".join([name, *prefix, key]) for name in names]  # a namespace may be a field of one file
        for data in (*known, *spaces.values()):
            for path in (".".join([*prefix, key]), *within):
                found = _at(data, path)
                if found is not UNKNOWN:
                    return found
        return UNKNOWN

    def _all(self) -> dict[str, Value]:
        if self._spaces is None:
            self._spaces = {}
            for path in sorted(self._site.texts):
                if _FOLDER.search(path):
                    self._spaces.update(self._of_file(path))
                if kind_of(path) == "vue":
                    for block in _BLOCK.findall(self._site.texts[path]):
                        self._spaces.update(_polish(path, yaml_value(block)))  # JSON is YAML too
        return self._spaces

    def _of_file(self, path: str) -> Iterator[tuple[str, Value]]:
        is_code = kind_of(path) in SCRIPTS
        if not is_code and kind_of(path) not in ("json", "yml", "yaml"):
            return
        data = self._given(Imported(path, "*")) if is_code else self._site.data(path)
        if not isinstance(data, dict):
            return
        self._paths.add(path)
        yield from _polish(path, data)
        if _POLISH.search(path):
            yield from _spaces_of(path, data["default"] if is_code and isinstance(data.get("default"), dict) else data)


def _polish(path: str, data: Value, depth: int = 3) -> Iterator[tuple[str, Value]]:
    """Polish texts among those of several languages: `{pl: {...}}`, `{messages: {pl: {...}}}`."""
    for key, value in data.items() if isinstance(data, dict) and depth else ():
        if key in _POLISH_KEYS and isinstance(value, dict):
            yield from _spaces_of(path, value)
        else:
            yield from _polish(path, value, depth - 1)


def _spaces_of(path: str, data: Value) -> Iterator[tuple[str, Value]]:
    yield f"{path}", data
    yield stem_of(path), data
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, dict) and name in _WRAPPERS:
            yield f"{path}/{name}", value


def _at(data: Value, key: str) -> Value:
    """The value at `a.b.c`; a key may hold dots itself."""
    if isinstance(data, dict) and key in data:
        return data[key]
    for part in key.split("."):
        if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif isinstance(data, dict) and part in data:
            data = data[part]
        else:
            return UNKNOWN
    return data


def _filled(found: Value, values: dict[str, Value]) -> Value:
    if not isinstance(found, str) or not values:
        return found
    return _PLACE.sub(lambda match: value if isinstance(value := values.get(match[1]), str) else match[0], found)
