"""The files of one site by their paths: which of them an import, an address or the name of a component means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from mass_pipeline.extraction.code.data_files import front_matter, json_value, yaml_value
from mass_pipeline.extraction.code.syntax import LONGEST_CODE
from mass_pipeline.extraction.code.values import Value

COMPONENTS: Final = frozenset({"vue", "svelte", "astro"})
SCRIPTS: Final = frozenset({"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts"})
DATA: Final = frozenset({"json", "yml", "yaml", "md", "mdx", "markdown"})
_ENDINGS: Final = tuple(
    f".{one}" for one in ("ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "vue", "svelte", "astro", "json", "yml", "yaml")
)
_ALIAS: Final = re.compile(r"^(?:[@~#$]+/?|/)")


def kind_of(path: str) -> str:
    """The ending of a path.

    >>> kind_of("src/App.test.TSX")
    'tsx'
    """
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def is_page(path: str) -> bool:
    """Whether a file is a page by its name, and no template of Angular."""
    return kind_of(path) in ("html", "htm") and not path.endswith(".component.html")


def stem_of(path: str) -> str:
    """The name of a file without its ending."""
    return path.rpartition("/")[2].partition(".")[0]


class SiteFiles:
    """Files of one site.

    Args:
        files: texts by path; paths have slashes and are relative to one folder.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self.texts = {self.name_of(path): text[:LONGEST_CODE] for path, text in files.items()}
        self._data: dict[str, Value] = {}

    @staticmethod
    def name_of(path: str) -> str:
        """The path by which the files know a file."""
        return posixpath.normpath(path).lstrip("/")

    def data(self, path: str) -> Value:
        """What a file of data holds; of Markdown the fields before its text."""
        if path not in self._data:
            text, kind = self.texts[path], kind_of(path)
            if kind == "json":
                self._data[path] = json_value(text)
            else:
                self._data[path] = yaml_value(text) if kind in ("yml", "yaml") else front_matter(text)[0]
        return self._data[path]

    def imported(self, origin: str, specifier: str) -> str | None:
        """The file that an import means, None for packages and files that are not there.

        >>> files = SiteFiles({"src/data/msze.ts": "", "src/lib/index.js": "", "src/App.vue": ""})
        >>> [files.imported("src/App.vue", one) for one in ("./data/msze", "@/data/msze.js", "$lib", "vue", "../x/msze")]
        ['src/data/msze.ts', 'src/data/msze.ts', 'src/lib/index.js', None, None]
        """
        wanted = specifier.partition("?")[0]
        if wanted.startswith("."):
            near = posixpath.normpath(posixpath.join(posixpath.dirname(origin), wanted))
            return self._with_ending(near) or self._ending_with(re.sub(r"^(?:\.\.?/)+", "", wanted))
        is_alias = _ALIAS.match(wanted) is not None
        rest = _ALIAS.sub("", wanted)
        return self._with_ending(rest) or (self._ending_with(rest) if is_alias or "/" in rest else None)

    def at_address(self, address: str) -> str | None:
        """The file that a site serves at an address (`/data/msze.json`)."""
        path = re.sub(r"^(?:https?://[^/]+)?[./]*", "", address.partition("?")[0])
        return self._ending_with(path) if "." in path.rpartition("/")[2] else None

    def component_named(self, name: str) -> str | None:
        """The component file that frameworks find by its name alone, as Nuxt does (`TheFooter`, `BaseTheFooter`)."""
        return self._by_name.get(name.removeprefix("Lazy"))

    @cached_property
    def _by_name(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path in self.texts:
            if kind_of(path) == "vue":
                folder = posixpath.basename(posixpath.dirname(path))
                for name in (stem_of(path), folder.capitalize() + stem_of(path)):
                    found.setdefault(re.sub(r"(?:^|-)(\w)", lambda match: match[1].upper(), name), path)
        return found

    def below(self, folder: str) -> Iterator[str]:
        """Files of data in a folder of this name or in one below it, or whose own name it is, by their paths."""
        wanted = folder.strip("/").lower()
        for path in sorted(self.texts):
            if kind_of(path) in DATA and f"/{wanted}/" in f"/{path.rpartition('.')[0].lower()}/":
                yield path

    def _with_ending(self, path: str) -> str | None:
        bare = re.sub(r"\.(?:m?js|jsx)$", "", path)  # TypeScript is imported as the JavaScript that it becomes
        for one in (path, bare):
            for ending in ("", *_ENDINGS, *(f"/index{ending}" for ending in _ENDINGS)):
                if one + ending in self.texts:
                    return one + ending
        return None

    def _ending_with(self, rest: str) -> str | None:
        """The only file whose path ends so; None when several do, since a guess might show the hours of another parish."""
        found = set()
        for path in self.texts:
            folder = "/" + path
            for ending in ("", *_ENDINGS):
                for wanted in (f"/{rest}{ending}", f"/{rest}/index{ending}", f"/{re.sub(r'[.]m?jsx?$', '', rest)}{ending}"):
                    if rest and folder.endswith(wanted):
                        found.add(path)
        return found.pop() if len(found) == 1 else None
