"""Where an answer redirects, whatever bytes its header holds."""

from __future__ import annotations

import asyncio

from mass_pipeline_tests.crawling.conftest import Crawl, crawl
from mass_pipeline_tests.crawling.loopback import Page, Request

__all__ = ["crawl"]


class TestRawBytes:
    def test_bytes_of_a_location_are_asked_for_as_they_are(self, crawl: Crawl) -> None:
        """Fetch standard: percent-encoded, in whatever character set they are."""

        async def redirect(_: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 302 Found\r\nLocation: /msze \xb6wi\xeate.html\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()

        crawled = crawl({"a.example": {"/": redirect, "/msze%20%B6wi%EAte.html": Page("<p>Msze 12:00")}})

        assert crawled.outcome("http://a.example/msze%20%B6wi%EAte.html") == "ok"

    def test_letters_in_utf8_stay_what_they_are(self, crawl: Crawl) -> None:
        async def redirect(_: Request, writer: asyncio.StreamWriter) -> None:
            writer.write("HTTP/1.1 302 Found\r\nLocation: /święta\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()

        crawled = crawl({"a.example": {"/": redirect, "/%C5%9Bwi%C4%99ta": Page("<p>Msze 12:00")}})

        assert crawled.outcome("http://a.example/%C5%9Bwi%C4%99ta") == "ok"
