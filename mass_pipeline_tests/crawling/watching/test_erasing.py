"""A wish to be forgotten reaches what a watch keeps."""

from __future__ import annotations

from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.state.erasing import erase, erasing
from mass_pipeline.crawling.state.schema import WATCH_FILE
from mass_pipeline_tests.crawling.watching.conftest import URL, Watch, article, mass, news_list


class TestErasedArticles:
    def test_are_gone_with_their_announcements_and_bytes(self, watch: Watch) -> None:
        pages = {
            "/aktualnosci/": news_list(("/a", "Msza sekretna", "15.11.2026"), ("/b", "Msza", "14.11.2026")),
            "/a": article(f"{mass(1)} sekretna"),
            "/b": article(mass(2), "14.11.2026"),
        }
        w = watch(pages)
        w.round()
        assert len(w.rows) == 2
        with erasing(w.state / WATCH_FILE) as connection:
            count = erase(connection, OptOuts.of([], [f"{URL}a"]))

        assert count == 1
        assert [row.url for row in w.rows] == [f"{URL}b"]
        assert b"sekretna" not in b"".join(path.read_bytes() for path in w.state.glob(f"{WATCH_FILE}*"))
