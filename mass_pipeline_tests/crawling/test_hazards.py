"""Rows of the hazards list that belong to no single policy: sockets, mass failures, clocks, formats (docs/hazards.md)."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mass_pipeline.crawling import Seed
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.sites.store import CrawlStore
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.made import Crawl
from mass_pipeline_tests.crawling.test_misbehaviour import SCRIPTS, endless
from mass_pipeline_tests.shared import ROOT

# Who may hold a socket, and why.
DOORS = {
    "crawling/fetching/transport.py": "the crawler's door",
    "crawling/fetching/lenient.py": "its second leaf, for broken servers",
    "crawling/fetching/gate.py": "resolves names",
    "crawling/fetching/http_client.py": "httpx over the crawler's door",
    "gathering/asking.py": "names what that client raises",
    "resources/alerts.py": "the same",
    "resources/places_new.py": "the same",
    "resources/places_legacy.py": "Google's own client, over requests",
    "resources/parts.py": "asks for the name of its own machine, no connection",
    "cli/options.py": "takes the port that its own server listens on",
    "cli/ui.py": "asks whether its own UI is up",
    "public_web/trial.py": "asks its own site within the process, over no connection",
}
CLIENTS = {"socket", "aiohttp", "httpx", "httpcore", "urllib.request", "http.client", "ftplib", "requests", "urllib3"}


class TestDoors:
    def test_only_the_gated_modules_import_sockets_or_clients(self) -> None:
        """G6, S10: servers (demo web, annotation page) listen, they ask nobody."""
        found = set()
        for path in (ROOT / "mass_pipeline").rglob("*.py"):
            if {"demo_web", "annotation"} & set(path.parts):
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                opens = isinstance(node, ast.Attribute) and node.attr in ("open_connection", "create_connection")
                if opens or any(name in CLIENTS for name in names):
                    found.add(str(path.relative_to(ROOT / "mass_pipeline")))

        assert found <= set(DOORS), f"{found - set(DOORS)}: ask through mass_pipeline.crawling instead"

    def test_every_connection_was_approved_and_nothing_listens_or_runs(self, tmp_path: Path) -> None:
        """G6, S2, S11: an audit hook sees every connection, listening port, process and evaluation of each user of the chain."""
        script = tmp_path / "audited.py"
        script.write_text(AUDITED)
        done = subprocess.run([sys.executable, str(script), str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)

        assert done.returncode == 0, done.stderr
        figures = json.loads(done.stdout.splitlines()[-1])
        assert figures["outcomes"] == {"crawl": "ok", "directory": "ok", "links": "ok", "verification": "ok", "watch": "ok"}
        assert figures["connected"] == [figures["port"]]
        assert figures["forbidden"] == []

    def test_keys_of_tls_are_written_nowhere(self, tmp_path: Path) -> None:
        """G8."""
        code = (
            "from mass_pipeline.crawling.fetching.transport import _tls_context as tls\n"
            "print(tls(True).keylog_filename, tls(False).keylog_filename)"
        )
        keys = tmp_path / "keys"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"SSLKEYLOGFILE": str(keys)}, capture_output=True, text=True, check=True
        )

        assert done.stdout.split() == ["None", "None"]

    def test_only_get_is_ever_asked(self, crawl: Crawl) -> None:
        """S12, cbcp: a redirect, a form and a broken server change nothing."""
        form = '<form method=post action="/form"><input type=submit></form>'
        crawled = crawl({"a.example": {"/": Page(form + links("/r")), "/r": Page("", 307, headers={"Location": "/t"})}})

        assert {request.method for request in crawled.server.requests} == {"GET"}
        assert "/form" not in crawled.server.paths()


AUDITED = """
import asyncio, json, pathlib, sys, tldextract, uvloop  # tldextract tries out IPv6 when imported
uvloop.new_event_loop = asyncio.new_event_loop  # that of Python tells the audit hook of every connection
sys.path.insert(0, ".")
from dataclasses import replace
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.users import HOST_NAME, USERS

