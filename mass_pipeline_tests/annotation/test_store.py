"""The store as the pipeline sees it, on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.schema import metadata
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline_tests.annotation.support import START, answer, ask, item, row_of


class TestLoading:
    def test_a_rebuild_keeps_votes_and_takes_new_texts_and_priorities(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
        new = store.add_items([item(1, heading="Nowy porządek Mszy", probability=0.6), item(2)], now=START)
        row = row_of(store, "c0001")

        assert new == 1
        assert (row.state, row.label, row.n_votes, row.heading) == ("settled", "mass", 3, "Nowy porządek Mszy")
        assert row.priority == pytest.approx(0.2)

    def test_thousands_of_items_load_in_order(self, store: Store) -> None:
        assert store.add_items((item(n) for n in range(1203)), now=START) == 1203
        assert store.progress().n_items == 1203

    def test_the_classifier_can_change_what_is_asked_first(self, store: Store) -> None:
        """Active learning: the next items to label go to the queue."""
        store.add_items([item(1), item(2), item(3)], now=START)

        assert store.ask_first(["c0003", "c0001", "gone"]) == 2
        asked = ask(store, "a")
        assert asked is not None
        assert asked.candidate_id == "c0003"

    def test_a_probability_is_a_share(self, store: Store) -> None:
        with pytest.raises(BadInput, match="c0001"):
            store.add_items([item(1, probability=1.5)], now=START)


class TestLabels:
    def test_only_published_and_decided_labels_are_given_out(self, store: Store) -> None:
        store.add_items([item(n) for n in range(4)], now=START)
        for voter in "abc":
            answer(store, voter, "c0000", "yes")
        answer(store, "a", "c0001", "no")
        store.decide("c0002", "cancelled", operator="anna", now=START)
        labels = store.labels()

        assert list(labels[["candidate_id", "parish_id", "label", "status"]].itertuples(index=False, name=None)) == [
            ("c0000", "p0", "mass", "published"),
            ("c0002", "p2", "cancelled", "decided"),
        ]
        assert list(store.all_labels().set_index("candidate_id").loc[["c0001"], "status"]) == ["withheld"]

    def test_an_empty_store_gives_an_empty_table(self, store: Store) -> None:
        labels = store.labels()

        assert labels.empty
        assert {"candidate_id", "parish_id", "label", "n_votes", "weight", "agreement"} <= set(labels.columns)

    def test_the_operators_word_can_be_changed_by_the_operator_alone(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        store.decide("c0001", "mass", operator="anna", now=START)
        for voter in "abcd":
            answer(store, voter, "c0001", "no")

        assert list(store.labels()["label"]) == ["mass"]
        store.decide("c0001", "not_mass", operator="jan", now=START)
        assert list(store.labels()["label"]) == ["not_mass"]

    @pytest.mark.parametrize(("candidate", "label"), [("c9", "mass"), ("c0001", "maybe")])
    def test_an_impossible_decision_is_refused(self, store: Store, candidate: str, label: str) -> None:
        store.add_items([item(1)], now=START)
        with pytest.raises(BadInput):
            store.decide(candidate, label, operator="anna", now=START)


class TestCountNewSince:
    def test_it_counts_items_with_a_new_label_once_each(self, store: Store) -> None:
        store.add_items([item(n) for n in range(3)], now=START)
        start = store.count_new_since(None)
        for name in ("c0000", "c0001"):
            for voter in "abc":
                answer(store, voter, name, "yes")
        first = store.count_new_since(start.cursor)
        answer(store, "d", "c0000", "yes")  # says the same: no new label
        store.decide("c0001", "not_mass", operator="anna", now=START)
        second = store.count_new_since(first.cursor)

        assert (start.count, first.count, second.count) == (0, 2, 1)
        assert store.count_new_since(second.cursor).count == 0
        assert store.count_new_since(None).count == 2

    def test_a_foreign_cursor_is_refused(self, store: Store) -> None:
        with pytest.raises(BadInput, match="cursor"):
            store.count_new_since("x'; DROP TABLE votes")


class TestProgress:
    def test_settled_items_count_fully_and_open_ones_by_their_answers(self, store: Store) -> None:
        store.add_items([item(0), item(1), item(2, gold="yes")], now=START)
        for voter in "abc":
            answer(store, voter, "c0000", "yes")
        answer(store, "a", "c0001", "no")
        progress = store.progress()

        assert (progress.n_items, progress.n_open, progress.n_settled, progress.n_votes) == (2, 1, 1, 4)
        assert progress.share_done == pytest.approx(4 / 6)

    def test_an_unknown_campaign_has_nothing(self, store: Store) -> None:
        assert (store.progress("x").n_items, store.progress("x").share_done) == (0, 0.0)


class TestMigrations:
    def test_a_database_of_0_2_0_keeps_its_labels_and_gets_exactly_the_declared_tables(self, tmp_path: Path) -> None:
        """A table changed without a migration would fail on the operator's database only."""
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        file = tmp_path / "a.db"
        with closing(sqlite3.connect(file)) as released:
            released.executescript(Path(__file__).with_name("annotation_0_2_0.sql").read_text(encoding="utf-8"))
        store = open_store(f"sqlite:///{file}")
        with store.engine.connect() as connection:
            differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata)
        answer(store, "d", "c0001", "yes")
        store.add_items([item(3)], now=START)
        votes, labels = store.votes(), dict(store.labels()[["candidate_id", "label"]].itertuples(index=False, name=None))
        store.close()

        assert differences == []
        assert (len(votes), labels) == (7, {"c0001": "mass", "c0002": "mass", "row1": "yes"})

    def test_one_of_another_version_is_named_with_the_way_its_votes_come_over(self, database: str) -> None:
        store = open_store(database)
        with store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '0004'"))
        with pytest.raises(StorageError, match=r"'0004'.*annotate export"):
            open_store(database)
        with store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '0005'"))
        store.close()

    def test_opening_twice_changes_nothing(self, database: str) -> None:
        first = open_store(database)
        first.add_items([item(1)], now=START)
        first.close()
        second = open_store(database)

        assert second.progress().n_items == 1
        second.close()


class TestOpening:
    @pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "postgresql://nobody@127.0.0.1:1/none"])
    def test_a_database_that_cannot_be_is_one_clear_error(self, url: str) -> None:
        with pytest.raises(StorageError, match=r"database|supported"):
            open_store(url)
