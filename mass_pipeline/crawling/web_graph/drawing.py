"""Pictures of the external links and the companion set: values in, PNG bytes out. The same values give the same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.web_graph.companions import Companion, subsets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TARGET: Final = "#b8860b"
_COMPANION: Final = "#3a5c7a"
_MOST_COMPANIONS: Final = 60  # drawn: the best connected ones; the whole graph is in the GraphML file
_MOST_TARGETS: Final = 240
_NAMED: Final = 12


def levels_plot(levels: Mapping[int, int]) -> bytes:
    """How many external links stand on pages of each level (B2), as a PNG.

    Args:
        levels: level -> links.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3), layout="constrained")
    axes = figure.add_subplot()
    known = sorted(levels)
    bars = axes.bar([str(level) for level in known], [levels[level] for level in known], color=_COMPANION)
    axes.bar_label(bars)
    axes.set(xlabel="level of the page", ylabel="external links")
    return _png(figure)


def subsets_plot(companions: Sequence[Companion], names: int = _NAMED) -> bytes:
    """How many companions have each connectivity, and the best connected ones by name, as a PNG.

    Args:
        companions: best connected first.
        names: how many companions are named.
    """
    from matplotlib.figure import Figure

    groups = subsets(companions)
    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.bar([str(connectivity) for connectivity in sorted(groups)], [len(groups[c]) for c in sorted(groups)], color="#7a5c3a")
    left.set(xlabel="target sites that link to it", ylabel="companion sites", title="Companion set by connectivity")
    best = list(companions[:names])[::-1]
    right.barh([_short(companion.site) for companion in best], [companion.connectivity for companion in best], color=_COMPANION)
    right.set(xlabel="target sites", title="Best connected")
    return _png(figure)


def graph_plot(companions: Sequence[Companion]) -> bytes:
    """The two-sided graph as a PNG: target sites on the outer circle, companions within, the better connected the nearer
    to the centre.

    Args:
        companions: best connected first; of large sets the first 60 are drawn, with at most 240 of their target sites.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    drawn = list(companions[:_MOST_COMPANIONS])
    targets = sorted({target for companion in drawn for target in companion.linked_from})[:_MOST_TARGETS]
    outer = dict(zip(targets, _circle(len(targets), 1.0), strict=True))
    inner = dict(zip((companion.site for companion in drawn), _rings(drawn), strict=True))
    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.add_subplot()
    edges = [(inner[c.site], outer[target]) for c in drawn for target in c.linked_from if target in outer]
    axes.add_collection(LineCollection(edges, colors="#00000030", linewidths=0.6))
    axes.scatter(*_columns(outer.values()), s=18, c=_TARGET, label=f"target sites ({len(targets)})", zorder=2)
    sizes = [30 + 40 * math.sqrt(companion.connectivity) for companion in drawn]
    axes.scatter(*_columns(inner.values()), s=sizes, c=_COMPANION, label=f"companion sites ({len(drawn)})", zorder=3)
    for companion in drawn[: 2 * _NAMED]:
        axes.annotate(
            _short(companion.site), inner[companion.site], xytext=(0, 8), textcoords="offset points", ha="center", fontsize=8
        )
    left_out = len(companions) - len(drawn)
    axes.set(title="Companion graph" + (f"; {left_out} less connected companions not drawn" if left_out else ""))
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
    axes.axis("off")
    axes.legend(loc="lower right", fontsize=8)
    return _png(figure)


def _rings(companions: Sequence[Companion]) -> Iterator[tuple[float, float]]:
    """A place per companion: a ring per subset, the highest connectivity inmost; a ring is turned against its neighbour."""
    groups = subsets(companions)
    for number, group in enumerate(groups.values(), 1):
        alone_in_the_middle = number == 1 and len(group) == 1
        yield from _circle(len(group), 0.0 if alone_in_the_middle else 0.8 * number / len(groups), turn=0.4 * number)


def _circle(count: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    angles = [turn + 2 * math.pi * n / max(count, 1) for n in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _columns(points: object) -> tuple[list[float], list[float]]:
    pairs: list[tuple[float, float]] = list(points)  # type: ignore[call-overload]
    return [x for x, _ in pairs], [y for _, y in pairs]


def _short(name: str) -> str:
    """Names come from the web: long ones are cut, and the dollar sign begins no formula."""
    return (name if len(name) <= 32 else name[:31] + "…").replace("$", "\\$")


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90, metadata={"Software": None})
    return buffer.getvalue()
