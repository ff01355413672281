"""Settings of the learning part: each a constant of training, calibration, promotion or combination, with its source."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """How the annotated set is built and the classifier trained, calibrated and promoted."""

    test_share: float = setting(0.15, "Share of parishes kept aside for the frozen test part", minimum=0.0, maximum=0.5)
    dev_share: float = setting(0.15, "Share of parishes on which calibration and thresholds are chosen", minimum=0.0, maximum=0.5)
    split_salt: str = setting("split-1", "Text mixed into the hash that places a parish; changing it reshuffles the parts")
    near_duplicate_similarity: float = setting(
        0.8, "Least estimated Jaccard similarity of two contexts that count as one text", minimum=0.5, maximum=1.0
    )
    rule_weight: float = setting(0.7, "Training weight of an hour that only the rules labelled", minimum=0.0, maximum=1.0)
    negative_weight: float = setting(0.5, "Training weight of a sampled negative", minimum=0.0, maximum=1.0)
    negatives_per_positive: float = setting(1.0, "Sampled negatives for each positive, at most", minimum=0.0, maximum=20.0)
    negative_page_score: float = setting(
        0.3, "Negatives are sampled from pages whose score is below this", minimum=0.0, maximum=1.0
    )
    maximum_contradictions: float = setting(
        0.25,
        "Training refuses when crowd and rules contradict each other on a larger share of the hours both judged",
        minimum=0.0,
        maximum=1.0,
        source="hazards M3",
    )
    phrase_pages: int = setting(
        1_000,
        "Pages composed from the phrase book that join every training, so that few labels do not make a narrow model",
        minimum=0,
    )
    phrase_weight: float = setting(0.5, "Training weight of an hour on such a page", minimum=0.0, maximum=1.0)
    hidden_units: int = setting(16, "Units of the hidden layer", minimum=2, maximum=512)
    epochs: int = setting(12, "Passes over the training part, at most; the best on dev is kept", unit="passes", minimum=1)
    patience: int = setting(3, "Passes without gain on dev after which training stops", unit="passes", minimum=1)
    learning_rate: float = setting(0.003, "Step of Adam", minimum=1e-6, maximum=1.0)
    alpha: float = setting(1e-4, "L2 penalty", minimum=0.0)
    word_dropout: float = setting(0.25, "Share of features hidden at random in every pass", minimum=0.0, maximum=0.9)
    minimum_parishes: int = setting(
        2, "A feature is kept when at least so many parishes show it: names of people and places stay out", minimum=1
    )
    maximum_features: int = setting(24_000, "Features kept, the most widespread first", minimum=100)
    precision_target: float = setting(
        0.98, "Precision on dev that the acceptance threshold must reach", minimum=0.5, maximum=1.0, source="docs/annotation.md"
    )
    maximum_loss_of_f1: float = setting(
        0.002, "A challenger is promoted when its F1 on the frozen test part is lower by at most this", minimum=0.0, maximum=0.1
    )
    canary_share: float = setting(
        0.9,
        "Share of the canary hours a model must get right to be promoted",
        minimum=0.0,
        maximum=1.0,
        source="hazards M3",
        emulated=0.7,
    )
