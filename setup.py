"""The optional compiled build: the modules that read a page, compiled by mypyc from the same sources.

Without the environment variable MASS_PIPELINE_COMPILE=1 nothing is compiled and no compiler is needed; everything else about the
package stands in pyproject.toml. See docs/operating.md ("Reading many pages") and docs/extraction.md ("Compiled").
"""

from __future__ import annotations

import os
from typing import Any

from setuptools import setup

# Two groups, so that two processors build at once; the second one knows the first, never the other way round. Left out are
# modules that take no time worth it, and those whose objects are a contract with others (records, settings).
_PAGES = """
    alignment attributes builder charset drafts elements finishing flow html markdown mojibake offsets opaque plain reader
    sniffing structured tables tags wording
"""
_WORDS = """
    assembly attachment boxes brackets brackets_reader cells chunker clause clock clock_patterns clues combining cursor
    days_grammar doubts entries folding footnotes half_days labels languages lexer lexicon lines merging named nodes notices
    osm places_grammar plausibility reader reading readings regions removals resolver runs scopes seasons_grammar segments
    where
"""
_OPTIONS = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]


def _extensions() -> list[Any]:
    if os.environ.get("MASS_PIPELINE_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    pages = [
        "mass_pipeline/model/digits.py",
        "mass_pipeline/model/document.py",
        *(f"mass_pipeline/extraction/{name}.py" for name in _PAGES.split()),
    ]
    words = [f"mass_pipeline/schedule_grammar/{name}.py" for name in _WORDS.split()]
    extensions: list[Any] = mypycify(
        [*_OPTIONS, *pages, *words],
        opt_level="2",
        debug_level="0",
        separate=[(pages, "mass_pipeline_pages"), (words, "mass_pipeline_words")],
    )
    return extensions


setup(ext_modules=_extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
