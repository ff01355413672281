"""An operator's month, rehearsed: written parishes that change as parishes do, a moved clock, and the truth of each day.

    make bench NAME=rehearsal_month
    python -m mass_pipeline_tests.benchmarks.rehearsal_month [--parishes 60] [--days 30] [--release FOLDER] [--out month.md]
        [--folder FOLDER] [--begin DAY]

Thirty days from 30 November 2026. Each morning what is due runs (weekly crawl, announcements, schedules, public index), in a
process whose wall clock is moved (needs gcc); then the public API is asked what each parish says today, and for every dated
event whether people see it. What happens is in `EVENTS`. With `--release` the first two days are lived by an older checkout,
whose data folder the present one then takes over. Prints a table of the days and one of the events.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

WARSAW: Final = ZoneInfo("Europe/Warsaw")
MONDAY: Final = date(2026, 11, 30)
WEB: Final = "REHEARSAL_MONTH_WEB"
DAILY: Final = ("announcements", "mass_schedules", "parish_states", "parish_positions", "public_index")
WEEKLY: Final = ("parishes", "parish_urls", "crawled_pages", "candidate_hours", "external_links", "companion_sites")
LEARNING: Final = ("annotated_set", "hours_classifier")
EVENTS: Final = {  # day -> what happens; Sundays have announcements besides
    2: "upgrade",
    7: "blocked",  # a webmaster answers 403 to everything
    9: "changed",  # some parishes change their standing schedule
    10: "moved",  # a site moves to another host
    12: "opted_out",  # a parish wants no part in this
    14: "newcomer",  # the directory lists one more
    16: "labels",  # volunteers answer
    18: "disk",  # tables cannot be written for a day
    22: "reported",  # the priest has another hour than his site, and a visitor says so
}
BY_FILE_TIMES: Final = ("no_diocese_overdue",)  # judged in the run, before its files are given the moved time
OTHER_HOUR: Final = "17:15"
LONGEST_DAYS: Final = 7  # what a site says of its standing schedule is read each week
_THANKS: Final = "Składamy serdeczne Bóg zapłać za ofiary złożone na ogrzewanie kościoła. Msza Święta dziękczynna w niedzielę."
_OF_SUNDAY: Final = 12  # every so many-th parish announces something for the week
_DAYS: Final = ("poniedziałek", "wtorek", "środę", "czwartek", "piątek", "sobotę", "niedzielę")
_MONTHS: Final = ("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia", "września", "października",
                  "listopada", "grudnia")  # fmt: skip


# --- the process that lives in the moved clock; it imports the product alone, so that an older one can be lived in too


def worker() -> None:
    """Takes commands as JSON lines, answers each with one: {"run": [assets]}, {"ask": [[parish_id, day], ...]},
    {"report": [parish_id, day, hour]}."""
    import dagster as dg

    from mass_pipeline.definitions import build_defs
    from mass_pipeline.resources.settings import Settings, load_settings
    from mass_pipeline.resources.web import Web

    served = json.loads(os.environ[WEB])

    @contextmanager
    def opened(_: Settings) -> Iterator[Web]:
        yield Web(lambda host, port: ("127.0.0.1", served["port"]) if host.endswith(".example") else None, served["places"])

    settings = load_settings(os.environ)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever Dagster prints is no answer
    with dg.DagsterInstance.ephemeral() as instance:
        defs = build_defs(settings, web=opened)
        job = defs.resolve_implicit_global_asset_job_def()
        for line in sys.stdin:
            told = json.loads(line)
            answer: object
            if "run" in told:
                answer = _run(job, instance, told["run"], settings)
            else:
                answer = _ask(settings, told["ask"]) if "ask" in told else _report(settings, *told["report"])
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _run(job: Any, instance: Any, assets: Sequence[str], settings: Any) -> dict[str, object]:
    import dagster as dg

    from mass_pipeline.defs.partitions import diocese_partitions

    keys = diocese_partitions(settings.dioceses_file).get_partition_keys()
    tags = {"dagster/asset_partition_range_start": keys[0], "dagster/asset_partition_range_end": keys[-1]}
    ended = job.execute_in_process(
        instance=instance,
        raise_on_error=False,
        asset_selection=[dg.AssetKey(name) for name in assets],
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags=tags,
    )
    failed = [event.step_key for event in ended.all_events if event.is_step_failure]
    checks = {one.check_name: one.description or "" for one in ended.get_asset_check_evaluations() if not one.passed}
    return {"success": ended.success, "failed": failed, "checks": checks}


def _client(settings: Any) -> Any:
    """A browser of the public site."""
    from starlette.testclient import TestClient

    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.finding.index.library import Library
    from mass_pipeline.public_web.app import create_app
    from mass_pipeline.public_web.site import make_site
    from mass_pipeline.resources.operation import OperationConfig

    library, clock = Library(settings.data_folder / "public"), settings.section(OperationConfig).clock()
    site = make_site(library, settings.section(PublicConfig), clock, settings.data_folder / "public-inbox")
    return TestClient(create_app(site), base_url="http://127.0.0.1")


def _ask(settings: Any, asked: Sequence[tuple[str, str]]) -> list[list[str] | None]:
    """Hours of parishes on days as the public API gives them; None where it knows no such parish."""
    client = _client(settings)
    found: list[list[str] | None] = []
    for parish_id, day in asked:
        answer = client.get(f"/api/v1/parishes/{parish_id}/days/{day}")
        told = answer.json()
        found.append(sorted(one["start"][11:16] for one in told["masses"]) if answer.status_code == 200 else None)
    return found


def _report(settings: Any, parish_id: str, day: str, hour: str) -> str:
    """A visitor says another hour than that of the last Mass of a day; the hour that was wrong."""
    client = _client(settings)
    last = client.get(f"/api/v1/parishes/{parish_id}/days/{day}").json()["masses"][-1]
    said = {"parish_id": parish_id, "kind": "wrong_hour", "mass_id": last["mass_id"], "time": hour}
    if client.post("/api/v1/reports", json=said).status_code != 202:
        raise RuntimeError("the report was refused")
    return str(last["start"][11:16])


# --- the month


@dataclass
class Parish:
    """A parish as it is on the present day.

    Attributes:
        site: its source; announcements: Sunday -> sentences; announced: day -> the hours said instead.
    """

    site: Any
    announcements: dict[date, list[str]] = field(default_factory=dict)
    announced: dict[date, tuple[str, ...]] = field(default_factory=dict)
    is_silent: bool = False


@dataclass
class Event:
    """Something that people should see, once it is public.

    Attributes:
        what: for the report. key: of the parish. day: the date it is about. told: when the site said it.
        right: hours of that date; None: the parish is not to be shown.
        seen: when the public answer was right for the first time.
    """

    what: str
    key: str
    day: date
    told: datetime
    right: tuple[str, ...] | None
    seen: datetime | None = None


class Month:
    """Web, clock, worker and script."""

    def __init__(self, folder: Path, parishes: int, release: Path | None) -> None:
        from mass_pipeline.demo_web.compose import Workshop
        from mass_pipeline.demo_web.generator import generate_sites
        from mass_pipeline.demo_web.places import demo_book
        from mass_pipeline.demo_web.web import DemoWeb
        from mass_pipeline_tests.benchmarks.moved_installation import Clock

        self._rng = random.Random(20261130)
        self._workshop = Workshop.open()
        sites = [replace(site, filler=()) for site in generate_sites(parishes + 1, 7)]
        self.parishes = {site.key: Parish(site) for site in sites[:parishes]}
        self._newcomer = sites[parishes]
        for one in self.parishes.values():  # parishes announce each Sunday, mostly nothing about hours
            one.announcements = {MONDAY - timedelta(days=7 * week + 1): [_THANKS] for week in range(4)}
        # A map knows the parish that is new in the directory.
        self.web = DemoWeb([self._source(one) for one in self.parishes.values()], places=demo_book(sites))
        self.folder = folder
        self.clock = Clock(folder, datetime.combine(MONDAY, datetime.min.time(), WARSAW))
        self._release = release
        self._dated: dict[Path, float] = {}
        self.events: list[Event] = []
        self.ids: dict[str, str] = {}
        self.rows: list[tuple[str, ...]] = []
        self.wrong_days = Counter[str]()  # in a row, until today
        self.longest_wrong = 0
        self._worker: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.web.__enter__()
        keys = {"elblaska": "elbląska", "koszalinsko-kolobrzeska": "koszlińsko-kołobrzeska", "tarnowska": "tarnowska"}
        rows = "".join(f"{key},diecezja {name},{name}\n" for key, name in keys.items())
        (self.folder / "dioceses.csv").write_text(f"key,name,spellings\n{rows}")
        self.start(self._release)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        self.web.__exit__(kind, error, trace)

    def start(self, release: Path | None) -> None:
        """A process of the product, of an older checkout where one is named."""
        environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))},
            **self.clock.environment(),
            "PYTHONPATH": str(release or Path(__file__).parents[2]),
            WEB: json.dumps({"port": self.web.port, "places": self.web.places_base_url}),
            "DAGSTER_DISABLE_TELEMETRY": "1",
            **self.settings(),
        }
        with (self.folder / "worker.log").open("ab") as log:
            self._worker = subprocess.Popen(
                [sys.executable, __file__, "--worker"], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=log, text=True,
            )  # fmt: skip

    def settings(self) -> dict[str, str]:
        """Of every process of the product."""
        return {
            "MASS_PIPELINE_DATA_FOLDER": str(self.folder / "data"),
            "MASS_PIPELINE_DIOCESES_FILE": str(self.folder / "dioceses.csv"),
            "MASS_PIPELINE_OPERATION_FROZEN_NOW": "clock",
            "MASS_PIPELINE_OPERATION_MAX_RETRIES": "0",
            "MASS_PIPELINE_PUBLIC_HORIZON_DAYS": "45",
            # Four of two dozen parishes change on one day here, of ten thousand they do not.
            "MASS_PIPELINE_PUBLIC_MIN_OCCURRENCES_SHARE": "0.6",
            "MASS_PIPELINE_PUBLIC_MIN_PARISHES_SHARE": "0.8",
        }

    def go_on(self, begin: int) -> None:
        """Tell the web what happened before a day, in the folder where those days have been lived."""
        self.stop()
        self._worker = None
        for number in range(begin):
            self.happens(MONDAY + timedelta(days=number), number)
        self.events.clear()
        self._dated = {path: path.stat().st_mtime for path in (self.folder / "data" / "lake").rglob("*.parquet")}
        self.start(None)

    def stop(self) -> None:
        """End the process."""
        if self._worker is not None and self._worker.stdin is not None:
            self._worker.stdin.close()
            self._worker.wait(120)

    def tell(self, command: Mapping[str, object]) -> Any:
        """A command to the worker, and its answer."""
        assert self._worker is not None
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(json.dumps(command) + "\n")
        self._worker.stdin.flush()
        line = self._worker.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker ended: {(self.folder / 'worker.log').read_text()[-3000:]}")
        return json.loads(line)

    # what the web says

    def _source(self, parish: Parish) -> Any:
        from mass_pipeline.demo_web.source import PageSource

        weeks = sorted(parish.announcements, reverse=True)
        listing = PageSource("ogloszenia", "Ogłoszenia", "<h2>Ogłoszenia duszpasterskie</h2>")
        articles = [
            PageSource(
                f"ogloszenia-{sunday}",
                f"Ogłoszenia duszpasterskie {sunday:%d.%m.%Y}",
                f"<h2>Ogłoszenia duszpasterskie</h2><p>{{n {sunday:%d.%m.%Y}}} r.</p><ol>"
                + "".join(f"<li>{one}</li>" for one in parish.announcements[sunday])
                + "</ol>",
                under="ogloszenia",
            )
            for sunday in weeks
        ]
        return replace(parish.site, pages=(*parish.site.pages, listing, *articles))

    def republish(self, parish: Parish) -> None:
        """The site says what the parish says now."""
        from mass_pipeline.demo_web.compose import compose_site
        from mass_pipeline.demo_web.hosts import add_behaviour
        from mass_pipeline.demo_web.http import Host

        site = self._source(parish)
        host = self.web._hosts[site.host] = Host(site.host)
        compose_site(site, self._workshop, host)
        add_behaviour(site, host, self.web._hosts)

    def usual(self, key: str, day: date) -> tuple[str, ...]:
        """Hours of a day by the parish's standing schedule."""
        from mass_pipeline.schedules.day import day_schedule
        from mass_pipeline.schedules.rows import ScheduleRow

        rows = [ScheduleRow(mass, "", "", "", None) for mass in self.parishes[key].site.truth]
        return tuple(sorted(row.mass.time for row in day_schedule(rows, day).masses))

    def truth(self, key: str, day: date) -> tuple[str, ...] | None:
        """Hours of a day; None where the parish is not to be shown."""
        parish = self.parishes[key]
        return None if parish.is_silent else parish.announced.get(day, self.usual(key, day))

    # what happens

    def happens(self, day: date, number: int) -> None:
        """The events of a day, at nine in the morning."""
        at = datetime.combine(day, datetime.min.time(), WARSAW) + timedelta(hours=9)
        if day.weekday() == 6:
            self._announce(day, at)
        name = EVENTS.get(number, "")
        keys = sorted(self.parishes)
        if name == "changed":
            for key in keys[5 :: len(keys) // 4]:
                self._change(key, at)
        elif name == "moved":
            self._move(keys[1])
        elif name == "opted_out":
            self._opt_out(keys[2], at)
        elif name == "newcomer":
            self._list_newcomer(at)
        elif name == "blocked":
            self._block(keys[3])
        elif name == "labels":
            self._label()
        elif name == "reported":
            self._report(keys[6], at)

    def _announce(self, sunday: date, at: datetime) -> None:
        for number, key in enumerate(sorted(self.parishes)):
            parish = self.parishes[key]
            sentences = [_THANKS]
            day = sunday + timedelta(days=2 + number % 3)
            usual = self.usual(key, day)
            if (number + sunday.day) % _OF_SUNDAY == 0 and usual and not parish.is_silent:
                written = f"{_DAYS[day.weekday()]}, {day.day} {_MONTHS[day.month - 1]}"
                if number % 2:
                    sentences.append(f"We {written}, Mszy Świętej o godz. {{x {usual[0]}}} nie będzie." if written[0] == "w" else
                                     f"W {written}, Mszy Świętej o godz. {{x {usual[0]}}} nie będzie.")  # fmt: skip
                    right = usual[1:]
                else:
                    sentences.append(f"W {written}, Msze Święte tylko o godz. {{d 9.00}} i {{d 11.30}}.")
                    right = ("09:00", "11:30")
                parish.announced[day] = right
                self.events.append(Event("announced change", key, day, at, right))
            parish.announcements[sunday] = sentences
            if not parish.is_silent and parish.site.host in self.web._hosts:
                self.republish(parish)

    def _change(self, key: str, at: datetime) -> None:
        from mass_pipeline.demo_web.generator import draw_hours, paragraphs
        from mass_pipeline.demo_web.source import parse_truth

        parish = self.parishes[key]
        worded = paragraphs(draw_hours(self._rng), ":")
        pages = [
            replace(page, body=f"<h2>Porządek Mszy świętych</h2>\n{worded.body}") if page.slug == "msze" else page
            for page in parish.site.pages
        ]
        parish.site = replace(parish.site, pages=tuple(pages), truth=parse_truth(worded.truth), sidebar="")
        self.republish(parish)
        day = at.date() + timedelta(days=14)
        self.events.append(Event("changed schedule", key, day, at, self.usual(key, day)))

    def _move(self, key: str) -> None:
        from mass_pipeline.demo_web.hosts import redirect_to
        from mass_pipeline.demo_web.http import Host

        parish, old = self.parishes[key], self.parishes[key].site.host
        parish.site = replace(parish.site, host=f"nowa-{old}")
        self.republish(parish)
        self.web._hosts[old] = Host(old, makers=[lambda request: redirect_to(f"nowa-{old}", request)])

    def _opt_out(self, key: str, at: datetime) -> None:
        self.parishes[key].is_silent = True
        host = self.parishes[key].site.host
        self._command("purge", host)
        self.asked_before = sum(one.host == host for one in self.web.requests)
        self.events.append(Event("opted out", key, at.date() + timedelta(days=2), at, None))

    def _command(self, *words: str) -> str:
        """What an operator's command prints; nothing while the days of an earlier piece are told."""
        if self._worker is None:
            return ""
        environ = {**os.environ, **self.clock.environment(), **self.settings()}
        command = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", *words]
        ended = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise RuntimeError(f"{' '.join(words)}: {ended.stderr}")
        return ended.stdout

    def _report(self, key: str, at: datetime) -> None:
        """A visitor's report, and an operator who finds it right."""
        self.clock.move_to(at)
        parish, parish_id, day = self.parishes[key], self.parish_ids()[key], at.date() + timedelta(days=1)
        wrong = self.tell({"report": [parish_id, day.isoformat(), OTHER_HOUR]})
        truth = tuple(replace(mass, time=OTHER_HOUR) if mass.time == wrong else mass for mass in parish.site.truth)
        parish.site = replace(parish.site, truth=truth)
        # The page is read again before anybody is asked about it.
        self.tell({"run": ["crawled_pages", "candidate_hours", "mass_schedules"]})
        self._date_files()
        self._command("public", "import-reports")
        (proposal,) = re.findall(r"^([0-9a-f]+)  .*, a report says so.*$", self._command("schedules", "proposals"), re.MULTILINE)
        self._command("schedules", "approve", proposal, "--by", "operator")
        self.events.append(Event("hour put right by a visitor", key, day, at, self.usual(key, day)))

    def _list_newcomer(self, at: datetime) -> None:
        from mass_pipeline.demo_web.directory import DIRECTORY_HOST, directory_host

        parish = self.parishes[self._newcomer.key] = Parish(self._newcomer)
        self.republish(parish)
        sites = [self._source(one) for one in self.parishes.values()]
        self.web._hosts[DIRECTORY_HOST] = directory_host(sites)
        day = at.date() + timedelta(days=9)
        self.events.append(Event("new parish", self._newcomer.key, day, at, self.usual(self._newcomer.key, day)))

    def _block(self, key: str) -> None:
        from mass_pipeline.demo_web.http import Host, Response

        name = self.parishes[key].site.host
        self.web._hosts[name] = Host(name, makers=[lambda request: Response.error(403)])

    def _label(self) -> None:
        from mass_pipeline.model.columns import CANDIDATE_HOURS
        from mass_pipeline.resources.lake import Lake

        lake = Lake(self.folder / "data" / "lake")
        rows = list(lake.reader(CANDIDATE_HOURS, lake.partitions(CANDIDATE_HOURS)).rows(["candidate_id"]))[:100]
        lines = [json.dumps({"candidate_id": row["candidate_id"], "label": "mass"}) for row in rows]
        (self.folder / "data" / "annotations.jsonl").write_text("\n".join(lines))

    # what is seen

    def parish_ids(self) -> dict[str, str]:
        """Key -> parish_id, by the directory."""
        from mass_pipeline.demo_web.directory import DIRECTORY_HOST, detail_path
        from mass_pipeline.model.columns import PARISHES
        from mass_pipeline.resources.lake import Lake

        known = {
            str(row["directory_url"]): str(row["parish_id"])
            for row in Lake(self.folder / "data" / "lake").reader(PARISHES).rows()
        }
        urls = {
            key: f"http://{DIRECTORY_HOST}{detail_path(one.site, number)}"
            for number, (key, one) in enumerate(self.parishes.items(), start=1)
        }
        return {key: known[url] for key, url in urls.items() if url in known}

    def look(self, day: date, now: datetime) -> tuple[Counter[str], list[str]]:
        """Compare today's public answers with the truth, and see which events are public; wrong ones are named."""
        ids = self.parish_ids()
        waiting = [event for event in self.events if event.seen is None and event.key in ids and event.day >= day]
        asked = [(ids[key], day.isoformat()) for key in ids] + [(ids[one.key], one.day.isoformat()) for one in waiting]
        found = self.tell({"ask": asked})
        counts, wrong = Counter[str](), list[str]()
        for key, hours in zip(ids, found, strict=False):
            right = self.truth(key, day)
            shown = tuple(hours) if hours else None
            if shown == (right or None):
                counts["right"] += 1
            elif shown is None:
                counts["without"] += 1
            else:
                counts["wrong"] += 1
                wrong.append(f"{key}: shows {' '.join(shown)}, says {' '.join(right) if right else 'nothing'}")
        for event, hours in zip(waiting, found[len(ids) :], strict=True):
            if (tuple(hours) if hours else None) == (event.right or None):
                event.seen = now
        return counts, wrong

    def _date_files(self) -> None:
        """Give new files of the lake the moved time: the kernel knows the true one only."""
        now = self.clock.now().timestamp()
        for path in (self.folder / "data" / "lake").rglob("*.parquet"):
            if path not in self._dated or path.stat().st_mtime != self._dated[path]:
                os.utime(path, (now, now))
                self._dated[path] = path.stat().st_mtime

    def live(self, number: int) -> None:
        """One day: morning runs, events at nine, evening runs, a look after each."""
        day = MONDAY + timedelta(days=number)
        began, asked = time.monotonic(), len(self.web.requests)
        if EVENTS.get(number) == "upgrade" and self._release is not None:
            self.stop()
            self.start(None)
        schedules = self.folder / "data" / "lake" / "mass_schedules"
        if EVENTS.get(number) == "disk":
            schedules.rename(schedules.with_name("aside"))
            schedules.write_text("no folder")
        told: list[str] = []
        counts, wrong = Counter[str](), list[str]()
        evening = (*LEARNING, *DAILY) if EVENTS.get(number) == "labels" else DAILY
        for hour, assets in ((6, (*WEEKLY, *DAILY) if number % 7 == 0 else DAILY), (20, evening)):
            if hour == 20:
                self.happens(day, number)
            now = datetime.combine(day, datetime.min.time(), WARSAW) + timedelta(hours=hour)
            self.clock.move_to(now)
            ended = self.tell({"run": list(assets)})
            self._date_files()
            told += [] if ended["success"] else [f"{hour}:00 failed: {', '.join(ended['failed'])}"]
            told += [f"{hour}:00 {name}: {said}" for name, said in sorted(ended["checks"].items()) if name not in BY_FILE_TIMES]
            seen = self.look(day, now)
            if hour == 6:
                counts, wrong = seen
                self.wrong_days = Counter({key: self.wrong_days[key] + 1 for key in (one.split(":")[0] for one in wrong)})
                self.longest_wrong = max(self.longest_wrong, *self.wrong_days.values(), 0)
        if EVENTS.get(number) == "disk":
            schedules.unlink()
            schedules.with_name("aside").rename(schedules)
        happened = EVENTS.get(number, "announcements" if day.weekday() == 6 else "")
        figures = (*(counts[name] for name in ("right", "wrong", "without")), len(self.web.requests) - asked)
        row = (f"{day:%a %d %b}", *map(str, figures), happened, "; ".join([*told, *wrong]))
        self.rows.append(row)
        print(f"| {' | '.join(row)} | {time.monotonic() - began:.0f} s", flush=True)


def report(month: Month) -> Iterator[str]:
    """The page."""
    yield "| day | right | wrong | without hours | requests | what happens | what was told |"
    yield "|---|---|---|---|---|---|---|"
    for row in month.rows:
        yield f"| {' | '.join(row)} |"
    yield ""
    yield "| event | events | seen by people | hours until then, median and most | never seen before their day |"
    yield "|---|---|---|---|---|"
    for what in dict.fromkeys(event.what for event in month.events):
        events = [one for one in month.events if one.what == what]
        ages = sorted((one.seen - one.told).total_seconds() / 3600 for one in events if one.seen is not None)
        missed = ", ".join(f"{one.key} {one.day:%d %b}" for one in events if one.seen is None)
        spread = f"{ages[len(ages) // 2]:.0f}, {ages[-1]:.0f}" if ages else "-"
        yield f"| {what} | {len(events)} | {len(ages)} | {spread} | {missed} |"
    yield ""
    yield f"The longest time that a parish was shown with a wrong hour at six in the morning: {month.longest_wrong} days."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--parishes", type=int, default=60)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--release", type=Path, help="checkout of the last release, which lives the first two days")
    parser.add_argument("--out", type=Path, help="write the tables there too")
    parser.add_argument("--folder", type=Path, help="keep everything there")
    parser.add_argument("--begin", type=int, default=0, help="go on from this day, 22 at most, in the folder of an earlier piece")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        worker()
        return 0
    with tempfile.TemporaryDirectory(prefix="mass-month-") as made:
        folder = chosen.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        with Month(folder, chosen.parishes, chosen.release) as month:
            if chosen.begin:
                month.go_on(chosen.begin)
            for number in range(chosen.begin, chosen.days):
                month.live(number)
            lines = list(report(month))
    print("\n".join(lines))
    if chosen.out:
        chosen.out.write_text("\n".join(lines) + "\n")
    return 0 if month.longest_wrong <= LONGEST_DAYS and all(one.seen for one in month.events) else 1


if __name__ == "__main__":
    sys.exit(main())
