"""Building the index, judging it, and putting it in force."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import multiprocessing
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.finding.formats.dump_tables import tables
from mass_pipeline.finding.index.changes import changes_since, objections, read_former
from mass_pipeline.finding.index.dictionary import column, columns_of, create_table
from mass_pipeline.finding.index.generations import INDEX_NAME, Generations, require_whole
from mass_pipeline.finding.index.library import Library
from mass_pipeline.finding.index.records import MASS, PARISH, MassColumns, MassRecord, ParishRecord
from mass_pipeline.finding.index.schema import FORMAT, TABLES
from mass_pipeline.model.errors import BadInput, StorageError, UsageError
from mass_pipeline.public_web.api_models import Evidence
from mass_pipeline_tests.finding.made import NOW, index_of, parish, row
from mass_pipeline_tests.public_web.support import published

TODAY = date(2026, 11, 22)
SHARES = {"min_parishes_share": 0.95, "min_occurrences_share": 0.9}


class TestBuilding:
    def test_the_same_facts_give_the_same_bytes(self, tmp_path: Path) -> None:
        parishes = [parish(number) for number in range(30)]
        one = index_of(tmp_path / "a", parishes)
        other = index_of(tmp_path / "b", parishes[::-1])

        assert one.read_bytes() == other.read_bytes()

    def test_a_parish_that_stands_twice_is_refused_and_nothing_is_left(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput):
            index_of(tmp_path / "a", [parish(1), parish(1)])

        assert list(tmp_path.iterdir()) == []

    def test_a_stale_order_is_in_no_time_search_but_on_its_page(self, tmp_path: Path) -> None:
        with sqlite3.connect(index_of(tmp_path / "a", [parish(1, state="stale")])) as connection:
            counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("occ", "occ_t")]

        assert counts[0] > 0
        assert counts[1] == 0

    def test_names_without_strokes_and_accents_are_found(self, tmp_path: Path) -> None:
        with sqlite3.connect(index_of(tmp_path / "a", [parish(1, town="Łódź")])) as connection:
            found = connection.execute("SELECT rowid FROM fts WHERE fts MATCH 'town:lodz'").fetchall()

        assert found == [(1,)]


class TestFormat:
    def test_an_index_of_other_tables_is_refused_when_it_is_opened(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mass_pipeline.finding.index.building.FORMAT", hashlib.sha256(b"other tables").hexdigest()[:12])
        published(tmp_path)

        with pytest.raises(StorageError, match="another version"):
            Library(tmp_path / "public").present(0.0)

    def test_it_is_that_of_the_tables(self) -> None:
        assert hashlib.sha256(TABLES.encode()).hexdigest().startswith(FORMAT)

    def test_another_column_of_a_record_makes_other_tables(self) -> None:
        more = dataclasses.make_dataclass("More", [("of_another_version", str | None, column("A column"))], bases=(MassColumns,))

        assert create_table("mass", columns_of(more), {}) == create_table("mass", MASS, {})[:-3] + ", of_another_version TEXT);\n"

    def test_what_a_column_means_is_said_alike_in_open_data_and_api(self) -> None:
        """Whatever has a meaning is open data; the API takes type and words from there."""
        masses = next(table for table in tables("CC-BY-4.0", True) if table.name == "masses")
        evidence: Any = Evidence.model_json_schema()["properties"]

        assert {one.name for one in masses.fields} == {one.name for one in MASS.values() if one.meaning} | {"parish_id"}
        assert evidence["fetched_at"]["description"] == MASS["fetched_at"].meaning


class TestReading:
    def test_columns_are_read_in_the_order_of_the_table(self, tmp_path: Path) -> None:
        """Rows are taken apart by position: names would be looked up in each of them."""
        facts = parish(3, town="Łódź", checked_at=NOW, approved_at=NOW, differs=True, site="https://x.example/")
        with sqlite3.connect(index_of(tmp_path / "a", [facts])) as connection:
            columns = {
                table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in ("parish", "mass")
            }
            one = ParishRecord.of(connection.execute("SELECT * FROM parish").fetchone())
            rule = MassRecord.of(connection.execute("SELECT * FROM mass ORDER BY pk").fetchone())

        assert columns == {"parish": list(PARISH), "mass": list(MASS)}
        assert (one.town, one.checked_at, one.approved_at, one.differs, one.site) == ("Łódź", NOW, NOW, True, facts.site)
        assert rule.row.mass in {row.mass for row in facts.rows}
        assert (rule.row.source_url, rule.row.quote) in {(row.source_url, row.quote) for row in facts.rows}


class TestGate:
    @pytest.fixture
    def former(self, tmp_path: Path) -> Path:
        return index_of(tmp_path / "former", [parish(number) for number in range(40)])

    def test_an_equal_index_passes(self, former: Path, tmp_path: Path) -> None:
        new = index_of(tmp_path / "new", [parish(number) for number in range(40)])

        assert objections(new, former, TODAY, **SHARES) == []

    def test_a_lost_tenth_of_the_parishes_is_refused(self, former: Path, tmp_path: Path) -> None:
        new = index_of(tmp_path / "new", [parish(number) for number in range(36)])

        assert any("36 parishes" in one for one in objections(new, former, TODAY, **SHARES))

    def test_three_lost_parishes_of_the_sample_are_refused_by_name(self, tmp_path: Path) -> None:
        """The sample is the same in every generation: few of a hundred parishes, but three of these twenty."""
        every = [parish(number) for number in range(100)]
        sample = sorted((one.parish_id for one in every), key=lambda key: hashlib.sha256(key.encode()).digest())
        former = index_of(tmp_path / "all", every)
        two, three = (
            index_of(tmp_path / f"{lost}", [one for one in every if one.parish_id not in sample[:lost]]) for lost in (2, 3)
        )
        said = objections(three, former, TODAY, **SHARES)

        assert objections(two, former, TODAY, **SHARES) == []
        assert said == [f"3 of 20 parishes known by sample have lost their order: {', '.join(sorted(sample[:3]))}"]

    def test_a_day_that_lost_its_masses_is_refused(self, former: Path, tmp_path: Path) -> None:
        rows = [row(["Mo", "Tu", "We", "Th", "Fr", "Sa"], "17:00")]
        new = index_of(tmp_path / "new", [parish(number, rows) for number in range(40)])

        assert any("2026-11-22" in one for one in objections(new, former, TODAY, **SHARES))

    def test_what_announcements_take_away_is_not_lost(self, tmp_path: Path) -> None:
        """A third of the parishes announced fewer Masses of Christmas: the index of the week before stayed in force over it."""
        usual = [row(["Su"], hour) for hour in ("08:00", "10:00", "12:00", "18:00")]
        sunday = TODAY + timedelta(days=6 - TODAY.weekday())
        only = row(["Su"], "10:00", exception="only", valid_from=sunday, valid_to=sunday)
        former = index_of(tmp_path / "former", [parish(number, usual) for number in range(40)])
        new = index_of(tmp_path / "new", [parish(n, [*usual, only] if n % 3 == 0 else usual) for n in range(40)])
        less = index_of(tmp_path / "less", [parish(n, [*usual, only] if n % 3 == 0 else usual[:2]) for n in range(40)])

        assert objections(new, former, TODAY, **SHARES) == []
        assert f"52 Masses on {sunday}, there were 104" in objections(less, former, TODAY, **SHARES)

    def test_an_index_without_orders_is_refused_even_as_the_first(self, tmp_path: Path) -> None:
        new = index_of(tmp_path / "new", [parish(1, rows=(), state="no_schedule", service_times="")][:0])

        assert objections(new, None, TODAY, **SHARES) == ["no parish has an order"]

    def test_a_damaged_file_is_an_error(self, former: Path, tmp_path: Path) -> None:
        broken = tmp_path / "broken"
        broken.write_bytes(former.read_bytes()[:20_000])

        with pytest.raises(StorageError):
            objections(broken, former, TODAY, **SHARES)


class TestChanges:
    def test_moved_added_removed_and_withdrawn_are_told(self, tmp_path: Path) -> None:
        old = [parish(1, [row(["Su"], "08:00")]), parish(2, [row(["Su"], "09:00")]), parish(3)]
        new = [parish(1, [row(["Su"], "08:30")]), parish(2, [row(["Su"], "09:00"), row(["Sa"], "18:00")])]
        former = read_former(index_of(tmp_path / "old", old))

        found = {(one.parish_id, one.kind, one.before, one.after) for one in changes_since(former, new, NOW)}

        assert found == {
            ("p000001", "moved", "Su 08:00", "Su 08:30"),
            ("p000002", "added", "", "Sa 18:00"),
            ("p000003", "withdrawn", "", ""),
        }

    def test_a_withdrawn_parish_leaves_no_words_of_earlier_changes(self, tmp_path: Path) -> None:
        first = read_former(index_of(tmp_path / "first", [parish(1, [row(["Su"], "08:00")])]))
        told = changes_since(first, [parish(1, [row(["Su"], "09:00")])], NOW)
        second = read_former(index_of(tmp_path / "second", [parish(1, [row(["Su"], "09:00")])], changes=told))

        left = changes_since(second, [], NOW + timedelta(days=1))

        assert [(one.kind, one.quote) for one in left] == [("withdrawn", "")]


def fill(folder: Path, number: int) -> dict[str, object]:
    index_of(folder / INDEX_NAME, [parish(number)])
    return {"number": number}


def filler(number: int) -> Callable[[Path], dict[str, object]]:
    return lambda folder: fill(folder, number)


class TestGenerations:
    def test_only_what_was_put_in_force_is_current_and_rollback_goes_one_back(self, tmp_path: Path) -> None:
        generations = Generations(tmp_path)
        assert generations.current() is None
        made = [generations.build(NOW + timedelta(hours=n), filler(n)) for n in range(3)]

        generations.put_in_force(made[2])

        assert generations.current() == made[2]
        assert generations.rollback() == made[1] == generations.current()
        with pytest.raises(UsageError):
            generations.rollback("gen-of-nobody")

    def test_generations_of_one_moment_are_gone_back_in_the_order_they_were_built(self, tmp_path: Path) -> None:
        """The clock of the demo stands still: names differ by what is in them alone."""
        generations = Generations(tmp_path)
        made = [generations.build(NOW, filler(n)) for n in range(4)]
        generations.put_in_force(made[3])

        assert [generations.rollback() for _ in range(3)] == made[2::-1]

    def test_one_that_was_refused_is_not_gone_back_to(self, tmp_path: Path) -> None:
        generations = Generations(tmp_path)
        good = generations.build(NOW, filler(0))
        generations.build(NOW, lambda folder: {**fill(folder, 1), "objections": ["clearly less"]})
        generations.put_in_force(generations.build(NOW, filler(2)))

        assert generations.rollback() == good

    def test_what_a_person_went_back_to_is_held_until_it_is_lifted(self, tmp_path: Path) -> None:
        generations = Generations(tmp_path)
        made = [generations.build(NOW, filler(n)) for n in range(2)]
        generations.put_in_force(made[1])
        generations.rollback()
        assert generations.is_held

        generations.lift()
        assert not generations.is_held

    def test_old_generations_go_but_never_the_one_in_force(self, tmp_path: Path) -> None:
        generations = Generations(tmp_path)
        made = [generations.build(NOW + timedelta(hours=n), filler(n)) for n in range(5)]
        generations.put_in_force(made[0])

        generations.forget_old(2)

        assert generations.all() == [made[0], made[3], made[4]]

    def test_refused_ones_drive_out_none_that_was_fit(self, tmp_path: Path) -> None:
        """Three of them left no way back."""
        generations = Generations(tmp_path)
        good = [generations.build(NOW, filler(n)) for n in range(2)]
        generations.put_in_force(good[1])
        for n in range(2, 5):
            refused = generations.build(NOW, lambda folder, n=n: {**fill(folder, n), "objections": ["clearly less"]})  # type: ignore[misc]
            generations.forget_old(2)

        assert generations.all() == [*good, refused]
        assert generations.rollback() == good[0]

    def test_a_changed_file_is_seen(self, tmp_path: Path) -> None:
        made = Generations(tmp_path).build(NOW, filler(1))
        require_whole(made)
        with made.index.open("r+b") as file:
            file.seek(5000)
            file.write(b"damage")

        with pytest.raises(StorageError, match="manifest"):
            require_whole(made)

    def test_a_failed_build_leaves_nothing(self, tmp_path: Path) -> None:
        def fails(folder: Path) -> dict[str, object]:
            (folder / "half").write_bytes(b"x")
            raise OSError(28, "No space left on device")

        with pytest.raises(StorageError, match="No space"):
            Generations(tmp_path).build(NOW, fails)

        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.soak)])
    def test_a_builder_killed_at_any_point_leaves_a_valid_generation_in_force(self, tmp_path: Path, kills: int) -> None:
        rng = random.Random(1)
        for number in range(kills):
            child = multiprocessing.get_context("fork").Process(target=build_without_end, args=(tmp_path, number))
            child.start()
            while not (tmp_path / "CURRENT").exists():
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.3))
            child.kill()
            child.join()

            assert child.exitcode == -signal.SIGKILL
            present = Generations(tmp_path).current()
            assert present is not None
            require_whole(present)


def build_without_end(folder: Path, number: int) -> None:
    """Build generations and put them in force until killed."""
    generations = Generations(folder)
    for second in itertools.count(number * 1_000):
        generations.put_in_force(generations.build(NOW + timedelta(seconds=second), filler(second % 9)))
        generations.forget_old(2)
