"""Starting, stopping and going on with a collection, beside whoever looks on (B5), and its state file."""

from __future__ import annotations

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mass_pipeline.laboratory.link_collection.reading import LinkFilter, delete_links, read_links, read_status
from mass_pipeline.laboratory.link_collection.store import (  # fmt: skip
    LOCK_NAME,
    LinkStore,
    add_site,
    collecting_lock,
    collecting_process,
    remove_site,
)
from mass_pipeline.model.errors import StorageError, UsageError
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.laboratory.link_collection.conftest import BANDITS, Collection
from mass_pipeline_tests.laboratory.link_collection.sites import Make, web


class TestLock:
    def test_one_that_cannot_be_written_is_one_clear_error(self, tmp_path: Path) -> None:
        """A full disk was a traceback."""
        (tmp_path / LOCK_NAME).symlink_to("/dev/full")
        with pytest.raises(StorageError, match=LOCK_NAME), collecting_lock(tmp_path):
            pass


@pytest.mark.row("B5")
class TestControl:
    """B5."""

    def test_sites_added_and_removed_while_it_runs_count_from_the_next_page(self, collection: Make) -> None:
        made = collection(web(2, 9))
        made.server.sites["late.example"] = {"/": Page(links("http://found-late.example/"))}
        seen = []

        def meanwhile() -> None:
            seen.append(len(made.asked))
            if len(seen) == 2:
                with LinkStore(made.state) as store:
                    add_site(store, "late.example")
                    remove_site(store, "s1.example")

        made.run(meanwhile)

        assert "http://found-late.example/" in made.links()
        assert [host for host, _ in made.asked].count("s1.example") == 2
        assert made.links("external", "site").count(("s1.example",)) > 0  # what was found stays

    def test_a_removed_site_comes_back_with_what_is_known_of_it(self, collection: Make) -> None:
        made = collection(web(1, 6))
        made.run(budget_pages=3)
        with LinkStore(made.state) as store:
            remove_site(store, "s1.example")
            add_site(store, "http://s1.example/")
        made.run()

        assert len(made.asked) == len(set(made.asked)) == 6

    def test_a_site_can_be_forgotten_with_its_links(self, collection: Make) -> None:
        made = collection(web(2, 6))
        made.run()
        with LinkStore(made.state) as store:
            remove_site(store, "s1.example", with_links=True)

        assert {site for (site,) in made.links("external", "site")} == {"s2.example"}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("s1.example",), "address is taken"),
            (("other.example", "s1.example"), "name is taken"),
            (("ftp://x.example",), "no web address"),
            (("x.example", "a\tb"), "letters a terminal can show"),
        ],
    )
    def test_a_site_that_cannot_be_added_is_refused_with_the_reason(
        self, collection: Make, arguments: tuple[str, ...], message: str
    ) -> None:
        made = collection(web(1, 1))
        with LinkStore(made.state) as store, pytest.raises(UsageError, match=message):
            add_site(store, arguments[0], short_name=arguments[1] if len(arguments) > 1 else "")

    def test_an_unknown_site_is_refused_with_the_nearest(self, collection: Make) -> None:
        made = collection(web(1, 1))
        with LinkStore(made.state) as store, pytest.raises(UsageError, match=r"Did you mean s1\.example"):
            remove_site(store, "s1.exmple")

    def test_a_deleted_link_stays_deleted_when_it_is_found_again(self, collection: Make) -> None:
        made = collection(
            {
                "a.example": {
                    "/": Page(links("/x", "http://b.example/")),
                    "/x": Page(links("http://b.example/", "http://c.example/")),
                }
            }
        )
        made.run(budget_pages=1)
        with LinkStore(made.state) as store:
            assert delete_links(store, LinkFilter(host="b.example")) == 1
        report = made.run()

        assert made.links() == ["http://c.example/"]
        assert report.new_links == 1

    def test_links_can_be_filtered_by_site_host_level_and_words_in_any_case(self, collection: Make) -> None:
        made = collection({
            "a.example": {"/": Page('<a href="http://b.example/">ŻYWO</a><a href="/x">x</a>'), "/x": Page(links("http://c.example/"))},
            "d.example": {"/": Page(links("http://b.example/"))},
        })  # fmt: skip
        made.run()
        with LinkStore(made.state) as store:
            found = [
                len(read_links(store, "external", LinkFilter(**chosen)))  # type: ignore[arg-type]
                for chosen in (
                    {}, {"site": "a.example"}, {"host": "b.example"}, {"level": 0}, {"text": "żywo"}, {"ids": (1,)},
                    {"text": "' OR 1=1"},
                )
            ]  # fmt: skip

        assert found == [3, 2, 2, 2, 1, 1, 0]

    def test_a_request_to_stop_ends_the_run_behind_its_page_and_is_forgotten_by_the_next(self, collection: Make) -> None:
        made = collection(web(1, 6))

        first = made.run(made.ask_to_stop)
        second = made.run()

        assert (first.ended, first.pages) == ("stopped", 1)
        assert (second.ended, second.pages) == ("finished", 5)

    def test_one_process_at_a_time_and_the_error_names_the_other(self, collection: Make) -> None:
        made = collection(web(1, 1))
        with collecting_lock(made.state):
            assert collecting_process(made.state) == os.getpid()
            with pytest.raises(StorageError, match=rf"process {os.getpid()} collects here already.*links stop"):
                made.run()

        assert collecting_process(made.state) is None

    def test_who_looks_on_sees_whole_pages_and_holds_nobody_up(self, collection: Make) -> None:
        """A page and its links come together; a dozen readers and a deleting hand beside the collector end in no error."""
        made = collection(web(3, 20))
        seen: list[tuple[int, int]] = []
        ended = threading.Event()

        def look() -> None:
            with LinkStore(made.state) as store:
                while not ended.is_set():
                    row = store.rows(
                        "SELECT (SELECT coalesce(sum(new_links),0) FROM turns),(SELECT count(*) FROM external_links) AS links"
                    )[0]
                    seen.append((row[0], row[1]))
                    delete_links(store, LinkFilter(ids=(len(seen),)))

        with ThreadPoolExecutor() as readers:
            looking = [readers.submit(look) for _ in range(4)]
            report = made.run()
            ended.set()
        for reader in looking:
            reader.result()

        assert report.pages == 60
        assert any(0 < links < max(seen)[1] for _, links in seen)  # somebody looked in the middle
        assert all(rewards == links for rewards, links in seen)

    def test_the_status_tells_pages_links_and_what_is_left(self, collection: Make) -> None:
        made = collection(web(2, 9))
        made.run(budget_pages=5)
        with LinkStore(made.state) as store:
            status = read_status(store, BANDITS)

        assert (status.pages, status.external, status.policy, status.process) == (5, len(made.links()), "quantum", None)
        assert [figures.pages for figures in status.sites] == [3, 2]
        assert all(figures.waiting for figures in status.sites)
        assert status.last_url.startswith("http://s1.example/")


class TestState:
    def test_a_file_of_something_else_or_a_newer_one_is_refused_untouched(self, collection: Make) -> None:
        made = collection(web(1, 1))
        file = made.state / "links.sqlite"
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA user_version=99")
        newer = file.read_bytes()
        for content, message in ((newer, "newer version"), (b"no database, but long enough to be one" * 40, "cannot be read")):
            file.write_bytes(content)
            with pytest.raises(StorageError, match=message):
                made.run()
            assert file.read_bytes() == content

    def test_a_damaged_file_is_refused_before_anything_is_asked(self, collection: Make) -> None:
        made = collection(web(2, 9))
        made.run(budget_pages=5)
        file = made.state / "links.sqlite"
        damaged = bytearray(file.read_bytes())
        damaged[4096 * 6 : 4096 * 7] = b"\x5a" * 4096
        file.write_bytes(damaged)
        asked = len(made.server.requests)
        with pytest.raises(StorageError, match=r"damaged|cannot be read"):
            made.run()

        assert len(made.server.requests) == asked

    def test_without_any_site_the_way_to_add_one_is_named(self, collection: Make) -> None:
        made = collection({})
        with pytest.raises(StorageError, match="links sites add"):
            Collection(made.state.parent / "none", made.server).run()
