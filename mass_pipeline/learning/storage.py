"""Model files: a skops archive of plain arrays with a fixed list of types, and beside it the card with its hash.

Never pickle. Every type in an archive is looked up in the list before anything is built from it, and the archive's hash
must be the one in the card. Equal models give equal bytes. Source: hazards M1, M2, M4.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mass_pipeline.learning.calibration import Calibration
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.network import Network
from mass_pipeline.learning.rows import RowModel
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.storage.opening import Place, open_objects

MODEL_FILE: Final = "model.skops"
CARD_FILE: Final = "card.json"
FORMAT: Final = 3  # the features of 2 and 1 were hashed otherwise: their weights say nothing of these
# Everything a model file may hold. A file that names another type is refused before any object of it exists.
ALLOWED_TYPES: Final = frozenset(
    {"builtins.dict", "builtins.str", "builtins.list", "builtins.int", "builtins.float", "numpy.ndarray"}
)
_ALLOWED_LOADERS: Final = frozenset({"DictNode", "JsonNode", "NdArrayNode", "ListNode", "TupleNode", "TypeNode"})
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
# What reading a damaged archive, its schema or its arrays may raise before anything of it is used.
_DAMAGE: Final = (
    ArithmeticError, AttributeError, EOFError, ImportError, LookupError, MemoryError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
_MAXIMUM_BYTES: Final = 256 * 1024 * 1024
_ARRAYS: Final = (
    "columns",
    "first",
    "first_bias",
    "second",
    "second_bias",
    "mass_raw",
    "mass_calibrated",
    "standing_raw",
    "standing_calibrated",
    "thresholds",
)
_ROW_ARRAYS: Final = ("weights", "precisions", "columns", "word_weights", "word_precisions")


class OutdatedModel(BadInput):
    """The model was trained by a version whose features were others."""


def model_bytes(model: Trained) -> bytes:
    """The model as a skops archive: the same bytes for the same model, in every process."""
    arrays = {
        "columns": model.columns.astype(np.int32),
        "first": model.network.first,
        "first_bias": model.network.first_bias,
        "second": model.network.second,
        "second_bias": model.network.second_bias,
        "mass_raw": model.mass_calibration.raw,
        "mass_calibrated": model.mass_calibration.calibrated,
        "standing_raw": model.standing_calibration.raw,
        "standing_calibrated": model.standing_calibration.calibrated,
        "thresholds": np.array([model.threshold, model.mass_threshold]),
    }
    rows = {name: getattr(model.rows, name).astype(np.int32 if name == "columns" else np.float32) for name in _ROW_ARRAYS}
    methods = {"mass": model.mass_calibration.method, "standing": model.standing_calibration.method}
    import skops.io  # brings all of scikit-learn: whatever touches no model file does without

    content = {"format": FORMAT, "arrays": arrays, "methods": methods, "rows": rows, "row_names": list(model.rows.names)}
    return _normalised(skops.io.dumps(content))


def model_from_bytes(data: bytes, card: Mapping[str, Any]) -> Trained:
    """Read a model back.

    Raises:
        BadInput: no skops archive, a foreign type, an unknown format, or arrays that do not fit together.
    """
    import skops.io  # see model_bytes

    foreign = sorted(_types(data) - ALLOWED_TYPES)
    if foreign:
        raise BadInput(f"The model file holds types that no model of ours holds ({', '.join(foreign)}): it was not loaded.")
    try:
        content = skops.io.loads(data, trusted=[])
        if content["format"] != FORMAT:
            raise OutdatedModel(f"The model file has format {content['format']}, this version reads {FORMAT}: train it anew.")
        a = {name: np.asarray(content["arrays"][name]) for name in _ARRAYS}
        methods = content["methods"]
        network = Network(a["first"], a["first_bias"], a["second"], a["second_bias"])
        if (
            network.first.shape != (len(a["columns"]), len(network.first_bias))
            or len(network.second_bias) != network.second.shape[1]
        ):
            raise BadInput("The arrays of the model file do not fit together: train the model anew.")
        return Trained(
            a["columns"].astype(np.int64),
            network,
            Calibration(a["mass_raw"], a["mass_calibrated"], str(methods["mass"])),
            Calibration(a["standing_raw"], a["standing_calibrated"], str(methods["standing"])),
            float(a["thresholds"][0]),
            float(a["thresholds"][1]),
            dict(card),
            _rows_of(content),
        )
    except _DAMAGE as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise BadInput(f"The model file is damaged ({reason}): roll back to an earlier one, or train the model anew.") from error


def _rows_of(content: Mapping[str, Any]) -> RowModel:
    """The model of rows of a file; ValueError where its arrays do not fit together."""
    arrays = {name: np.asarray(content["rows"][name]) for name in _ROW_ARRAYS}
    names = tuple(str(name) for name in content["row_names"])
    weights, precisions, words, word_precisions = (arrays[name].astype(np.float64) for name in _ROW_ARRAYS if name != "columns")
    columns = arrays["columns"].astype(np.int64)
    if not len(names) == len(weights) == len(precisions) or not len(columns) == len(words) == len(word_precisions):
        raise ValueError("the arrays of the model of rows do not fit together")
    return RowModel(names, weights, precisions, columns, words, word_precisions)


def seal(model: Trained) -> tuple[Trained, bytes]:
    """The model with its identifier and hash in its card, and the bytes they belong to."""
    data = model_bytes(model)
    digest = hashlib.sha256(data).hexdigest()
    return replace(model, card={**model.card, "model_id": digest[:16], "sha256": digest, "format": FORMAT}), data


def save(model: Trained, place: Place, folder: str = "") -> Trained:
    """Write `model.skops` and `card.json`, each as a whole; the card, which seals the model, comes last.

    Args:
        folder: inside the place, with a slash at its end; the place itself when empty.

    Returns:
        The model with `model_id` and `sha256` in its card.
    """
    objects = open_objects(place)
    sealed, data = seal(model)
    objects.put(folder + MODEL_FILE, data)
    objects.put(folder + CARD_FILE, card_bytes(sealed.card))
    return sealed


def load(place: Place, folder: str = "") -> Trained:
    """Read a model that `save` wrote.

    Raises:
        BadInput: a file is missing or damaged, its hash is not the card's, or it holds a foreign type.
    """
    objects = open_objects(place)
    where = objects.place(folder)
    try:
        files = [objects.read(folder + name) for name in (CARD_FILE, MODEL_FILE)]
        card = json.loads(files[0].data if files[0] else b"")
    except (StorageError, ValueError) as error:
        raise BadInput(f"No readable model in {where} ({error}): train one, or roll back to an earlier one.") from error
    data = files[1].data if files[1] else b""
    if len(data) > _MAXIMUM_BYTES:
        raise BadInput(f"{MODEL_FILE} in {where} is larger than a model can be: it was not loaded.")
    if not isinstance(card, dict) or hashlib.sha256(data).hexdigest() != card.get("sha256"):
        raise BadInput(f"The model in {where} is not the one its card describes (hash differs): roll back or train anew.")
    return model_from_bytes(data, card)


def card_bytes(card: Mapping[str, Any]) -> bytes:
    """A card as JSON with sorted keys."""
    return (json.dumps(card, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")


def _types(data: bytes) -> set[str]:
    """Every type an archive names, read from its schema without building anything."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(info.file_size > _MAXIMUM_BYTES for info in archive.infolist()):
                raise BadInput("The model file unpacks to more than a model can hold: it was not loaded.")
            schema = json.loads(archive.read("schema.json"))
        return set(_walk_types(schema))
    except _DAMAGE as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise BadInput(f"The model file is no skops archive ({reason}): it was not loaded.") from error


