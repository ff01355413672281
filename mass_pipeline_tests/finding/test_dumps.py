"""The open data: files, their descriptions, and what must not stand in them."""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import json
import sqlite3
from datetime import date
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest

from mass_pipeline.finding.formats.dumps import write_dumps
from mass_pipeline_tests.finding.made import NOW, index_of, parish, row

TODAY = date(2026, 11, 22)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    rows = [row(["Su"], "08:00", note="=1+1", quote="@SUM(A1)"), row(["Su"], "10:00")]
    osm = parish(2, position_method="osm", position_source_id="node/1", wheelchair="yes")
    tagged = parish(3, wheelchair="no")
    return index_of(tmp_path / "index", [parish(1, rows, name="Tajemnicza"), osm, tagged])


def written(index: Path, folder: Path, *, confirmed: bool = True) -> Path:
    write_dumps(
        index, folder, today=TODAY, built_at=NOW, licence="CC-BY-4.0", directory_confirmed=confirmed, address="https://msze.example"
    )  # fmt: skip
    return folder


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


class TestDumps:
    def test_the_same_index_gives_the_same_bytes(self, index: Path, tmp_path: Path) -> None:
        one, other = written(index, tmp_path / "a"), written(index, tmp_path / "b")

        assert {path.name: path.read_bytes() for path in one.iterdir()} == {
            path.name: path.read_bytes() for path in other.iterdir()
        }

    def test_three_forms_of_a_table_hold_the_same_rows(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        parquet = pq.read_table(folder / "masses.parquet").to_pylist()
        text = gzip.decompress((folder / "masses.csv.gz").read_bytes()).decode()

        assert parquet == lines(folder / "masses.jsonl.gz")
        assert [one["mass_id"] for one in parquet] == [one["mass_id"] for one in csv.DictReader(io.StringIO(text))]

    def test_the_database_holds_the_same_rows_with_their_meaning_and_licence(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        path = tmp_path / "taken.sqlite"
        path.write_bytes(gzip.decompress((folder / "mass-times.sqlite.gz").read_bytes()))
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.row_factory = sqlite3.Row
            masses = [dict(one) for one in connection.execute("SELECT * FROM masses")]
            first = connection.execute(
                "SELECT count(*) FROM masses JOIN parishes USING (parish_id) WHERE time = '08:00'"
            ).fetchone()
            said = {(one["name"], one["field"]): one["licence"] for one in connection.execute("SELECT * FROM about")}

        assert masses == lines(folder / "masses.jsonl.gz")
        assert first[0] > 0
        assert said["masses", "quote"] == "CC-BY-4.0"
        assert said["positions_osm", "latitude"] == "ODbL-1.0"

    def test_no_cell_is_a_formula_in_csv_only(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        text = gzip.decompress((folder / "masses.csv.gz").read_bytes()).decode()
        cells = [cell for one in csv.DictReader(io.StringIO(text)) for cell in (one["note"], one["quote"])]

        assert "'=1+1" in cells
        assert "'@SUM(A1)" in cells
        assert "=1+1" in [one["note"] for one in lines(folder / "masses.jsonl.gz")]

    def test_without_the_directorys_consent_no_name_or_address_leaves_in_bulk(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps", confirmed=False)

        for path in folder.iterdir():
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            assert b"Tajemnicza" not in content, path.name
        assert not (folder / "finding.sqlite.zst").exists()

    def test_what_is_openstreetmaps_stands_apart(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        osm = {str(one["parish_id"]): one for one in lines(folder / "positions-osm.jsonl.gz")}

        assert [one["parish_id"] for one in lines(folder / "positions.jsonl.gz")] == ["p000001", "p000003"]
        assert osm["p000002"]["latitude"] is not None
        assert (osm["p000003"]["wheelchair"], osm["p000003"]["latitude"]) == ("no", None)

    def test_sums_and_package_describe_every_file_as_it_is(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
        package = orjson.loads((folder / "datapackage.json").read_bytes())

        assert {path.name for path in folder.iterdir()} - {"SHA256SUMS"} == set(sums)
        for name, digest in sums.items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        for resource in package["resources"]:
            path = folder / resource["path"]
            assert (path.stat().st_size, f"sha256:{sums[path.name]}") == (resource["bytes"], resource["hash"])
            assert resource["licenses"]

    def test_the_schema_of_a_table_is_that_of_its_file(self, index: Path, tmp_path: Path) -> None:
        folder = written(index, tmp_path / "dumps")
        package = orjson.loads((folder / "datapackage.json").read_bytes())

        for resource in package["resources"]:
            if resource["format"] == "parquet":
                assert [field["name"] for field in resource["schema"]["fields"]] == pq.read_table(
                    folder / resource["path"]
                ).column_names
