"""Parishes from a file of the operator's own, and from the real table of 2018."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.tabular import read_table
from mass_pipeline.model.columns import PARISHES
from mass_pipeline.model.errors import BadInput
from mass_pipeline.resources.lake import table_of
from mass_pipeline_tests.gathering.support import DIOCESES
from mass_pipeline_tests.shared import ROOT, shared_folder

POLISH = "Parafia\tMiejscowość\tAdres\tDiecezja\tDekanat\tWojewództwo\n"


class TestReadTable:
    @pytest.mark.parametrize(
        "text",
        [
            POLISH + "św. Anny\tBiała\tśw. Anny|ul. Leśna 3|48-217 Biała\topolska\tBiała\t\n",
            "name;town;address;diocese;deanery\nśw. Anny;Biała;św. Anny|ul. Leśna 3|48-217 Biała;opolska;Biała\n",
            '\ufeffname,town,address,diocese\n"św. Anny",Biała,"św. Anny|ul. Leśna 3|48-217 Biała",Diecezja opolska\n',
        ],
    )
    def test_tabs_semicolons_and_commas_polish_and_english(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "parishes.txt"
        path.write_text(text, encoding="utf-8")
        (parish,) = read_table(path, DIOCESES)

        assert (
            parish.name, parish.town, parish.street, parish.voivodeship, parish.diocese_key,
        ) == ("św. Anny", "Biała", "ul. Leśna 3", "opolskie", "opolska")  # fmt: skip

    def test_parquet(self, tmp_path: Path) -> None:
        path = tmp_path / "parishes.parquet"
        pq.write_table(pa.table({"name": ["św. Anny"], "town": ["Biała"], "diocese": ["opolska"], "website": [None]}), path)

        assert [parish.website_hint for parish in read_table(path, DIOCESES)] == [None]

    def test_the_order_of_rows_does_not_change_identifiers(self, tmp_path: Path) -> None:
        rows = [f"św. Anny\tBiała\tśw. Anny|ul. Leśna {n}|48-217 Biała\topolska\tBiała\t\n" for n in range(3)]
        one, other = tmp_path / "one.tsv", tmp_path / "other.tsv"
        one.write_text(POLISH + "".join(rows), encoding="utf-8")
        other.write_text(POLISH + "".join(reversed(rows)), encoding="utf-8")

        assert {p.parish_id for p in read_table(one, DIOCESES)} == {p.parish_id for p in read_table(other, DIOCESES)}

    def test_complete_twins_get_two_identifiers(self, tmp_path: Path) -> None:
        path = tmp_path / "twins.tsv"
        path.write_text(POLISH + "św. Anny\tBiała\t\topolska\tBiała\t\n" * 2, encoding="utf-8")

        assert len({p.parish_id for p in read_table(path, DIOCESES)}) == 2

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"a\tb\n1\t2\n", "lacks the column name and town and diocese"),
            (POLISH.encode(), "no row holds a parish"),
            ("Parafia\tMiejscowość\tDiecezja\nśw. Józefa\tŁódź\tłódzka\n".encode("cp1250"), "UTF-8"),
            (b"", "No columns to parse"),
        ],
    )
    def test_a_bad_file_is_named_with_the_remedy(self, tmp_path: Path, content: bytes, message: str) -> None:
        path = tmp_path / "bad.tsv"
        path.write_bytes(content)

        with pytest.raises(BadInput, match=message):
            list(read_table(path, DIOCESES))

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"absent\.csv"):
            list(read_table(tmp_path / "absent.csv", DIOCESES))


@pytest.mark.shared
class TestRealTable:
    @pytest.mark.row("P1")
    def test_the_table_of_2018_is_read_whole(self) -> None:
        """10,130 rows, 46 spellings of dioceses, 1,149 rows without voivodeship of which the postcode tells nearly all."""
        path = shared_folder("directory", "parishes-2018.tsv")
        dioceses = Dioceses.from_csv(ROOT / "data" / "dioceses.csv")
        parishes = list(read_table(path, dioceses))

        assert len(parishes) == len({p.parish_id for p in parishes}) == 10_130
        assert len({p.diocese_key for p in parishes}) == 46
        assert all(dioceses.find(p.diocese) for p in parishes)
        assert sum(p.voivodeship is None for p in parishes) <= 52
        assert table_of(PARISHES, map(asdict, parishes)).num_rows == 10_130
