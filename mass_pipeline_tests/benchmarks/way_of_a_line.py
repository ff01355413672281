"""How many functions, in how many files of the project, one line of a schedule passes on its way to its Masses.

    python -m mass_pipeline_tests.benchmarks.way_of_a_line [LINE] [--show]

Counted with `sys.setprofile` on the second reading, when vocabulary and expressions are made.
"""

from __future__ import annotations

import argparse
import sys
from types import FrameType

import mass_pipeline
from mass_pipeline.reading.regular.reading import read_text

LINE = "Niedziela: 8.00, 10.00"
_INNER = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<lambda>")  # parts of the function they stand in
Way = set[tuple[str, str]]


def way_of(text: str) -> Way:
    """(file, function) of the project that run while a text is read."""
    root = str(mass_pipeline.__path__[0])
    passed: Way = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name not in _INNER:
            passed.add((code.co_filename.removeprefix(root).lstrip("/"), f"{code.co_name}:{code.co_firstlineno}"))

    read_text(text)
    sys.setprofile(note)
    try:
        read_text(text)
    finally:
        sys.setprofile(None)
    return passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", nargs="?", default=LINE)
    parser.add_argument("--show", action="store_true", help="also the functions, by file")
    given = parser.parse_args()
    passed = way_of(given.line)
    if given.show:
        print("\n".join(f"{file} {function}" for file, function in sorted(passed)))
    print(f"{len(passed)} functions in {len({file for file, _ in passed})} files: {given.line}")


if __name__ == "__main__":
    main()
