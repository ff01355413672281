"""Names of places: declined by another hand, with a wrong letter, without diacritics; the town first, or among five.

    python -m mass_pipeline_tests.benchmarks.place_names [--places parishes.tsv] [--names 1500]

Each name is looked up by itself, as `/api/v1/places` does, and put to the box as a question, which is careful where a name is
one letter from another; its figures are told beside. Locatives are those of morfeusz2 (`pip install morfeusz2`; without it they
are left out), of names of one word. Towns whose names differ in diacritics alone stand side by side: each counts as found.
Wrong letters are drawn by chance in names drawn by their parishes. Ends with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import importlib
import random
import string
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from mass_pipeline.finding.gazetteer import read_gazetteer
from mass_pipeline.finding.place_candidates import candidates
from mass_pipeline.finding.places import Places, Town, Words, name_words
from mass_pipeline.finding.questions import interpret, prepare
from mass_pipeline.finding.town_names import read_rows
from mass_pipeline.model.identifiers import fold
from mass_pipeline_tests.benchmarks.targets import Targets
from mass_pipeline_tests.shared import ROOT

_AT = datetime.fromisoformat("2026-11-18T10:00")
_LEAD = "msza w "  # before a locative in the box
_FIVE = 5
_LEAST_LETTERS = 4  # of a name that is mistyped
_SHOWN = 8
Pair = tuple[str, Town]  # a question, and the town it means


def main() -> int:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = ROOT.parent / "shared/directory/parishes-2018.tsv"
    parser.add_argument("--places", type=Path, default=beside, help=f"table of parishes (default: {beside})")
    parser.add_argument("--names", type=int, default=1_500)
    chosen = parser.parse_args()
    places = Places.of(read_rows(chosen.places), read_gazetteer(ROOT / "data/gazetteer/pl.tsv"))
    prepare(places)
    rng = random.Random(3)
    towns = [town for found in places.towns.values() for town in found if town.rows]
    by_parishes = rng.choices(towns, [len(town.rows) for town in towns], k=chosen.names)
    drawn = rng.sample(towns, min(chosen.names, len(towns)))
    targets = Targets()
    decline = _declined()
    if decline is None:
        print("locatives: left out, morfeusz2 is not installed")
    else:
        one_word = [town for town in rng.sample(towns, len(towns)) if len(town.words) == 1]
        declined = [(f"{_LEAD}{form}", town) for town in one_word for form in decline(town.name)[:1]]
        _ask("locative", declined[: chosen.names], places, 0.93, 0.995, targets)
    mistyped = [(_mistyped(fold(town.name), rng), town) for town in by_parishes if len(fold(town.name)) >= _LEAST_LETTERS]
    _ask("one wrong letter", mistyped, places, 0.95, 0.995, targets)
    _ask("without diacritics", [(fold(town.name), town) for town in drawn], places, 1.0, 1.0, targets)
    return targets.end()


def _ask(name: str, pairs: Iterable[Pair], places: Places, first: float, among_five: float, targets: Targets) -> None:
    """Look the names up by themselves and as questions, and compare what is found with the town that was meant."""
    asked = list(pairs)
    alone = [_rank([one.town.words for one in candidates(words.removeprefix(_LEAD), places)], town) for words, town in asked]
    missed = [words for (words, _), rank in zip(asked, alone, strict=True) if rank is None]
    print(f"{name}: {len(asked)} names; not among five: {', '.join(missed[:_SHOWN]) or 'none'}")
    targets.at_least(f"{name}, first", alone.count(0) / len(asked), first)
    targets.at_least(f"{name}, among five", 1 - len(missed) / len(asked), among_five)
    boxed = [_rank(_told(words, places), town) for words, town in asked]
    print(f"  in the box: first {boxed.count(0) / len(asked):.4f}, told among five {1 - boxed.count(None) / len(asked):.4f}")


def _told(question: str, places: Places) -> list[Words]:
    reading = interpret(question, _AT, places)
    return [name_words(one.name) for one in (reading.place, *reading.did_you_mean) if one is not None and one.name]


def _rank(names: Sequence[Words], town: Town) -> int | None:
    """The place of the town's name among those found, equal names counted once; None after the fifth."""
    different = list(dict.fromkeys(names))[:_FIVE]
    return different.index(town.words) if town.words in different else None


def _declined() -> Callable[[str], list[str]] | None:
    """The locatives of a name by morfeusz2, None where it is not installed."""
    try:
        morfeusz = importlib.import_module("morfeusz2").Morfeusz()
    except ImportError:
        return None

    def locatives(name: str) -> list[str]:
        found = [
            form
            for form, lemma, tag, kinds, _ in morfeusz.generate(name)
            if tag.startswith("subst") and "loc" in tag.split(":")[2].split(".") and "nazwa_geograficzna" in kinds
        ]
        return list(dict.fromkeys(found))

    return locatives


def _mistyped(name: str, rng: random.Random) -> str:
    """The name with one letter wrong, missing, too many, or swapped with the next."""
    at, letter = rng.randrange(len(name) - 1), rng.choice(string.ascii_lowercase)
    return rng.choice(
        (
            name[:at] + letter + name[at + 1 :],
            name[:at] + name[at + 1 :],
            name[:at] + letter + name[at:],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        )
    )


if __name__ == "__main__":
    sys.exit(main())
