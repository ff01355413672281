"""Learn which hours are Masses: annotated set, features, network, calibration, evaluation, registry, final schedule.

Entry points, imported when first used so that commands start fast: see `__all__`. Tables in, tables out; no Dagster here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mass_pipeline.classification.annotated_set import AnnotatedSet, build_annotated_set
    from mass_pipeline.classification.config import LearningConfig
    from mass_pipeline.classification.model import Trained
    from mass_pipeline.classification.storage import load, save
    from mass_pipeline.classification.training import TrainingRefused, train, training_rows

_HOMES: Final = {
    "AnnotatedSet": "annotated_set",
    "LearningConfig": "config",
    "Trained": "model",
    "TrainingRefused": "training",
    "build_annotated_set": "annotated_set",
    "load": "storage",
    "save": "storage",
    "train": "training",
    "training_rows": "training",
}

__all__ = [
    "AnnotatedSet",
    "LearningConfig",
    "Trained",
    "TrainingRefused",
    "build_annotated_set",
    "load",
    "save",
    "train",
    "training_rows",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
