"""The generations of the public index of an installation."""

from __future__ import annotations

from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.resources.settings import Settings

FOLDER = "public"


def generations_of(settings: Settings) -> Generations:
    """The folder of generations of these settings."""
    return Generations(settings.data_folder / FOLDER)
