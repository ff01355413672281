"""Every promise of a store of objects holds in a folder and in object storage."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mass_pipeline.model.errors import StorageError
from mass_pipeline.storage.opening import open_objects
from mass_pipeline.storage.ports import ObjectStore, Overtaken, change

NAME = "models/champion.json"


@pytest.fixture(params=["folder", "object storage"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return tmp_path / "data" if request.param == "folder" else str(request.getfixturevalue("cloud"))


@pytest.fixture
def store(place: Path | str) -> ObjectStore:
    return open_objects(place)


def together(*works: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class TestObjects:
    def test_what_was_put_is_read(self, store: ObjectStore) -> None:
        store.put(NAME, b"one")
        store.put(NAME, b"two")

        known = store.read(NAME)
        assert known is not None
        assert known.data == b"two"

    def test_nothing_there_is_told_apart_from_nothing_in_it(self, store: ObjectStore) -> None:
        store.put("empty", b"")

        assert store.read(NAME) is None
        assert (known := store.read("empty")) is not None
        assert known.data == b""

    def test_the_present_content_is_replaced_with_its_stamp_alone(self, store: ObjectStore) -> None:
        store.replace(NAME, b"one", None)
        first = store.read(NAME)
        assert first is not None
        store.replace(NAME, b"two", first.stamp)

        with pytest.raises(Overtaken):
            store.replace(NAME, b"of one who was cut off", first.stamp)
        with pytest.raises(Overtaken):
            store.replace(NAME, b"of one who saw nothing", None)
        assert store.read(NAME).data == b"two"  # type: ignore[union-attr]

    def test_names_are_those_below_a_folder(self, store: ObjectStore) -> None:
        for name in ("models/b/card.json", "models/a/card.json", "modelsx/c", "other"):
            store.put(name, b"1")

        assert store.names("models") == ["models/a/card.json", "models/b/card.json"]
        assert store.names("nowhere") == []

    def test_of_several_who_make_one_object_one_succeeds(self, store: ObjectStore) -> None:
        made, refused = [], []

        def work(number: int) -> None:
            try:
                store.replace(NAME, f"{number}".encode(), None)
                made.append(number)
            except Overtaken:
                refused.append(number)

        together(*(lambda n=n: work(n) for n in range(4)))  # type: ignore[misc]

        assert len(made) == 1
        assert len(refused) == 3
        assert store.read(NAME).data == f"{made[0]}".encode()  # type: ignore[union-attr]

    def test_changes_at_the_same_time_all_count(self, store: ObjectStore) -> None:
        together(*(lambda n=n: change(store, NAME, lambda known: (known or b"") + b"%d" % n) for n in range(4)))  # type: ignore[misc]

        assert sorted(store.read(NAME).data) == sorted(b"0123")  # type: ignore[union-attr]

    def test_lines_added_at_the_same_time_all_stand_there(self, store: ObjectStore) -> None:
        together(*(lambda n=n: store.append("state/log.jsonl", b"line %d\n" % n) for n in range(4)))  # type: ignore[misc]

        assert sorted(store.read("state/log.jsonl").data.splitlines()) == [b"line %d" % n for n in range(4)]  # type: ignore[union-attr]

    def test_a_line_without_its_end_goes_with_the_next(self, store: ObjectStore) -> None:
        store.put("state/log.jsonl", b"whole\nhal")
        store.append("state/log.jsonl", b"next\n")

        assert store.read("state/log.jsonl").data == b"whole\nnext\n"  # type: ignore[union-attr]

    def test_a_writer_that_is_killed_leaves_old_or_new(self, store: ObjectStore, place: Path | str) -> None:
        contents = [b"a" * 200_000, b"b" * 200_000]
        store.put(NAME, contents[0])
        code = (
            "import sys; from pathlib import Path; from mass_pipeline.storage.opening import open_objects\n"
            "kind, place, name = sys.argv[1:]; store = open_objects(Path(place) if kind == 'folder' else place)\n"
            "print('ready', flush=True)\n"
            "while True:\n    for one in (b'a', b'b'): store.put(name, one * 200_000)\n"
        )
        command = [sys.executable, "-c", code, "folder" if isinstance(place, Path) else "cloud", str(place), NAME]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            for _ in range(20):
                assert store.read(NAME).data in contents  # type: ignore[union-attr]
            writer.kill()

        assert store.read(NAME).data in contents  # type: ignore[union-attr]


class TestStoreThatRefuses:
    def test_a_folder_without_rights_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "models").write_text("a file where the folder should be")

        with pytest.raises(StorageError, match="Check the folder and its rights"):
            open_objects(tmp_path).put(NAME, b"1")

    def test_a_bucket_that_is_not_there_is_named(self, cloud: str) -> None:
        with pytest.raises(StorageError, match=r"Cannot write s3://nobodys/place.*Check the storage"):
            open_objects("s3://nobodys/place").put(NAME, b"1")
