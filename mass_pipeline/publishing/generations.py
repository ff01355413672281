"""The generations of the public index of an installation."""

from __future__ import annotations

from typing import Final

from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.finding.index.library import Library
from mass_pipeline.resources.settings import Settings

_FOLDER: Final = "public"


def generations_of(settings: Settings) -> Generations:
    """The folder of generations of these settings."""
    return Generations(settings.data_folder / _FOLDER)


def library_of(settings: Settings) -> Library:
    """The one in force, to answer from."""
    return Library(settings.data_folder / _FOLDER)
