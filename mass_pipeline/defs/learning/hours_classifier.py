"""The asset `hours_classifier`: a shallow neural network over an hour in its context (P17)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import READING, code_version
from mass_pipeline.defs.conditions import follow
from mass_pipeline.defs.wiring import NO_PLOTS, can_draw, image
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.publishing.promises.tables import reaches_floors
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.clients import PageReading
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import JudgedModel, clear_failures, preview

if TYPE_CHECKING:
    from mass_pipeline.learning.evaluation import Evaluation
    from mass_pipeline.learning.learning_curve import LearningPoint

_WORST: Final = 20
_PLOTTED: Final = ("precision", "recall", "f1", "accuracy", "mcc", "average_precision", "calibration_error", "n")
DECIDED_BY: Final = (*READING, "learning", "publishing.taught", "schedules.checked")
_VERSION: Final = code_version(__name__, DECIDED_BY)


@dg.asset(
    group_name="learning",
    kinds={"python", "scikitlearn"},
    io_manager_key="model_io",
    code_version=_VERSION,
    automation_condition=follow("hours_classifier", ["annotated_set"]),
)
@clear_failures()
def hours_classifier(
    context: dg.AssetExecutionContext,
    annotated_set: TableReader,
    candidate_hours: TableReader,
    parishes: TableReader,
    crawled_pages: TableReader,
    labels: AnnotationStore,
    site_reader: dg.ResourceParam[PageReading],
    settings: dg.ResourceParam[Settings],
) -> JudgedModel:
    """Is this hour a Mass of the standing schedule, and is this row right? Trained on the annotated set and on rows that people
    settled, judged on parishes it has not seen.

    The same labels, seed, settings and code give the same network to the byte, so that one that is kept is not trained again;
    answers about rows are learnt each time, by the model of rows. It becomes the model in use only when its precision, recall
    and MCC reach their floors, and it is not worse than the present one on the same frozen test part.
    """
    import pyarrow.compute as pc

    from mass_pipeline.learning.evaluation import evaluate
    from mass_pipeline.learning.promotion import freeze_test, judge
    from mass_pipeline.learning.registry import FOLDER, Registry
    from mass_pipeline.learning.training import train, training_digest, training_rows
    from mass_pipeline.publishing.taught import answered_rows, published_of, with_answers_learnt

    config = settings.section(LearningConfig)
    registry = Registry.of(settings.shared)
    labelled = annotated_set.frame()
    among = pc.field("candidate_id").isin(pa.array(labelled["candidate_id"], pa.string()))
    rows = training_rows(candidate_hours.where(among).frame(), labelled)  # of a country's hours few have a label
    seed = settings.general.seed
    digest = training_digest(rows, seed, config, _VERSION)
    known = registry.trained_on(digest)
    fresh = known or train(rows, seed=seed, config=config)
    model = replace(fresh, card={**fresh.card, "trained_on_digest": digest})
    settled, champion, reader = labels.rows(), registry.champion(), site_reader.reader
    answered = answered_rows(crawled_pages, parishes, reader, settled, model)
    model, curve = with_answers_learnt(model, answered)
    test = freeze_test(rows, settings.shared, f"{FOLDER}/test-{config.split_salt}.parquet")
    evaluation = evaluate(model, test)
    metrics = figures_of(evaluation)
    floors = reaches_floors(metrics, settings.section(OperationConfig).metric_floors)
    theirs = published_of(champion, answered_rows(crawled_pages, parishes, reader, settled, champion)) if champion else None
    verdict = judge(model, champion, test, config, published_of(model, answered), theirs)
    if not floors.passed:
        verdict = replace(verdict, promoted=False, reason=floors.summary)
    pictures = {**pictures_of(evaluation), **curve_of(curve)} if can_draw() else {}
    context.add_output_metadata(
        {
            **metrics,
            "promoted": verdict.promoted,
            "network": f"kept from {known.model_id}, as nothing it learns from has changed" if known else "trained",
            "verdict": verdict.reason,
            "canary_share": verdict.canary_share,
            "measured_on": evaluation.basis,
            "row_answers": len(answered.answers),
            "row_answers_whose_lines_changed": answered.lost,
            **{name: image(partial(pictures.__getitem__, name), name) for name in pictures},
            **({} if can_draw() else {"plots": NO_PLOTS}),
            **tables_of(evaluation),
        }
    )
    return JudgedModel(model, evaluation, verdict, pictures)


def figures_of(evaluation: "Evaluation") -> dict[str, float]:
    """Figures of the gating question that could be measured, by name; the UI plots them over time."""
    from mass_pipeline.learning.registry import QUESTION

    row = evaluation.metrics[evaluation.metrics["question"] == QUESTION]
    values = {name: float(row[name].to_numpy(dtype=float)[0]) for name in _PLOTTED}
    return {name: value for name, value in values.items() if value == value}


def tables_of(evaluation: "Evaluation") -> dict[str, dg.MetadataValue]:
    """The figures of both questions and the worst errors, as tables."""
    frames = {
        "scores": evaluation.metrics.round(4),
        "worst_errors": evaluation.errors.head(_WORST).round(4),
    }
    tables = {name: pa.Table.from_pandas(frame, preserve_index=False) for name, frame in frames.items()}
    return {name: preview(table, table.column_names) for name, table in tables.items()}


def curve_of(curve: "Sequence[LearningPoint]") -> dict[str, bytes]:
    """The learning curve of rows; nothing to draw where no right row waits."""
    from mass_pipeline.learning import plots

    return (
        {"learning_curve": plots.learning_curve_png({"answers in their order": curve})}
        if any(one.waiting for one in curve)
        else {}
    )


def pictures_of(evaluation: "Evaluation") -> dict[str, bytes]:
    """The plots of the model card; without test rows there is nothing to draw."""
    from mass_pipeline.learning import plots
    from mass_pipeline.learning.registry import QUESTION

    if not len(evaluation.answers[QUESTION].truth):
        return {}
    return {
        "confusion_matrix": plots.confusion_matrix_png(evaluation.answers[QUESTION]),
        "precision_recall": plots.precision_recall_png(evaluation),
        "calibration": plots.calibration_png(evaluation),
    }
