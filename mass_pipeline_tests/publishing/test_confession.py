"""The rows of `confession_hours` of a diocese, from crawled pages to the index."""

from __future__ import annotations

from pathlib import Path

from mass_pipeline.model.columns import CONFESSION_HOURS, CRAWLED_PAGES, PARISHES
from mass_pipeline.publishing.confession import confession_of_diocese
from mass_pipeline.resources.lake import table_of
from mass_pipeline.site_reading.pages import SiteReader
from mass_pipeline_tests.annotation.real_rows import TODAY
from mass_pipeline_tests.defs.running import run_assets
from mass_pipeline_tests.publishing.made import ORDER, Diocese, page_of

HOME = "https://anna.example/"


def published(folder: Path, *pages: dict[str, object]) -> list[dict[str, object]]:
    """Rows of the parish's pages, through the table."""
    diocese = Diocese(folder)
    diocese.crawl_pages(pages)
    reader = diocese.lake.reader(CRAWLED_PAGES, ["lodzka"])
    made = confession_of_diocese("lodzka", diocese.lake.reader(PARISHES), reader, SiteReader(lambda: TODAY))
    return table_of(CONFESSION_HOURS, made.rows).to_pylist()  # type: ignore[no-any-return]


class TestRows:
    def test_have_words_page_and_date(self, tmp_path: Path) -> None:
        page = page_of(HOME, f"{ORDER}<p>Spowiedź: I piątek 16.00-17.30</p>")
        (row,) = published(tmp_path, page)

        assert (row["days"], row["nth"], row["start"], row["until"]) == (["Fr"], [1], "16:00", "17:30")
        assert (row["quote"], row["source_url"]) == ("Spowiedź: I piątek 16.00-17.30", HOME)
        assert (row["page_sha256"], row["fetched_at"]) == (page["body_sha256"], page["fetched_at"])

    def test_are_those_of_the_page_that_says_most(self, tmp_path: Path) -> None:
        short = page_of(HOME, "<p>Spowiedź przed każdą Mszą św.</p>")
        whole = page_of(f"{HOME}spowiedz", "<p>Spowiedź w piątki 17.00-18.00, w niedziele podczas Mszy św.</p>")

        assert {row["source_url"] for row in published(tmp_path, short, whole)} == {f"{HOME}spowiedz"}

    def test_a_page_that_is_gone_states_none(self, tmp_path: Path) -> None:
        gone = page_of(HOME, "<p>Spowiedź przed każdą Mszą św.</p>", outcome="gone", status=410)

        assert published(tmp_path, gone) == []

    def test_pages_of_other_parishes_state_none(self, tmp_path: Path) -> None:
        several = "".join(
            f"<h2>Parafia św. {name}</h2><p>Spowiedź przed każdą Mszą św.</p>" for name in ("Jana", "Anny", "Zofii")
        )

        assert published(tmp_path, page_of(HOME, several)) == []

    def test_the_asset_publishes_them_with_their_check(self, tmp_path: Path) -> None:
        Diocese(tmp_path).crawl_pages([page_of(HOME, "<p>Spowiedź przed każdą Mszą św.</p>")])
        ended = run_assets(tmp_path, ["confession_hours"], partitions=("lodzka", "lodzka"))
        (row,) = ended.lake.reader(CONFESSION_HOURS, ["lodzka"]).rows()

        assert ended.success, ended.errors
        assert ended.checks["words_of_confession"]
        assert (row["tied"], row["quote"]) == ("before_mass", "Spowiedź przed każdą Mszą św")
