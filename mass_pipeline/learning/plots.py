"""Pictures of an evaluation as PNG bytes, the same bytes for the same figures. Nothing is computed here that is not drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from mass_pipeline.learning.evaluation import Answers, Evaluation, reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from mass_pipeline.learning.learning_curve import LearningPoint

_SIZE: Final = (5.0, 4.0)
_DPI: Final = 110
_COLOURS: Final = {"mass": "#1f6f8b", "standing": "#b5542b"}


def confusion_matrix_png(answers: Answers, title: str = "Standing Mass?") -> bytes:
    """Two by two: truth in rows, answer in columns, counts in the cells."""
    figure, axes = _figure(title)
    truth, said = answers.truth, answers.said
    table = np.array(
        [[int((~truth & ~said).sum()), int((~truth & said).sum())], [int((truth & ~said).sum()), int((truth & said).sum())]]
    )
    axes.imshow(table, cmap="Blues")
    for (row, column), count in np.ndenumerate(table):
        dark = count > table.max() / 2
        axes.text(column, row, str(count), ha="center", va="center", color="white" if dark else "black", fontsize=14)
    axes.set_xticks([0, 1], ["no", "yes"])
    axes.set_yticks([0, 1], ["no", "yes"])
    axes.set_xlabel("model says")
    axes.set_ylabel("truth")
    return _png(figure)


def precision_recall_png(evaluation: Evaluation) -> bytes:
    """Precision over recall of both questions, with the chosen thresholds marked."""
    from sklearn.metrics import precision_recall_curve

    figure, axes = _figure("Precision and recall, parishes never seen")
    for question, answers in evaluation.answers.items():
        if not answers.truth.any():
            continue
        precision, recall, _ = precision_recall_curve(answers.truth, answers.probability)
        axes.plot(recall, precision, color=_COLOURS[question], label=question)
        row = evaluation.metrics[evaluation.metrics["question"] == question].iloc[0]
        axes.plot(row["recall"], row["precision"], "o", color=_COLOURS[question])
    axes.set_xlabel("recall")
    axes.set_ylabel("precision")
    axes.set_xlim(0, 1.01)
    axes.set_ylim(0, 1.01)
    _legend(axes)
    return _png(figure)


def calibration_png(evaluation: Evaluation) -> bytes:
    """Share of true hours over predicted probability, in tenths; the diagonal is honest."""
    figure, axes = _figure("Calibration, parishes never seen")
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1)
    for question, answer in evaluation.answers.items():
        table = reliability(answer)
        axes.plot(table["mean"], table["share"], "o-", color=_COLOURS[question], label=question)
        for mean, share, n in zip(table["mean"], table["share"], table["n"], strict=True):
            axes.annotate(str(n), (mean, share), textcoords="offset points", xytext=(4, -9), fontsize=7)
    axes.set_xlabel("probability")
    axes.set_ylabel("share that is true")
    _legend(axes)
    return _png(figure)


def learning_curve_png(curves: Mapping[str, Sequence[LearningPoint]]) -> bytes:
    """Right rows that waited and are published, over the number of answers, a line for each way of asking."""
    figure, axes = _figure("Rows that wait and are right: published after answers about other parishes")
    for name, points in curves.items():
        axes.plot(range(len(points)), [point.share for point in points], "o-", label=name)
    longest = max(curves.values(), key=len, default=())
    axes.set_xticks(range(len(longest)), [f"{point.answers:,}" for point in longest])
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("answers")
    axes.set_ylabel("share published")
    _legend(axes)
    return _png(figure)


def _legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend()


def _figure(title: str) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure  # only who draws waits for matplotlib

    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def _png(figure: Figure) -> bytes:
    target = io.BytesIO()
    figure.savefig(target, format="png", metadata={"Software": None})
    return target.getvalue()
