"""Tables of figures in the documentation: made by a command, compared by a test."""

from __future__ import annotations

from mass_pipeline_tests.shared import ROOT


def measured_table(page: str, command: str) -> list[str]:
    """The lines that stand on a page of docs between `<!-- mass-pipeline COMMAND -->` and `<!-- end -->`."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    _, begin, rest = text.partition(f"<!-- mass-pipeline {command} -->\n\n")
    assert begin, f"docs/{page} names no table of `mass-pipeline {command}`"
    return rest.partition("\n\n<!-- end -->")[0].splitlines()
