"""A comparison for people and machines: text table, CSV, JSON, and a picture of the curves. Runs in, text or bytes out."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

import orjson
import pandas as pd

from mass_pipeline.laboratory.crawl_strategies.measuring import Run, summary

# column of the summary -> heading of the table
_COLUMNS: Final = {
    "until_inner": "until inner",
    "until_own": "until own",
    "until_all": "until all",
    "found": "found",
    "harvest": "harvest",
    "relevance": "relevance",
    "window": "window 50",
    "recall": "recall",
    "length_10": "to 10 %",
    "length_50": "to 50 %",
    "length_90": "to 90 %",
    "robustness": "robust",
    "requests": "requests",
}
_LEGEND: Final = """\
until: mean requests to the first page that states the schedule (inner: sites whose start page does not; own: of these, sites
whose own links lead there; all: every site). found: share of sites. harvest, relevance, recall, robust: within the budget.
to 10, 50, 90 %: requests until that share of the pages looked for was found.
± standard deviation over the runs."""
_PLOTTED: Final = (("recall", "targets found"), ("harvest", "relevant pages per request"), ("relevance", "average relevance"))


def as_table(runs: Sequence[Run]) -> str:
    """Aligned text, one block per web; columns that no row of the block has are left out."""
    blocks = []
    rows = summary(runs)
    for web in dict.fromkeys(run.web for run in runs):
        own = [row for row in rows if row["web"] == web]
        shown = [name for name in _COLUMNS if any(row[name] is not None for row in own)]
        lines = [["strategy", *(_COLUMNS[name] for name in shown)]]
        lines += [[str(row["strategy"]), *(_cell(row, name) for name in shown)] for row in own]
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        text = "\n".join("  ".join(_pad(cell, widths, n) for n, cell in enumerate(line)).rstrip() for line in lines)
        blocks.append(f"{web} ({own[0]['runs']} runs)\n{text}")
    return "\n\n".join([*blocks, _LEGEND])


def _pad(cell: str, widths: Sequence[int], column: int) -> str:
    return cell.rjust(widths[column]) if column else cell.ljust(widths[column])


def _cell(row: Mapping[str, object], name: str) -> str:
    value, spread = row[name], row[f"{name}_sd"]
    if not isinstance(value, float | int):
        return "-"
    digits = 2 if name.startswith(("until", "length")) else 1 if name == "requests" else 3
    return f"{value:.{digits}f}" + (f" ±{spread:.{digits}f}" if isinstance(spread, float) else "")


def as_csv(runs: Sequence[Run]) -> str:
    """The summary with one line per web and strategy; empty cells for what was not measured."""
    return pd.DataFrame(summary(runs)).to_csv(index=False)


def as_json(runs: Sequence[Run]) -> bytes:
    """Summary and every run, with its curves and the requests of each site."""
    return orjson.dumps({"summary": summary(runs), "runs": [asdict(run) for run in runs]}, option=orjson.OPT_INDENT_2) + b"\n"


def as_plot(runs: Sequence[Run]) -> bytes:
    """PNG: one row of panels per web, the mean curves of every strategy over the requests."""
    from matplotlib import colormaps
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    webs = list(dict.fromkeys(run.web for run in runs))
    arms = list(dict.fromkeys(run.arm for run in runs))
    figure = Figure(figsize=(15, 3.6 * len(webs) + 1), layout="constrained")
    axes = figure.subplots(len(webs), len(_PLOTTED), squeeze=False)
    styles = ("-", "--", ":", "-.")
    colours = [colormaps["Paired"](number) for number in range(12)]
    for row, web in enumerate(webs):
        for column, (name, label) in enumerate(_PLOTTED):
            panel = axes[row][column]
            for number, arm in enumerate(arms):
                curves = [run.curves[name] for run in runs if run.web == web and run.arm == arm]
                if curves:
                    mean = [sum(values) / len(values) for values in zip(*curves, strict=True)]
                    panel.plot(
                        range(1, len(mean) + 1),
                        mean,
                        styles[number % len(styles)],
                        color=colours[number % len(colours)],
                        label=arm,
                        linewidth=1.6,
                    )
            panel.set_title(f"{web}: {label}", fontsize=10)
            panel.set_xlabel("requests")
            panel.set_ylim(bottom=0)
            panel.grid(alpha=0.3)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
    FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=80)
    return buffer.getvalue()
