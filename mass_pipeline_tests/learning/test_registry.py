"""Models over time: kept, promoted when not worse, rolled back by one call (hazard M4)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mass_pipeline.learning import storage
from mass_pipeline.learning.annotated_set import AnnotatedSet
from mass_pipeline.learning.bundled import bundled_model, load_model
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.promotion import PublishedRows, canary_share, freeze_test, judge, refuse_poisoned
from mass_pipeline.learning.registry import Registry
from mass_pipeline.learning.storage import MODEL_FILE, model_bytes
from mass_pipeline.learning.training import TrainingRefused, train, training_digest
from mass_pipeline.model.errors import BadInput, UsageError
from mass_pipeline_tests.learning.corpus import Corpus


@pytest.fixture(scope="module")
def bad_model(rows: pd.DataFrame, config: LearningConfig) -> Trained:
    """Trained on labels turned upside down."""
    upside_down = rows.assign(label=np.where(rows["label"] == "mass", "not_mass", "mass"), dated=False)
    return train(upside_down, seed=1, config=config)


class TestRollBack:
    def test_the_former_champion_answers_with_the_same_bits_again(
        self, model: Trained, bad_model: Trained, corpus: Corpus, tmp_path: Path
    ) -> None:
        registry = Registry.of(tmp_path)
        good, bad = registry.add(model), registry.add(bad_model)
        registry.promote(good.model_id)
        before = load_model(tmp_path)
        registry.promote(bad.model_id)
        assert load_model(tmp_path).model_id == bad.model_id

        assert registry.roll_back() == good.model_id

        after = load_model(tmp_path)
        assert after.model_id == good.model_id
        assert np.array_equal(after.predict_proba(corpus.candidates), before.predict_proba(corpus.candidates))

    def test_two_trainings_at_once_both_stand_in_the_history(self, model: Trained, bad_model: Trained, tmp_path: Path) -> None:
        kept = [Registry.of(tmp_path).add(one).model_id for one in (model, bad_model)]
        with ThreadPoolExecutor(2) as machines:
            list(machines.map(lambda one: Registry.of(tmp_path).promote(one), kept))

        assert sorted(Registry.of(tmp_path).history()) == sorted(kept)

    def test_there_must_be_something_to_go_back_to(self, model: Trained, tmp_path: Path) -> None:
        registry = Registry.of(tmp_path)
        registry.promote(registry.add(model).model_id)

        with pytest.raises(UsageError, match="no earlier champion"):
            registry.roll_back()

    def test_a_model_that_cannot_be_loaded_is_not_promoted(self, model: Trained, bad_model: Trained, tmp_path: Path) -> None:
        registry = Registry.of(tmp_path)
        registry.promote(registry.add(model).model_id)
        broken = registry.add(bad_model).model_id
        (tmp_path / "models" / "versions" / broken / MODEL_FILE).write_bytes(b"")

        with pytest.raises(BadInput, match="hash differs"):
            registry.promote(broken)

        assert registry.champion_id() == model.model_id or registry.champion().model_id != broken


class TestKeeping:
    def test_the_same_model_is_kept_once(self, model: Trained, tmp_path: Path) -> None:
        registry = Registry.of(tmp_path)
        registry.add(model, [{"question": "mass", "f1": 0.9}], {"curve": b"png"})
        kept = registry.add(model, [{"question": "mass", "f1": 0.9}])

        assert registry.versions() == [kept.model_id]
        assert registry.metrics(kept.model_id) == [{"question": "mass", "f1": 0.9}]
        assert (tmp_path / "models" / "versions" / kept.model_id / "curve.png").read_bytes() == b"png"

    def test_promoting_twice_is_one_promotion(self, model: Trained, tmp_path: Path) -> None:
        registry = Registry.of(tmp_path)
        kept = registry.add(model).model_id
        registry.promote(kept)
        registry.promote(kept)

        assert registry.history() == [kept]

    @pytest.mark.parametrize("model_id", ["../../etc", "0123456789abcdeg", ""])
    def test_only_identifiers_name_models(self, model_id: str, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            Registry.of(tmp_path).load(model_id)

    def test_an_empty_registry_has_no_champion(self, tmp_path: Path) -> None:
        assert Registry.of(tmp_path).champion() is None
        assert Registry.of(tmp_path).versions() == []

    def test_a_champion_whose_features_were_others_gives_way_to_the_shipped_model(
        self, model: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as before:
            before.setattr(storage, "FORMAT", storage.FORMAT - 1)
            registry = Registry.of(tmp_path)
            registry.promote(registry.add(model).model_id)

        shipped, used = bundled_model(), load_model(tmp_path)
        assert shipped is not None
        assert used is not None
        assert used.model_id == shipped.model_id

    def test_a_damaged_pointer_is_told_not_guessed(self, tmp_path: Path) -> None:
        (tmp_path / "models").mkdir()
        (tmp_path / "models" / "champion.json").write_text("[]")

        with pytest.raises(BadInput, match=r"champion\.json"):
            load_model(tmp_path)


@pytest.mark.row("P17")
class TestNetworksThatAreKept:
    def test_what_nothing_changed_for_is_not_trained_again(
        self, rows: pd.DataFrame, model: Trained, config: LearningConfig, tmp_path: Path
    ) -> None:
        registry = Registry.of(tmp_path)
        digest = training_digest(rows, 7, config, "code 1")
        registry.add(replace(model, card={**model.card, "trained_on_digest": digest, "row_model": {"answers": 3}}))

        kept = registry.trained_on(training_digest(rows.sample(frac=1, random_state=3), 7, config, "code 1"))

        assert kept is not None
        assert model_bytes(kept) == model_bytes(model)
        assert "row_model" not in kept.card

    def test_another_row_seed_setting_or_code_is_another_training(self, rows: pd.DataFrame, config: LearningConfig) -> None:
        turned = rows.assign(label=["cancelled", *rows["label"][1:]])
        digests = {
            training_digest(rows, 7, config), training_digest(turned, 7, config), training_digest(rows, 8, config),
            training_digest(rows, 7, replace(config, epochs=3)), training_digest(rows, 7, config, "code 2"),
        }  # fmt: skip

        assert len(digests) == 5

    def test_a_damaged_one_is_trained_again(self, rows: pd.DataFrame, model: Trained, tmp_path: Path) -> None:
        registry = Registry.of(tmp_path)
        kept = registry.add(replace(model, card={**model.card, "trained_on_digest": "d" * 64}))
        (tmp_path / "models" / "versions" / kept.model_id / "model.skops").write_bytes(b"broken")

        assert registry.trained_on("d" * 64) is None


class TestPromotion:
    def test_a_first_good_model_is_promoted(self, model: Trained, rows: pd.DataFrame, config: LearningConfig) -> None:
        verdict = judge(model, None, rows[rows["split"] == "test"], replace(config, canary_share=0.8))

        assert verdict.promoted
        assert verdict.challenger_f1 > 0.9

    def test_a_bad_model_fails_on_the_canary_hours_even_without_a_champion(
        self, bad_model: Trained, rows: pd.DataFrame, config: LearningConfig
    ) -> None:
        verdict = judge(bad_model, None, rows[rows["split"] == "test"], config)

        assert not verdict.promoted
        assert "canary" in verdict.reason
        assert canary_share(bad_model) < 0.3

    def test_a_worse_model_does_not_replace_the_champion(
        self, model: Trained, bad_model: Trained, rows: pd.DataFrame, config: LearningConfig
    ) -> None:
        verdict = judge(bad_model, model, rows[rows["split"] == "test"], replace(config, canary_share=0.0))

        assert not verdict.promoted
        assert verdict.challenger_f1 < verdict.champion_f1

    def test_an_equal_model_may(self, model: Trained, rows: pd.DataFrame, config: LearningConfig) -> None:
        assert judge(model, model, rows[rows["split"] == "test"], replace(config, canary_share=0.8)).promoted


class TestFrozenTestPart:
    def test_later_labels_do_not_change_it(self, rows: pd.DataFrame, tmp_path: Path) -> None:
        first = freeze_test(rows, tmp_path, "models/test-1.parquet")

        later = freeze_test(rows.assign(label="cancelled"), tmp_path, "models/test-1.parquet")

        assert list(first["candidate_id"]) == list(later["candidate_id"])
        assert list(first["label"]) == list(later["label"])

    def test_another_version_is_another_file(self, rows: pd.DataFrame, tmp_path: Path) -> None:
        first = freeze_test(rows, tmp_path, "test-1.parquet")
        second = freeze_test(rows.assign(label="cancelled"), tmp_path, "test-2.parquet")

        assert list(first["label"]) != list(second["label"])

    def test_a_model_measures_the_same_on_it_before_and_after_the_disk(
        self, rows: pd.DataFrame, model: Trained, config: LearningConfig, tmp_path: Path
    ) -> None:
        fresh = freeze_test(rows, tmp_path, "test.parquet")
        stored = freeze_test(rows, tmp_path, "test.parquet")

        assert judge(model, None, fresh, config).challenger_f1 == judge(model, None, stored, config).challenger_f1


class TestPoisonedCrowd:
    def contradicting(self, share: float) -> AnnotatedSet:
        """A hundred hours judged by both, so many of them differently."""
        return AnnotatedSet(pd.DataFrame(), pd.DataFrame({"candidate_id": range(int(share * 100))}), judged_by_both=100)

    def test_a_crowd_against_the_rules_stops_training(self, config: LearningConfig) -> None:
        with pytest.raises(TrainingRefused, match="review the contradictions"):
            refuse_poisoned(self.contradicting(0.4), config)

    def test_single_contradictions_do_not(self, config: LearningConfig) -> None:
        refuse_poisoned(self.contradicting(0.1), config)


class TestPublishedRows:
    """A model takes the place of another only when what is published gets no worse."""

    @pytest.mark.parametrize(
        ("mine", "promoted"),
        [
            (PublishedRows(8, 1, 10), True),
            (PublishedRows(9, 1, 10), True),
            (PublishedRows(10, 2, 10), False),
            (PublishedRows(6, 1, 10), False),
        ],
        ids=["the same", "more right rows", "one more wrong", "fewer right rows"],
    )
    def test_decide_beside_the_network(
        self, model: Trained, rows: pd.DataFrame, config: LearningConfig, mine: PublishedRows, promoted: bool
    ) -> None:
        test = rows[rows["split"] == "test"]
        verdict = judge(model, model, test, replace(config, canary_share=0.0), mine, PublishedRows(8, 1, 10))

        assert verdict.promoted is promoted
