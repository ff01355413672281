"""What must hold after a week of automation, read from Dagster's own log: each thing once, nothing missed, all followed."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import dagster as dg
from dagster._core.scheduler.instigation import TickStatus

from mass_pipeline_tests.benchmarks.moved_installation import Inbox

WARSAW = ZoneInfo("Europe/Warsaw")
_AFTER_MIDNIGHT = 600.0  # seconds: the public index is made anew at 00:10
Law = tuple[str, bool, object]  # what must hold, whether it does, what was found
FOLLOWERS = {  # asset -> what it follows; those of the whole country after
    "candidate_hours": ("crawled_pages",),
    "announcements": ("crawled_pages",),
    "external_links": ("crawled_pages",),
    "mass_schedules": ("candidate_hours", "announcements", "hours_classifier"),
    "parish_states": ("mass_schedules",),
    "companion_sites": ("external_links",),
    "parish_positions": ("parishes", "crawled_pages"),
    "public_index": ("mass_schedules", "parish_states", "parish_positions", "parishes", "parish_urls"),
}
WHOLE = ("parishes", "parish_urls", "annotated_set", "hours_classifier", "companion_sites", "parish_positions", "public_index")


@dataclass(frozen=True, slots=True)
class Made:
    """One materialization.

    Attributes:
        number: in the order of the log; asked: moment at which its run was asked for; key: diocese, "" for a whole table.
        trigger: what asked for the run: weekly, follow_up, announcements, annotations, "" for a person.
    """

    number: int
    asked: float
    at: float
    key: str
    run: str
    trigger: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A week that was lived.

    Attributes:
        keys: dioceses; killed: who -> its run, or a word; backfills: their ids; said: what the command told people.
    """

    instance: dg.DagsterInstance
    keys: Sequence[str]
    killed: Mapping[str, str]
    backfills: Sequence[str]
    said: str

    def made(self) -> dict[str, list[Made]]:
        """Every materialization, by asset."""
        found: dict[str, list[Made]] = defaultdict(list)
        asked: dict[str, tuple[float, str]] = {}  # run -> when, and by what
        for name in {*FOLLOWERS, *WHOLE, "crawled_pages"}:
            records = self.instance.fetch_materializations(dg.AssetKey(name), limit=10_000, ascending=True).records
            for one in records:
                if one.run_id not in asked:
                    asked[one.run_id] = self._asked(one.run_id)
                moment, trigger = asked[one.run_id]
                found[name].append(Made(one.storage_id, moment, one.timestamp, one.partition_key or "", one.run_id, trigger))
        return found

    def _asked(self, run: str) -> tuple[float, str]:
        record = self.instance.get_run_record_by_id(run)
        if record is None:
            return 0.0, ""
        return record.create_timestamp.replace(tzinfo=UTC).timestamp(), record.dagster_run.tags.get("trigger", "")


def missed(made: Mapping[str, Sequence[Made]]) -> Iterator[str]:
    """Updates that were not followed, and materializations of followers that followed nothing."""
    for name, follows in FOLLOWERS.items():
        for key in sorted({one.key for one in made[name]} | {one.key for two in follows for one in made[two] if one.key}):
            if name in WHOLE and key:
                continue
            own = [one for one in made[name] if one.key == key]
            updates = [one for two in follows for one in made[two] if not key or one.key in ("", key)]
            if updates and (not own or max(own, key=_number).number < max(updates, key=_number).number):
                yield f"{name}/{key}: an update of what it follows was not followed"
            for earlier, later in itertools.pairwise(sorted(own, key=_number)):
                if not any(
                    one.run != earlier.run and earlier.asked - 1 <= one.at and one.number < later.number for one in updates
                ) and not _by_the_clock(name, earlier, later):
                    yield f"{name}/{key}: made again at {_local(later.at):%a %H:%M} though nothing was new"


def _number(one: Made) -> int:
    return one.number


def _local(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, WARSAW)


def _by_the_clock(name: str, earlier: Made, later: Made) -> bool:
    """Whether it is the first public index after 00:10, when its horizon moves on (the clock may jump), or a due poll."""
    days = [_local(one.asked - _AFTER_MIDNIGHT).date() for one in (earlier, later)]
    return (name == "public_index" and days[0] < days[1]) or later.trigger == "announcements"


