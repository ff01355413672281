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

    @pytest.mark.parametrize(
        ("url", "status", "words"),
        [
            (_HOME, 200, "Starzynach"),
            ("http://plaskowice.example/", 200, "Płaskowicach"),
            ("http://nikt.example/", 404, ""),
            (f"{_HOME}index.php/nie-ma-takiej", 404, "Nie ma takiej strony"),
            # robots.txt: rules, a failure, a delay, none
            (f"{_HOME}robots.txt", 200, "Disallow: /index.php/stare/"),
            ("http://hubert-zamczysko.example/robots.txt", 503, ""),
            ("http://olszyny-gorne.example/robots.txt", 200, "Crawl-delay: 1"),
            ("http://swietygaj.example/robots.txt", 404, ""),
            # traps: a calendar without end, frames, a page that asks not to be indexed
            ("http://piotripawel-rychnowko.example/kalendarz.php?rok=2091&miesiac=12", 200, "rok=2092&amp;miesiac=1"),
            ("http://piotripawel-rychnowko.example/kalendarz.php?miesiac=13", 404, ""),
            ("http://mlyniska-parafia.example/", 200, 'SRC="/menu.htm"'),
            ("http://mlyniska-parafia.example/menu.htm", 200, "msze.htm"),
            ("http://mlyniska-parafia.example/start.htm", 200, ""),
            ("http://parafia-mielenko.example/stare-msze", 200, '<meta name="robots" content="noindex">'),
        ],
    )
    def test_each_answers_with_what_is_its_own(self, get: Get, url: str, status: int, words: str) -> None:
        answer = get(url)

        assert answer.status_code == status
        assert words in answer.text

    @pytest.mark.parametrize(
        ("url", "to"),
        [
            ("http://www.parafiawilczeta.example/msze-sw/?a=1", "http://parafiawilczeta.example/msze-sw/?a=1"),
            ("http://wojciech-bialoborze.example/godziny-mszy/", "http://wojciech-bialoborze.example/msze-swiete/"),
        ],
    )
    def test_www_and_what_moved_redirect(self, get: Get, url: str, to: str) -> None:
        answer = get(url)

        assert (answer.status_code, answer.headers["location"]) == (301, to)

    @pytest.mark.parametrize(
        ("url", "content_type", "magic"),
        [
            ("http://plaskowice.example/wp-content/uploads/plakat-msze.png", "image/png", b"\x89PNG"),
            ("http://sarbinowko-parafia.example/pliki/porzadek-mszy.pdf", "application/pdf", b"%PDF"),
        ],
    )
    def test_the_poster_is_an_image_and_the_timetable_a_pdf(self, get: Get, url: str, content_type: str, magic: bytes) -> None:
        answer = get(url)

        assert (answer.headers["content-type"], answer.content[:4]) == (content_type, magic)


class TestAnswers:
    def test_a_500_recovers_on_the_second_request(self) -> None:
        with DemoWeb(sites=6) as web, httpx.Client() as client:
            url = f"{web.places_base_url}/liturgia"
            statuses = [client.get(url, headers={"Host": "nspj-krasnylas.example"}).status_code for _ in range(3)]

        assert statuses == [500, 200, 200]

    def test_what_is_known_by_its_etag_or_its_date_gives_304_without_body(self, get: Get) -> None:
        """RFC 9110 13.1.3: If-Modified-Since is ignored when If-None-Match is there."""
        headers = get(_HOME).headers
        known = headers["last-modified"]
        by_etag = get(_HOME, If_None_Match=headers["etag"])

        assert (by_etag.status_code, by_etag.content) == (304, b"")
        assert parsedate_to_datetime(known).tzinfo is not None
        assert get(_HOME, If_Modified_Since=known).status_code == 304
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
