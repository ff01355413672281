"""Items and votes as files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mass_pipeline.annotation.exchange import (
    import_vote_lines,
    import_votes,
    read_items,
    vote_lines,
)
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.annotation.voting import undo
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import START, answer, item, row_of


def candidate(number: int) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(CANDIDATE_HOURS.names, "x")
    return row | {"candidate_id": f"c{number:04d}", "raw": "9.30", "list_index": number, "page_score": 0.5, "heading": None}


def filled(store: Store) -> Store:
    store.add_items([item(n) for n in range(3)], now=START)
    for voter in "abc":
        answer(store, voter, "c0000", "yes")
        answer(store, voter, "c0001", "unknown" if voter == "c" else "no")
    with store.engine.begin() as connection:
        undo(connection, "c", now=START, config=store.config)
    return store


class TestReadItems:
    def test_a_lake_folder_with_partitions_is_read(self, tmp_path: Path) -> None:
        for number in (1, 2):
            folder = tmp_path / "candidate_hours" / f"diocese=d{number}"
            folder.mkdir(parents=True)
            pq.write_table(pa.Table.from_pylist([candidate(number)], schema=CANDIDATE_HOURS.schema), folder / "part-0.parquet")
        items = list(read_items(tmp_path / "candidate_hours"))

        assert sorted(made.candidate_id for made in items) == ["c0001", "c0002"]
        assert {""} == {made.heading for made in items}

    def test_json_lines_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "items.jsonl"
        path.write_text("\n".join(json.dumps(candidate(n)) for n in range(3)) + "\n\n")

        assert len(list(read_items(path))) == 3

    @pytest.mark.parametrize("text", ["{", "[1]", '{"candidate_id": "a"}'])
    def test_a_broken_line_is_named(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "items.jsonl"
        path.write_text(json.dumps(candidate(1)) + "\n" + text)

        with pytest.raises(BadInput, match=r"items\.jsonl:2|item"):
            list(read_items(path))

    def test_a_file_that_is_no_parquet_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "items.parquet"
        path.write_bytes(b"PAR1 not really")

        with pytest.raises(BadInput, match="Parquet"):
            list(read_items(path))


class TestVoteLines:
    def test_every_vote_survives_the_way_out_and_back(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "votes.jsonl"
        path.write_text("\n".join(vote_lines(filled(store))))
        other = open_store(f"sqlite:///{tmp_path / 'other.db'}")
        other.add_items([item(n) for n in range(3)], now=START)
        taken = import_vote_lines(other, path)

        assert taken == 6
        assert list(vote_lines(other)) == list(vote_lines(store))
        assert row_of(other, "c0000").state == "settled"
        assert list(other.labels()["label"]) == list(store.labels()["label"])
        other.close()

    def test_taking_the_same_votes_twice_changes_nothing(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "votes.jsonl"
        before = list(vote_lines(filled(store)))
        path.write_text("\n".join(before))
        import_vote_lines(store, path)

        assert list(vote_lines(store)) == before

    def test_the_newer_of_two_votes_wins(self, store: Store) -> None:
        filled(store)
        old = {"candidate_id": "c0000", "voter_id": "a", "answer": "no", "voted_at": "2020-01-01T00:00:00+00:00"}
        import_votes(store, [old])
        assert "no" not in set(store.votes().query("candidate_id == 'c0000'")["answer"])
        import_votes(store, [old | {"voted_at": "2030-01-01T00:00:00+00:00"}])
        assert "no" in set(store.votes().query("candidate_id == 'c0000'")["answer"])

    @pytest.mark.parametrize(
        "row",
        [{"candidate_id": "c0000", "voter_id": "a"}, {"candidate_id": "c0000", "voter_id": "a", "answer": "maybe"},
         {"candidate_id": "gone", "voter_id": "a", "answer": "yes"},
         {"candidate_id": "c0000", "voter_id": "a", "answer": "yes", "voted_at": "tomorrow"}],
    )  # fmt: skip
    def test_what_is_no_vote_is_refused_and_nothing_stored(self, store: Store, row: dict[str, str]) -> None:
        store.add_items([item(0)], now=START)
        with pytest.raises(BadInput):
            import_votes(store, [row])

        assert store.votes().empty
