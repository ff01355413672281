"""Model files: exact, small, and refused when they hold anything but a model (hazards M1, M2)."""

from __future__ import annotations

import io
import json
import pickle
import random
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.storage import CARD_FILE, FORMAT, MODEL_FILE, OutdatedModel, load, model_bytes, model_from_bytes, save
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.learning.corpus import Corpus


def dumps(content: object) -> bytes:
    """A skops archive; imported here because it brings all of scikit-learn into every process of the tests."""
    import skops.io

    archive: bytes = skops.io.dumps(content)
    return archive


class Bomb:
    """Something that runs code when it is built from a pickle."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Path("owned").touch, ())


@pytest.fixture
def folder(model: Trained, tmp_path: Path) -> Path:
    """A saved model."""
    save(model, tmp_path / "model")
    return tmp_path / "model"


class TestRoundTrip:
    def test_a_loaded_model_predicts_the_same_bits(self, folder: Path, model: Trained, corpus: Corpus) -> None:
        assert np.array_equal(load(folder).predict_proba(corpus.candidates), model.predict_proba(corpus.candidates))

    def test_saving_twice_gives_the_same_bytes(self, folder: Path, model: Trained, tmp_path: Path) -> None:
        save(load(folder), tmp_path / "again")

        assert (folder / MODEL_FILE).read_bytes() == (tmp_path / "again" / MODEL_FILE).read_bytes()
        assert (folder / CARD_FILE).read_bytes() == (tmp_path / "again" / CARD_FILE).read_bytes()

    def test_the_card_names_the_model(self, folder: Path) -> None:
        card = json.loads((folder / CARD_FILE).read_text())

        assert card["model_id"] == card["sha256"][:16]
        assert card["rows"]["train"]["standing"] > 0

    def test_plain_skops_can_read_it_without_trusting_anything(self, folder: Path) -> None:
        """Other tools may open our models; nothing in them needs trust."""
        import skops.io

        assert skops.io.get_untrusted_types(file=folder / MODEL_FILE) == []


class TestRefusal:
    def test_a_pickle_renamed_to_skops(self, model: Trained) -> None:
        with pytest.raises(BadInput, match="no skops archive"):
            model_from_bytes(pickle.dumps(Bomb()), model.card)

        assert not Path("owned").exists()

    def test_a_file_with_one_foreign_type(self, model: Trained) -> None:
        with pytest.raises(BadInput, match="datetime"):
            model_from_bytes(dumps({"format": 1, "extra": __import__("datetime").timedelta(1)}), model.card)

    def test_a_file_damaged_anywhere_is_one_clear_error(self, model: Trained) -> None:
        """F19: raw errors of the archive, the schema and the arrays came through. Each damage is sealed by a matching hash."""
        data = model_bytes(model)
        chance = random.Random(0)
        for _ in range(300):
            damaged = bytearray(data[: chance.randrange(1, len(data))] if chance.random() < 0.3 else data)
            for _ in range(chance.randrange(1, 6)):
                damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            with suppress(BadInput):  # a bit that nothing depends on may do no harm
                model_from_bytes(bytes(damaged), model.card)

    @pytest.mark.parametrize(
        "schema", [b"[" * 50_000 + b"]" * 50_000, b"7", b'{"__loader__": []}', b"\xff", b'{"content": 1e999}']
    )
    def test_a_schema_that_is_none_is_one_clear_error(self, model: Trained, schema: bytes) -> None:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("schema.json", schema)

        with pytest.raises(BadInput):
            model_from_bytes(archive.getvalue(), model.card)

    def test_a_node_that_would_call_a_function(self, model: Trained) -> None:
        """The type list alone is not enough: a node may claim a harmless type and name another loader."""
        data = _edited(model_bytes(model), lambda schema: {**schema, "__loader__": "FunctionNode"})

        with pytest.raises(BadInput, match="FunctionNode"):
            model_from_bytes(data, model.card)

    def test_the_right_file_with_the_wrong_hash(self, folder: Path) -> None:
        with (folder / MODEL_FILE).open("ab") as stream:
            stream.write(b"\0")

        with pytest.raises(BadInput, match="hash differs"):
            load(folder)

    def test_a_file_of_another_format(self, model: Trained) -> None:
        """Its features were others, and its weights say nothing of these."""
        with pytest.raises(OutdatedModel, match="format 2"):
            model_from_bytes(dumps({"format": 2}), model.card)

    def test_a_file_without_weights(self, model: Trained) -> None:
        with pytest.raises(BadInput, match="arrays"):
            model_from_bytes(dumps({"format": FORMAT}), model.card)

    def test_a_folder_without_a_model(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="train one"):
            load(tmp_path)

    def test_a_damaged_card(self, folder: Path) -> None:
        (folder / CARD_FILE).write_text("{")

        with pytest.raises(BadInput, match="No readable model"):
            load(folder)


def _edited(data: bytes, edit: object) -> bytes:
    source, target = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            content = source.read(name)
            archive.writestr(name, json.dumps(edit(json.loads(content))) if name == "schema.json" else content)  # type: ignore[operator]
    return target.getvalue()
