"""One corpus and one model for the whole package of tests: training takes a second, and nothing changes them."""

from __future__ import annotations

import pandas as pd
import pytest

from mass_pipeline.learning.annotated_set import AnnotatedSet, build_annotated_set
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.training import train, training_rows
from mass_pipeline_tests.learning.corpus import Corpus
from mass_pipeline_tests.learning.corpus import corpus as invent


@pytest.fixture(scope="session")
def config() -> LearningConfig:
    """The settings as shipped, without the phrase book: the invented corpus is enough."""
    return LearningConfig(phrase_pages=0)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """Hours of 160 invented parishes."""
    return invent(160, seed=1)


@pytest.fixture(scope="session")
def annotated(corpus: Corpus, config: LearningConfig) -> AnnotatedSet:
    """People labelled two thirds of them."""
    crowd = corpus.crowd[corpus.crowd["candidate_id"].str[0] < "b"]
    return build_annotated_set(corpus.candidates, crowd, config)


@pytest.fixture(scope="session")
def rows(corpus: Corpus, annotated: AnnotatedSet) -> pd.DataFrame:
    """Labelled hours."""
    return training_rows(corpus.candidates, annotated.rows)


@pytest.fixture(scope="session")
def model(rows: pd.DataFrame, config: LearningConfig) -> Trained:
    """A model of them."""
    return train(rows, seed=7, config=config)
