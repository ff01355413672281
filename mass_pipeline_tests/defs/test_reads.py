"""What every asset reads, beside what the lineage says that it reads: each file that a run of all assets opens is looked at."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import open_store
from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.definitions import build_defs
from mass_pipeline.defs.sources import GROUP, SOURCES
from mass_pipeline.finding.inbox import Report, append
from mass_pipeline.model.columns import PARISHES, TABLES
from mass_pipeline.model.project_files import project_file
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.defs.conftest import ONE_DIOCESE, DemoRun
from mass_pipeline_tests.defs.running import QUICK_TRAINING, QUIET, ended_of

# Folders and files of the data folder -> what they are in the lineage; None: what a run keeps for itself.
PLACES: Mapping[str, str | None] = {
    **{f"lake/{table}": table for table in TABLES},
    "models": "hours_classifier",
    "state/schedule_reviews.jsonl": "approvals",
    "annotations.jsonl": "labels",
    "annotation": "labels",
    "public-inbox": "visitor_reports",
    "operator": "operator_tables",
    "churches.json": "osm_extract",
    "state/removals.jsonl": None,  # read before the first step: who obeys it is seen by the setting
    "state/discovery.sqlite": None,
    "state/crawl": None,
    "state/watch": None,
    "state/published": None,
    "state/verdicts": None,
    "public": None,
    "exports": None,
    "leases": None,
}
FEEDBACK = {("crawled_pages", "mass_schedules"): "published_schedules"}

BEFORE = ""  # the first step: resources are opened, the directory's client with those who want no part
Open = Callable[[str], None]
_listener: list[Open] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listener:
        return
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path, mode, flags = arguments
        writes = (isinstance(mode, str) and "r" not in mode and "+" not in mode) or (flags or 0) & os.O_ACCMODE == os.O_WRONLY
        if not writes:
            _listener[0](os.fsdecode(path))
    elif event == "sqlite3.connect":
        _listener[0](str(arguments[0]).removeprefix("file:").partition("?")[0])


sys.addaudithook(_hook)  # stays as long as the process, and does nothing while nobody listens


@contextmanager
def files_opened_by(steps: dict[str, set[str]], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Step -> files that are opened to be read while it goes on."""
    current = BEFORE
    handle = dg.DagsterInstance.handle_new_event

    def handle_new_event(self: dg.DagsterInstance, event: dg.EventLogEntry, **options: Any) -> None:
        nonlocal current
        if event.is_dagster_event and event.get_dagster_event().event_type is dg.DagsterEventType.STEP_START:
            current = str(event.step_key)
        handle(self, event, **options)

    monkeypatch.setattr(dg.DagsterInstance, "handle_new_event", handle_new_event)
    _listener.append(lambda path: steps[current].add(os.path.abspath(path)))  # noqa: PTH100 - an audit hook must open nothing
    hosts = CrawlConfig.__dict__["removed_hosts"]

    def removed_hosts(config: CrawlConfig) -> tuple[str, ...]:
        steps[current].add("opt_outs")
        found: tuple[str, ...] = hosts.__get__(config)
        return found

    monkeypatch.setattr(CrawlConfig, "removed_hosts", property(removed_hosts, hosts.__set__))
    try:
        yield
    finally:
        _listener.clear()


def everything_there(folder: Path) -> dict[str, str]:
    """Every source the lineage knows, with something in it: settings that name them."""
    shutil.rmtree(folder / "state" / "watch")  # its first poll: lists are found among the crawled pages
    own = folder / "operator"
    own.mkdir()
    parish = next(Lake(folder / "lake").reader(PARISHES).rows())
    identified = f"parish_id,url\n{parish['parish_id']},http://{parish['parish_id']}.example/\n"
    (own / "sites.csv").write_text(identified, encoding="utf-8")
    (own / "positions.csv").write_text(f"parish_id,latitude,longitude\n{parish['parish_id']},52.1,19.4\n", encoding="utf-8")
    (own / "watched.txt").write_text("http://nowhere.example/\n", encoding="utf-8")
    (own / "parishes.csv").write_text(
        f"name,town,diocese,address\nśw. Anny,Wieś Nowa,{parish['diocese']},Wieś Nowa 1\n", encoding="utf-8"
    )
    church = {"type": "node", "id": 1, "lat": 52.1, "lon": 19.4, "tags": {"amenity": "place_of_worship", "name": "x"}}
    (folder / "churches.json").write_text(json.dumps({"elements": [church]}), encoding="utf-8")
    (folder / "annotations.jsonl").write_text("", encoding="utf-8")
    (folder / "annotation").mkdir(exist_ok=True)
    open_store(AnnotationConfig().database_url(folder), AnnotationConfig()).close()
    append(folder / "public-inbox", Report("r1", "2026-11-20T10:00Z", str(parish["parish_id"]), "", "wrong_hour", "", "gen"))
    return {
        "WEBSITES_OPERATOR_FILE": str(own / "sites.csv"),
        "PUBLIC_POSITIONS_TABLE": str(own / "positions.csv"),
        "WATCH_SITES_FILE": str(own / "watched.txt"),
        "DIRECTORY_SOURCES": "deon,table",
        "DIRECTORY_TABLE_FILE": str(own / "parishes.csv"),
        "PUBLIC_OSM_EXTRACT": str(folder / "churches.json"),
        **QUICK_TRAINING,
    }


