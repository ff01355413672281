"""Pages that only scripts fill, shown by a real browser that asks by the crawl's one door."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.crawling import CrawlConfig, Seed, crawl_sites, rendering
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.site_reading.guarded import read_guarded
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page
from mass_pipeline_tests.crawling.made import QUICK, Crawl, Crawled
from mass_pipeline_tests.crawling.rendering.sites import CHROMIUM, NEEDS_BROWSER, SETTINGS, shell, site

pytestmark = NEEDS_BROWSER
HOST = "a.example"
START = f"http://{HOST}/"


def status_of(crawled: Crawled, url: str = START) -> str:
    """What the rules say of one page as it was kept."""
    page = crawled.page(url)
    assert page.body is not None
    return read_site([read_guarded(page.body, content_type=page.content_type, url=url)[1]]).status


class TestShownPages:
    def test_the_text_is_that_of_the_browser_and_the_row_says_so(self, crawl: Crawl) -> None:
        crawled = crawl({HOST: site()}, **SETTINGS)
        page = crawled.page(START)
        assert page.body is not None
        _, reading = read_guarded(page.body, content_type=page.content_type, url=START)

        assert (page.outcome, page.rendering) == ("ok", "rendered: 2 requests")
        assert {(read.mass.days, read.mass.time) for read in reading.masses} == {
            (("Su",), "07:30"), (("Su",), "09:00"), (("Su",), "11:15"), (("Mo", "Tu", "We", "Th", "Fr", "Sa"), "18:00"),
        }  # fmt: skip
        assert (page.etag, page.content_type) == (None, "text/html; charset=utf-8")
        assert crawled.report.politeness["rendered_pages"] == 1

    def test_everything_is_asked_for_once_under_the_name_of_the_crawl(self, crawl: Crawl) -> None:
        """The page itself too: the browser gets what the crawl has fetched. A script of two pages is asked for once."""
        more = {"o-nas": shell("show().then(() => document.body.append('Kontakt z parafią świętej Anny i godziny kancelarii'))")}
        start = shell("show().then(() => { const a = document.createElement('a'); a.href = '/o-nas'; document.body.append(a) })")
        crawled = crawl({HOST: site(start, **more)}, **SETTINGS)

        assert sorted(crawled.server.paths()) == ["/", "/app.js", "/dane/msze.json", "/historia", "/o-nas", "/robots.txt"]
        assert {request.headers["user-agent"] for request in crawled.server.requests} == {QUICK.user_agent}
        assert crawled.page(f"{START}o-nas").rendering == "rendered: 0 requests"
        assert {request.headers.get("cookie") for request in crawled.server.requests} == {None}

    def test_a_page_that_shows_its_text_is_not_given_to_a_browser(self, crawl: Crawl) -> None:
        start = Page('<html><body><h1>Msze święte</h1><p>Niedziela: 8:00, 10:30</p><script src="/app.js"></script></body></html>')
        crawled = crawl({HOST: site(start)}, **SETTINGS)

        assert (crawled.page(START).rendering, crawled.server.paths()) == (None, ["/robots.txt", "/"])

    def test_pages_of_one_script_that_differ_by_their_address_are_all_shown(self, crawl: Crawl) -> None:
        """The usual site of components: each address answers with the same bytes, and a menu leads on."""
        app = Page("""
            const load = path => import(path === '/msze' ? '/assets/msze.js' : '/assets/start.js');
            const text = await (await load(location.pathname)).text();
            root.innerHTML = `<nav><a href="/msze">Msze święte</a></nav>${text}`;
        """, content_type="text/javascript")  # fmt: skip
        start = Page("export const text = async () => 'Witamy!'", content_type="text/javascript")
        masses = Page("""
            export const text = async () => {
                const order = await (await fetch('/dane/msze.json', {headers: {accept: 'application/json'}})).json();
                return '<h1>Msze święte</h1>' + Object.entries(order).map(([d, h]) => `<p>${d}: ${h.join(', ')}</p>`).join('');
            };
        """, content_type="text/javascript")  # fmt: skip
        head = '<link rel="stylesheet" href="/a.css"><link rel="modulepreload" href="/assets/app.js">'
        same = shell("", f'{head}<script type="module" src="/assets/app.js"></script>')
        files = {"msze": same, "assets/app.js": app, "assets/start.js": start, "assets/msze.js": masses}
        crawled = crawl({HOST: site(same, **files)}, **SETTINGS)

        assert [(page.outcome, page.rendering) for page in crawled.pages] == [
            ("ok", "rendered: 2 requests"),
            ("ok", "rendered: 2 requests"),
        ]
        assert status_of(crawled, f"{START}msze") == "read"

    def test_shadow_roots_are_shown(self, crawl: Crawl) -> None:
        script = "show().then(() => root.attachShadow({mode: 'open'}).append(...root.childNodes))"
        crawled = crawl({HOST: site(shell(script))}, **SETTINGS)

        assert b"shadowrootmode" in (crawled.page(START).body or b"")
        assert status_of(crawled) == "read"

    def test_where_a_page_wants_to_lead_is_a_link(self, crawl: Crawl) -> None:
        """Another page in its place would be kept under its address."""
        crawled = crawl(
            {HOST: site(shell("show().then(() => location.href = '/historia?1')"), **{"historia?1": Page("x")})}, **SETTINGS
        )

        assert crawled.outcome(f"{START}historia?1") == "ok"
        assert status_of(crawled) == "read"


class TestOff:
    def test_it_is_off_in_every_profile(self) -> None:
        for environ in ({}, {"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": "a@example.org"}):
            config: CrawlConfig = load_settings(environ).section(CrawlConfig)
            assert config.render is False

    def test_then_the_page_stays_as_it_came(self, crawl: Crawl) -> None:
        crawled = crawl({HOST: site()})

        assert (crawled.server.paths(), crawled.page(START).rendering) == (["/robots.txt", "/"], None)
        assert status_of(crawled) == "javascript_only"

    def test_a_browser_that_is_not_there_is_told_before_anything_is_asked(self, tmp_path: Path) -> None:
        config = replace(QUICK, render=True, render_browser="/nowhere/chromium")
        with Loopback({HOST: site()}) as server:
            with pytest.raises(ConfigurationError, match="no browser at /nowhere/chromium"):
                crawl_sites([Seed("p", START)], state=tmp_path / "s", config=config, connect_to=server.connect_to)

            assert server.requests == []


class TestManners:
    def test_requests_of_a_page_keep_the_gap_of_the_host(self, crawl: Crawl) -> None:
        gap = 0.5
        settings = SETTINGS | {"no_delay": False, "start_delay_seconds": gap, "host_gap_seconds": gap, "max_delay_seconds": gap}
        crawled = crawl({HOST: site()}, **settings)
        moments = [request.at for request in crawled.server.requests if request.host == HOST]

        assert crawled.page(START).rendering == "rendered: 2 requests"
        assert min(after - before for before, after in pairwise(moments)) >= gap
        assert crawled.server.most_in_flight == {HOST: 1}
        assert crawled.report.politeness["early_requests"] == 0

    def test_what_robots_txt_closes_is_not_asked_for_and_the_row_says_so(self, crawl: Crawl) -> None:
        robots = Page("User-agent: *\nDisallow: /dane/", content_type="text/plain")
        crawled = crawl({HOST: site(**{"robots.txt": robots})}, **SETTINGS)

        assert "/dane/msze.json" not in crawled.server.paths()
        assert crawled.page(START).rendering == (
            "not rendered: it shows no more than before (1 request; left out: forbidden_by_robots 1)"
        )
        assert status_of(crawled) == "javascript_only"

    def test_other_hosts_and_private_addresses_are_not_asked(self, crawl: Crawl) -> None:
        """Not even where the settings name them, and only for scripts."""
        script = (
            "for (const url of ['http://tracker.example/t.js', 'http://169.254.169.254/x.js', 'http://cdn.example/lib.js'])"
            " { const tag = document.createElement('script'); tag.src = url; document.head.append(tag); }"
            " for (const url of ['http://tracker.example/d.json', 'http://cdn.example/d.json', 'http://intern.a.example/'])"
            " fetch(url, {mode: 'no-cors'}).catch(() => 0);"
            " window.lib = () => show();"
        )
        script_file = Page("lib()", content_type="text/javascript")
        others: dict[str, dict[str, Answer | list[Answer]]] = {
            "tracker.example": {"/t.js": script_file, "/d.json": Page("{}")},
            "cdn.example": {"/lib.js": script_file, "/d.json": Page("{}")},
        }
        settings = SETTINGS | {"render_script_hosts": ("cdn.example", "169.254.169.254")}
        crawled = crawl({HOST: site(shell(script)), **others}, Seed("a", START), **settings)

        assert crawled.server.paths("tracker.example") == []
        assert crawled.server.paths("cdn.example") == ["/robots.txt", "/lib.js"]
        assert crawled.report.politeness["blocked_addresses"] == 1
        rendering = crawled.page(START).rendering or ""
        assert "another host 3" in rendering
        assert "blocked_address 1" in rendering
        assert "dns_error 1" in rendering

    def test_nothing_is_sent_and_nothing_else_is_opened(self, crawl: Crawl) -> None:
        script = """
            navigator.serviceWorker?.register('/sw.js').catch(() => 0);
            fetch('/formularz', {method: 'POST', body: 'x'}).catch(() => 0);
            navigator.sendBeacon('/beacon', 'x');
            new WebSocket('ws://a.example/ws');
            new EventSource('/zdarzenia');
            window.open('/okno');
            for (const [name, url] of [['img', '/obraz.png'], ['iframe', '/ramka'], ['video', '/film.mp4']]) {
                const one = document.createElement(name); one.src = url; document.body.append(one);
            }
            const a = document.createElement('a'); a.href = '/plik.zip'; a.download = 'x'; document.body.append(a); a.click();
            alert('stop'); show();
        """
        crawled = crawl({HOST: site(shell(script))}, max_depth=0, **SETTINGS)

        assert sorted(crawled.server.paths()) == ["/", "/app.js", "/dane/msze.json", "/robots.txt"]
        assert status_of(crawled) == "read"


class TestLimits:
    @pytest.mark.row("J4")
    def test_a_page_that_never_ends_keeps_its_state_and_costs_only_itself(self, crawl: Crawl) -> None:
        links = '<a href="/petla"></a><a href="/msze"></a>'
        sites = {HOST: site(Page(links), petla=shell("for (;;) ;"), msze=shell())}
        crawled = crawl(sites, **SETTINGS | {"render_script_seconds": 2.0})

        assert (crawled.page(f"{START}petla").rendering or "").startswith("not rendered: its scripts did not end within 2 s")
        assert crawled.outcome(f"{START}petla") == "ok"
        assert status_of(crawled, f"{START}petla") == "javascript_only"
        assert crawled.page(f"{START}msze").rendering == "rendered: 2 requests"
        assert _browsers() == []

    @pytest.mark.row("J4")
    def test_a_browser_and_a_driver_that_died_cost_one_page_and_are_replaced(
        self, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        show, shown = rendering.ShownPage.show, []

        async def killed_after_the_first(page: rendering.ShownPage, *arguments: Any) -> str:
            html = await show(page, *arguments)
            while not shown and (running := _processes("playwright", CHROMIUM.rpartition("/")[2])):
                for pid in running:
                    with suppress(ProcessLookupError):  # what belonged to one that was killed before it ends by itself
                        os.kill(pid, signal.SIGKILL)
                await asyncio.sleep(0.05)  # nobody is shown a page before all of them are gone
            shown.append(html)
            return html

        monkeypatch.setattr(rendering.ShownPage, "show", killed_after_the_first)
        start = Page("".join(f'<a href="/{n}"></a>' for n in range(3)))
        crawled = crawl({HOST: site(start, **{str(n): shell() for n in range(3)})}, **SETTINGS)
        came = [(crawled.page(f"{START}{n}").rendering or "").partition(":")[0] for n in range(3)]

        assert came == ["rendered", "not rendered", "rendered"]

    @pytest.mark.soak
    def test_a_page_that_never_rests_is_read_as_it_stands(self, crawl: Crawl) -> None:
        crawled = crawl(
            {HOST: site(shell("show(); setInterval(() => fetch('/dane/msze.json?' + Math.random()), 200)"))},
            **SETTINGS | {"render_script_seconds": 5.0},
        )

        assert status_of(crawled) == "read"

    def test_of_a_thousand_files_no_more_than_the_limit_are_asked_for(self, crawl: Crawl) -> None:
        script = "show(); for (let n = 0; n < 1000; n++) fetch('/f' + n).catch(() => 0)"
        crawled = crawl({HOST: site(shell(script))}, max_depth=0, **SETTINGS | {"render_requests": 12})

        assert len(crawled.server.paths()) == 2 + 12
        assert crawled.page(START).rendering == "rendered: 12 requests; left out: over the limit 990"

    @pytest.mark.soak
    def test_memory_has_an_end(self, crawl: Crawl) -> None:
        more = "all.push(new Uint8Array(1 << 26).fill(1)); fetch('/dane/' + all.length).catch(() => 0)"  # it never rests
        limits = {"render_memory_bytes": 500 << 20, "render_script_seconds": 60.0, "render_requests": 2}
        crawled = crawl({HOST: site(shell(f"const all = []; setInterval(() => {{ {more} }}, 20)"))}, **SETTINGS | limits)

        said = re.fullmatch(r"not rendered: .*2 requests; left out: over the limit (\d+)\)", crawled.page(START).rendering or "")
        assert said is not None
        assert 2 + int(said[1]) < 500 >> 6  # pieces of 64 MiB that it got
        assert _browsers() == []

    @pytest.mark.soak
    def test_time_has_an_end_waits_included(self, crawl: Crawl) -> None:
        slow = Page("{}", content_type="application/json", delay=8)
        crawled = crawl({HOST: site(**{"dane/msze.json": slow})}, **SETTINGS | {"render_seconds": 4.0})

        assert (crawled.page(START).rendering or "").startswith("not rendered: over 4 s")

    def test_so_many_pages_of_a_site_are_shown(self, crawl: Crawl) -> None:
        start = Page('<a href="/1"></a><a href="/2"></a>')
        crawled = crawl({HOST: site(start, **{"1": shell(), "2": shell()})}, **SETTINGS | {"render_pages": 1})

        assert [crawled.page(f"{START}{n}").rendering for n in (1, 2)] == [
            "rendered: 2 requests",
            "not rendered: 1 pages of the site were shown in this run",
        ]


class TestNoNetworkOfItsOwn:
    def test_what_gets_past_the_crawl_leads_nowhere(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A crawl that lets the browser ask by itself: no byte leaves it, though the server listens on this machine."""
        answered = rendering.ShownPage._route
        passed = []

        async def bypassing(page: rendering.ShownPage, route: Any) -> None:
            if route.request.is_navigation_request():
                await answered(page, route)
            else:
                passed.append(route.request.url)
                await route.continue_()

        monkeypatch.setattr(rendering.ShownPage, "_route", bypassing)
        monkeypatch.setattr(rendering, "_ARGUMENTS", ())
        with Loopback({"127.0.0.1": site()}) as server:
            start = f"http://127.0.0.1:{server.port}/"
            crawled = crawl_sites([Seed("a", start)], state=tmp_path / "s", config=replace(QUICK, **SETTINGS))

            assert crawled.politeness["not_rendered_pages"] == 0
            assert f"{start}app.js" in passed
            assert server.paths() == ["/robots.txt", "/"]
            assert server.connections <= 2

    def test_where_the_kernel_gives_no_namespace_the_page_says_so(self, crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rendering, "_WITHOUT_NETWORK", ("sh", "-c", "echo 'unshare failed: not permitted' >&2; exit 1"))
        crawled = crawl({HOST: site()}, **SETTINGS)

        said = crawled.page(START).rendering
        assert said == "not rendered: the browser did not begin: unshare failed: not permitted (0 requests)"
        assert status_of(crawled) == "javascript_only"