def laws(week: Seen, ended: float) -> Iterator[Law]:
    """What must hold of a week that ended at a moment of the moved clock, whether it does, and what was found."""
    made, runs = week.made(), week.instance.get_runs()
    yield from _asked_once(week, made, runs)
    yield from _followed(week, made, ended)
    yield from _killed(week)
    twice = [
        key for key, count in Counter(one.tags.get("dagster/run_key") for one in runs if _first(one)).items() if key and count > 1
    ]
    yield "no request launched twice", not twice, twice[:5]
    broken = [(one.instigator_name, tick.timestamp) for one in week.instance.all_instigator_state() for tick in
              week.instance.get_ticks(one.instigator_origin_id, one.selector_id, statuses=[TickStatus.FAILURE])]  # fmt: skip
    yield "no schedule or sensor failed", not broken, broken[:5]
    failed = [run for run in runs if run.status is dg.DagsterRunStatus.FAILURE and run.tags.get("dagster/will_retry") != "true"]
    names = [(one.job_name, _diocese(one)) for one in failed]
    yield "no run failed for good but those that were made to", {key for _, key in names} == {week.keys[-1]}, names


def _asked_once(week: Seen, made: Mapping[str, Sequence[Made]], runs: Sequence[dg.DagsterRun]) -> Iterator[Law]:
    weekly = [run for run in runs if run.tags.get("trigger") == "weekly"]
    directory = [run.status.value for run in weekly if run.job_name == "directory_job"]
    yield "directory: one run", directory == ["SUCCESS"], directory
    crawls = {run.run_id for run in weekly if run.job_name == "crawl_job"}
    crawled = Counter(one.key for one in made["crawled_pages"] if one.run in crawls)
    yield "weekly crawl: each diocese once", crawled == dict.fromkeys(week.keys, 1), f"{len(crawled)} of {len(week.keys)}"
    filled = Counter(one.key for one in made["crawled_pages"] if one.run not in crawls)
    wanted = dict.fromkeys((*week.keys[:5], week.keys[-1]), 1)
    yield "backfills: each diocese asked for once", filled == wanted, dict(filled)
    found = [one.status.value for name in week.backfills if (one := week.instance.get_backfill(name))]
    yield "backfills ended", set(found) == {"COMPLETED_SUCCESS"}, found


def _followed(week: Seen, made: Mapping[str, Sequence[Made]], ended: float) -> Iterator[Law]:
    lost = list(missed(made))
    counts = {name: len(found) for name, found in sorted(made.items())}
    yield "every update followed, nothing made without one", not lost, lost[:10] or counts
    trained = len(made["hours_classifier"])
    yield "trained on the first labels and on new ones", trained == 2, trained
    polled = Counter(one.key for one in made["announcements"])
    yield "announcements: every diocese polled", set(polled) == set(week.keys), f"{sum(polled.values())} polls"
    days = {_local(one.asked).date() for one in made["public_index"] if _local(one.asked).hour == 0 and one.at <= ended}
    yield "public index every night", len(days) >= 7, f"{len(days)} nights"


def _killed(week: Seen) -> Iterator[Law]:
    yield "daemon killed: started again alone", "The daemon ended" in week.said, week.said.splitlines()[-1]
    again = week.instance.get_runs(dg.RunsFilter(tags={"dagster/parent_run_id": week.killed["worker"]}))
    statuses = [one.status.value for one in again]
    yield "worker killed: tried again, well", statuses == ["SUCCESS"], statuses


def alerts_told(inbox: Inbox, hurt: str) -> Iterator[Law]:
    """What came to the mail server and the web hook."""
    posted = Counter((one["kind"], one["cause"]) for post in inbox.posts for one in post["alerts"])
    mailed = "\n".join(mail.get_content() for mail in inbox.mails)
    for kind, part in (("run_failed", hurt), ("overdue", "crawled_pages")):
        told = [cause for (found, cause), _ in posted.items() if found == kind and part in cause]
        yield f"alert {kind} by web hook and mail", bool(told) and all(one in mailed for one in told), told
    yield "alerts received", True, {f"{kind} {cause}": count for (kind, cause), count in posted.items()}


def _first(run: dg.DagsterRun) -> bool:
    return "dagster/parent_run_id" not in run.tags


def _diocese(run: dg.DagsterRun) -> str:
    return run.tags.get("dagster/partition", "")
