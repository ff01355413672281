"""Plots as files of the data folder, named by what they hold; the UI is given a short link to them.

Dagster shows Markdown of a thousand characters and more behind a button, so that a picture in it was seen by nobody. The files
are served by `mass-pipeline ui` (operator_ui.plots).
"""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path
from typing import Final

from mass_pipeline.model.errors import StorageError

FOLDER: Final = "plots"


def keep_plot(data_folder: Path, png: bytes) -> str:
    """Store a picture once and give its name.

    Raises:
        StorageError: the folder cannot be written.
    """
    name = f"{hashlib.sha256(png).hexdigest()}.png"
    path = data_folder / FOLDER / name
    if path.exists():
        return name
    aside = path.with_name(f".{name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(png)
        os.replace(aside, path)  # noqa: PTH105 - one rename, whole or not at all
    except OSError as error:
        raise StorageError(f"Cannot write {path}: {error.strerror or error}. Check the folder and its space.") from error
    return name
