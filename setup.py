"""What pyproject.toml cannot say: the project's data inside the wheel.

The wheel carries data/ and the templates of deploy/ in `mass_pipeline/_project` (model.project_files finds them), so that it
runs without a checkout.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_DATA = ("data/dioceses.csv", "data/gazetteer/*", "data/demo/**/*", "deploy/**/*")


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


setup(cmdclass={"build_py": BuildWithData})
