"""Models over time: every trained one is kept, one is the champion, and the way back is one call.

    models/versions/<model_id>/   model.skops, card.json, metrics.json, *.png
    models/champion.json          {"champion": id, "history": [ids, oldest first]}
    models/test-<version>.parquet the frozen test part
    models/networks/<digest>.json {"model_id": id}: what was trained on these rows, by this code, need not be trained again

Belongs: keeping, promoting, rolling back. Not here: what makes a model good (evaluation, promotion).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.learning import storage
from mass_pipeline.learning.model import JsonValue, Trained
from mass_pipeline.learning.rows import BY_RULES
from mass_pipeline.model.errors import BadInput, UsageError
from mass_pipeline.storage.opening import Place, open_objects
from mass_pipeline.storage.ports import ObjectStore, change

FOLDER: Final = "models"
_POINTER: Final = f"{FOLDER}/champion.json"
_VERSIONS: Final = f"{FOLDER}/versions"
_NETWORKS: Final = f"{FOLDER}/networks"  # digest of what was learnt from -> the model that was
_METRICS: Final = "metrics.json"
QUESTION: Final = "standing"  # whose figures gate publication: does the hour belong to the standing schedule
_ID_CHARACTERS: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Registry:
    """The models of one installation: in its data folder, or in object storage."""

    objects: ObjectStore

    @classmethod
    def of(cls, place: Place) -> Registry:
        """The registry inside a data folder, or in object storage; nothing is created before the first model."""
        return cls(open_objects(place))

    def add(
        self, model: Trained, metrics: Sequence[Mapping[str, JsonValue]] = (), pictures: Mapping[str, bytes] | None = None
    ) -> Trained:
        """Keep a model, not yet as champion; the same model again changes nothing.

        Returns:
            The model with its `model_id`.
        """
        target = self._version(storage.seal(model)[0].model_id)
        self.objects.put(target + _METRICS, storage.card_bytes({"metrics": [dict(row) for row in metrics]}))
        for name, data in (pictures or {}).items():
            self.objects.put(f"{target}{name}.png", data)
        saved = storage.save(model, self.objects, target)
        if digest := model.card.get("trained_on_digest"):
            self.objects.put(f"{_NETWORKS}/{digest}.json", storage.card_bytes({"model_id": saved.model_id}))
        return saved

    def trained_on(self, digest: str) -> Trained | None:
        """The network trained on what has this digest (`training_digest`), without a model of rows; None when none was.

        A damaged one is none: it is trained again.
        """
        known = self.objects.read(f"{_NETWORKS}/{digest}.json")
        try:
            model = self.load(str(json.loads(known.data)["model_id"])) if known else None
        except (BadInput, UsageError, ValueError, KeyError):
            return None
        if model is None:
            return None
        return replace(model, rows=BY_RULES, card={name: value for name, value in model.card.items() if name != "row_model"})

    def versions(self) -> list[str]:
        """Identifiers of all kept models, sorted."""
        found = {name.removeprefix(f"{_VERSIONS}/").partition("/")[0] for name in self.objects.names(_VERSIONS)}
        return sorted(name for name in found if _is_id(name))

    def champion_metrics(self) -> dict[str, float]:
        """Figures of the model in use for the gating question; empty when there is none."""
        champion = self.champion_id()
        rows = self.metrics(champion) if champion else []
        mine = next((row for row in rows if row.get("question") == QUESTION), {})
        return {name: float(value) for name, value in mine.items() if isinstance(value, int | float) and value == value}

    def champion_curve(self) -> list[dict[str, float]]:
        """Learning curve of rows of the model in use, as its card holds it; empty before the first answer."""
        champion = self.champion()
        told = champion.card.get("row_model") if champion else None
        points = told.get("learning_curve", []) if isinstance(told, Mapping) else []
        return [
            {str(name): float(value) for name, value in point.items() if isinstance(value, int | float)}
            for point in (points if isinstance(points, list) else [])
            if isinstance(point, Mapping)
        ]

    def champion_id(self) -> str | None:
        """Identifier of the model in use, None before the first promotion."""
        history = self.history()
        return history[-1] if history else None

    def history(self) -> list[str]:
        """Champions in the order of their promotion; the last is in use.

        Raises:
            BadInput: the pointer file is damaged.
        """
        known = self.objects.read(_POINTER)
        return self._history(known.data if known else None)

    def load(self, model_id: str) -> Trained:
        """Read one kept model.

        Raises:
            UsageError: there is no such model.
            BadInput: its files are damaged.
        """
        if model_id not in self.versions():
            raise UsageError(f"There is no model {model_id!r}; kept are: {', '.join(self.versions()) or 'none'}.")
        model = storage.load(self.objects, self._version(model_id))
        if model.model_id != model_id:
            raise BadInput(f"The folder {model_id} holds the model {model.model_id}: roll back or train anew.")
        return model

    def champion(self) -> Trained | None:
        """The model in use, None before the first promotion and where it is one of a version whose features were others."""
        model_id = self.champion_id()
        try:
            return None if model_id is None else self.load(model_id)
        except storage.OutdatedModel:
            return None

    def promote(self, model_id: str) -> None:
        """Make a kept model the champion; it must load."""
        self.load(model_id)
        self._change(lambda history: history if history[-1:] == [model_id] else [*history, model_id])

    def roll_back(self) -> str:
        """Return to the champion before the present one.

        Returns:
            Identifier of the model now in use.

        Raises:
            UsageError: there is no earlier champion.
        """

        def back(history: list[str]) -> list[str]:
            if len(history) < 2:
                raise UsageError("There is no earlier champion to roll back to.")
            self.load(history[-2])
            return history[:-1]

        return self._change(back)[-1]

    def metrics(self, model_id: str) -> list[dict[str, JsonValue]]:
        """Rows of the metrics table kept with a model, [] when there are none."""
        known = self.objects.read(self._version(model_id) + _METRICS)
        return list(json.loads(known.data)["metrics"]) if known else []

    def place(self, model_id: str) -> str:
        """Where a kept model lies, for people."""
        return self.objects.place(self._version(model_id))

    def _change(self, work: Callable[[list[str]], list[str]]) -> list[str]:
        """Two promotions at once both stay in the history."""

        def made(known: bytes | None) -> bytes:
            history = work(self._history(known))
            return storage.card_bytes({"champion": history[-1], "history": history})

        return self._history(change(self.objects, _POINTER, made))

    def _history(self, pointer: bytes | None) -> list[str]:
        if pointer is None:
            return []
        try:
            history = json.loads(pointer)["history"]
            return [str(model_id) for model_id in history]
        except (ValueError, KeyError, TypeError) as error:
            place = self.objects.place(_POINTER)
            raise BadInput(f"{place} cannot be read ({error}): delete it and promote a model of versions/ anew.") from error

    def _version(self, model_id: str) -> str:
        if not _is_id(model_id):
            raise UsageError(f"{model_id!r} is not the identifier of a model (16 hexadecimal digits).")
        return f"{_VERSIONS}/{model_id}/"


def _is_id(name: str) -> bool:
    return len(name) == 16 and set(name) <= _ID_CHARACTERS
