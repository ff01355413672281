"""Files of the project that are no code: beside the package in a checkout, inside it where the package is installed.

Dioceses, gazetteer, the demo web's sources and the templates of deploy/. What a run derives lies elsewhere (settings).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_CHECKOUT: Final = _PACKAGE.parent
INSTALLED: Final = "_project"  # folder of the package that the wheel carries them in (setup.py)


def checkout() -> Path | None:
    """Root of the checkout this package runs from, None where it was installed."""
    return _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else None


def project_file(*parts: str) -> Path:
    """Path of a file or folder of the project, as `project_file("data", "dioceses.csv")`."""
    return (checkout() or _PACKAGE / INSTALLED).joinpath(*parts)
