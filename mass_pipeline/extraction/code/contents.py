"""Contents of a site that its pages ask for: collections, documents, addresses of data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mass_pipeline.extraction.code.data_files import front_matter
from mass_pipeline.extraction.code.methods import member
from mass_pipeline.extraction.code.site_files import SiteFiles, kind_of, stem_of
from mass_pipeline.extraction.code.values import UNKNOWN, Native, Value, as_number

_PROSE: Final = frozenset({"md", "mdx", "markdown"})
_FOLDERS: Final = ("content", "_data", "data", "contents", "cms")
_CHAINED: Final = frozenset({"only", "without", "limit", "skip", "locale", "select", "where", "path"})
_ENDS: Final = {"findOne": 1, "first": 1, "find": 0, "all": 0, "fetch": 0}


class Contents:
    """Contents of one site.

    Args:
        site: its files.
        used: takes up the files that are asked for.
    """

    def __init__(self, site: SiteFiles, used: set[str]) -> None:
        self._site = site
        self._used = used

    def documents(self, name: str) -> list[tuple[str, Value]]:
        """Path and fields of the documents of a collection or folder, below the folders that hold contents."""
        name = name.strip("/")
        for folder in _FOLDERS:
            paths = list(self._site.below(f"{folder}/{name}" if name else folder))
            if paths:
                return [(path, self._fields(path)) for path in paths]
        return []

    def _fields(self, path: str) -> Value:
        self._used.add(path)
        data = self._site.data(path)
        if kind_of(path) in _PROSE and isinstance(data, dict):
            return {**data, "body": front_matter(self._site.texts[path])[1]}
        return data

    def entries(self, name: str) -> list[Value]:
        """Entries of a collection as Astro gives them: `{id, slug, data}`."""
        found: list[Value] = []
        for path, data in self.documents(name):
            if isinstance(data, list):  # one file that holds all entries
                found += [{"id": _field(one, "id"), "data": one} for one in data]
            elif isinstance(data, dict) and _is_keyed(data) and stem_of(path) == name:
                found += [{"id": key, "data": one} for key, one in data.items()]
            else:
                found.append({"id": stem_of(path), "slug": stem_of(path), "data": data, "body": _field(data, "body")})
        return found

    def entry(self, arguments: list[Value]) -> Value:
        """`getEntry(collection, id)`; unknown when there is none."""
        name, place = [*arguments, UNKNOWN, UNKNOWN][:2]
        if isinstance(name, dict):
            place = name.get("id", name.get("slug", UNKNOWN))
            name = name.get("collection", UNKNOWN)
        entries = self.entries(name) if isinstance(name, str) else []
        return next((one for one in entries if place in (_field(one, "id"), _field(one, "slug"))), UNKNOWN)

    def query(self, arguments: list[Value]) -> Value:
        """`queryContent(path)`, `queryCollection(name)`, `$content(path)`: what it finds is asked for by its methods."""
        names = [one for one in arguments if isinstance(one, str)]
        path = "/".join(one.strip("/") for one in names)
        found: list[Value] = []
        for file, data in self.documents(path):
            if isinstance(data, list):
                data = {"body": data}
            address = "/" + re.sub(r"^.*?content/", "", file).rpartition(".")[0]
            found.append({**data, "_path": address, "path": address, "slug": stem_of(file)} if isinstance(data, dict) else data)
        return self._chain(found)

    def _chain(self, items: list[Value]) -> dict[str, Value]:
        """Methods of a query; each gives the query of what is left."""
        found: dict[str, Value] = {}
        for name in _CHAINED:
            found[name] = Native(lambda arguments, name=name: self._chain(_chosen(items, name, arguments)))  # type: ignore[misc]
        for name in ("sort", "order", "sortBy"):
            found[name] = Native(lambda arguments: self._chain(_ordered(items, arguments)))
        for name, is_one in _ENDS.items():
            found[name] = Native(lambda _, is_one=is_one: (items[0] if items else UNKNOWN) if is_one else list(items))  # type: ignore[misc]
        found["fetch"] = Native(lambda _: items[0] if len(items) == 1 else list(items))
        return found

    def at_address(self, address: Value) -> Value:
        """The data that a site serves at an address."""
        path = self._site.at_address(address) if isinstance(address, str) else None
        if path is None or kind_of(path) in _PROSE:
            return UNKNOWN
        self._used.add(path)
        return self._site.data(path)

    def matching(self, patterns: Iterable[str]) -> list[tuple[str, Value]]:
        """Files that a pattern with stars names (`../content/*.json`), with what they hold; its own folder is not looked at."""
        found: list[tuple[str, Value]] = []
        for pattern in patterns:
            bare = re.sub(r"^(?:[@~#$./]+/?)+", "", pattern)
            exact = re.escape(bare).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
            exact = re.sub(r"\\\{([\w\\,]+)\\\}", lambda match: f"(?:{match[1].replace(chr(92), '').replace(',', '|')})", exact)
            found += [(path, self._fields(path)) for path in sorted(self._site.texts) if re.search(rf"(?:^|/){exact}$", path)]
        return found


def _field(value: Value, name: str) -> Value:
    return member(value, name) if isinstance(value, dict) else UNKNOWN


def _is_keyed(data: dict[str, Value]) -> bool:
    return len(data) > 1 and all(isinstance(one, dict) for one in data.values())


def _chosen(items: list[Value], name: str, arguments: list[Value]) -> list[Value]:
    """What a method of a query leaves; conditions on single fields (`where`) are looked at, others leave all."""
    first = arguments[0] if arguments else UNKNOWN
    if name in ("limit", "skip") and (count := as_number(first)) is not None:
        return items[: int(count)] if name == "limit" else items[int(count) :]
    wanted: dict[str, Value] = {}
    if name == "where" and isinstance(first, dict):
        wanted = {key: one for key, one in first.items() if isinstance(one, str)}
    elif name == "where" and isinstance(first, str) and len(arguments) == 3 and arguments[1] == "=":
        wanted = {first: arguments[2]}
    elif name == "path" and isinstance(first, str):
        wanted = {"path": first}
    return [one for one in items if all(_field(one, key) == value for key, value in wanted.items())]


def _ordered(items: list[Value], arguments: list[Value]) -> list[Value]:
    first = arguments[0] if arguments else UNKNOWN
    if isinstance(first, dict):
        key, way = next(iter(first.items()), ("", UNKNOWN))
    else:
        key, way = first if isinstance(first, str) else "", arguments[1] if len(arguments) > 1 else UNKNOWN
    is_down = isinstance(way, str) and way.lower() in ("-1", "desc")

    def place(one: Value) -> tuple[float, str]:
        value = _field(one, key)
        return as_number(value) or 0.0, value if isinstance(value, str) else ""

    return sorted(items, key=place, reverse=is_down) if key else items
