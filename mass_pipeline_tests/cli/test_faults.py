"""Faults of disks and of other programs, met by the real commands: one clear line that names the file, and nothing lost."""

from __future__ import annotations

import random
import shlex
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.annotation import store as annotation_store
from mass_pipeline.annotation.store import open_store
from mass_pipeline.cli import main
from mass_pipeline.gathering.decisions import find_decision, store_decision
from mass_pipeline.gathering.ledger import QuotaLedger
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.state import StateFile
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.identifiers import DioceseKey, ParishId
from mass_pipeline_tests.annotation.support import START, answer, item
from mass_pipeline_tests.gathering.support import NOW

PAGE = 4096
Command = Callable[[str], tuple[int, str, list[str]]]


def with_a_flipped_bit(whole: bytes, chance: random.Random) -> bytes:
    """Half of them in what SQLite keeps of a page, half in the rows."""
    places = (chance.randrange(len(whole)), chance.randrange(len(whole) // PAGE) * PAGE + chance.choice([0, 1, 3, 4, 6, 8, 10]))
    at = chance.choice(places)
    return whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`command(words)`: code, standard output and the lines of standard error."""
    monkeypatch.setenv("MASS_PIPELINE_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    monkeypatch.delenv("DAGSTER_HOME", raising=False)

    def run(words: str) -> tuple[int, str, list[str]]:
        monkeypatch.setattr(sys, "argv", ["mass-pipeline", *shlex.split(words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(str(ended.value.code)), printed.out, printed.err.splitlines()

    return run


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """An annotation database in which people have answered."""
    file = tmp_path / "annotation.db"
    with closing(open_store(f"sqlite:///{file}")) as store:
        store.add_items([item(n) for n in range(20)], now=START)
        for voter in "abc":
            for n in range(20):
                answer(store, voter, f"c{n:04}", "yes")
    return file


class TestTheAnnotationDatabase:
    def test_a_flipped_bit_is_named_or_changes_nothing(self, command: Command, answers: Path) -> None:
        """Of page headers, half gave a traceback of SQLAlchemy."""
        words, chance, told = f"annotate stats --database sqlite:///{answers}", random.Random(1), 0
        assert command(words)[0] == 0
        whole, wanted = answers.read_bytes(), command(words)
        for _ in range(24):
            answers.write_bytes(with_a_flipped_bit(whole, chance))
            code, shown, lines = command(words)
            if code:
                (line,) = lines
                assert line.startswith(f"Error: {answers}: the annotation database is damaged")
                assert "Restore a copy" in line
                told += 1
            else:
                assert shown.splitlines()[:6] == wanted[1].splitlines()[:6]  # counts
        answers.write_bytes(whole)

        assert told >= 5
        assert command(words) == wanted

    def test_one_that_another_program_holds_is_told(
        self, command: Command, answers: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(annotation_store, "PATIENT_SECONDS", 0.2)
        with closing(sqlite3.connect(answers, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            held = command(f"annotate stats --database sqlite:///{answers}")

        assert held == (1, "", ["Error: The annotation database is held by another program. Try again when that is done."])


@pytest.fixture
def discovery(tmp_path: Path) -> Path:
    """A state of discovery with decisions and spent units."""
    file = tmp_path / "data" / "state" / "discovery.sqlite"
    with StateFile(file) as state:
        ledger = QuotaLedger(state, limit_units=1000)
        for n in range(20):
            url = f"http://parafia{n}.example/"
            row = ParishUrl(ParishId(f"p{n}"), DioceseKey("lodzka"), "ok", url, "/", False, None, "osm", None, (), True, NOW)
            store_decision(state, row, "print", NOW)
            ledger.settle(ledger.reserve(f"q{n}", 10, NOW + timedelta(minutes=n)), "failed", NOW)
    return file


class TestTheStateOfDiscovery:
    def test_a_flipped_bit_leads_to_no_other_site(self, discovery: Path) -> None:
        """A letter of a URL is another site: its parish is looked up again."""
        chance, told, again, whole = random.Random(2), list[str](), 0, discovery.read_bytes()
        for _ in range(150):
            discovery.write_bytes(with_a_flipped_bit(whole, chance))
            try:
                with StateFile(discovery) as state:
                    sites = [find_decision(state, ParishId(f"p{n}"), "print", 3) for n in range(20)]
            except StorageError as error:
                told.append(str(error))
            else:
                assert {site.url for site in sites if site} <= {f"http://parafia{n}.example/" for n in range(20)}
                again += None in sites

        assert len(told) >= 10
        assert all(line.startswith(str(discovery)) for line in told)
        assert again >= 1

    def test_a_damaged_index_of_the_ledger_is_named(self, discovery: Path) -> None:
        """It added the units up wrongly, without a word."""
        whole = bytearray(discovery.read_bytes())
        with closing(sqlite3.connect(discovery)) as connection:
            index = "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'spent' AND type = 'index'"
            (page,) = connection.execute(index).fetchone()
        whole[(page - 1) * PAGE + 4] ^= 1 << 2  # how many entries the page has
        discovery.write_bytes(whole)

        with pytest.raises(StorageError, match=r"cannot be read .*wait a day"):
            StateFile(discovery)

    def test_a_decision_that_a_disk_has_changed_is_removed(self, discovery: Path) -> None:
        """Left in its place it would count as decided, and its parish would wait for ever."""
        with StateFile(discovery) as state, state.transaction() as connection:
            connection.execute("UPDATE decisions SET result = replace(result, 'parafia1.', 'parafia9.')")
        with StateFile(discovery) as state:
            assert find_decision(state, ParishId("p1"), "print", 3) is None
            assert state.rows("SELECT count(*) FROM decisions") == [(19,)]

    @pytest.mark.slow
    def test_a_run_names_the_file_and_what_helps(self, command: Command, discovery: Path) -> None:
        discovery.write_bytes(b"x" * PAGE + discovery.read_bytes()[PAGE:])
        code, _, (line, *_) = command("run directory_job")

        assert code == 1
        assert f"{discovery} (state of discovery) cannot be read" in line
        assert "Restore a copy" in line

    def test_a_lock_of_another_program_is_waited_for(self, discovery: Path) -> None:
        with closing(sqlite3.connect(discovery, isolation_level=None, check_same_thread=False)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            threading.Timer(1.5, lambda: holder.execute("ROLLBACK")).start()
            began = time.monotonic()
            with StateFile(discovery) as state:
                QuotaLedger(state, limit_units=1000).reserve("q", 10, NOW)

        assert time.monotonic() - began > 1.0
