"""The annotated set: who may label what, how much it weighs, and that it stays stable."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from mass_pipeline.learning.annotated_set import AnnotatedSet, build_annotated_set, class_balance, hours_of_rows
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.model.columns import ANNOTATED_SET, CANDIDATE_HOURS
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import Mass
from mass_pipeline.resources.lake import table_of
from mass_pipeline.schedules.checked import Checked, RowAnswer, Verdict, context_of
from mass_pipeline_tests.learning.corpus import Corpus, corpus

NOBODY = pd.DataFrame({"candidate_id": [], "label": [], "weight": [], "n_votes": []})


def crowd(*labels: tuple[str, str]) -> pd.DataFrame:
    """Votes as an annotation store gives them."""
    return pd.DataFrame([{"candidate_id": i, "label": label, "weight": 0.9, "n_votes": 3} for i, label in labels])


class TestSourcesOfLabels:
    def test_the_table_has_the_published_columns_and_types(self, annotated: AnnotatedSet) -> None:
        table = pa.Table.from_pandas(annotated.rows, schema=ANNOTATED_SET.schema, preserve_index=False)

        assert ANNOTATED_SET.names == table.column_names
        assert annotated.rows["candidate_id"].is_monotonic_increasing
        assert annotated.rows["candidate_id"].is_unique

    def test_a_country_without_any_hour_gives_an_empty_table(self, config: LearningConfig) -> None:
        """The first crawl may find nothing; what follows says so in its own words."""
        nobody = NOBODY.astype({"candidate_id": "str", "label": "str"})

        built = build_annotated_set(table_of(CANDIDATE_HOURS, []).to_pandas(), nobody, config)

        assert pa.Table.from_pandas(built.rows, schema=ANNOTATED_SET.schema, preserve_index=False).num_rows == 0
        assert built.counts == {}

    def test_the_crowd_outranks_the_rules(self, corpus: Corpus, config: LearningConfig) -> None:
        read = corpus.candidates[corpus.candidates["rule_reading"].notna()].iloc[0]

        rows = build_annotated_set(corpus.candidates, crowd((read["candidate_id"], "not_mass")), config).rows

        row = rows[rows["candidate_id"] == read["candidate_id"]].iloc[0]
        assert (row["label"], row["source"], row["n_votes"]) == ("not_mass", "crowd", 3)
        assert row["weight"] == pytest.approx(0.9)

    @pytest.mark.row("P15")
    def test_what_the_rules_read_is_a_standing_mass_of_less_weight(self, corpus: Corpus, config: LearningConfig) -> None:
        rows = build_annotated_set(corpus.candidates, NOBODY, config).rows

        rules = rows[rows["source"] == "rules"]
        assert len(rules) == corpus.candidates["rule_reading"].notna().sum()
        assert {"mass"} == set(rules["label"])
        assert not rules["dated"].any()
        assert np.allclose(rules["weight"], config.rule_weight)

    @pytest.mark.row("P16")
    def test_negatives_come_from_unselected_pages_and_not_from_beside_a_word_for_mass(
        self, corpus: Corpus, config: LearningConfig
    ) -> None:
        """P16; an unselected page of announcements is full of dated Masses, which are no negatives."""
        rows = build_annotated_set(corpus.candidates, NOBODY, config).rows

        negatives = corpus.candidates.merge(rows[rows["source"] == "sampled_negative"], on=["candidate_id", "parish_id"])
        assert len(negatives) > 50
        assert (negatives["page_score"] < config.negative_page_score).all()
        assert not negatives["left"].str[-30:].str.contains(r"Msz[aęy]").any()

    @pytest.mark.row("P16")
    def test_negatives_balance_positives(self, corpus: Corpus, config: LearningConfig) -> None:
        few = build_annotated_set(corpus.candidates, NOBODY, replace(config, negatives_per_positive=0.2)).rows

        assert round(0.2 * (few["label"] == "mass").sum()) == (few["label"] == "not_mass").sum()

    def test_labels_of_vanished_hours_are_counted_not_lost_in_silence(self, corpus: Corpus, config: LearningConfig) -> None:
        assert build_annotated_set(corpus.candidates, crowd(("gone", "mass")), config).orphan_votes == 1


class TestAnswersAboutRows:
    def test_a_right_row_names_a_standing_mass_and_no_mass_says_that_none_is_meant(
        self, corpus: Corpus, config: LearningConfig
    ) -> None:
        hours = corpus.candidates.drop_duplicates(["parish_id", "url", "time"]).iloc[:3]
        said = [about(hour, verdict) for hour, verdict in zip(hours.itertuples(), ("yes", "no_mass", "other"), strict=True)]
        labels = hours_of_rows(corpus.candidates, said)

        rows = build_annotated_set(corpus.candidates, labels, config).rows

        rows = rows[rows["source"] == "rows"].set_index("candidate_id")
        assert dict(rows["label"]) == dict(zip(hours["candidate_id"], ("mass", "not_mass"), strict=False))
        assert not rows["dated"].any()
        assert set(rows["n_votes"]) == {3}
        assert np.allclose(rows["weight"], 0.98)

    def test_of_two_rows_of_one_hour_the_right_one_tells_what_it_is(self, corpus: Corpus) -> None:
        hour = next(corpus.candidates.itertuples())

        for said in ([about(hour, "yes"), about(hour, "no_mass")], [about(hour, "no_mass"), about(hour, "yes")]):
            assert list(hours_of_rows(corpus.candidates, said)["label"]) == ["mass"]

    def test_an_hour_whose_line_changed_since_is_not_labelled(self, corpus: Corpus) -> None:
        hour = next(corpus.candidates.itertuples())
        changed = corpus.candidates.assign(right=["w wakacje nieczynne", *corpus.candidates["right"][1:]])

        assert hours_of_rows(changed, [about(hour, "yes")]).empty
        assert hours_of_rows(corpus.candidates, [replace(about(hour, "yes"), context="")]).empty

    def test_that_people_find_doubtful_rows_wrong_speaks_against_no_voter(self, corpus: Corpus, config: LearningConfig) -> None:
        read = corpus.candidates[corpus.candidates["rule_reading"].notna()].iloc[:1]

        labels = hours_of_rows(corpus.candidates, [about(hour, "no_mass") for hour in read.itertuples()])

        assert len(labels) == 1
        assert build_annotated_set(corpus.candidates, labels, config).judged_by_both == 0


def about(hour: Any, verdict: Verdict) -> RowAnswer:
    """What three people settled about a row that the hour states."""
    mass = Mass(("Su",), hour.time)
    heading, day_scope = ("" if pd.isna(text) else text for text in (hour.heading, hour.day_scope))
    words = context_of(hour.time, heading, day_scope, hour.left, hour.right)
    checked = Checked(3, date(2026, 11, 26), "people")
    return RowAnswer(f"{verdict} {hour.candidate_id}", hour.parish_id, mass, "", hour.url, verdict, 0.98, checked, words)


class TestContradictions:
    def test_hours_that_crowd_and_rules_judge_differently_are_listed(self, corpus: Corpus, config: LearningConfig) -> None:
        read = corpus.candidates[corpus.candidates["rule_reading"].notna()].iloc[:3]
        ids = read["candidate_id"].tolist()

        built = build_annotated_set(
            corpus.candidates, crowd((ids[0], "not_mass"), (ids[1], "mass"), (ids[2], "cancelled")), config
        )

        assert built.judged_by_both == 3
        assert {ids[0], ids[2]} == set(built.contradictions["candidate_id"])


class TestStability:
    def test_the_order_of_the_input_changes_nothing(
        self, corpus: Corpus, annotated: AnnotatedSet, config: LearningConfig
    ) -> None:
        votes = corpus.crowd[corpus.crowd["candidate_id"].str[0] < "b"].sample(frac=1, random_state=2)

        again = build_annotated_set(corpus.candidates.sample(frac=1, random_state=1), votes, config)

        pd.testing.assert_frame_equal(annotated.rows, again.rows)

    def test_new_parishes_move_no_old_one_to_another_part(
        self, annotated: AnnotatedSet, corpus: Corpus, config: LearningConfig
    ) -> None:
        more = corpus_of_two(corpus)

        grown = build_annotated_set(more, NOBODY, config).rows

        old = annotated.rows.drop_duplicates("parish_id").set_index("parish_id")["split"]
        new = grown.drop_duplicates("parish_id").set_index("parish_id")["split"]
        common = old.index.intersection(new.index)
        assert len(common) > 100
        assert (old[common] == new[common]).all()

    def test_a_parish_is_in_one_part_only(self, annotated: AnnotatedSet) -> None:
        assert (annotated.rows.groupby("parish_id")["split"].nunique() == 1).all()
        assert {"train", "dev", "test"} == set(annotated.rows["split"])


class TestBadInput:
    def test_an_unknown_label_is_named(self, corpus: Corpus, config: LearningConfig) -> None:
        with pytest.raises(BadInput, match="perhaps"):
            build_annotated_set(corpus.candidates, crowd(("a", "perhaps")), config)

    def test_two_labels_for_one_hour_are_refused(self, corpus: Corpus, config: LearningConfig) -> None:
        with pytest.raises(BadInput, match="two crowd labels"):
            build_annotated_set(corpus.candidates, crowd(("a", "mass"), ("a", "mass")), config)

    def test_a_missing_column_is_named(self, corpus: Corpus, config: LearningConfig) -> None:
        with pytest.raises(BadInput, match="n_votes"):
            build_annotated_set(corpus.candidates, NOBODY.drop(columns="n_votes"), config)


def corpus_of_two(old: Corpus) -> pd.DataFrame:
    """The corpus after more parishes were crawled."""
    return pd.concat([old.candidates, corpus(40, seed=99).candidates], ignore_index=True)


class TestClassBalance:
    def test_every_row_is_counted_once_by_label_source_and_part(self, annotated: AnnotatedSet) -> None:
        balance = class_balance(annotated.rows)

        assert list(balance.columns) == ["label", "source", "train", "dev", "test", "all"]
        assert len(annotated.rows) == balance["all"].sum() == balance[["train", "dev", "test"]].to_numpy().sum()
        rules = annotated.rows[(annotated.rows["source"] == "rules") & (annotated.rows["split"] == "dev")]
        assert len(rules) == balance.loc[balance["source"] == "rules", "dev"].sum() > 0

    def test_nothing_labelled_is_an_empty_table_with_the_columns(self, annotated: AnnotatedSet) -> None:
        balance = class_balance(annotated.rows.iloc[:0])

        assert list(balance.columns) == ["label", "source", "train", "dev", "test", "all"]
        assert len(balance) == 0
