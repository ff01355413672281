"""How Dagster reaches the classifier: an I/O manager over the registry of models (learning.registry). No pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagster as dg

from mass_pipeline.resources.failures import clear_failures
from mass_pipeline.storage.opening import Place

if TYPE_CHECKING:
    from mass_pipeline.learning.evaluation import Evaluation
    from mass_pipeline.learning.model import Trained
    from mass_pipeline.learning.promotion import Verdict


@dataclass(frozen=True, slots=True)
class JudgedModel:
    """A newly trained classifier with what is known about it.

    Attributes:
        model: the challenger.
        evaluation: on parishes it has not seen.
        verdict: whether it becomes champion.
        pictures: file name without suffix -> PNG.
    """

    model: Trained
    evaluation: Evaluation
    verdict: Verdict
    pictures: Mapping[str, bytes]


class ModelIO(dg.IOManager):
    """Keeps every trained model; the one that stands the comparison becomes champion and is what others load."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def handle_output(self, context: dg.OutputContext, obj: JudgedModel) -> None:
        """Keep the model with its metrics and pictures; promote it when the verdict says so."""
        with clear_failures():
            self._keep(context, obj)

    def _keep(self, context: dg.OutputContext, obj: JudgedModel) -> None:
        from mass_pipeline.learning.registry import Registry

        registry = Registry.of(self.place)
        rows = obj.evaluation.metrics.to_dict("records")
        kept = registry.add(obj.model, [{str(name): value for name, value in row.items()} for row in rows], obj.pictures)
        if obj.verdict.promoted:
            registry.promote(kept.model_id)
        context.add_output_metadata(
            {
                "model_id": kept.model_id,
                "champion": registry.champion_id() or "none",
                "path": dg.MetadataValue.path(registry.place(kept.model_id)),
            }
        )

    def load_input(self, context: dg.InputContext) -> Trained | None:
        """The champion, else the model shipped with the package, else None."""
        from mass_pipeline.learning.bundled import load_model

        with clear_failures():
            return load_model(self.place)