def read_by(step: str, files: set[str], folder: Path) -> set[str]:
    """What of the lineage the files are; a file of the data folder that nobody has a name for fails."""
    found = set()
    for file in files:
        if file == "opt_outs":
            found.add(file)
        elif file == str(project_file("data/gazetteer/pl.tsv")):
            found.add("gazetteer")
        elif file.startswith(f"{folder}/"):
            place = file.removeprefix(f"{folder}/")
            name = next((name for name in PLACES if place == name or place.startswith(f"{name}/")), "")
            assert name or place == "state", f"{step} opens {place}: what is it in the lineage?"
            if name and (asset := PLACES[name]) is not None:
                found.add(FEEDBACK.get((step, asset), asset))
    return found


def reads_and_declarations(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, set[str], set[str]]]:
    """Asset, what one run over everything saw it read beside its own table, and what the graph says."""
    environ = {f"MASS_PIPELINE_{name}": value for name, value in everything_there(folder).items()}
    defs = build_defs(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder), **environ}))
    steps: dict[str, set[str]] = defaultdict(set)
    tags = dict.fromkeys(("dagster/asset_partition_range_start", "dagster/asset_partition_range_end"), ONE_DIOCESE)
    with dg.DagsterInstance.ephemeral() as instance, files_opened_by(steps, monkeypatch):
        job = defs.resolve_job_def("full_pipeline_job")
        result = job.execute_in_process(instance=instance, tags=tags, run_config=QUIET, raise_on_error=False)
    failed = [ended_of(result, Lake(folder / "lake")).errors]
    assert failed == [()], failed
    graph = defs.resolve_asset_graph()
    for key in graph.materializable_asset_keys:
        name, node = key.to_user_string(), graph.get(key)
        declared = {parent.to_user_string() for parent in node.parent_keys}
        asks_directory = "directory" in node.assets_def.required_resource_keys
        opened = steps[name] | (steps[BEFORE] & {"opt_outs"} if asks_directory else set())
        yield name, read_by(name, opened, folder) - {name}, declared


@pytest.mark.slow
class TestReads:
    def test_every_asset_reads_what_the_lineage_says_and_nothing_else(
        self, demo_run: DemoRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / "data"
        shutil.copytree(demo_run.folder, folder, ignore=shutil.ignore_patterns("dagster_home", "*.lock"))
        found = list(reads_and_declarations(folder, monkeypatch))

        assert {name: reads for name, reads, _ in found} == {name: declared for name, _, declared in found}


class TestGraph:
    def test_no_group_rests_on_a_group_that_rests_on_it(self) -> None:
        graph = build_defs(load_settings({})).resolve_asset_graph()
        above: dict[str, set[str]] = defaultdict(set)
        for key in graph.get_all_asset_keys():
            node = graph.get(key)
            above[node.group_name] |= {graph.get(parent).group_name for parent in node.parent_keys} - {node.group_name}

        def all_above(group: str, seen: frozenset[str] = frozenset()) -> set[str]:
            assert group not in seen, f"{group} rests on itself"
            return above[group] | {one for over in above[group] for one in all_above(over, seen | {group})}

        assert all_above("public") == {"sources", "directory", "crawl", "learning", "schedules"}
        assert all_above("web_graph") == {"sources", "directory", "crawl"}

    def test_every_source_is_followed_by_an_asset_and_told(self) -> None:
        graph = build_defs(load_settings({})).resolve_asset_graph()
        for source in SOURCES:
            node = graph.get(dg.AssetKey(source.name))

            assert node.is_observable
            assert node.group_name == GROUP
            assert node.description
            assert node.child_keys
