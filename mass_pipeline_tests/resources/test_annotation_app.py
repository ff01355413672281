"""Votes of people reach the pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.exchange import import_votes
from mass_pipeline.annotation.items import item_from_row
from mass_pipeline.annotation.store import open_store
from mass_pipeline.resources.annotations import AppAnnotations, CandidateInContext, FileAnnotations, SeveralStores
from mass_pipeline.resources.clients import open_annotations
from mass_pipeline.resources.settings import load_settings

CANDIDATES = [CandidateInContext(name, "https://p.example/", "08:00", "") for name in ("a", "b", "c")]


@pytest.fixture
def app(tmp_path: Path) -> AppAnnotations:
    return AppAnnotations.of(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}))


class TestAppAnnotations:
    def test_without_a_database_there_are_no_labels_and_none_is_made(self, app: AppAnnotations, tmp_path: Path) -> None:
        assert (app.count(), app.labels(CANDIDATES)) == (0, [])
        assert list(tmp_path.iterdir()) == []

    def test_published_labels_come_out_and_grow_the_count(self, app: AppAnnotations, tmp_path: Path) -> None:
        from datetime import UTC, datetime

        store = open_store(AnnotationConfig().database_url(tmp_path))
        store.add_items([item_from_row({"candidate_id": n, "raw": "8.00"}) for n in "abz"], now=datetime(2026, 3, 1, tzinfo=UTC))
        import_votes(store, [{"candidate_id": n, "voter_id": v, "answer": "yes"} for n in "az" for v in "xyz"])
        import_votes(store, [{"candidate_id": "b", "voter_id": "x", "answer": "no"}])
        store.close()
        labels = app.labels(CANDIDATES)

        assert [(label.candidate_id, label.label, label.n_votes) for label in labels] == [("a", "mass", 3)]
        assert 0.97 <= labels[0].weight <= 1.0
        assert app.count() == 2

    def test_agreement_is_that_of_the_counted_votes(self, app: AppAnnotations, tmp_path: Path) -> None:
        """Two of two items agreed upon and one shared: alpha of the votes yes yes, no no, yes no is 1 - 5 * 2 / 18."""
        from datetime import UTC, datetime

        assert app.agreement() is None
        store = open_store(AnnotationConfig().database_url(tmp_path))
        store.add_items([item_from_row({"candidate_id": n, "raw": "8.00"}) for n in "abc"], now=datetime(2026, 3, 1, tzinfo=UTC))
        answers = {"a": ("yes", "yes"), "b": ("no", "no"), "c": ("yes", "no")}
        for name, given in answers.items():
            import_votes(store, [{"candidate_id": name, "voter_id": v, "answer": w} for v, w in zip("xy", given, strict=True)])
            import_votes(store, [{"candidate_id": name, "voter_id": "hostile", "answer": "cancelled"}])
        store.set_standing("hostile", "banned", by="anna", now=datetime(2026, 3, 1, tzinfo=UTC))
        store.close()

        assert app.agreement() == pytest.approx(1 - 5 * 2 / 18)
        assert SeveralStores((app, FileAnnotations(tmp_path / "none.jsonl"))).agreement() == app.agreement()

    def test_the_pipeline_of_both_profiles_asks_the_app(self, tmp_path: Path) -> None:
        for profile in ({}, {"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": "me@example.org"}):
            stores = open_annotations(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), **profile}))

            assert any(isinstance(store, AppAnnotations) for store in stores.stores)  # type: ignore[attr-defined]
