"""Nothing private leaves: two hundred written pages with names of six languages, and those kept beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.annotation.items import item_from_row
from mass_pipeline.cli import cli
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.reading.changes import read_changes
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.hours import candidates_of
from mass_pipeline_tests.evaluation.sets import load_set
from mass_pipeline_tests.privacy.names import LANGUAGES
from mass_pipeline_tests.privacy.pages import PAGES, PrivatePage, private_pages
from mass_pipeline_tests.privacy.proofs import proofs_of
from mass_pipeline_tests.shared import shared_folder


def pages_beside_the_checkout() -> list[PrivatePage]:
    """The pages of an attack on the product, with the strings that got out."""
    text = shared_folder("attacks", "private-data.jsonl").read_text(encoding="utf-8")
    return [PrivatePage(one["id"], one["html"], tuple(one["private"])) for one in map(json.loads, text.splitlines())]


def leaks(page: PrivatePage, told: str) -> list[tuple[str, str]]:
    """The private strings of a page that stand in what is told of it."""
    return [(page.id, private) for private in page.private if private in told]


@pytest.fixture(params=["written", "beside the checkout"])
def pages(request: pytest.FixtureRequest) -> list[PrivatePage]:
    return private_pages() if request.param == "written" else pages_beside_the_checkout()


class TestWrittenPages:
    def test_are_two_hundred_and_the_same_every_time(self) -> None:
        pages = private_pages()

        assert len(pages) == PAGES == 200
        assert pages == private_pages()
        assert all(page.private and len(set(page.private)) == len(page.private) for page in pages)

    def test_hold_what_must_not_leave_them(self) -> None:
        """A page without its private strings would prove nothing."""
        for page in private_pages():
            text = read_document(page.html, content_type="text/html").text

            assert any(private in text for private in page.private), page.id
            assert any(private in page.fact for private in page.private), page.id

    def test_have_names_of_six_languages(self) -> None:
        assert len(LANGUAGES) == 6


class TestCandidateHours:
    def test_hold_no_private_string(self, pages: list[PrivatePage]) -> None:
        found = [leak for page in pages for row in rows_of(page) for leak in leaks(page, json.dumps(row, ensure_ascii=False))]

        assert found == []

    def test_become_questions_without_one(self, pages: list[PrivatePage]) -> None:
        found = [leak for page in pages for row in rows_of(page) for leak in leaks(page, repr(item_from_row(row)))]

        assert found == []

    def test_are_masked_once_more_when_they_come_from_elsewhere(self, pages: list[PrivatePage]) -> None:
        """Tables of other people's making are no safer than pages: the app hides in every column what the table did not."""
        for page in pages:
            text = read_document(page.html, content_type="text/html").text
            row = {"candidate_id": "c1", "raw": "8.00", "left": text, "right": text, "heading": text, "day_scope": text}

            assert leaks(page, repr(item_from_row(row))) == []


@cache
def reading_of(page: PrivatePage) -> PageReading:
    return read_page(read_document(page.html, content_type="text/html", url="https://parafia.example/msze"))


def rows_of(page: PrivatePage) -> Iterator[dict[str, object]]:
    """Rows of candidate_hours of a page."""
    for hour in candidates_of(reading_of(page), "p1"):
        row = hour.as_row()
        assert set(row) == set(CANDIDATE_HOURS.names)
        yield row


class TestPublishedRows:
    def test_hold_no_private_string(self, pages: list[PrivatePage]) -> None:
        """Place, remark and quote are words of the page."""
        found = []
        for page in pages:
            for read in reading_of(page).masses:
                told = (read.mass.place, read.mass.note, *(evidence.quote for evidence in read.evidence))
                found += leaks(page, " | ".join(told))

        assert found == []

    def test_are_read_beside_whatever_is_private(self) -> None:
        """What hides a fact must not hide the order of Masses: the parish's own hours stay."""
        unread = [page.id for page in private_pages() if not reading_of(page).masses]

        assert len(unread) <= 5


class TestChangesOfAnnouncements:
    def test_quote_no_private_string(self) -> None:
        issued, found, quoted = date(2026, 11, 22), list[tuple[str, str]](), 0
        for page in private_pages():
            for change in read_changes(f"W środę 25 listopada dodatkowa Msza św. o 11.00 {page.fact}", issued):
                quoted += 1
                found += leaks(page, change.quote)

        assert found == []
        assert quoted >= PAGES // 2


class TestCommands:
    @pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
    @pytest.mark.parametrize("options", [("extract",), ("extract", "--rules-only"), ("extract", "--explain"), ("hours",)])
    def test_print_no_private_string(
        self, options: tuple[str, ...], every: int, pages: list[PrivatePage], tmp_path: Path
    ) -> None:
        """The whole output is searched, whatever field it stands in; each fifth page: all 21 kinds of fact."""
        pages = pages[::every]
        records, out = tmp_path / "pages.jsonl", tmp_path / "out.jsonl"
        records.write_text("".join(json.dumps({"id": page.id, "html": page.html}) + "\n" for page in pages), encoding="utf-8")
        result = CliRunner().invoke(cli, [*options, "--records", str(records), "--out", str(out)])
        assert result.exit_code == 0, result.output
        by_id = {page.id: page for page in pages}
        said = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]

        assert len({row["id"] for row in said}) >= len(pages) - 2
        assert [leak for row in said for leak in leaks(by_id[row["id"]], json.dumps(row, ensure_ascii=False))] == []


class TestQuotes:
    @pytest.mark.parametrize("name", ["golden", "directory", "sites", "snippets"])
    def test_prove_the_hour_and_the_day_of_their_row(self, name: str) -> None:
        """What is left out must not be the proof; strings of a directory name no days, their field does."""
        labelled = load_set(name)
        if labelled is None:
            pytest.skip("needs ../shared/gold, which is not beside this checkout")
        proofs = proofs_of(labelled)

        assert proofs.rows >= 150
        assert proofs.days >= 0.99 * proofs.rows
