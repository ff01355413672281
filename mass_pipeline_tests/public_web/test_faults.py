"""What may go wrong with an index, done for real: the last good generation serves on, with its banner, and nothing is half."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from mass_pipeline.finding.index.changes import objections
from mass_pipeline.finding.index.generations import Generation, Generations
from mass_pipeline_tests.finding.made import NOW, index_of, parish
from mass_pipeline_tests.public_web.support import PARISHES, Visitor, look_again, published, site_over

MLYNY = "/msze?miejsce=pomorskie/mlyny&dzien=2026-11-29"
LATER = NOW + timedelta(hours=1)
SHARES = {"min_parishes_share": 0.95, "min_occurrences_share": 0.9}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:30_000])


def flip(path: Path) -> None:
    """One bit in the middle, as a disk may: size and header stay right."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES = pytest.mark.parametrize("damage", [cut, flip, empty, Path.unlink], ids=["cut off", "one bit", "empty", "gone"])


class TestDamagedGeneration:
    @DAMAGES
    def test_the_one_before_serves_on(self, tmp_path: Path, damage: Callable[[Path], None]) -> None:
        good = published(tmp_path)
        visitor = Visitor(site_over(tmp_path))
        before = visitor.hours(MLYNY)
        damage(published(tmp_path, PARISHES[:2], LATER).index)
        look_again(visitor)

        assert before
        assert visitor.hours(MLYNY) == before
        assert good.name in visitor.get("/zdrowie").text

    @DAMAGES
    def test_a_server_that_begins_takes_the_newest_whole_one(self, tmp_path: Path, damage: Callable[[Path], None]) -> None:
        published(tmp_path, PARISHES[:1], NOW - timedelta(days=1))
        good = published(tmp_path, PARISHES, NOW - timedelta(hours=1))
        damage(published(tmp_path, PARISHES[:2], LATER).index)
        visitor = Visitor(site_over(tmp_path))

        assert good.name in visitor.get("/zdrowie").text
        assert visitor.hours(MLYNY)

    def test_it_is_taken_up_when_it_has_been_made_anew(self, tmp_path: Path) -> None:
        published(tmp_path)
        visitor = Visitor(site_over(tmp_path))
        visitor.page("/")
        cut(published(tmp_path, PARISHES[:2], LATER).index)
        look_again(visitor)
        made = published(tmp_path, PARISHES[:2], LATER + timedelta(hours=1))
        look_again(visitor)

        assert made.name in visitor.get("/zdrowie").text

    def test_a_name_of_no_generation_changes_nothing(self, tmp_path: Path) -> None:
        good = published(tmp_path)
        visitor = Visitor(site_over(tmp_path))
        visitor.page("/")
        (tmp_path / "public" / "CURRENT").write_text("gen-20990101T000000Z-00000000\n")
        look_again(visitor)

        assert good.name in visitor.get("/zdrowie").text
        assert good.name in Visitor(site_over(tmp_path)).get("/zdrowie").text


class TestFullDisk:
    def test_a_build_that_cannot_write_leaves_nothing_and_the_last_one_serves(self, tmp_path: Path) -> None:
        """The kernel refuses to let a file grow (RLIMIT_FSIZE), at three points of the way."""
        good = published(tmp_path)
        script = (
            "import resource, sys\nfrom datetime import timedelta\nfrom pathlib import Path\nimport signal\n"
            "from mass_pipeline_tests.finding.made import NOW, parish\n"
            "from mass_pipeline_tests.public_web.support import published\n"
            "from mass_pipeline.model.errors import StorageError\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "for limit in (0, 8192, 100_000):\n"
            "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
            "    try:\n        published(Path(sys.argv[1]), [parish(n) for n in range(200)], NOW + timedelta(hours=1))\n"
            "    except StorageError as error:\n        assert 'last one stays' in str(error), error\n"
            "    else:\n        raise SystemExit(f'{limit}: built all the same')\n"
        )
        environ = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": "1"}
        ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], env=environ, capture_output=True, check=False)

        assert ended.returncode == 0, ended.stderr.decode()
        assert sorted(path.name for path in (tmp_path / "public").iterdir()) == ["CURRENT", good.name]
        assert good.name in Visitor(site_over(tmp_path)).get("/zdrowie").text


def seen_at(folder: Path, generation: Generation, ahead: timedelta) -> Visitor:
    """A visitor of a site whose clock is so far from that of the generation."""
    assert Generations(folder / "public").current() == generation
    site = site_over(folder)
    site.clock = lambda: NOW + ahead
    return Visitor(site)


class TestClockAndHorizon:
    @pytest.mark.parametrize(
        "ahead", [timedelta(days=2), timedelta(days=200), timedelta(days=-3)], ids=["old", "horizon over", "clock goes wrong"]
    )
    def test_data_of_another_time_carry_a_banner_and_are_not_healthy(self, tmp_path: Path, ahead: timedelta) -> None:
        visitor = seen_at(tmp_path, published(tmp_path), ahead)
        pages = ("/", MLYNY, "/parafia/zdroj-wszystkich-swietych-p000007", "/o-danych")

        assert visitor.get("/zdrowie").status_code == 503
        assert all("Uwaga: dane z 22 listopada 2026" in visitor.page(path) for path in pages)

    def test_data_of_today_carry_none(self, tmp_path: Path) -> None:
        visitor = seen_at(tmp_path, published(tmp_path), timedelta(hours=20))

        assert visitor.get("/zdrowie").status_code == 200
        assert "Uwaga" not in visitor.page("/")

    def test_a_builder_whose_clock_has_gone_back_is_refused(self, tmp_path: Path) -> None:
        former = index_of(tmp_path / "former", [parish(1)])
        new = index_of(tmp_path / "new", [parish(1)], built_at=NOW - timedelta(days=300))

        assert any("clock" in one for one in objections(new, former, date(2026, 1, 26), **SHARES))


class TestEmptyDioceses:
    @pytest.mark.parametrize("left", [0, 10], ids=["all", "all but one"])
    def test_dioceses_without_orders_keep_the_last_generation(self, tmp_path: Path, left: int) -> None:
        whole = [parish(number, diocese_key=f"d{number % 4}") for number in range(40)]
        former = index_of(tmp_path / "former", whole)
        gone = {"rows": (), "state": "unreachable", "service_times": ""}
        emptied = [one if number < left else replace(one, **gone) for number, one in enumerate(whole)]
        new = index_of(tmp_path / "new", emptied)
        found = objections(new, former, date(2026, 11, 22), **SHARES)

        assert any("order" in one for one in found)
