"""Prints, as JSON, how many lines of the product run while shapes are read.

    python -m mass_pipeline_tests.hostile.counting "[4000, 16000]" "one word" "as on Sundays"

A process of its own: a tracer in one that has run other tests for minutes is at the mercy of what they left.
"""

from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

from mass_pipeline_tests.hostile import READERS, shape


def lines_run(name: str, size: int) -> int:
    """Lines run while the shape is read; a turn of a loop within a line counts."""
    chosen = shape(name)
    body = chosen.make(size)
    lines = 0

    def tracer(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return tracer

    sys.settrace(tracer)
    try:
        READERS[chosen.reader](body)
    finally:
        sys.settrace(None)
    return lines


if __name__ == "__main__":
    sizes, names = json.loads(sys.argv[1]), sys.argv[2:]
    counted = {}
    for one in names:
        READERS[shape(one).reader](shape(one).make(1000))  # what is loaded and remembered once
        counted[one] = [lines_run(one, size) for size in sizes]
    print(json.dumps(counted))
