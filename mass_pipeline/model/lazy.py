"""Public names of a package, imported only when somebody asks for one: naming a package must not cost a second.

Reading a setting or the charset of a page would otherwise load every reader and its vocabulary.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """A module-level `__getattr__` (PEP 562).

    Args:
        package: `__name__` of the package.
        homes: public name -> submodule that defines it.

    >>> lazy_names("mass_pipeline.model", {"slug": "identifiers"})("slug")("Łódź")
    'lodz'
    """

    def __getattr__(name: str) -> object:  # noqa: N807
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)

    return __getattr__
