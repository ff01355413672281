"""Plots as objects with the tables, named by what they hold; the UI is given a short link to them.

Dagster shows Markdown of a thousand characters and more behind a button, so that a picture in it was seen by nobody. The plots
are served by the web server of the UI (operator_ui.server), on whatever machine it runs.
"""

from __future__ import annotations

import hashlib
from typing import Final

from mass_pipeline.storage.opening import Place, open_objects

FOLDER: Final = "plots"


class PlotStore:
    """The plots of an installation.

    Args:
        place: of its tables (`Settings.shared`).
    """

    def __init__(self, place: Place) -> None:
        self._objects = open_objects(place)

    def keep(self, png: bytes) -> str:
        """Store a picture once and give its name.

        Raises:
            StorageError: the store cannot be written.
        """
        name = f"{hashlib.sha256(png).hexdigest()}.png"
        if self.read(name) is None:
            self._objects.put(f"{FOLDER}/{name}", png)
        return name

    def read(self, name: str) -> bytes | None:
        """A picture, None when there is none of that name.

        Raises:
            StorageError: the store cannot be read.
        """
        found = self._objects.read(f"{FOLDER}/{name}")
        return None if found is None else found.data
