"""Which model to use when nobody says: the operator's champion, else the one shipped with the package, else none."""

from __future__ import annotations

from importlib import resources
from typing import Final

from mass_pipeline.learning import storage
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.registry import Registry
from mass_pipeline.storage.opening import Place

PRETRAINED: Final = "pretrained"


def load_model(place: Place | None) -> Trained | None:
    """The model to read hours with.

    Args:
        place: data folder or object storage (settings.shared); None looks at the shipped model only.

    Returns:
        The champion there, else the model shipped with the package, else None.

    Raises:
        BadInput: the champion's files are damaged; a broken model is never passed over in silence.
    """
    champion = Registry.of(place).champion() if place is not None else None
    return champion or bundled_model()


def bundled_model() -> Trained | None:
    """The model shipped with the package, None when there is none."""
    with resources.as_file(resources.files("mass_pipeline.learning").joinpath(PRETRAINED)) as folder:
        return storage.load(folder) if (folder / storage.CARD_FILE).is_file() else None
