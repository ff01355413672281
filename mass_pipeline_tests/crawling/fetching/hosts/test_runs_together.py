"""Several real processes over shared hosts and shared addresses, killed in between: manners as the servers see them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mass_pipeline_tests.crawling.fetching.hosts.shared_hosts import SharedHosts
from mass_pipeline_tests.postgres import fresh_database
from mass_pipeline_tests.shared import comes_true

GAP = 0.1
SHARED, CROWDED = "127.0.0.1", "127.0.0.2"  # one host of many parishes; many hosts of one parish each
SETTINGS = {
    "CRAWL_HOST_GAP_SECONDS": str(GAP),
    "CRAWL_START_DELAY_SECONDS": str(GAP),
    "CRAWL_LEASE_SECONDS": "3",
    "CRAWL_LEASE_TURN_SECONDS": "1",
    "CRAWL_MIN_FREE_BYTES": "0",
    "DIRECTORY_REQUEST_GAP_SECONDS": str(GAP),
    "WATCH_SITES_AT_ONCE": "5",
}


class Installation:
    """Commands of one installation, started as an operator's shell would."""

    def __init__(self, folder: Path, leases: str) -> None:
        self.folder = folder
        others = {name: value for name, value in os.environ.items() if not name.startswith("MASS_PIPELINE_")}
        settings = {f"MASS_PIPELINE_{name}": value for name, value in SETTINGS.items()}
        self._environment = {**others, **settings, "MASS_PIPELINE_LEASES": leases}
        self._environment["MASS_PIPELINE_DATA_FOLDER"] = str(folder / "data")
        self.running: list[subprocess.Popen[bytes]] = []

    def crawl(self, name: str, urls: Sequence[tuple[str, str]]) -> subprocess.Popen[bytes]:
        """`mass-pipeline crawl` of one diocese: pairs of start URL and path prefix."""
        seeds = self.folder / f"{name}.txt"
        seeds.write_text("".join(f"{name}-{n}\t{url}\t{prefix}\n" for n, (url, prefix) in enumerate(urls)))
        out, state = str(self.folder / f"{name}.jsonl"), str(self.folder / f"{name}.state")
        return self._start("crawl", "--seeds", str(seeds), "--out", out, "--state", state, "--allow-private-hosts")

    def watch(self, urls: Sequence[str]) -> subprocess.Popen[bytes]:
        """`mass-pipeline watch --once` of some sites."""
        sites = self.folder / "watched.txt"
        sites.write_text("".join(f"{url}\n" for url in urls))
        state = str(self.folder / "watch")
        return self._start("watch", "--sites", str(sites), "--state", state, "--once", "--allow-private-hosts")

    def links(self, urls: Sequence[str]) -> subprocess.Popen[bytes]:
        """`mass-pipeline lab links start` over some sites."""
        state = str(self.folder / "links")
        for number, url in enumerate(urls):
            added = self._start("lab", "links", "sites", "add", url, "--short", f"site{number}", "--state", state)
            _, errors = added.communicate(timeout=600)
            assert added.returncode == 0, errors.decode("utf-8", "replace")
            self.running.remove(added)
        return self._start("lab", "links", "start", "--state", state, "--budget", "8", "--level", "1")

    def fetch(self, url: str) -> subprocess.Popen[bytes]:
        """A look at one page, as verification takes it: later again when others ask the host."""
        code = (
            "import os, sys\n"
            "from mass_pipeline.gathering.asking import home_reader\n"
            "from mass_pipeline.model.errors import RetryLater\n"
            "from mass_pipeline.resources.web import RateLimitedHttp\n"
            "from mass_pipeline.resources.settings import load_settings\n"
            "from mass_pipeline.resources.web import Web\n"
            "todo = sys.argv[1:]\n"
            "with RateLimitedHttp(load_settings(os.environ), Web(lambda host, port: None)).client() as client:\n"
            "    while todo:\n"
            "        try:\n"
            "            home_reader(client)(todo[-1])\n"
            "            todo.pop()\n"
            "        except RetryLater:\n"
            "            pass\n"
        )
        return self._launch([sys.executable, "-c", code, url, url])

    def directory(self, urls: Sequence[str]) -> subprocess.Popen[bytes]:
        """The client that reads directories and lists."""
        code = (
            "import os, sys\n"
            "from mass_pipeline.resources.web import RateLimitedHttp\n"
            "from mass_pipeline.resources.settings import load_settings\n"
            "from mass_pipeline.resources.web import Web\n"
            "with RateLimitedHttp(load_settings(os.environ), Web(lambda host, port: None)).client('directory') as client:\n"
            "    for url in sys.argv[1:]:\n"
            "        client.get(url).raise_for_status()\n"
        )
        return self._launch([sys.executable, "-c", code, *urls])

    def wait(self) -> None:
        """Until all have ended well."""
        for process in self.running:
            _, errors = process.communicate(timeout=1200)
            assert process.returncode == 0, errors.decode("utf-8", "replace")[-2000:]
        self.running.clear()

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """As the kernel does when memory ends."""
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.running.remove(process)

    def pages(self, name: str) -> int:
        """Pages of a diocese that were kept."""
        rows = [json.loads(line) for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]
        return sum(row["outcome"] == "ok" for row in rows)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return self._launch([str(Path(sys.executable).with_name("mass-pipeline")), *arguments])

    def _launch(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.running.append(process)
        return process


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def installation(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    """An installation with leases of each kind; whatever still runs in the end is ended."""
    if request.param == "sqlite":
        made = Installation(tmp_path, str(tmp_path / "leases"))
        yield made
    else:
        with fresh_database() as url:
            made = Installation(tmp_path, url)
            yield made
            for process in list(made.running):
                made.kill(process)
    for process in list(made.running):
        made.kill(process)


def diocese(server: SharedHosts, number: int, parishes: int, own: Sequence[str]) -> list[tuple[str, str]]:
    """Some parishes of the host that all dioceses share, and some that have a host of their own at a crowded address."""
    (shared,) = server.hosts[SHARED]
    paths = [f"/p{number * parishes + n}/" for n in range(parishes)]
    return [(f"http://{shared}{path}", path) for path in paths] + [(f"http://{host}/a/", "/") for host in own]


def polite(server: SharedHosts) -> None:
    """What every webmaster may expect of all our processes together."""
    assert server.least_gap() >= GAP
    assert {server.most_in_flight(host) for hosts in server.hosts.values() for host in hosts} == {1}
    assert server.most_in_flight(SHARED) == 1
    assert server.most_in_flight(CROWDED) <= 2


class TestTwoDioceses:
    def test_share_a_host_its_rules_and_an_address(self, installation: Installation) -> None:
        with SharedHosts({SHARED: 1, CROWDED: 6}) as server:
            own = server.hosts[CROWDED]
            installation.crawl("one", diocese(server, 0, 2, own[:3]))
            installation.crawl("two", diocese(server, 1, 2, own[3:]))
            installation.wait()

            polite(server)
            assert (installation.pages("one"), installation.pages("two")) == (20, 20)
            paths = [one.path for one in server.requests(server.hosts[SHARED][0])]

            assert (paths.count("/robots.txt"), paths.count("/.well-known/tdmrep.json")) == (1, 1)

    @pytest.mark.parametrize(
        "installation",
        ["sqlite", pytest.param("postgresql", marks=[pytest.mark.service, pytest.mark.soak])],
        indirect=True,
    )
    def test_one_that_is_killed_leaves_the_gap_and_goes_on(self, installation: Installation) -> None:
        with SharedHosts({SHARED: 1, CROWDED: 4}, pages=5) as server:
            own = server.hosts[CROWDED]
            killed = installation.crawl("one", diocese(server, 0, 2, own[:2]))
            assert comes_true(lambda: len(server.seen) >= 6)
            installation.crawl("two", diocese(server, 1, 2, own[2:]))
            assert comes_true(lambda: any(server.requests(host) for host in own[2:]))
            installation.kill(killed)
            installation.crawl("one", diocese(server, 0, 2, own[:2]))
            installation.wait()

            polite(server)
            assert (installation.pages("one"), installation.pages("two")) == (24, 24)


@pytest.mark.soak
class TestManyDioceses:
    # Both kinds of leases with two dioceses above; all together with the one that several machines use.
    @pytest.mark.parametrize(
        "installation",
        ["sqlite", pytest.param("postgresql", marks=pytest.mark.service)],
        indirect=True,
    )
    @pytest.mark.parametrize("count", [3, 6])
    def test_with_watch_links_verification_and_the_directory_beside_them(self, installation: Installation, count: int) -> None:
        with SharedHosts({SHARED: 1, CROWDED: count}, pages=2, latency=0.15) as server:
            own = server.hosts[CROWDED]
            (shared,) = server.hosts[SHARED]
            crawls = [installation.crawl(f"d{n}", diocese(server, n, 1, own[n : n + 1])) for n in range(count)]
            installation.watch([f"http://{shared}/p0/", f"http://{own[0]}/a/"])
            installation.links([f"http://{shared}/p1/", f"http://{shared}/p2/"])
            installation.fetch(f"http://{shared}/p3/")
            installation.directory([f"http://{shared}/p4/{n}" for n in range(3)])
            assert comes_true(lambda: len(server.seen) >= 8)
            installation.kill(crawls[0])
            installation.crawl("d0", diocese(server, 0, 1, own[:1]))
            installation.wait()

            polite(server)
            assert [installation.pages(f"d{n}") for n in range(count)] == [6] * count
