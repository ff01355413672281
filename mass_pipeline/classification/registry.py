"""Models over time: every trained one is kept, one is the champion, and the way back is one call.

    models/versions/<model_id>/   model.skops, card.json, metrics.json, *.png
    models/champion.json          {"champion": id, "history": [ids, oldest first]}
    models/test-<version>.parquet the frozen test part

Belongs: keeping, promoting, rolling back. Not here: what makes a model good (evaluation, promotion).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mass_pipeline.classification import storage
from mass_pipeline.classification.model import JsonValue, Trained
from mass_pipeline.model.errors import BadInput, UsageError

FOLDER: Final = "models"
_POINTER: Final = "champion.json"
_METRICS: Final = "metrics.json"
_ID_CHARACTERS: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Registry:
    """The models of one data folder."""

    folder: Path

    @classmethod
    def of(cls, data_folder: Path) -> Registry:
        """The registry inside a data folder; nothing is created before the first model."""
        return cls(data_folder / FOLDER)

    def add(
        self, model: Trained, metrics: Sequence[Mapping[str, JsonValue]] = (), pictures: Mapping[str, bytes] | None = None
    ) -> Trained:
        """Keep a model, not yet as champion; the same model again changes nothing.

        Returns:
            The model with its `model_id`.
        """
        target = self._version(storage.seal(model)[0].model_id)
        target.mkdir(parents=True, exist_ok=True)
        storage.write_file(target / _METRICS, storage.card_bytes({"metrics": [dict(row) for row in metrics]}))
        for name, data in (pictures or {}).items():
            storage.write_file(target / f"{name}.png", data)
        return storage.save(model, target)

    def versions(self) -> list[str]:
        """Identifiers of all kept models, sorted."""
        home = self.folder / "versions"
        return sorted(p.name for p in home.iterdir() if _is_id(p.name)) if home.is_dir() else []

    def champion_id(self) -> str | None:
        """Identifier of the model in use, None before the first promotion."""
        history = self.history()
        return history[-1] if history else None

    def history(self) -> list[str]:
        """Champions in the order of their promotion; the last is in use.

        Raises:
            BadInput: the pointer file is damaged.
        """
        path = self.folder / _POINTER
        if not path.exists():
            return []
        try:
            history = json.loads(path.read_text(encoding="utf-8"))["history"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{path} cannot be read ({error}): delete it and promote a model of versions/ anew.") from error
        return [str(model_id) for model_id in history]

    def load(self, model_id: str) -> Trained:
        """Read one kept model.

        Raises:
            UsageError: there is no such model.
            BadInput: its files are damaged.
        """
        if model_id not in self.versions():
            raise UsageError(f"There is no model {model_id!r}; kept are: {', '.join(self.versions()) or 'none'}.")
        model = storage.load(self._version(model_id))
        if model.model_id != model_id:
            raise BadInput(f"The folder {model_id} holds the model {model.model_id}: roll back or train anew.")
        return model

    def champion(self) -> Trained | None:
        """The model in use, None before the first promotion."""
        model_id = self.champion_id()
        return None if model_id is None else self.load(model_id)

    def promote(self, model_id: str) -> None:
        """Make a kept model the champion; it must load."""
        self.load(model_id)
        if model_id != self.champion_id():
            self._write([*self.history(), model_id])

    def roll_back(self) -> str:
        """Return to the champion before the present one.

        Returns:
            Identifier of the model now in use.

        Raises:
            UsageError: there is no earlier champion.
        """
        history = self.history()
        if len(history) < 2:
            raise UsageError("There is no earlier champion to roll back to.")
        self.load(history[-2])
        self._write(history[:-1])
        return history[-2]

    def metrics(self, model_id: str) -> list[dict[str, JsonValue]]:
        """Rows of the metrics table kept with a model, [] when there are none."""
        path = self._version(model_id) / _METRICS
        return list(json.loads(path.read_text(encoding="utf-8"))["metrics"]) if path.exists() else []

    def _write(self, history: list[str]) -> None:
        storage.write_file(self.folder / _POINTER, storage.card_bytes({"champion": history[-1], "history": history}))

    def _version(self, model_id: str) -> Path:
        if not _is_id(model_id):
            raise UsageError(f"{model_id!r} is not the identifier of a model (16 hexadecimal digits).")
        return self.folder / "versions" / model_id


def _is_id(name: str) -> bool:
    return len(name) == 16 and set(name) <= _ID_CHARACTERS
