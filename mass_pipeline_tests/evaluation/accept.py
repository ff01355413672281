"""`make golden-accept PAGE=name`: take the present reading of one golden page as expected, to be reviewed by eye.

    python -m mass_pipeline_tests.evaluation.accept NAME

Prints what changes. A new page needs a folder with its bytes and a meta.json; everything else is written here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mass_pipeline_tests.evaluation.reading import read_record
from mass_pipeline_tests.evaluation.sets import GOLDEN, LabelledRecord


def accept(folder: Path) -> list[str]:
    """Write expected.json of one golden page; returns the lines that differ from the former expectation."""
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    pages = tuple((page["url"], folder / page["file"], page.get("content_type")) for page in meta["pages"])
    reading = read_record(LabelledRecord(folder.name, None, pages=pages))
    lines = [
        json.dumps({key: mass[key] for key in ("days", "time", "season", "nth", "place")}, ensure_ascii=False)
        for mass in reading.masses
    ]
    target = folder / "expected.json"
    old = target.read_text("utf-8") if target.exists() else ""
    masses = "[\n  " + ",\n  ".join(lines) + "\n ]" if lines else "[]"
    target.write_text(f'{{\n "reviewed": "accepted; read it before you commit",\n "masses": {masses}\n}}\n', "utf-8")
    return [line for line in target.read_text("utf-8").splitlines() if line not in old.splitlines()]


def main() -> int:
    name = sys.argv[1].strip() if len(sys.argv) == 2 else ""
    folder = GOLDEN / name
    if not name or Path(name).name != name or not (folder / "meta.json").exists():
        print(
            f"golden-accept: no golden page {name!r}. Give the name of a folder in {GOLDEN}, with its pages and meta.json.",
            file=sys.stderr,
        )
        return 2
    changed = accept(folder)
    print("\n".join(changed) if changed else "Nothing changed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
