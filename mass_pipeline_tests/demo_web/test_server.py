"""The server: real HTTP on loopback, hosts told apart by name, and everything a careful crawler must cope with."""

from __future__ import annotations

import socket
import time
from email.utils import parsedate_to_datetime

import httpx
import pytest

from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline_tests.demo_web.conftest import Get

_HOME = "http://katarzyna-starzyny.example/"


class TestHosts:
    def test_connects_its_own_hosts_to_its_port_and_no_other(self, served: DemoWeb) -> None:
        assert served.connect_to("katarzyna-starzyny.example", 80) == ("127.0.0.1", served.port)
        assert served.connect_to("KATARZYNA-starzyny.example.", 80) == ("127.0.0.1", served.port)
        assert served.connect_to("diecezja.example", 80) is None

    def test_answers_each_host_with_its_own_site(self, get: Get) -> None:
        assert "Starzynach" in get(_HOME).text
        assert "Płaskowicach" in get("http://plaskowice.example/").text

    def test_an_unknown_host_is_a_404(self, get: Get) -> None:
        assert get("http://nikt.example/").status_code == 404

    def test_www_redirects_to_the_bare_host_and_keeps_the_target(self, get: Get) -> None:
        answer = get("http://www.parafiawilczeta.example/msze-sw-i-nabozenstwa/?a=1")

        assert (
            answer.status_code,
            answer.headers["location"],
        ) == (301, "http://parafiawilczeta.example/msze-sw-i-nabozenstwa/?a=1")

    def test_a_page_that_moved_redirects(self, get: Get) -> None:
        answer = get("http://wojciech-bialoborze.example/godziny-mszy/")

        assert answer.headers["location"] == "http://wojciech-bialoborze.example/msze-swiete/"


class TestAnswers:
    def test_a_missing_page_is_a_404_with_a_body(self, get: Get) -> None:
        answer = get(f"{_HOME}index.php/nie-ma-takiej")

        assert answer.status_code == 404
        assert "Nie ma takiej strony" in answer.text

    def test_a_500_recovers_on_the_second_request(self) -> None:
        with DemoWeb(sites=6) as web, httpx.Client() as client:
            url = f"{web.places_base_url}/liturgia"
            statuses = [client.get(url, headers={"Host": "nspj-krasnylas.example"}).status_code for _ in range(3)]

        assert statuses == [500, 200, 200]

    def test_a_known_etag_gives_304_without_body(self, get: Get) -> None:
        first = get(_HOME)
        again = get(_HOME, If_None_Match=first.headers["etag"])

        assert (again.status_code, again.content) == (304, b"")

    def test_a_known_date_gives_304(self, get: Get) -> None:
        first = get(_HOME)
        assert parsedate_to_datetime(first.headers["last-modified"]).tzinfo is not None

        assert get(_HOME, If_Modified_Since=first.headers["last-modified"]).status_code == 304

    def test_another_etag_wins_over_a_known_date(self, get: Get) -> None:
        """RFC 9110 13.1.3: If-Modified-Since is ignored when If-None-Match is there."""
        known = get(_HOME).headers["last-modified"]

        assert get(_HOME, If_None_Match='"other"', If_Modified_Since=known).status_code == 200

    def test_head_has_the_length_and_no_body(self, get: Get) -> None:
        answer = get(_HOME, method="HEAD")

        assert answer.content == b""
        assert int(answer.headers["content-length"]) == len(get(_HOME).content)

    def test_a_slow_page_takes_its_time(self, get: Get) -> None:
        started = time.monotonic()
        get("http://nspj-krasnylas.example/")

        assert time.monotonic() - started >= 0.5

    def test_content_does_not_depend_on_the_port(self, served: DemoWeb) -> None:
        pages = [page.response.body for parish in served.parishes for page in parish.pages]

        assert not any(f":{served.port}".encode() in body or b"127.0.0.1" in body for body in pages)


class TestRobots:
    def test_a_site_states_its_rules(self, get: Get) -> None:
        assert "Disallow: /index.php/stare/" in get(f"{_HOME}robots.txt").text

    def test_one_site_answers_503(self, get: Get) -> None:
        assert get("http://hubert-zamczysko.example/robots.txt").status_code == 503

    def test_one_site_wants_a_delay(self, get: Get) -> None:
        assert "Crawl-delay: 1" in get("http://olszyny-gorne.example/robots.txt").text

    def test_a_site_without_rules_has_no_robots_file(self, get: Get) -> None:
        assert get("http://swietygaj.example/robots.txt").status_code == 404


class TestTraps:
    def test_the_calendar_has_no_end(self, get: Get) -> None:
        url = "http://piotripawel-rychnowko.example/kalendarz.php?rok=2091&miesiac=12"

        assert "rok=2092&amp;miesiac=1" in get(url).text

    def test_a_month_that_does_not_exist_is_a_404(self, get: Get) -> None:
        assert get("http://piotripawel-rychnowko.example/kalendarz.php?miesiac=13").status_code == 404

    def test_the_frameset_leads_to_menu_and_start_page(self, get: Get) -> None:
        frameset = get("http://mlyniska-parafia.example/").content.decode("cp1250")

        assert 'SRC="/menu.htm"' in frameset
        assert "msze.htm" in get("http://mlyniska-parafia.example/menu.htm").text
        assert get("http://mlyniska-parafia.example/start.htm").status_code == 200

    def test_a_page_asks_not_to_be_indexed(self, get: Get) -> None:
        assert '<meta name="robots" content="noindex">' in get("http://parafia-mielenko.example/stare-msze").text

    def test_the_poster_is_an_image_and_the_timetable_a_pdf(self, get: Get) -> None:
        poster = get("http://plaskowice.example/wp-content/uploads/plakat-msze.png")
        timetable = get("http://sarbinowko-parafia.example/pliki/porzadek-mszy.pdf")

        assert (poster.headers["content-type"], poster.content[:4]) == ("image/png", b"\x89PNG")
        assert (timetable.headers["content-type"], timetable.content[:4]) == ("application/pdf", b"%PDF")


class TestTheServer:
    def test_logs_every_request_with_its_agent(self, served: DemoWeb, get: Get) -> None:
        get(_HOME, User_Agent="Spytko/1.0")

        assert any(line.user_agent == "Spytko/1.0" and line.host == "katarzyna-starzyny.example" for line in served.requests)

    def test_rubbish_on_the_line_hurts_nobody(self, served: DemoWeb, get: Get) -> None:
        with socket.create_connection(("127.0.0.1", served.port)) as connection:
            connection.sendall(b"\x16\x03\x01 rubbish\r\n\r\n")
            assert connection.recv(100) == b""

        assert get(_HOME).status_code == 200

    def test_a_port_that_is_taken_is_one_clear_error(self, served: DemoWeb) -> None:
        with pytest.raises(ConfigurationError, match=f"port {served.port} .* --port"), DemoWeb(sites=1, port=served.port):
            pass

    def test_stops_with_connections_open(self) -> None:
        server = LoopbackServer(lambda _: pytest.fail("nobody asks"))
        server.start()
        with socket.create_connection(("127.0.0.1", server.port)):
            server.stop()

        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=1)
