"""How well schedules in pictures are read: written schedules painted in ten fonts, speckled and turned, read by tesseract.

    python -m mass_pipeline_tests.benchmarks.pictures [COUNT]

Told are the rows proposed to a person, and those that a second source says too. The second source is the label with every fifth
hour shifted, as a directory that is out of date would be.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mass_pipeline.model.records import Mass
from mass_pipeline.reading.ocr.reading import UNSURE, confirmed, read_picture
from mass_pipeline.reading.ocr.tesseract import PictureUnreadable
from mass_pipeline_tests.evaluation.scoring import Score, compare
from mass_pipeline_tests.evaluation.written import written_records
from mass_pipeline_tests.reading.ocr.rendering import fonts, picture_of

_LONGEST_LINE: Final = 75  # characters; posters have no longer ones
_FONTS: Final = 10
_SHIFTED: Final = 0.2
_SHIFTS: Final = ("30", "15", "45")


def main(count: int = 200, *, seed: int = 1) -> None:
    """Print the scores."""
    chance = random.Random(seed)
    written = [one for one in written_records() if one["masses"] and max(map(len, one["text"].splitlines())) <= _LONGEST_LINE]
    letters = chance.sample(fonts(), _FONTS)
    scores = {name: Score() for name in ("proposed", "both readings", "second source")}
    unreadable = 0
    for number in range(count):
        record = written[number % len(written)]
        picture = picture_of(
            f"MSZE ŚWIĘTE\n{record['text']}",
            font=letters[number % _FONTS],
            size=chance.choice((16, 20, 26, 32)),
            noise=chance.choice((0.0, 0.0, 0.01, 0.02)),
            degrees=chance.choice((0.0, 0.0, -2.0, 1.0, 3.0)),
            seed=number,
        )
        try:
            rows = read_picture(picture, url="poster.png").withheld
        except PictureUnreadable:  # tesseract ran out of time, as on a busy machine: nothing is read
            unreadable += 1
            rows = ()
        second = [_of_directory(one, chance) for one in record["masses"]]
        found = {
            "proposed": [one.read.mass for one in rows],
            "both readings": [one.read.mass for one in rows if UNSURE not in one.reasons],
            "second source": [one.mass for one in confirmed(rows, second)],
        }
        for name, masses in found.items():
            scores[name].add(compare(record["masses"], [one.as_dict() for one in masses], "week"))
    for name, score in scores.items():
        shares = f"P {score.precision:.3f} R {score.recall:.3f} F1 {score.f1:.3f} perfect {score.perfect_share:.2f}"
        print(f"{name:14} {shares} of {score.records} pictures, {len(written)} schedules, {unreadable} unreadable")


def _of_directory(label: Mapping[str, Any], chance: random.Random) -> Mass:
    mass = Mass.from_dict({name: value for name, value in label.items() if name != "optional"})
    if chance.random() >= _SHIFTED:
        return mass
    return replace(mass, time=f"{mass.time[:3]}{chance.choice([one for one in _SHIFTS if one != mass.time[3:]])}")


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:2]))
