"""A diocese that is crawled, read and published as the pipeline does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from mass_pipeline.model.columns import CRAWLED_PAGES, MASS_SCHEDULES, PARISHES
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.publishing.row_questions import row_questions
from mass_pipeline.resources.lake import Lake, open_lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.schedules.checked import Checked, RowAnswer, RowQuestion
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.site_reading.pages import SiteReader
from mass_pipeline_tests.annotation.real_rows import TODAY, build, crawled_row, directory_row

CHECKED = Checked(3, date(2026, 11, 26), "people")
HEAD = "<h1>Parafia św. Anny w Lipowcu</h1>"
ORDER = "<h2>Msze święte</h2><p>Niedziela: 8.00, 10.45</p><p>Dni powszednie: 7.00, 18.00</p>"


def page_of(url: str, body: str, parish: str = "p1", **values: object) -> dict[str, object]:
    """A row of crawled_pages: a page of St Anne's with this body, and other values where they are given."""
    return crawled_row(parish, url, f"<html><body>{HEAD}{body}</body></html>".encode()) | values


class Diocese:
    """A diocese that is crawled, read and published as the pipeline does it."""

    def __init__(self, folder: Path) -> None:
        settings = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)}, with_removals=False)
        self.lake: Lake = open_lake(settings)
        self.log = ReviewLog(settings.shared)
        self.answers: list[RowAnswer] = []

    def crawl(self, *bodies: str, **sites: str) -> None:
        """Pages of the parish p1, or one page of each parish that is named."""
        texts = [("p1", f"https://anna.example/{number or ''}", body) for number, body in enumerate(bodies)]
        texts += [(parish, f"https://{parish}.example/", body) for parish, body in sorted(sites.items())]
        self.crawl_pages([page_of(url, body, parish) for parish, url, body in texts])

    def crawl_pages(self, pages: Sequence[dict[str, object]], **listed: object) -> None:
        """Rows of crawled_pages; `listed` are values of their parishes in the directory."""
        self.lake.publish(CRAWLED_PAGES, {"lodzka": [table_of(CRAWLED_PAGES, pages)]})
        names = sorted({str(page["parish_id"]) for page in pages})
        self.lake.publish(PARISHES, {None: [table_of(PARISHES, [directory_row(name) | listed for name in names])]})

    def build(self) -> list[ScheduleRow]:
        """Publish, and what is published then of the parish p1."""
        build(self.lake, self.log, SiteReader(lambda: TODAY), self.answers)
        return self.rows("p1")

    def rows(self, parish: str) -> list[ScheduleRow]:
        found = self.lake.reader(MASS_SCHEDULES, ["lodzka"]).rows()
        return [ScheduleRow.from_dict(row) for row in found if row["parish_id"] == parish]

    def questions(self, **more: Any) -> list[RowQuestion]:
        return row_questions(self.lake, ["lodzka"], self.log.read(), self.answers, **more)

    def settle(self, question: RowQuestion, verdict: Any) -> None:
        self.answers.append(
            RowAnswer(
                question.row_id, question.parish_id, question.mass, question.quote, question.url, verdict, 0.99, CHECKED,
                question.context, question.wording,
            )
        )  # fmt: skip

    def ask_all(self) -> dict[tuple[str, str], RowQuestion]:
        """Questions about all published rows that are not settled, by day and time."""
        asked = self.questions(whole={"p1", "p2", "p3"})
        return {(" ".join(one.mass.days), one.mass.time): one for one in asked}
