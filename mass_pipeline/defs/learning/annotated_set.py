"""The asset `annotated_set`: labels of people, hours the rules read, and sampled negatives, in one table (P14-P16)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import code_version
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.model.columns import ANNOTATED_SET
from mass_pipeline.resources.annotations import AnnotationStore, CandidatesInContext, HourLabel
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures, preview

if TYPE_CHECKING:
    import pandas as pd

DECIDED_BY: Final = ("learning",)


@dg.asset(
    group_name="learning",
    kinds={"python", "pandas", "parquet"},
    io_manager_key="lake_io",
    code_version=code_version(__name__, DECIDED_BY),
)
@clear_failures()
def annotated_set(
    context: dg.AssetExecutionContext,
    candidate_hours: TableReader,
    labels: AnnotationStore,
    settings: dg.ResourceParam[Settings],
) -> pa.Table:
    """Labelled hours for training: people's answers about an hour outrank those about its row, these the rules, and the rules
    sampled negatives.

    Split into train, dev and test by parish, stable over time. Hours that crowd and rules judge differently are listed for
    review; too many of them end the run, and the present model stays.
    """
    import pyarrow.compute as pc

    from mass_pipeline.learning.annotated_set import (
        CANDIDATE_COLUMNS,
        CONTEXT_COLUMNS,
        build_annotated_set,
        class_balance,
        hours_of_rows,
    )
    from mass_pipeline.learning.promotion import refuse_poisoned

    config = settings.section(LearningConfig)
    count = labels.count()  # before they are read: what comes meanwhile is new
    crowd = labels.labels(CandidatesInContext(lambda: candidate_hours.rows(CandidatesInContext.COLUMNS)))
    rows = labels.rows()
    about = pc.field("parish_id").isin(pa.array(sorted({row.parish_id for row in rows}), pa.string()))
    of_rows = hours_of_rows(candidate_hours.where(about).frame(CONTEXT_COLUMNS), rows)
    candidates = candidate_hours.arrow(CANDIDATE_COLUMNS).sort_by("candidate_id").to_pandas()  # one copy at a time
    built = build_annotated_set(candidates, _people(crowd, of_rows), config)
    refuse_poisoned(built, config)
    agreement = labels.agreement()
    balance = pa.Table.from_pandas(class_balance(built.rows), preserve_index=False)
    against = pa.Table.from_pandas(built.contradictions, preserve_index=False)
    context.add_output_metadata(
        {
            **{f"labels {name}": count for name, count in built.counts.items()},
            "annotations": count,
            "share_of_masses": float((built.rows["label"] == "mass").mean()) if len(built.rows) else 0.0,
            "class_balance": preview(balance, balance.column_names),
            **({} if agreement is None else {"agreement (Krippendorff's alpha)": agreement}),
            "judged_by_both": built.judged_by_both,
            "contradictions": len(built.contradictions),
            "contradictions_to_review": preview(against.slice(0, 20), against.column_names),
            "copies_left_out": built.copies_left_out,
            "orphan_votes": built.orphan_votes,
        }
    )
    return pa.Table.from_pandas(built.rows, schema=ANNOTATED_SET.schema, preserve_index=False)


def _people(labels: Sequence[HourLabel], of_rows: "pd.DataFrame") -> "pd.DataFrame":
    """Labels of people, one row per hour: those of its row where nobody was asked about the hour itself."""
    import pandas as pd

    crowd = pd.DataFrame(
        {
            "candidate_id": pd.array([label.candidate_id for label in labels], dtype="str"),  # of no label too
            "label": pd.array([label.label for label in labels], dtype="str"),
            "weight": [label.weight for label in labels],
            "n_votes": [label.n_votes for label in labels],
            "dated": pd.array([label.dated for label in labels], dtype="boolean"),
            "source": pd.array(["crowd"] * len(labels), dtype="str"),
        }
    )
    return pd.concat([crowd, of_rows[~of_rows["candidate_id"].isin(crowd["candidate_id"])]], ignore_index=True)
