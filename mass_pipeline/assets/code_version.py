"""The version of the code that makes a table: a digest of the sources and vocabularies that its asset reaches by imports.

The UI then tells which tables, and which dioceses of them, were made by other code than the present. Adapters, wiring and
messages of errors (`resources`, `assets.stage`, `model.errors`) count for nothing: they change no row.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_IMPORT: Final = re.compile(r"^\s*(?:from|import) mass_pipeline\.([\w.]+)(?: import (\([^)]*\)|[^\n]*))?", re.MULTILINE)
_UNCOUNTED: Final = ("resources", "assets.stage", "assets.code_version", "model.errors", "partitions", "definitions")
_DATA: Final = frozenset({".toml", ".csv", ".skops", ".json"})
_LENGTH: Final = 12


@functools.cache
def code_version(module: str) -> str:
    """Twelve hexadecimal digits that change when what `module` does may change.

    Args:
        module: below the package, such as `assets.candidate_hours`.
    """
    digest = hashlib.sha256()
    for path in sorted(_sources(module)):
        digest.update(f"{path.relative_to(_ROOT)} {_digest(path)}\n".encode())
    return digest.hexdigest()[:_LENGTH]


def _sources(module: str) -> set[Path]:
    """Files of a module and of everything it imports, with the data that lie beside them."""
    waiting, seen, found = [module], {module}, set[Path]()
    while waiting:
        path = _file_of(waiting.pop())
        if path is None or path in found:
            continue
        found.add(path)
        found.update(_data_beside(path.parent))
        fresh = set(_imports(path)) - seen
        seen |= fresh
        waiting.extend(fresh)
    return found


@functools.cache
def _imports(path: Path) -> tuple[str, ...]:
    """Modules that a file may import; names that are no module are no file and fall out later."""
    return tuple(name for name in _named(path.read_text("utf-8")) if not name.startswith(_UNCOUNTED))


def _named(text: str) -> Iterator[str]:
    for package, names in _IMPORT.findall(text):
        yield package
        for name in re.findall(r"\w+", names):
            yield f"{package}.{name}"


@functools.cache
def _file_of(module: str) -> Path | None:
    path = _ROOT.joinpath(*module.split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


@functools.cache
def _data_beside(folder: Path) -> tuple[Path, ...]:
    inner = (path for path in folder.rglob("*") if path.suffix in _DATA and path.is_file())
    return () if folder in (_ROOT, _ROOT / "assets") else tuple(inner)


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
