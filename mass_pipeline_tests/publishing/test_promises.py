"""What every promise of a table says, of rows that keep it and of rows that break it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest

from mass_pipeline.model.columns import ANNOTATED_SET, CANDIDATE_HOURS
from mass_pipeline.publishing.counts import Published
from mass_pipeline.publishing.promises import tables as v
from mass_pipeline.publishing.promises.promise import Verdict
from mass_pipeline.schedules.reviews import Decision, Proposal

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SUNDAY = date(2026, 11, 15)
FILE = Path("data/dioceses.csv")
DIOCESES = [f"diocese-{number}" for number in range(46)]
OWN_PAGES = [{"parish_id": "a", "url": "http://a.example/", "domain": "a.example"}]
DIFFERS = Proposal("a", "crawl", "", None, (), "http://a.example/", "Niedziela 9.00", "d1")
REJECTED = Decision(DIFFERS, "rejected", "Jan", "2026-11-20T12:00:00+00:00")
ANSWERS: Final = [
    {"answers": 0, "waiting": 10, "share": 0.0, "precision": 0.99},
    {"answers": 50, "waiting": 10, "share": 0.8, "precision": 1.0},
]


def mass(**changes: object) -> list[dict[str, object]]:
    row = {"parish_id": "a", "time": "08:00", "quote": "Niedziela 8.00", "source_url": "http://a.example/", "page_sha256": "d1"}
    return [{**row, "exception": None, "valid_from": None, "valid_to": None, **changes}]


def dated(first: date, last: date | None) -> list[dict[str, object]]:
    return mass(exception="added", valid_from=first, valid_to=last)


def change(first: date, last: date | None, issued: date | None = SUNDAY) -> list[dict[str, object]]:
    return [{"url": "http://a.example/", "issued": issued, "changes": [{"valid_from": first, "valid_to": last, "quote": "q"}]}]


def link(**changes: str) -> list[dict[str, object]]:
    row = {"parish_id": "a", "url": "http://b.example/x", "site": "b.example", "source_url": "http://a.example/"}
    return [{**row, **changes}]


def companion(connectivity: int, *linked_from: str) -> list[dict[str, object]]:
    return [{"site": "radio.example", "connectivity": connectivity, "linked_from": list(linked_from)}]


def lost(counts: dict[str, tuple[int, int, float]], **states: str) -> Verdict:
    """Parishes with rows now, rows before, and days since their last publication."""
    known = {key: Published(rows, before, (NOW - timedelta(days)).isoformat()) for key, (rows, before, days) in counts.items()}
    named = {parish: (state, "why") for parish, state in states.items()}
    return v.nothing_lost(known, named, now=NOW, remembered_days=60, tolerance=0.02)


def aged(days: dict[str, float], dioceses: list[str]) -> Verdict:
    return v.no_diocese_overdue({key: NOW - timedelta(age) for key, age in days.items()}, dioceses, NOW, timedelta(9))


KEPT: Final = {
    "the dictionary's own schema": v.schema(ANNOTATED_SET, [("a", ANNOTATED_SET.schema)], [ANNOTATED_SET.schema.empty_table()]),
    "every diocese was made lately": aged(dict.fromkeys(DIOCESES, 0), DIOCESES),
    "five per cent fewer parishes": v.number_of_parishes(9_624, 10_130, 0.05),
    "five per cent more": v.number_of_parishes(10_636, 10_130, 0.05),
    "look-ups that wait are no errors": v.look_ups_ended(["ok"] + ["pending"] * 9),
    "a diocese without sites": v.start_pages_answered([]),
    "labels of both kinds": v.both_labels([{"label": "mass"}, {"label": "not_mass"}]),
    "midnight Mass": v.sensible_hours(mass() + mass(time="00:00"), "05:00", "24:00"),
    "a row with its words and page": v.evidence(mass(), {("a", "d1")}),
    "hours of confession with their words and page": v.words_of_confession([{**mass()[0], "start": ""}], {("a", "d1")}),
    "an exception with its days": v.dated_exceptions(mass() + dated(SUNDAY, SUNDAY)),
    "a difference that was decided about": v.approved_orders([DIFFERS], [REJECTED], {"a"}),
    "a difference of another diocese": v.approved_orders([DIFFERS], [], {"b"}),
    "an announcement waits": v.approved_orders([replace(DIFFERS, origin="announcement")], [], {"a"}),
    "every parish has its state": v.every_parish(["a", "b"], ["b", "a"]),
    "nothing was ever published": lost({}),
    "a parish lost so long ago that it is named no more": lost({"a": (0, 0, 61)}),
    "two of a hundred rows lost": lost({"a": (98, 100, 0)}),
    "more rows than before": lost({"a": (150, 100, 0)}),
    "who opted out is no loss": lost({"a": (0, 50, 0), "b": (50, 50, 0)}, a="opt_out", b="fresh"),
    "half of the announcements are dated": v.dated([SUNDAY, None]),
    "no announcements": v.dated([]),
    "a change of the next day": v.changes_near_their_day(change(date(2026, 11, 16), date(2026, 11, 16))),
    "a lasting change": v.changes_near_their_day(change(date(2026, 11, 22), None)),
    "a link on a crawled page": v.leave_their_site(link(), OWN_PAGES),
    "a companion": v.outside_the_target_set(companion(1, "a"), ["http://www.anna.example/", None, "no address"]),
    "a companion of two parishes": v.outside_the_target_set(companion(2, "a", "b"), []),
    "answers that publish no less surely": v.answers_help(ANSWERS),
}
# Each with words that its summary or its findings must hold.
BROKEN: Final = {
    "a column of another type": (
        v.schema(ANNOTATED_SET, [("lake/part-0.parquet", ANNOTATED_SET.schema.set(0, pa.field("candidate_id", pa.int64())))], []),
        "lake/part-0.parquet', 'fault': 'columns differ', 'where': 'candidate_id",
    ),
    "a word outside a closed vocabulary": (
        v.schema(ANNOTATED_SET, [], [pa.table({"label": ["mass", "perhaps"], "split": ["train", "dev"]})]),
        "'perhaps'",
    ),
    "old dioceses, the oldest first, and one never made": (
        aged({"a": 10, "b": 30, "c": 8}, ["a", "b", "c", "d"]),
        "[{'diocese': 'b', 'days': 30.0}, {'diocese': 'a', 'days': 10.0}, {'diocese': 'd'}]",
    ),
    "45 dioceses that were never made": (aged({"diocese-0": 0}, DIOCESES), "45 were never made"),
    "too few parishes": (v.number_of_parishes(9_000, 10_130, 0.05), "9000 parishes; expected 10130"),
    "too few parishes, with the remedy": (v.number_of_parishes(9_000, 10_130, 0.05), "MASS_PIPELINE_DIRECTORY"),
    "no parish where no number is expected": (v.number_of_parishes(0, 0, 0.05), "0 parishes"),
    "an unknown diocese": (
        v.known_dioceses([{"diocese_key": "nowosadecka", "diocese": "nowosądecka"}], {"lodzka"}, FILE),
        f"missing in {FILE}. Append: nowosadecka,nowosądecka,nowosądecka",
    ),
    "a parish without a row and one with two": (
        v.one_row_per_parish(["a", "b", "c"], ["a", "c", "c"]),
        "[{'parish_id': 'b'}, {'parish_id': 'c'}]",
    ),
    "many errors of look-ups": (v.look_ups_ended(["error"] * 2 + ["ok"] * 8), "error 2"),
    "silent sites": (
        v.start_pages_answered([{"parish_id": str(n), "outcome": "timeout" if n else "ok"} for n in range(3)]),
        "1 of 3 sites answered. Check the network of this machine",
    ),
    "a time that no clock shows": (v.clock_times([{"candidate_id": "a", "time": "25:00"}]), "25:00"),
    "parishes without any hour": (
        v.parishes_covered(["a", "b", "c"], ["a"]),
        "[{'parish_id': 'b'}, {'parish_id': 'c'}]",
    ),
    "a parish in two parts": (
        v.parish_in_one_part([{"parish_id": "a", "split": "train"}, {"parish_id": "a", "split": "test"}]),
        "[{'parish_id': 'a'}]",
    ),
    "labels of one kind": (v.both_labels([{"label": "mass"}] * 40), "Label more hours"),
    "too few dioceses": (v.dioceses_covered(["a", "b"], ["b"], 0.9), "[{'diocese': 'a'}]"),
    "a figure below its floor": (
        v.reaches_floors({"precision": 0.7, "recall": 0.9}, {"precision": 0.8, "recall": 0.8}),
        "precision too low",
    ),
    "a figure that was not measured": (v.reaches_floors({}, {"precision": 0.8}), "precision too low"),
    "a figure that is no number": (v.reaches_floors({"precision": float("nan")}, {"precision": 0.8}), "precision too low"),
    "an hour of the night": (v.sensible_hours(mass(time="03:30"), "05:00", "24:00"), "03:30"),
    "a row without words": (v.evidence(mass(quote=""), {("a", "d1")}), "'missing': 'quote'"),
    "a row without its page": (v.evidence(mass(), {("b", "d1")}), "the page among"),
    "confession without its page": (v.words_of_confession([{**mass()[0], "start": ""}], set()), "the page among crawled_pages"),
    "an exception without its last day": (v.dated_exceptions(dated(SUNDAY, None)), "2026-11-15 to None"),
    "an exception that ends before it begins": (v.dated_exceptions(dated(SUNDAY, date(2026, 11, 14))), "to 2026-11-14"),
    "a site that differs from an approved order": (v.approved_orders([DIFFERS], [], {"a"}), "schedules proposals"),
    "a parish without a state": (v.every_parish(["a", "b"], ["a"]), "[{'parish_id': 'b'}]"),
    "a state of no parish": (v.every_parish(["a"], ["a", "b"]), "[{'parish_id': 'b'}]"),
    "a parish that lost its order": (
        lost({"a": (0, 5, 7), "b": (500, 500, 0)}, a="no_schedule"),
        "'rows_before': 5, 'state': 'no_schedule', 'reason': 'why'",
    ),
    "a parish lost two months ago": (lost({"a": (0, 0, 59)}), "1 published parishes have no order any more"),
    "three of a hundred rows lost": (lost({"a": (97, 100, 0)}), "3.0% fewer"),
    "too few announcements are dated": (v.dated([SUNDAY, None, None]), "1 of 3 announcements are dated"),
    "announcements of an unknown parish, or without words": (
        v.of_known_sites(
            [{"parish_id": p, "url": url, "text": text} for p, url, text in (("p", "1", "x"), ("q", "2", "x"), ("p", "3", " "))],
            ["p"],
        ),
        "[{'parish_id': 'q', 'url': '2'}, {'parish_id': 'p', 'url': '3'}]",
    ),
    "a change of a year before": (v.changes_near_their_day(change(date(2025, 11, 16), date(2025, 11, 16))), "2025-11-16"),
    "a change of years later": (v.changes_near_their_day(change(date(2028, 1, 1), None)), "2028-01-01"),
    "a change that ends before it begins": (
        v.changes_near_their_day(change(date(2026, 11, 20), date(2026, 11, 16))),
        "2026-11-20",
    ),
    "a change of a day that nobody knows": (v.changes_near_their_day(change(date(2026, 11, 20), None, None)), "2026-11-20"),
    "a link of another parish": (v.leave_their_site(link(parish_id="b"), OWN_PAGES), "1 without a crawled page"),
    "a link on no crawled page": (
        v.leave_their_site(link(source_url="http://a.example/x"), OWN_PAGES),
        "1 without a crawled page",
    ),
    "a link within its site": (v.leave_their_site(link(site="a.example"), OWN_PAGES), "'url': 'http://b.example/x'"),
    "a companion of the target set": (
        v.outside_the_target_set(companion(1, "a"), ["http://www.radio.example/"]),
        "radio.example",
    ),
    "a companion in another subset": (v.outside_the_target_set(companion(3, "a", "b"), []), "radio.example"),
    "a companion of nobody": (v.outside_the_target_set(companion(0), []), "radio.example"),
    "answers that publish wrong rows": (
        v.answers_help([*ANSWERS, {"answers": 200, "waiting": 10, "share": 0.9, "precision": 0.9}]),
        "annotate stats",
    ),
}


@pytest.mark.parametrize("verdict", KEPT.values(), ids=KEPT)
def test_rows_that_keep_the_promise_pass(verdict: Verdict) -> None:
    assert verdict.passed, verdict.summary


@pytest.mark.parametrize(("verdict", "words"), BROKEN.values(), ids=BROKEN)
def test_rows_that_break_it_do_not_and_are_named(verdict: Verdict, words: str) -> None:
    assert not verdict.passed
    assert words in f"{verdict.summary} {verdict.findings}"


def test_figures_are_those_that_the_ui_plots() -> None:
    assert aged({"a": 10, "b": 30, "c": 8}, ["a", "b", "c", "d"]).figures == {"overdue": 2, "never_made": 1, "oldest_days": 30.0}
    assert KEPT["an announcement waits"].figures == {"differing": 0, "waiting": 1}
    assert BROKEN["silent sites"][0].figures["outcome_timeout"] == 2
    assert "80%" in KEPT["answers that publish no less surely"].summary


def test_twenty_findings_are_kept() -> None:
    assert len(v.every_parish([str(n) for n in range(50)], []).findings) == 20


def test_rows_of_tables_without_vocabularies_are_counted_too() -> None:
    assert v.columns_with_vocabulary(CANDIDATE_HOURS) == ["candidate_id"]
