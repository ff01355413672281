"""Which words stand on the sites of parishes everywhere: prints the list of site_reading/ownership/parish_words.toml.

    python -m mass_pipeline_tests.benchmarks.parish_words

Counted on the labelled real sites beside the checkout, on whole pages and not beside orders alone. Names do not count (written
small on a site is what counts), nor do verbs of the past and words that speak against an order (words.toml).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection
from typing import Final

from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import fillers
from mass_pipeline.site_reading.ownership.evidence import words_against
from mass_pipeline_tests.evaluation.sets import LabelledRecord, load_set

LEAST_SITES: Final = 5  # of 22 with a schedule
LETTERS: Final = 7  # by which words are compared (strangeness)
_SMALL: Final = re.compile(r"(?<![\w'-])[a-ząćęłńóśźż][^\W\d_]{2,}")
_PAST: Final = re.compile(r"[aeiouyąę]ł[aoy]?$|[aeiy]li$|(?:no|to)$|[^w]any$|ony$|łszy$")
_WIDTH: Final = 128


def main() -> None:
    """Print the list."""
    labelled = load_set("sites")
    if labelled is None:
        sys.exit("the labelled sites do not lie beside this checkout: put them into ../shared/gold")
    scored = [record for record in labelled.records if record.masses]
    for line in _lines(words_of_parishes(scored, LEAST_SITES)):
        print(line)


def words_of_parishes(records: Collection[LabelledRecord], least: int) -> list[str]:
    """Folded and shortened words that so many sites write small, sorted; without those that orders use anyhow."""
    counted: Counter[str] = Counter()
    for record in records:
        counted.update(_words_of_site(record))
    known = fillers()
    return sorted(word for word, sites in counted.items() if sites >= least and word not in known)


def _words_of_site(record: LabelledRecord) -> set[str]:
    found: set[str] = set()
    for name, path, content_type in record.pages:
        document = read_document(path.read_bytes(), content_type=content_type, url=name)
        for line in document.lines:
            found |= {fold(word) for word in _SMALL.findall(line.text) if not _PAST.search(word)}
    return {word[:LETTERS] for word in found if not _speaks_against(word)}


def _speaks_against(word: str) -> bool:
    patterns = (pattern for words in words_against().values() for pattern in (words.heading, words.before, words.anywhere))
    return any(pattern is not None and pattern.search(word) for pattern in patterns)


def _lines(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) >= _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


if __name__ == "__main__":
    main()
