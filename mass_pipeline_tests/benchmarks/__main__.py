"""List the benchmarks, or run those that are named: `python -m mass_pipeline_tests.benchmarks [NAME ...]`.

Nothing fails here: benchmarks print ratios taken in one run. Options of a single one: `python -m ...benchmarks.NAME --help`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Name -> first line of its docstring, of every module that can be run."""
    found = {}
    for path in sorted(HERE.glob("[a-z]*.py")):
        source = path.read_text(encoding="utf-8")
        if '__name__ == "__main__"' in source:
            found[path.stem] = (ast.get_docstring(ast.parse(source)) or "").splitlines()[0]
    return found


def main(names: list[str]) -> int:
    """Run the named benchmarks one after another; without names, list them. The exit code is the worst of theirs."""
    known = benchmarks()
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        for name, summary in known.items():
            print(f"  {name:22} {summary}")
        print("\nmake bench NAME=crawl_speed   or   make bench NAME='classifier extract_speed'")
        return 2 if unknown else 0
    return max(subprocess.run([sys.executable, "-m", f"{__package__}.{name}"], check=False).returncode for name in names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
