"""The annotated set: people's answers about hours and rows, hours the rules found, and negatives sampled from pages nobody
selected (P14-P16).

Pure functions from tables to tables. Belongs: joining, weighing, listing contradictions. Not here: votes and their
aggregation (annotation), which part a parish is in (splits).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.schema import Bools
from mass_pipeline.learning.splits import crossing_copies, split_of
from mass_pipeline.learning.tokens import fold_case
from mass_pipeline.model.columns import ANNOTATED_SET, LABELS, SPLITS
from mass_pipeline.model.errors import BadInput
from mass_pipeline.schedules.checked import RowAnswer, context_of

CANDIDATE_COLUMNS: Final = ("candidate_id", "parish_id", "url", "raw", "left", "right", "page_score", "rule_reading")
CONTEXT_COLUMNS: Final = ("candidate_id", "parish_id", "url", "time", "left", "right", "heading", "day_scope")
CROWD_COLUMNS: Final = ("candidate_id", "label", "weight", "n_votes")
# What an answer about a row says of the hour that states it; of a row of another day, season or parish it says nothing.
_HOUR_OF_ROW: Final[Mapping[str, str]] = {"no_mass": "not_mass", "yes": "mass"}
_MASS_WORD: Final = re.compile(r"\b(?:msz[aeyu]\w*|mszy|suma|sume|eucharysti\w*|pasterk\w*|liturgi\w*)\b")
_NEAR_CHARACTERS: Final = 80


@dataclass(frozen=True, slots=True)
class AnnotatedSet:
    """The table and what was noticed while it was built.

    Attributes:
        rows: table annotated_set, sorted by candidate_id.
        contradictions: candidate_id, parish_id, url, crowd label, rule_reading, n_votes of hours that crowd and rules judge
            differently, for review.
        judged_by_both: how many hours crowd and rules both judged.
        copies_left_out: rows left out because their text also stands in a higher part.
        orphan_votes: crowd labels whose candidate no longer exists (the page changed); they are kept by the app.
    """

    rows: pd.DataFrame
    contradictions: pd.DataFrame
    judged_by_both: int = 0
    copies_left_out: int = 0
    orphan_votes: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def build_annotated_set(candidates: pd.DataFrame, crowd: pd.DataFrame, config: LearningConfig) -> AnnotatedSet:
    """Join all sources of labels; the crowd outranks the rules, the rules outrank sampling.

    Args:
        candidates: table candidate_hours of every diocese that takes part; of it the columns CANDIDATE_COLUMNS.
        crowd: one row per labelled hour: candidate_id, label (mass, not_mass, cancelled), weight (0..1),
            n_votes, and optionally dated (nullable boolean): the fields of an HourLabel; optionally source (`crowd`, or `rows`
            as `hours_of_rows` has it). Empty is allowed.
        config: shares, weights, ratio of negatives.

    Returns:
        One row per labelled candidate_id, sorted by it; the same input in any order gives the same table.

    Raises:
        BadInput: a column is missing, a label is unknown, or a candidate is labelled twice.
    """
    _check_crowd(crowd)
    if not candidates["candidate_id"].is_monotonic_increasing:
        candidates = candidates.sort_values("candidate_id", kind="stable", ignore_index=True)
    known = set(candidates["candidate_id"])
    crowd_rows = _crowd_rows(candidates, crowd)
    labelled = set(crowd_rows["candidate_id"])
    rule_rows = _rule_rows(candidates, labelled, config)
    positives = int((crowd_rows["label"] == "mass").sum()) + len(rule_rows)
    voted_no = int((crowd_rows["label"] != "mass").sum())
    wanted = max(0, round(positives * config.negatives_per_positive) - voted_no)
    negative_rows = _sampled_negatives(candidates, labelled, wanted, config)
    rows = pd.concat([crowd_rows, rule_rows, negative_rows], ignore_index=True)
    rows["split"] = [split_of(parish, config) for parish in rows["parish_id"]]
    copies = _copies(rows, candidates, config)
    rows = rows[~copies].sort_values("candidate_id", kind="stable", ignore_index=True)
    contradictions, both = _contradictions(candidates, crowd)
    return AnnotatedSet(
        rows=rows[ANNOTATED_SET.names],
        contradictions=contradictions,
        judged_by_both=both,
        copies_left_out=int(copies.sum()),
        orphan_votes=int((~crowd["candidate_id"].isin(known)).sum()),
        counts={str(key): int(n) for key, n in (rows["source"] + "/" + rows["label"]).value_counts().sort_index().items()},
    )


def hours_of_rows(candidates: pd.DataFrame, answers: Iterable[RowAnswer]) -> pd.DataFrame:
    """Labels of the hours that answered rows rest on: a right row names a standing Mass, `no_mass` says that none is meant.

    Args:
        candidates: table candidate_hours, at least of the parishes answered about; of it the columns CONTEXT_COLUMNS.
        answers: what people settled about rows. An hour is found by its page, its time and its context as it was asked about; an
            answer whose lines changed labels nothing.

    Returns:
        `crowd` of `build_annotated_set`, one row per hour, sorted by candidate_id. Where answers about two rows of one hour
        differ, it is a Mass: of the other row its days were wrong, or the season.
    """
    candidates = candidates.fillna({"heading": "", "day_scope": ""})
    places = candidates.groupby(["parish_id", "url", "time"]).indices
    found: dict[str, tuple[str, str, float, int, bool, str]] = {}
    for answer in sorted(answers, key=lambda one: (one.verdict, one.row_id)):  # `yes` after `no_mass`
        if not answer.context or answer.verdict not in _HOUR_OF_ROW:
            continue
        place = (answer.parish_id, answer.source_url, answer.mass.time)
        for hour in candidates.iloc[places.get(place, [])].to_dict("records"):
            words = (str(hour[name]) for name in ("time", "heading", "day_scope", "left", "right"))
            if context_of(*words) == answer.context:
                name, label = str(hour["candidate_id"]), _HOUR_OF_ROW[answer.verdict]
                found[name] = (name, label, answer.probability, answer.checked.people, False, "rows")
    frame = pd.DataFrame(sorted(found.values()), columns=[*CROWD_COLUMNS, "dated", "source"])
    return frame.astype({"candidate_id": "str", "label": "str", "dated": "boolean", "source": "str"})


def class_balance(rows: pd.DataFrame) -> pd.DataFrame:
    """How many hours of each kind every part and source brings.

    Args:
        rows: table annotated_set.

    Returns:
        One row per (label, source) that occurs, sorted: label, source, train, dev, test, all. Empty frame keeps the columns.
    """
    counts = pd.crosstab([rows["label"], rows["source"]], rows["split"]).reindex(columns=list(SPLITS), fill_value=0)
    counts["all"] = counts.sum(axis=1)
    counts.columns.name = None
    return (
        counts.reset_index().sort_values(["label", "source"], ignore_index=True).astype(dict.fromkeys([*SPLITS, "all"], "int64"))
    )


def _check_crowd(crowd: pd.DataFrame) -> None:
    missing = [name for name in CROWD_COLUMNS if name not in crowd.columns]
    if missing:
        raise BadInput(f"Crowd labels lack the columns {', '.join(missing)}; expected {', '.join(CROWD_COLUMNS)}.")
    unknown = sorted({str(label) for label in crowd["label"]} - set(LABELS))
    if unknown:
        raise BadInput(f"Crowd labels hold {', '.join(unknown)}; expected {', '.join(LABELS)}.")
    if crowd["candidate_id"].duplicated().any():
        twice = crowd.loc[crowd["candidate_id"].duplicated(), "candidate_id"].iloc[0]
        raise BadInput(f"Candidate {twice} has two crowd labels: aggregate the votes first, one row per candidate.")


def _crowd_rows(candidates: pd.DataFrame, crowd: pd.DataFrame) -> pd.DataFrame:
    joined = candidates[["candidate_id", "parish_id"]].merge(crowd, on="candidate_id", how="inner")
    dated = joined["dated"] if "dated" in joined.columns else pd.Series(pd.NA, index=joined.index)
    source = joined["source"].to_numpy() if "source" in joined.columns else "crowd"
    return _rows(
        joined,
        joined["label"].to_numpy(),
        dated.astype("boolean").to_numpy(),
        source,
        joined["weight"].to_numpy(dtype=np.float32),
        joined["n_votes"].to_numpy(),
    )


def _rule_rows(candidates: pd.DataFrame, labelled: set[str], config: LearningConfig) -> pd.DataFrame:
    found = candidates[candidates["rule_reading"].notna() & ~candidates["candidate_id"].isin(labelled)]
    return _rows(found, "mass", False, "rules", config.rule_weight, 0)


def _sampled_negatives(candidates: pd.DataFrame, labelled: set[str], wanted: int, config: LearningConfig) -> pd.DataFrame:
    """Hours of pages that the filter did not select and the rules read nothing on, in the order of their content ids.

    Taking the smallest ids (they are hashes) samples evenly, and the sample of tomorrow contains that of today wherever
    pages did not change. An hour with a word for Mass beside it is passed over: unselected pages announce dated Masses.
    """
    read = candidates["rule_reading"].notna().groupby([candidates["parish_id"], candidates["url"]]).transform("any")
    pool = candidates[
        ~read & (candidates["page_score"] < config.negative_page_score) & ~candidates["candidate_id"].isin(labelled)
    ]
    rows: list[int] = []
    for position, (left, right) in enumerate(zip(pool["left"], pool["right"], strict=True)):
        if len(rows) >= wanted:
            break
        if not _MASS_WORD.search(fold_case(f"{left[-_NEAR_CHARACTERS:]} {right[:_NEAR_CHARACTERS]}")):
            rows.append(position)
    return _rows(pool.iloc[rows], "not_mass", np.array(None, dtype=object), "sampled_negative", config.negative_weight, 0)


def _rows(
    hours: pd.DataFrame, label: ArrayLike, dated: ArrayLike, source: ArrayLike, weight: ArrayLike, votes: ArrayLike
) -> pd.DataFrame:
    frame = pd.DataFrame({"candidate_id": hours["candidate_id"].to_numpy(), "parish_id": hours["parish_id"].to_numpy()})
    frame["label"] = np.broadcast_to(np.asarray(label, dtype=object), len(frame))
    frame["source"] = np.broadcast_to(np.asarray(source, dtype=object), len(frame))
    frame["dated"] = pd.array(np.broadcast_to(np.asarray(dated, dtype=object), len(frame)), dtype="boolean")
    frame["weight"] = np.broadcast_to(np.asarray(weight, dtype=np.float32), len(frame))
    frame["n_votes"] = np.broadcast_to(np.asarray(votes, dtype=np.int32), len(frame))
    return frame.astype({"candidate_id": "str", "parish_id": "str", "label": "str", "source": "str"})


def _copies(rows: pd.DataFrame, candidates: pd.DataFrame, config: LearningConfig) -> Bools:
    if candidates.empty:
        return np.zeros(len(rows), dtype=bool)
    is_labelled = candidates["candidate_id"].isin(rows["candidate_id"])
    labelled = candidates.loc[is_labelled, ["candidate_id", "left", "raw", "right"]].set_index("candidate_id")
    text = labelled["left"] + "\n" + labelled["raw"] + "\n" + labelled["right"]
    return crossing_copies(text.reindex(rows["candidate_id"]).tolist(), rows["split"].tolist(), config)


def _contradictions(candidates: pd.DataFrame, crowd: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Hours that the rules read as a standing Mass and the crowd calls something else; not by answers about rows, as people are
    asked about doubtful ones."""
    crowd = crowd[crowd["source"] == "crowd"] if "source" in crowd.columns else crowd
    read = candidates.loc[candidates["rule_reading"].notna(), ["candidate_id", "parish_id", "url", "rule_reading"]]
    both = read.merge(crowd[["candidate_id", "label", "n_votes"]], on="candidate_id", how="inner")
    against = both[both["label"] != "mass"].sort_values("candidate_id", ignore_index=True)
    return against, len(both)
