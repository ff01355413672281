"""A page that costs too much costs itself alone: the other pages of its site and the diocese are read as if it were not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from mass_pipeline.guard import Guard, Limits, TooCostly
from mass_pipeline.guard.sandbox import ORDINARY_BYTES, is_ordinary, shared_guard
from mass_pipeline.site_reading.guarded import read_guarded, read_whole
from mass_pipeline.site_reading.pages import SiteReader, SiteReading, each_site
from mass_pipeline_tests.evaluation.builds import plain
from mass_pipeline_tests.hostile import shape

HEALTHY = "<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00 lub 11.00 (w wakacje 9.00)</p><p>W tygodniu: 18.00</p>".encode()
FETCHED = datetime(2026, 11, 22, tzinfo=UTC)
HOSTILE = ("seasons in brackets, lines", "PDF: text", "Word: paragraphs", "different orders", "deep div", "one number")


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    """Little memory, so that hostile pages are ended at once on any machine."""
    limits = Limits(cpu_seconds=1, wall_seconds=3600, memory_bytes=4 * 2**20, memory_per_byte=2)
    guard = Guard(limits, modules=("mass_pipeline.site_reading.guarded",))
    yield guard
    guard.close()


class _Rows:
    """Crawled pages as an asset gives them: (parish, address) -> body."""

    def __init__(self, pages: Mapping[tuple[str, str], bytes]) -> None:
        self._pages = pages

    def rows(self, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        for (parish, url), body in sorted(self._pages.items()):
            row = {"parish_id": parish, "url": url, "final_url": url, "outcome": "ok", "content_type": None, "link_text": None}
            moments = {"fetched_at": FETCHED, "checked_at": FETCHED, "depth": 0, "body": body}
            digest = {"body_sha256": sha256(body).hexdigest()}
            yield {name: (row | moments | digest).get(name) for name in columns}


def _healthy(sites: int) -> dict[tuple[str, str], bytes]:
    return {
        (f"parish{number}", f"http://p{number}.example/{page}"): HEALTHY.replace(b"18.00", b"1%d.00" % (5 + number % 5))
        for number in range(sites)
        for page in ("", "msze")
    }


def _told(site: SiteReading) -> str:
    return "\n".join([plain([page.reading for page in site.pages]), *map(str, site.candidate_rows())])


class TestReading:
    @pytest.mark.parametrize("name", ["hours, lines", "or, lines", "rows under headers", "PDF: text", "text, one line"])
    def test_is_the_same_in_the_other_process(self, name: str) -> None:
        body = shape(name).make(6_000)
        here = read_whole(body, None, "http://p.example/", "Msze")
        there = shared_guard().call(read_whole, body, None, "http://p.example/", "Msze", size=len(body))

        assert plain(there) == plain(here)
        assert there[1].document is there[0]

    def test_large_pages_and_files_leave_this_process(self) -> None:
        assert is_ordinary(HEALTHY)
        assert not is_ordinary(HEALTHY * (ORDINARY_BYTES // len(HEALTHY) + 1))
        assert not is_ordinary(b"%PDF-1.4")
        assert not is_ordinary(shape("Word: paragraphs").make(1000))

    def test_a_slow_page_is_read_there_to_its_end(self) -> None:
        body = shape("different orders").make(40_000)

        assert plain(read_guarded(body, slow_seconds=0)) == plain(read_whole(body, None, "", ""))

    def test_what_is_over_its_limit_is_ended_with_figures(self, guard: Guard) -> None:
        body = shape("different orders").make(900_000)
        with pytest.raises(TooCostly, match=rf"over (1 s of CPU|[\d,]+ bytes of memory) for {len(body):,} bytes"):
            read_guarded(body, guard=guard)


class TestDiocese:
    def test_healthy_sites_are_read_as_if_the_hostile_were_not_there(self, guard: Guard) -> None:
        pages = _healthy(9)
        hostile = {
            (f"parish{number}", f"http://p{number}.example/x{at}"): shape(name).make(400_000)
            for at, name in enumerate(HOSTILE)
            for number in [at + 3]
        }
        alone = {site.parish_id: site for site in SiteReader(lambda: FETCHED.date(), guard).sites(_Rows(pages))}
        beside = {site.parish_id: site for site in SiteReader(lambda: FETCHED.date(), guard).sites(_Rows(pages | hostile))}
        untouched = [parish for parish in alone if parish not in {parish for parish, _ in hostile}]

        assert [_told(alone[parish]) for parish in untouched] == [_told(beside[parish]) for parish in untouched]
        ended = {url: reason for site in beside.values() for url, reason in site.unreadable.items()}
        assert ended
        assert all(reason.startswith("TooCostly: over ") for reason in ended.values())
        assert sum(site.too_costly for site in beside.values()) == len(ended)
        for (parish, url), _ in hostile.items():
            others = [page for page in beside[parish].pages if page.url != url]
            assert plain([page.reading for page in others]) == plain([page.reading for page in alone[parish].pages])

    def test_a_page_that_was_ended_is_not_paid_for_again(self, guard: Guard) -> None:
        rows = _Rows({("parish", "http://p.example/"): shape("different orders").make(900_000)})
        reader = SiteReader(lambda: FETCHED.date(), guard)
        first = next(iter(reader.sites(rows)))
        guard.close()
        second = next(iter(reader.sites(rows)))

        assert first.unreadable
        assert second.unreadable == first.unreadable
        assert guard.is_idle


class TestBorders:
    """Whatever is raised over one page of one parish, its diocese is read."""

    POISON = b"<p>zatruta</p>"

    @pytest.mark.parametrize("error", [OverflowError, RecursionError, KeyError, AssertionError, AttributeError])
    def test_a_page_whose_reading_fails_costs_only_itself(
        self, guard: Guard, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
    ) -> None:
        def read(body: bytes, **settings: object) -> object:
            if body == self.POISON:
                raise error("no hour")
            return read_guarded(body, **settings)  # type: ignore[arg-type]

        pages = _healthy(3)
        alone = {site.parish_id: _told(site) for site in SiteReader(lambda: FETCHED.date(), guard).sites(_Rows(pages))}
        monkeypatch.setattr("mass_pipeline.site_reading.pages.read_guarded", read)
        poisoned = _Rows(pages | {("parish1", "http://p1.example/x"): self.POISON})
        beside = {site.parish_id: site for site in SiteReader(lambda: FETCHED.date(), guard).sites(poisoned)}

        assert {parish: _told(site) for parish, site in beside.items()} == alone
        ((url, reason),) = beside["parish1"].unreadable.items()
        assert url == "http://p1.example/x"
        assert reason.startswith(error.__name__)

    def test_a_site_whose_judgement_fails_costs_only_itself(self, guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
        def judge(reading: object, own: object, today: object) -> object:
            raise OverflowError("date value out of range")

        monkeypatch.setattr("mass_pipeline.site_reading.pages.judge_page", judge)
        sites = list(SiteReader(lambda: FETCHED.date(), guard).sites(_Rows(_healthy(2))))

        assert [site.pages for site in sites] == [(), ()]
        assert [list(site.unreadable) for site in sites] == [["http://p0.example/"], ["http://p1.example/"]]

    def test_work_that_fails_on_one_site_goes_on_with_the_next(self, guard: Guard) -> None:
        def work(site: SiteReading) -> str:
            return {"parish0": "one", "parish2": "two"}[site.parish_id]

        failed: dict[str, str] = {}
        sites = SiteReader(lambda: FETCHED.date(), guard).sites(_Rows(_healthy(3)))

        assert list(each_site(sites, work, failed)) == ["one", "two"]
        assert failed == {"parish1": "KeyError: 'parish1'"}