def _walk_types(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "__class__" in node or "__module__" in node:
            yield f"{node.get('__module__')}.{node.get('__class__')}"
        if node.get("__loader__", "DictNode") not in _ALLOWED_LOADERS:
            yield f"a node read by {node['__loader__']}"
        for value in node.values():
            yield from _walk_types(value)
    elif isinstance(node, list):
        for value in node:
            yield from _walk_types(value)


def _normalised(data: bytes) -> bytes:
    """Replace memory addresses (skops names nodes by them) by ordinals and write times by a fixed one."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        schema = archive.read("schema.json").decode("utf-8")
        members = {name: archive.read(name) for name in archive.namelist() if name != "schema.json"}
    addresses = dict.fromkeys(re.findall(r'"__id__": (\d+)|"(\d+)\.npy"', schema))
    ordinal = {address: str(number) for number, address in enumerate(dict.fromkeys(a or b for a, b in addresses))}
    schema = re.sub(r'("__id__": )(\d+)', lambda m: m[1] + ordinal[m[2]], schema)
    schema = re.sub(r'"(\d+)\.npy"', lambda m: f'"{ordinal[m[1]]}.npy"', schema)
    renamed = {f"{ordinal[name.removesuffix('.npy')]}.npy": content for name, content in members.items()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(renamed, key=lambda n: int(n.partition(".")[0])):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), renamed[name], zipfile.ZIP_DEFLATED, 9)
        archive.writestr(zipfile.ZipInfo("schema.json", _EPOCH), schema, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()