evil = dict.fromkeys(
    ("Referrer-Policy", "ETag", "X-Robots-Tag", "Retry-After", "Content-Disposition", "Link"), "os.system"
)
bad = ["http://127.0.0.1:9/", "http://169.254.169.254/latest", "http://[::1]/", "http://10.1.2.3/", "file:///etc/passwd"]
site = {
    "/": Page("<base href='/'>" + links("/b", "/broken", *bad) + "".join(f"<iframe src='{url}'></iframe>" for url in bad),
              headers=evil),
    "/b": Page("Msze 9:00", headers={**evil, "Content-Type": "os.system"}),
    "/broken": b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nlonger",
    "/robots.txt": Page("Sitemap: http://127.0.0.1:9/s.xml", content_type="text/plain"),
}
connected, forbidden = set(), []
with Loopback({HOST_NAME: site}) as server:
    ask = lambda name: {user: each.ask(pathlib.Path(sys.argv[1]) / name / user, server.connect_to, config)
                        for user, each in USERS.items()}
    config = replace(QUICK, few_links=5)
    ask("warm")  # imports are done before the watch begins
    def watch(event, args):
        if event == "socket.connect":
            connected.add(args[1][1])
        elif event in ("socket.bind", "os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "pickle.find_class"):
            forbidden.append(f"{event} {args}")
    sys.addaudithook(watch)
    outcomes = ask("watched")
    print(json.dumps({"connected": sorted(connected), "port": server.port, "forbidden": forbidden, "outcomes": outcomes}))
"""


GREEDY = """
import os, pathlib, sys, threading, time
from dataclasses import replace
sys.path.insert(0, ".")
from mass_pipeline.crawling import Seed, crawl_sites
from mass_pipeline_tests.crawling.made import QUICK

folder, port = pathlib.Path(sys.argv[1]), int(sys.argv[2])
size = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
crawl_sites([], state=folder / "warm", config=QUICK)
before, peak = size(), [0.0]

def watch():
    while True:
        peak[0] = max(peak[0], size())
        time.sleep(0.01)

threading.Thread(target=watch, daemon=True).start()
seeds = [Seed(str(n), f"http://h{n}.example/") for n in range(50)]
config = replace(QUICK, total_seconds=60)
report = crawl_sites(seeds, state=folder / "s", config=config, connect_to=lambda host, _: ("127.0.0.1", port))
print(peak[0] - before, report.outcomes)
"""


class TestMemory:
    @pytest.mark.slow
    def test_fifty_hosts_that_send_without_end_do_not_fill_it(self, tmp_path: Path) -> None:
        """S1: all are cut at 5 MiB; large bodies are read a few at a time (without that: 280 MiB)."""
        if not Path("/proc/self/statm").exists():
            pytest.skip("needs /proc")
        body = endless(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<p>Msze 12:00 " * 4000)
        script = tmp_path / "greedy.py"
        script.write_text(GREEDY)
        with Loopback({f"h{n}.example": {"/": body} for n in range(50)}) as server:
            command = [sys.executable, str(script), str(tmp_path), str(server.port)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        growth, _, outcomes = done.stdout.partition(" ")

        assert outcomes.strip() == "{'truncated': 50}", done.stderr
        assert float(growth) < 80  # 60 to 67 measured


class TestMixedCompany:
    def test_healthy_sites_come_out_the_same_among_hostile_ones(self, crawl: Crawl) -> None:
        """L2 in small: every host one final outcome, one in six hostile."""
        healthy = {f"h{n}.example": {"/": Page(links("/a")), "/a": Page(f"Msze {n}")} for n in range(50)}
        names = ["endless body", "bomb", "reset in the body", "nothing", "silence", "1000 headers", "bad chunk size", "http 0.9"]
        hostile = {f"x{n}.example": {"/": SCRIPTS[name][0]} for n, name in enumerate(names)}
        limits = {"idle_seconds": 5.0, "max_attempts": 1, "max_body_bytes": 300_000}
        alone = crawl(healthy, *(Seed(host, f"http://{host}/") for host in healthy), state="alone", **limits)
        both = healthy | hostile
        mixed = crawl(both, *(Seed(host, f"http://{host}/") for host in both), state="mixed", **limits)

        assert [site.outcome for site in mixed.report.sites if site.parish_id in healthy] == ["ok"] * 50
        assert all(site.outcome for site in mixed.report.sites)
        assert [(page.url, page.body) for page in mixed.pages if page.parish_id in healthy] == [
            (page.url, page.body) for page in alone.pages
        ]


class TestMassFailure:
    def test_when_every_host_is_busy_each_is_asked_three_times_at_most(self, crawl: Crawl) -> None:
        """P8: also over runs of the same day."""
        sites = {f"h{n}.example": {"/": Page("", 503), "/robots.txt": Page("", 503)} for n in range(30)}
        pauses = {"no_delay": False, "start_delay_seconds": 0, "host_gap_seconds": 0, "retry_base": 1.01}
        crawled = crawl(sites, *(Seed(host, f"http://{host}/") for host in sites), max_attempts=3, **pauses)
        asked = Counter(request.host for request in crawled.server.requests)

        assert max(asked.values()) <= 3
        assert {site.outcome for site in crawled.report.sites} <= {"deferred", "http_5xx"}
        assert not crawled.report.finished


class TestFormats:
    """D13; formats of before: `state.test_released_states` (D11)."""

    def test_what_is_committed_is_synced(self, tmp_path: Path) -> None:
        with CrawlStore(tmp_path, CrawlConfig()) as store:
            settings = [store.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

        assert settings == ["wal", 2]
