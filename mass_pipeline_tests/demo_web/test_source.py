"""Reading the sources: mistakes of an author are named with their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.demo_web.source import DEMO_FOLDER, load_site, load_sites
from mass_pipeline.model.errors import BadInput

_GOOD = (DEMO_FOLDER / "sites" / "e01-mlyniska.toml").read_text(encoding="utf-8")


def _load(folder: Path, text: str) -> None:
    path = folder / "x01.toml"
    path.write_text(text, encoding="utf-8")
    load_site(path)


class TestMistakes:
    @pytest.mark.parametrize(
        ("old", "new", "complaint"),
        [
            ('deanery = "Kwidzyn"', "", "deanery"),
            ('deanery = "Kwidzyn"', 'deanary = "Kwidzyn"', "deanary"),
            ('hours = "m"', 'hours = "q"', "expected one of m, d, x, n, b"),
            ("Mo-Sa: 7:00", "Mo-Sa 7:00", "truth line"),
            ('town = "', "town = ", "x01.toml"),
        ],
    )
    def test_a_wrong_site_is_refused_with_its_file_and_reason(self, tmp_path: Path, old: str, new: str, complaint: str) -> None:
        with pytest.raises(BadInput, match=rf"x01\.toml.*{complaint}|{complaint}"):
            _load(tmp_path, _GOOD.replace(old, new, 1))

    def test_a_folder_without_sites_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="no demo sites"):
            load_sites(tmp_path)
