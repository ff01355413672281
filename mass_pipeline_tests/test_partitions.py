"""Dioceses as partitions: the bundled file, and files that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.defs.partitions import diocese_partitions
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline_tests.shared import ROOT, shared_folder

FILE = ROOT / "data" / "dioceses.csv"


class TestBundledFile:
    def test_it_has_46_partitions(self) -> None:
        assert len(diocese_partitions(FILE).get_partition_keys()) == 46

    @pytest.mark.shared
    def test_every_spelling_of_the_table_of_2018_leads_to_a_key_and_every_key_is_reached(self) -> None:
        table = shared_folder("directory", "parishes-2018.tsv").read_text(encoding="utf-8").splitlines()
        spellings = {line.split("\t")[3] for line in table[1:]}

        dioceses = Dioceses.from_csv(FILE)

        assert {dioceses.find(spelling) for spelling in spellings} == set(diocese_partitions(FILE).get_partition_keys())


class TestRefusedFiles:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("key,name,spellings\n", "no dioceses"),
            ("key,name,spellings\nŁódź,x,y\n", "'Łódź' must be lower-case"),
            ("key,name,spellings\na/../b,x,y\n", "must be lower-case"),
            ("key,name,spellings\na,x,y\na,z,w\n", "twice"),
            (f"key,name,spellings\n{'a' * 300},x,y\n", "at most 60"),
            ("klucz,nazwa\na,x\n", "columns key, name, spellings"),
        ],
    )
    def test_the_fault_is_named(self, tmp_path: Path, content: str, message: str) -> None:
        file = tmp_path / "dioceses.csv"
        file.write_text(content, encoding="utf-8")

        with pytest.raises(ConfigurationError, match=message):
            diocese_partitions(file)

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"nowhere\.csv"):
            diocese_partitions(tmp_path / "nowhere.csv")
