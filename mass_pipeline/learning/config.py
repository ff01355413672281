"""Settings of the learning part: each a constant of training, calibration, promotion or combination, with its source."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """How the annotated set is built and the classifier trained, calibrated and promoted."""

    test_share: float = 0.15  # Share of parishes kept aside for the frozen test part
    dev_share: float = 0.15  # Share of parishes on which calibration and thresholds are chosen
    split_salt: str = "split-1"  # Text mixed into the hash that places a parish; changing it reshuffles the parts
    near_duplicate_similarity: float = 0.8  # Least estimated Jaccard similarity of two contexts that count as one text
    rule_weight: float = 0.7  # Training weight of an hour that only the rules labelled
    negative_weight: float = 0.5  # Training weight of a sampled negative
    negatives_per_positive: float = 1.0  # Sampled negatives for each positive, at most
    negative_page_score: float = 0.3  # Negatives are sampled from pages whose score is below this
    # Training refuses when crowd and rules contradict each other on a larger share of the hours both judged (hazards M3)
    maximum_contradictions: float = 0.25
    phrase_pages: int = setting(
        1_000,
        "Pages composed from the phrase book that join every training, so that few labels do not make a narrow model",
        minimum=0,
    )
    phrase_weight: float = 0.5  # Training weight of an hour on such a page
    hidden_units: int = 16  # Units of the hidden layer
    epochs: int = 12  # Passes over the training part, at most; the best on dev is kept
    patience: int = 3  # Passes without gain on dev after which training stops
    learning_rate: float = 0.003  # Step of Adam
    alpha: float = 1e-4  # L2 penalty
    minimum_parishes: int = 2  # A feature is kept when at least so many parishes show it: names of people and places stay out
    maximum_features: int = 24_000  # Features kept, the most widespread first
    precision_target: float = 0.98  # Precision on dev that the acceptance threshold must reach (docs/classifier.md)
    maximum_loss_of_f1: float = 0.002  # A challenger is promoted when its F1 on the frozen test part is lower by at most this
    canary_share: float = 0.9  # Share of the canary hours a model must get right to be promoted