class TestAgain:
    def test_a_page_that_was_shown_keeps_that_when_it_fails_later(self, crawl: Crawl) -> None:
        first = crawl({HOST: site()}, **SETTINGS)
        again = crawl({HOST: site(**{"dane/msze.json": Page("", 500)})}, revisit="all", **SETTINGS)
        page = again.page(START)

        assert (page.outcome, page.rendering, page.body) == ("deferred", "rendered: 2 requests", first.page(START).body)
        assert page.reason == "not rendered: it shows no more than before (2 requests)"

    def test_data_that_changed_are_seen_though_the_page_did_not_change(self, crawl: Crawl) -> None:
        crawl({HOST: site()}, **SETTINGS)
        data = Page('{"Niedziela": ["6:15", "10:45"]}', content_type="application/json")
        again = crawl({HOST: site(**{"dane/msze.json": data})}, revisit="all", **SETTINGS)

        assert b"6:15" in (again.page(START).body or b"")

    def test_a_page_kept_before_there_was_a_browser_is_shown_once_there_is(self, crawl: Crawl) -> None:
        """It answers 304: what it said before is given to the browser."""
        crawl({HOST: site()})
        again = crawl({HOST: site()}, revisit="all", **SETTINGS)

        assert again.page(START).rendering == "rendered: 2 requests"
        assert status_of(again) == "read"


def _browsers() -> list[int]:
    """Browsers that this process began and that still run."""
    return _processes(CHROMIUM.rpartition("/")[2])


def _processes(*names: str) -> list[int]:
    """What this process began, still runs, and has one of the names in its command."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,stat,args"], capture_output=True, text=True, check=True).stdout
    processes = [line.split(maxsplit=3) for line in listed.splitlines()[1:]]
    own = {str(os.getpid())}
    for _ in processes:
        own |= {pid for pid, parent, *_ in processes if parent in own}
    running = [(int(pid), command) for pid, _, state, command in processes if pid in own and state[0] != "Z"]
    return [pid for pid, command in running if pid != os.getpid() and any(name in command for name in names)]
