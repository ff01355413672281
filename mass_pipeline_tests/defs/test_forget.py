"""`mass-pipeline purge` on what a whole run left: tables, states, proposals, questions, the public index."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import item_from_row
from mass_pipeline.annotation.schema import items
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.cli import cli
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_STATES, TABLES
from mass_pipeline.model.state_file import LOCK_NAME, lock_folder
from mass_pipeline.publishing.index import PublishedTables, publish_index
from mass_pipeline.resources.lake import Lake, open_lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.defs.conftest import DemoRun
from mass_pipeline_tests.defs.every_file import files_with

SOURCES = ("url", "final_url", "source_url", "list_url", "referrer")


class Kept:
    """A copy of everything a run keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lake = Lake(folder / "lake")

    def forget(self, target: str) -> Result:
        return CliRunner().invoke(cli, ["purge", target], env={"MASS_PIPELINE_DATA_FOLDER": str(self.folder)})

    def rows(self, name: str) -> list[dict[str, object]]:
        table = TABLES[name]
        keys = self.lake.partitions(table)
        if not keys and not self.lake.path(table).is_file():
            return []
        readers = [self.lake.reader(table, [key]) for key in keys] if keys else [self.lake.reader(table)]
        return [row for reader in readers for row in reader.rows()]

    def standing(self, host: str) -> list[tuple[str, str]]:
        """Tables and columns in which an address of a host stands, but for what a look-up found."""
        return [
            (name, column)
            for name in TABLES
            if name not in ("parishes", "parish_urls")
            for row in self.rows(name)
            for column in SOURCES
            if column in row and urlsplit(str(row[column] or "")).hostname == host
        ]

    def store(self) -> Store:
        """The database that the app of this folder uses."""
        return open_store(AnnotationConfig().database_url(self.folder), AnnotationConfig())

    def questions(self) -> list[str]:
        with closing(self.store()) as store, store.engine.connect() as connection:
            return list(connection.execute(sa.select(items.c.url)).scalars())


@pytest.fixture
def kept(demo_run: DemoRun, tmp_path: Path) -> Kept:
    folder = tmp_path / "data"
    shutil.copytree(demo_run.folder, folder, ignore=shutil.ignore_patterns("dagster_home", "*.lock"))
    return Kept(folder)


def published_host(kept: Kept) -> str:
    """A host from which a schedule was published, and that other tables name."""
    return str(urlsplit(str(kept.rows(MASS_SCHEDULES.name)[0]["source_url"])).hostname)


@pytest.mark.slow
class TestForgettingAHost:
    def test_its_words_leave_every_table_and_state_and_a_second_wish_changes_nothing(self, kept: Kept) -> None:
        host = published_host(kept)
        others = len([row for row in kept.rows(CRAWLED_PAGES.name) if urlsplit(str(row["url"])).hostname != host])
        parishes = {row["parish_id"] for row in kept.rows(PARISH_STATES.name)}
        assert kept.standing(host)
        told = kept.forget(host)

        assert told.exit_code == 0, told.output
        assert kept.standing(host) == []
        assert len(kept.rows(CRAWLED_PAGES.name)) == others
        assert host in told.output
        assert "recorded; it is never asked for again" in told.output
        assert re.search(r"^lake/mass_schedules: [1-9]\d* rows", told.output, re.MULTILINE)
        assert len(told.output.splitlines()) < 24
        assert {row["parish_id"] for row in kept.rows(PARISH_STATES.name)} == parishes
        again = kept.forget(host)

        assert again.exit_code == 0
        assert "was recorded before" in again.output
        assert re.fullmatch(r"(\d+) of \1 parts that were searched held nothing of it\.", again.output.splitlines()[-1])
        assert len(again.output.splitlines()) == 2

    def test_every_run_to_come_obeys(self, kept: Kept) -> None:
        kept.forget("Parafia.Example")
        settings = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(kept.folder)})

        assert "parafia.example" in settings.section(CrawlConfig).removed_hosts


