"""Which classifier judges the pages of a command: the one shipped with the package, or the champion of the live data folder.

A demo run trains a champion too; it judges the demo alone, so that the same page is read alike whatever was run before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mass_pipeline.learning.model import Trained


@dataclass(frozen=True, slots=True)
class Judge:
    """Where a classifier comes from; picklable, so that processes can share it.

    Attributes:
        by_rules: no classifier is asked.
        place: whose champion judges; None for the shipped model.
    """

    by_rules: bool = False
    place: Path | str | None = None

    def model(self) -> Trained | None:
        """The classifier, loaded once; None for the rules alone, or where none was ever trained or shipped."""
        return None if self.by_rules else _model(self.place)

    @property
    def name(self) -> str:
        """For people and records: `rules`, `shipped model 1a2b3c4d`, `model 1a2b3c4d of /folder`."""
        model = self.model()
        if model is None:
            return "rules"
        known = str(model.card.get("model_id", ""))[:8]
        is_shipped = self.place is None or known == str((_model(None) or model).card.get("model_id", ""))[:8]
        return f"shipped model {known}" if is_shipped else f"model {known} of {self.place}"


def judge_of(environ: Mapping[str, str], *, rules_only: bool) -> Judge:
    """Who judges: in the live profile the champion of its data folder where there is one, else the shipped model."""
    if rules_only:
        return Judge(by_rules=True)
    from mass_pipeline.resources.settings import load_settings

    settings = load_settings(environ)
    return Judge(place=settings.shared if settings.is_live else None)


@lru_cache(maxsize=2)
def _model(place: Path | str | None) -> Trained | None:
    from mass_pipeline.learning.bundled import load_model

    return load_model(place)
