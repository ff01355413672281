"""Faults of disks and of other programs, met by the real commands: one clear line that names the file, and nothing lost."""

from __future__ import annotations

import json
import random
import socket
import sqlite3
import ssl
import subprocess
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mass_pipeline.annotation import store as annotation_store
from mass_pipeline.annotation.store import open_store
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.gathering.decisions import find_decision, store_decision
from mass_pipeline.gathering.ledger import QuotaLedger
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.identifiers import DioceseKey, ParishId
from mass_pipeline_tests.annotation.support import START, answer, item
from mass_pipeline_tests.cli.conftest import Command
from mass_pipeline_tests.crawling.loopback import Loopback, Page
from mass_pipeline_tests.gathering.support import NOW
from mass_pipeline_tests.shared import needs

BLOCK = 4096


def with_a_flipped_bit(whole: bytes, chance: random.Random) -> bytes:
    """Half of them in what SQLite keeps of a page, half in the rows."""
    places = (chance.randrange(len(whole)), chance.randrange(len(whole) // BLOCK) * BLOCK + chance.choice([0, 1, 3, 4, 6, 8, 10]))
    at = chance.choice(places)
    return whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]


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
    with DiscoveryState(file) as state:
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
                with DiscoveryState(discovery) as state:
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
        whole[(page - 1) * BLOCK + 4] ^= 1 << 2  # how many entries the page has
        discovery.write_bytes(whole)

        with pytest.raises(StorageError, match=r"cannot be read .*wait a day"):
            DiscoveryState(discovery)

    def test_a_decision_that_a_disk_has_changed_is_removed(self, discovery: Path) -> None:
        """Left in its place it would count as decided, and its parish would wait for ever."""
        with DiscoveryState(discovery) as state, state.transaction() as connection:
            connection.exec_driver_sql("UPDATE decisions SET result = replace(result, 'parafia1.', 'parafia9.')")
        with DiscoveryState(discovery) as state:
            assert find_decision(state, ParishId("p1"), "print", 3) is None
            assert state.rows("SELECT count(*) FROM decisions") == [(19,)]

    @pytest.mark.slow
    def test_a_run_names_the_file_and_what_helps(self, command: Command, discovery: Path) -> None:
        discovery.write_bytes(b"x" * BLOCK + discovery.read_bytes()[BLOCK:])
        code, _, (line, *_) = command("run directory_job")

        assert code == 1
        assert f"{discovery} (state of discovery) cannot be read" in line
        assert "Restore a copy" in line

    def test_a_lock_of_another_program_is_waited_for(self, discovery: Path) -> None:
        with closing(sqlite3.connect(discovery, isolation_level=None, check_same_thread=False)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            threading.Timer(1.5, lambda: holder.execute("ROLLBACK")).start()
            began = time.monotonic()
            with DiscoveryState(discovery) as state:
                QuotaLedger(state, limit_units=1000).reserve("q", 10, NOW)

        assert time.monotonic() - began > 1.0


@pytest.fixture
def certificate(tmp_path: Path) -> ssl.SSLContext:
    """Of another host, by nobody."""
    needs("openssl", "version")
    words = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 1 -subj /CN=wrong.example"
    subprocess.run(["openssl", *words.split()], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    return context


def hang_up(listening: socket.socket) -> None:
    """Take connections and end them in the middle of the handshake, until it is closed."""
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            connection.recv(16)
            connection.close()


class TestTheNetwork:
    def test_tls_faults_and_a_slow_resolver_cost_their_own_sites_only(
        self, command: Command, certificate: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = socket.getaddrinfo

        def slow(host: str, *words: object, **more: object) -> object:
            time.sleep(2.0 if host == "localhost" else 0.0)
            return real(host, *words, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(socket, "getaddrinfo", slow)
        site = {"127.0.0.1": {"/": Page("Msze 9:00")}, "localhost": {"/": Page("Msze 10:00")}}
        with Loopback(site) as plain, Loopback(site, tls=certificate) as own, socket.create_server(("127.0.0.1", 0)) as rude:
            threading.Thread(target=hang_up, args=(rude,), daemon=True).start()
            starts = {
                "a site": f"http://127.0.0.1:{plain.port}/",
                "a name that is looked up slowly": f"http://localhost:{plain.port}/",
                "a certificate of nobody": f"https://127.0.0.1:{own.port}/",
                "no TLS behind https": f"https://127.0.0.1:{plain.port}/",
                "TLS behind http": f"http://127.0.0.1:{own.port}/",
                "a handshake that is broken off": f"https://127.0.0.1:{rude.getsockname()[1]}/",
            }
            (tmp_path / "seeds.txt").write_text("\n".join(starts.values()), encoding="utf-8")
            code, _, lines = command(
                f"crawl --seeds {tmp_path}/seeds.txt --out {tmp_path}/pages.jsonl --allow-private-hosts --no-delay"
            )
            rude.shutdown(socket.SHUT_RDWR)
        rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()]
        outcomes = {row["url"]: row["outcome"] for row in rows}

        assert code == 0, lines
        assert {name for name, url in starts.items() if outcomes[url] == "ok"} == {
            "a site",
            "a name that is looked up slowly",
            "a certificate of nobody",
        }
        assert {outcomes[url] for url in starts.values()} <= {"ok", "tls_error", "protocol_error", "refused", "timeout"}


class TestAClockThatSteps:
    @pytest.mark.parametrize("days", [-400, -1, 1])
    def test_a_crawl_keeps_its_pages_and_sees_what_changes_once_the_clock_is_right(
        self, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
    ) -> None:
        """Nothing that was planned by the wrong clock waits for it."""
        now = [datetime(2026, 11, 22, 3, tzinfo=UTC)]
        monkeypatch.setattr(Clock, "now", lambda _: now[0])
        texts = []
        with Loopback({"127.0.0.1": {"/": Page("<a href=/msze>Msze</a>")}}) as server:
            (tmp_path / "seeds.txt").write_text(f"http://127.0.0.1:{server.port}/", encoding="utf-8")
            words = f"crawl --seeds {tmp_path}/seeds.txt --out {tmp_path}/pages.jsonl --state {tmp_path}/state"
            for step, hour in ((0, "9:00"), (days, "10:00"), (-days, "11:00"), (8, "12:00")):
                now[0] += timedelta(days=step)
                server.sites["127.0.0.1"]["/msze"] = Page(f"Niedziela {hour}")
                code, _, lines = command(f"{words} --allow-private-hosts --no-delay")
                assert code == 0, lines
                rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()]
                texts.append({row["url"].rpartition("/")[2]: row["content"] for row in rows})

        assert [set(one) for one in texts] == [{"", "msze"}] * 4
        assert texts[-1]["msze"] == "Niedziela 12:00"
