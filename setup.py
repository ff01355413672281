"""What pyproject.toml cannot say: the project's data inside the wheel, and the optional compiled build.

The wheel carries data/ and the templates of deploy/ in `mass_pipeline/_project` (model.project_files finds them), so that it
runs without a checkout. The compiled build: the modules that read a page, compiled by mypyc from the same sources.

Without the environment variable MASS_PIPELINE_COMPILE=1 nothing is compiled and no compiler is needed; everything else about the
package stands in pyproject.toml. See docs/operating.md ("Reading many pages") and docs/extraction.md ("Compiled").
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py

# Two groups, so that two processors build at once; the second one knows the first, never the other way round. Left out are
# modules that take no time worth it, and those whose objects are a contract with others (records, settings).
_PAGES = """
    builder charset drafts elements embedded_data finishing html markdown opaque reader tables tabs wording
"""
_LANGUAGE = "clock clock_patterns folding meridiem languages lexer lexicon"
_GRAMMAR = (  # whole rooms, but for what takes no time worth it
    "reading/grammar",
    "reading/phrases",
    "reading/validity",
    "reading/regular",
)
_NOT_COMPILED = {"__init__", "sites", "text_lines"}
_DATA = ("data/dioceses.csv", "data/gazetteer/*", "data/demo/**/*", "deploy/**/*")
_OPTIONS = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]


class BuildWithData(build_py):
    """Copies the project's data files into the built package; an editable install finds them beside it."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for pattern in _DATA:
            for file in sorted(Path().glob(pattern)):
                if file.is_file() and not file.name.startswith("."):  # a .env holds passwords
                    target = Path(self.build_lib, "mass_pipeline", "_project", file)
                    self.mkpath(str(target.parent))
                    self.copy_file(str(file), str(target))


def _extensions() -> list[Any]:
    if os.environ.get("MASS_PIPELINE_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    pages = [
        "mass_pipeline/model/digits.py",
        "mass_pipeline/model/document.py",
        "mass_pipeline/model/sniffing.py",
        *(f"mass_pipeline/reading/text/{name}.py" for name in _PAGES.split()),
    ]
    rooms = [Path("mass_pipeline") / room for room in _GRAMMAR]
    words = [
        *(f"mass_pipeline/reading/words/{name}.py" for name in _LANGUAGE.split()),
        "mass_pipeline/reading/doubts.py",
        "mass_pipeline/reading/formats/osm.py",
        *(str(module) for room in rooms for module in sorted(room.glob("*.py")) if module.stem not in _NOT_COMPILED),
    ]
    extensions: list[Any] = mypycify(
        [*_OPTIONS, *pages, *words],
        opt_level="2",
        debug_level="0",
        separate=[(pages, "mass_pipeline_pages"), (words, "mass_pipeline_words")],
    )
    return extensions


setup(cmdclass={"build_py": BuildWithData}, ext_modules=_extensions(), options={"build_ext": {"parallel": os.cpu_count() or 1}})
