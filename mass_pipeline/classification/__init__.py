"""Learn which hours are Masses: annotated set, features, network, calibration, evaluation, registry.

Entry points, imported when first used so that commands start fast: see `__all__`. Tables in, tables out; no Dagster here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mass_pipeline.classification.annotated_set import AnnotatedSet, build_annotated_set
    from mass_pipeline.classification.bundled import load_model
    from mass_pipeline.classification.config import LearningConfig
    from mass_pipeline.classification.evaluation import Evaluation, evaluate
    from mass_pipeline.classification.model import Trained
    from mass_pipeline.classification.promotion import Verdict, freeze_test, judge, refuse_poisoned
    from mass_pipeline.classification.registry import Registry
    from mass_pipeline.classification.storage import load, save
    from mass_pipeline.classification.training import TrainingRefused, train, training_rows

_HOMES: Final = {
    "AnnotatedSet": "annotated_set",
    "Evaluation": "evaluation",
    "LearningConfig": "config",
    "Registry": "registry",
    "Trained": "model",
    "TrainingRefused": "training",
    "Verdict": "promotion",
    "build_annotated_set": "annotated_set",
    "evaluate": "evaluation",
    "freeze_test": "promotion",
    "judge": "promotion",
    "load": "storage",
    "load_model": "bundled",
    "refuse_poisoned": "promotion",
    "save": "storage",
    "train": "training",
    "training_rows": "training",
}

__all__ = [
    "AnnotatedSet",
    "Evaluation",
    "LearningConfig",
    "Registry",
    "Trained",
    "TrainingRefused",
    "Verdict",
    "build_annotated_set",
    "evaluate",
    "freeze_test",
    "judge",
    "load",
    "load_model",
    "refuse_poisoned",
    "save",
    "train",
    "training_rows",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
