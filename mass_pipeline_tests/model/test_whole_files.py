"""Folders and files of the data folder: who may enter them."""

from __future__ import annotations

import stat
from pathlib import Path

from mass_pipeline.definitions import build_defs
from mass_pipeline.resources.settings import load_settings


class TestDataFolder:
    def test_a_new_one_is_its_owners_alone(self, tmp_path: Path) -> None:
        folder = tmp_path / "srv" / "mass"
        build_defs(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)}))

        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_one_that_is_shared_on_purpose_stays_so(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o750)
        build_defs(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}))

        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750