def words_of(kept: Kept, host: str) -> list[bytes]:
    """Lines that the pages of a host show and no other page."""
    own, others = set[bytes](), b""
    for row in kept.rows(CRAWLED_PAGES.name):
        body = row["body"]
        if not isinstance(body, bytes):
            continue
        if urlsplit(str(row["url"])).hostname == host:
            own |= {text.strip() for text in re.split(rb"<[^>]*>", body)}
        else:
            others += body
    return sorted(text for text in own if len(text) > 25 and text not in others)


@pytest.mark.slow
class TestEveryFile:
    def test_no_file_holds_a_word_of_it_and_its_address_is_where_it_must_be(self, demo_run: DemoRun, tmp_path: Path) -> None:
        """Tables, states, logs, models, the public index with its open data, and Dagster's history."""
        folder = tmp_path / "data"
        shutil.copytree(demo_run.folder, folder, ignore=shutil.ignore_patterns("*.lock"))
        kept = Kept(folder)
        host = published_host(kept)
        words = words_of(kept, host)
        before = files_with(folder, [*words, host.encode()])
        told = kept.forget(host)

        assert told.exit_code == 0, told.output
        assert len(words) > 10
        assert {"public", "lake", "state", "dagster_home"} <= {name.partition("/")[0] for name in before}
        assert files_with(folder, [*words, host.encode()]) == {
            "lake/parish_urls/part-0.parquet": {host.encode()},  # what look-ups found: it is not to be asked
            "state/discovery.sqlite": {host.encode()},
            "state/removals.jsonl": {host.encode()},
        }


@pytest.mark.slow
class TestForgettingAPage:
    def test_leaves_no_generation_of_the_public_index_with_its_words(self, kept: Kept) -> None:
        settings = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(kept.folder)})
        for _ in range(PublicConfig().keep_generations):  # the one built without the words drives out the oldest
            publish_index(PublishedTables.of(open_lake(settings), settings), settings)
        page = str(kept.rows(MASS_SCHEDULES.name)[0]["source_url"])
        told = kept.forget(page)

        assert told.exit_code == 0, told.output
        generations = list((kept.folder / "public").glob("gen-*/index.sqlite"))
        assert generations
        for index in generations:
            with closing(sqlite3.connect(index)) as connection:
                assert connection.execute("SELECT count(*) FROM mass WHERE source_url=?", (page,)).fetchone() == (0,)

    def test_leaves_the_rest_of_the_site(self, kept: Kept) -> None:
        page = str(kept.rows(MASS_SCHEDULES.name)[0]["source_url"])
        host = str(urlsplit(page).hostname)
        kept.forget(page)

        assert page not in {row["source_url"] for row in kept.rows(MASS_SCHEDULES.name)}
        assert page not in {row["url"] for row in kept.rows(CANDIDATE_HOURS.name)}
        assert host in {urlsplit(str(row["url"])).hostname for row in kept.rows(CRAWLED_PAGES.name)}

    def test_questions_made_of_it_go_with_their_votes(self, kept: Kept) -> None:
        rows = kept.rows(CANDIDATE_HOURS.name)
        page = str(rows[0]["url"])
        (kept.folder / "annotation").mkdir(exist_ok=True)
        with closing(kept.store()) as store:
            store.add_items(map(item_from_row, rows), now=datetime(2026, 11, 22, tzinfo=UTC))
        kept.forget(page)

        assert page not in kept.questions()
        assert kept.questions()


@pytest.mark.slow
class TestRefusals:
    def test_a_state_in_use_is_told_and_the_wish_stays_recorded(self, kept: Kept) -> None:
        state = next((kept.folder / "state" / "crawl").iterdir())
        held = lock_folder(state)
        try:
            told = kept.forget("parafia.example")
        finally:
            os.close(held)

        assert told.exit_code != 0
        assert (state / LOCK_NAME).exists()
        removed = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(kept.folder)}).section(CrawlConfig).removed_hosts
        assert "parafia.example" in removed

    @pytest.mark.parametrize("target", ["", "parafia", "ftp://parafia.example/x", "javascript:alert(1)"])
    def test_what_is_neither_host_nor_address_is_refused(self, kept: Kept, target: str) -> None:
        told = kept.forget(target)

        assert told.exit_code != 0
        assert not (kept.folder / "state" / "removals.jsonl").exists()
