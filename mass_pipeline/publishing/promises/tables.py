"""The promises of every published table, in the order of the lineage: what each reads, and whether its failure keeps rows back.

A promise is a pure function of rows with the decorator `promise`: its name is that of the check, the first line of its docstring
what the UI shows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec

import pyarrow as pa

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.model.columns import (
    ANNOTATED_SET,
    ANNOUNCEMENTS,
    ANSWERED_OUTCOMES,
    CANDIDATE_HOURS,
    COMPANION_SITES,
    CONFESSION_HOURS,
    CRAWLED_PAGES,
    EXTERNAL_LINKS,
    MASS_SCHEDULES,
    PARISH_STATES,
    PARISH_URLS,
    PARISHES,
    READABLE_OUTCOMES,
    TABLES,
)
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.identifiers import slug
from mass_pipeline.model.table import Table
from mass_pipeline.publishing.counts import Published, PublishedCounts
from mass_pipeline.publishing.promises.promise import Evidence, Finding, Promise, Verdict
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.schedules.reviews import Decision, Proposal, pending

if TYPE_CHECKING:
    from mass_pipeline.finding.index.generations import Generations
    from mass_pipeline.learning.registry import Registry

Row = Mapping[str, object]
Input = Callable[[Evidence], Any]
_P = ParamSpec("_P")

PROMISES: Final[list[Promise]] = []

_LEAST_ANSWERS: Final = 0.5  # of sites; below that the network of the crawler, not the parishes, is out of order
_LEAST_DATED: Final = 0.5  # of announcements; below that the reader of days no longer understands the pages
_EARLIEST: Final = timedelta(days=31)  # an announcement may still speak of the weeks before it
_LATEST: Final = timedelta(days=400)
_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_EVIDENCE: Final = ("source_url", "quote", "page_sha256")


def promise(
    asset: str, *inputs: Input, blocking: bool = False, **named: Input
) -> Callable[[Callable[_P, Verdict]], Callable[_P, Verdict]]:
    """Decorator: the function judges a table by these inputs, each read from the evidence.

    Args:
        asset: whose promise it is.
        inputs: of the function, in order.
        blocking: whether rows that break it are not published.
        named: inputs by keyword.
    """

    def decorated(judge: Callable[..., Verdict]) -> Callable[..., Verdict]:
        def validate(evidence: Evidence) -> Verdict:
            return judge(*(read(evidence) for read in inputs), **{name: read(evidence) for name, read in named.items()})

        PROMISES.append(Promise(asset, judge.__name__, validate, (judge.__doc__ or "").partition("\n")[0], blocking))
        return judge

    return decorated


def reading(table: Table, *columns: str) -> Input:
    """Rows of some columns."""
    return lambda evidence: evidence.rows(table, *columns)


def values(table: Table, column: str) -> Input:
    """Values of one column."""
    return lambda evidence: evidence.values(table, column)


def _judge(rows: Iterable[Row], fault: Callable[[Row], Finding | None]) -> tuple[int, list[Finding]]:
    """How many rows there are, and what is wrong with each that breaks a promise (None: nothing)."""
    count = 0
    found: list[Finding] = []
    for row in rows:
        count += 1
        if (wrong := fault(row)) is not None:
            found.append(wrong)
    return count, found


def _named(parishes: Iterable[object]) -> list[Finding]:
    return [{"parish_id": str(parish)} for parish in parishes]


def _models(e: Evidence) -> Registry:
    from mass_pipeline.learning.registry import Registry

    return Registry.of(e.settings.shared)


def _generations(e: Evidence) -> Generations:
    from mass_pipeline.publishing.generations import generations_of

    return generations_of(e.settings)


def _crawled(e: Evidence) -> set[tuple[str, str]]:
    """(parish, digest) of crawled pages."""
    return {(str(row["parish_id"]), str(row["body_sha256"])) for row in e.rows(CRAWLED_PAGES, "parish_id", "body_sha256")}


def _pages_of_schedules(e: Evidence) -> set[tuple[str, str]]:
    """(parish, digest) of the pages a row may rest on: crawled, announcing, or shown to the person who approved."""
    keys = e.keys or e.lake.partitions(MASS_SCHEDULES)
    announcing = e.lake.published(ANNOUNCEMENTS, keys).rows(["parish_id", "article_sha256"])
    approved = ((one.proposal.parish_id, row.page_sha256) for one in e.reviews.decisions for row in (*one.rows, *one.replaces))
    return _crawled(e) | {(str(row["parish_id"]), str(row["article_sha256"])) for row in announcing} | set(approved)


def _covered(e: Evidence) -> Sequence[str]:
    """Keys of the dioceses whose states this run covers."""
    return e.lake.partitions(PARISH_STATES) if e.keys is None else e.keys


def _parishes_covered(e: Evidence) -> list[object]:
    dioceses = set(_covered(e))
    return [row["parish_id"] for row in e.rows(PARISHES, "parish_id", "diocese_key") if row["diocese_key"] in dioceses]


def _parishes_with_pages(e: Evidence) -> Iterable[object]:
    rows = e.rows(CRAWLED_PAGES, "parish_id", "outcome", "body_sha256")
    return (row["parish_id"] for row in rows if row["outcome"] in READABLE_OUTCOMES and row["body_sha256"])


def _parishes_with_sites(e: Evidence) -> Iterable[object]:
    return (row["parish_id"] for row in e.rows(PARISH_URLS, "parish_id", "url") if row["url"])


def _published_counts(e: Evidence) -> Mapping[str, Published]:
    counts = PublishedCounts(e.settings.shared)
    return {parish: one for key in _covered(e) for parish, one in counts.read(key).items()}


def _states(e: Evidence) -> Mapping[str, tuple[str, str]]:
    rows = e.rows(PARISH_STATES, "parish_id", "state", "reason")
    return {str(row["parish_id"]): (str(row["state"]), str(row["reason"])) for row in rows}


# every table


def schema(table: Table, schemas: Iterable[tuple[str, pa.Schema]], chunks: Iterable[pa.Table]) -> Verdict:
    """Columns, types and vocabularies are those of model/columns.py.

    Args:
        table: what is promised.
        schemas: (path, schema) of each file.
        chunks: the rows of columns with a closed vocabulary.
    """
    findings: list[Finding] = []
    for path, schema in schemas:
        if not schema.equals(table.schema):
            different = sorted({field.name for field in set(schema) ^ set(table.schema)}) or ["order of the columns"]
            findings.append({"file": path, "fault": "columns differ", "where": ", ".join(different)})
    rows = 0
    strange: set[tuple[str, str]] = set()
    for chunk in chunks:
        rows += chunk.num_rows
        strange |= _strange_values(table, chunk)
    findings += [
        {"file": "", "fault": f"value {value!r} is not in the vocabulary", "where": name} for name, value in sorted(strange)
    ]
    summary = (
        f"{table.name}: {len(findings)} deviation(s) from model/columns.py; materialize the table again with this version."
        if findings
        else f"{table.name} is as model/columns.py says."
    )
    return Verdict(not findings, summary, {"rows": rows}, findings)


def columns_with_vocabulary(table: Table) -> list[str]:
    """Columns with a closed vocabulary; the first key column when there are none, so that rows can be counted."""
    return [column.name for column in table.columns if column.values] or [table.key[0]]


def _strange_values(table: Table, chunk: pa.Table) -> set[tuple[str, str]]:
    allowed = {column.name: set(column.values) for column in table.columns if column.values}
    present = ((name, value) for name in chunk.column_names for value in chunk.column(name).unique().to_pylist())
    return {(name, str(value)) for name, value in present if name in allowed and value is not None and value not in allowed[name]}


def overdue(made_at: Mapping[str, datetime], now: datetime, longest: timedelta) -> list[tuple[str, timedelta]]:
    """Partitions made longer ago than `longest`, with their age, the oldest first; one never made is not overdue.

    >>> from datetime import UTC
    >>> overdue({"lodzka": datetime(2026, 11, 1, tzinfo=UTC)}, datetime(2026, 11, 12, tzinfo=UTC), timedelta(9))
    [('lodzka', datetime.timedelta(days=11))]
    """
    ages = ((key, now - moment) for key, moment in made_at.items())
    return sorted((one for one in ages if one[1] > longest), key=lambda one: (-one[1], one[0]))


def no_diocese_overdue(made_at: Mapping[str, datetime], dioceses: Sequence[str], now: datetime, longest: timedelta) -> Verdict:
    """Every diocese was made, and none is older than its rhythm allows.

    Args:
        made_at: partition -> when it was published, aware.
        dioceses: every partition key.
        now: aware.
        longest: the age that is still right.
    """
    late = overdue(made_at, now, longest)
    findings: list[Finding] = [{"diocese": key, "days": round(age / timedelta(1), 1)} for key, age in late]
    never = [key for key in dioceses if key not in made_at]
    oldest = max(((now - moment) / timedelta(1) for moment in made_at.values()), default=0.0)
    return Verdict(
        not late and not never,
        f"{len(late)} of {len(dioceses)} dioceses are older than {longest / timedelta(1):g} days; {len(never)} were never made.",
        {"overdue": len(late), "never_made": len(never), "oldest_days": oldest},
        [*findings, *({"diocese": key} for key in never)],
    )


def _of_every_table(table: Table) -> None:
    promise(
        table.name,
        lambda e: table,
        lambda e: e.reader(table).schemas(),
        lambda e: e.reader(table).chunks(columns_with_vocabulary(table)),
        blocking=True,
    )(schema)


def _of_dated_partitions(table: Table, longest: Callable[[OperationConfig], float]) -> None:
    """The promise looks at every partition, whatever the run made."""
    promise(
        table.name,
        lambda e: e.lake.made_at(table),
        lambda e: e.dioceses,
        lambda e: e.operation.clock()(),
        lambda e: timedelta(longest(e.operation)),
    )(no_diocese_overdue)


for _table in TABLES.values():
    _of_every_table(_table)
_of_dated_partitions(CRAWLED_PAGES, lambda operation: operation.overdue_days)
_of_dated_partitions(MASS_SCHEDULES, lambda operation: operation.overdue_days)
_of_dated_partitions(ANNOUNCEMENTS, lambda operation: operation.overdue_daily_days)


# parishes


@promise(
    "parishes",
    lambda e: len(e.reader(PARISHES)),
    lambda e: e.operation.expected_parishes,
    lambda e: e.operation.expected_parishes_tolerance,
)
def number_of_parishes(rows: int, expected: int, tolerance: float) -> Verdict:
    """As many parishes as the directory is known to list (10,130 in the live profile, +- 5 %).

    >>> number_of_parishes(10_000, 10_130, 0.05).passed, number_of_parishes(9_000, 10_130, 0.05).passed
    (True, False)
    """
    figures = {"parishes": rows, "expected": expected}
    if not expected:
        return Verdict(rows > 0, f"{rows} parishes; any number above 0 is accepted here.", figures)
    passed = abs(rows - expected) <= expected * tolerance
    remedy = "" if passed else " Compare the directory's pager and selectors (MASS_PIPELINE_DIRECTORY_...) with the page."
    return Verdict(passed, f"{rows} parishes; expected {expected} +- {tolerance:.0%}.{remedy}", figures)


@promise(
    "parishes",
    reading(PARISHES, "diocese_key", "diocese"),
    lambda e: e.dioceses,
    lambda e: e.settings.dioceses_file,
    blocking=True,
)
def known_dioceses(rows: Iterable[Row], known: Collection[str], file: Path) -> Verdict:
    """Every parish lies in a diocese of data/dioceses.csv."""
    unknown = Counter((str(row["diocese_key"]), str(row["diocese"])) for row in rows if row["diocese_key"] not in known)
    findings: list[Finding] = [
        {"diocese": name, "parishes": count, "row to add": f"{slug(name) or key},{name},{name}"}
        for (key, name), count in unknown.most_common(20)
    ]
    if not findings:
        return Verdict(True, "Every parish lies in a diocese of the file.", {"unknown_dioceses": 0})
    rows_to_add = "; ".join(str(finding["row to add"]) for finding in findings)
    return Verdict(
        False,
        f"{len(unknown)} diocese(s) of the directory are missing in {file}. Append: {rows_to_add} "
        "(or add the spelling to the diocese it belongs to), then run again.",
        {"unknown_dioceses": len(unknown)},
        findings,
    )


# parish_urls


@promise("parish_urls", values(PARISHES, "parish_id"), values(PARISH_URLS, "parish_id"), blocking=True)
def one_row_per_parish(parishes: Iterable[object], looked_up: Iterable[object]) -> Verdict:
    """Each parish has exactly one row."""
    expected, found = Counter(parishes), Counter(looked_up)
    wrong = sorted(str(parish) for parish in expected.keys() | found.keys() if expected[parish] != found[parish])
    summary = (
        f"{len(wrong)} parishes have no row or several: materialize parish_urls again." if wrong else "Each parish has one row."
    )
    return Verdict(not wrong, summary, {"parishes": len(expected)}, _named(wrong))


@promise("parish_urls", values(PARISH_URLS, "status"), is_asked=lambda e: bool(e.settings.section(PlacesConfig).api_key))
def no_look_up_waits(statuses: Iterable[str], *, is_asked: bool) -> Verdict:
    """No look-up waits for units of Places.

    Args:
        statuses: of all parishes.
        is_asked: whether a key for Places is set.
    """
    waiting = sum(status == "pending" for status in statuses) if is_asked else 0
    summary = f"{waiting} look-ups wait for units of Places (MASS_PIPELINE_PLACES_UNITS_PER_DAY); the next run goes on with them."
    return Verdict(not waiting, summary if waiting else "No look-up waits for units.", {"waiting": waiting})


@promise("parish_urls", values(PARISH_URLS, "status"))
def look_ups_ended(statuses: Iterable[str]) -> Verdict:
    """At most a tenth of the look-ups ended in an error."""
    counts = Counter(statuses)
    total = counts.total()
    share = counts["error"] / total if total else 0.0
    listed = ", ".join(f"{status} {count}" for status, count in sorted(counts.items()))
    return Verdict(
        share <= 0.1, f"{listed or 'no look-ups'}.", {f"status_{name}": count for name, count in sorted(counts.items())}
    )


# crawled_pages


@promise("crawled_pages", reading(CRAWLED_PAGES, "parish_id", "outcome"))
def start_pages_answered(rows: Iterable[Row]) -> Verdict:
    """At least half of the sites gave a page."""
    outcomes: Counter[str] = Counter()
    answered: dict[str, bool] = {}
    for row in rows:
        parish, outcome = str(row["parish_id"]), str(row["outcome"])
        outcomes[outcome] += 1
        answered[parish] = answered.get(parish, False) or outcome in ANSWERED_OUTCOMES
    silent = sorted(parish for parish, ok in answered.items() if not ok)
    share = 1 - len(silent) / len(answered) if answered else 1.0
    remedy = "" if share >= _LEAST_ANSWERS else " Check the network of this machine, then run the crawl of the diocese again."
    return Verdict(
        share >= _LEAST_ANSWERS,
        f"{len(answered) - len(silent)} of {len(answered)} sites answered.{remedy}",
        {"sites": len(answered), "silent_sites": len(silent), **{f"outcome_{k}": n for k, n in sorted(outcomes.items())}},
        _named(silent),
    )


# candidate_hours


@promise("candidate_hours", reading(CANDIDATE_HOURS, "candidate_id", "time"), blocking=True)
def clock_times(rows: Iterable[Row]) -> Verdict:
    """Every candidate is a clock time."""

    def fault(row: Row) -> Finding | None:
        time = str(row["time"])
        return None if _CLOCK.fullmatch(time) else {"candidate_id": str(row["candidate_id"]), "time": time}

    count, wrong = _judge(rows, fault)
    return Verdict(not wrong, f"{len(wrong)} of {count} candidates are no clock times.", {"candidates": count}, wrong)


@promise("candidate_hours", _parishes_with_pages, values(CANDIDATE_HOURS, "parish_id"))
def parishes_covered(parishes_with_pages: Iterable[object], candidates: Iterable[object]) -> Verdict:
    """At least half of the parishes with pages have candidate hours."""
    pages, hours = set(parishes_with_pages), Counter(candidates)
    without = sorted(str(parish) for parish in pages if not hours[parish])
    share = 1 - len(without) / len(pages) if pages else 1.0
    return Verdict(
        share >= 0.5,
        f"{len(pages) - len(without)} of {len(pages)} parishes with pages have candidate hours.",
        {"parishes_with_pages": len(pages), "parishes_without_hours": len(without)},
        _named(without),
    )


# annotated_set


@promise("annotated_set", reading(ANNOTATED_SET, "parish_id", "split"), blocking=True)
def parish_in_one_part(rows: Iterable[Row]) -> Verdict:
    """No parish stands in two of train, dev and test."""
    parts: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        parts[str(row["parish_id"])].add(str(row["split"]))
    torn = sorted(parish for parish, names in parts.items() if len(names) > 1)
    counts = Counter(name for names in parts.values() for name in names)
    return Verdict(
        not torn,
        f"{len(torn)} of {len(parts)} parishes stand in several parts.",
        {f"parishes_{name}": count for name, count in sorted(counts.items())},
        _named(torn),
    )


@promise("annotated_set", reading(ANNOTATED_SET, "label"), blocking=True)
def both_labels(rows: Iterable[Row]) -> Verdict:
    """There are Masses and other hours."""
    counts = Counter(str(row["label"]) for row in rows)
    masses, total = counts["mass"], counts.total()
    share = masses / total if total else 0.0
    remedy = "" if 0.05 <= share <= 0.95 else " Label more hours of the rarer kind with `mass-pipeline annotate`."
    return Verdict(
        0.05 <= share <= 0.95,
        f"{masses} of {total} labelled hours are Masses.{remedy}",
        {"share_of_masses": share, **{f"label_{name}": count for name, count in sorted(counts.items())}},
    )


@promise(
    "annotated_set",
    lambda e: e.dioceses,
    lambda e: e.lake.partitions(CANDIDATE_HOURS),
    lambda e: e.operation.min_diocese_coverage,
    blocking=True,
)
def dioceses_covered(dioceses: Collection[str], with_candidates: Collection[str], least_share: float) -> Verdict:
    """Most dioceses have candidate hours."""
    missing = sorted(set(dioceses) - set(with_candidates))
    share = 1 - len(missing) / len(dioceses) if dioceses else 0.0
    remedy = "" if share >= least_share else " Crawl the missing dioceses first (crawl_job)."
    return Verdict(
        share >= least_share,
        f"{len(dioceses) - len(missing)} of {len(dioceses)} dioceses have candidate hours; wanted: {least_share:.0%}.{remedy}",
        {"coverage": share},
        [{"diocese": key} for key in missing],
    )


# hours_classifier


def reaches_floors(metrics: Mapping[str, float], floors: Mapping[str, float]) -> Verdict:
    """Every figure with a floor reaches it; a missing figure fails.

    >>> reaches_floors({"precision": 0.97}, {"precision": 0.9}).passed
    True
    """
    low = {name: floor for name, floor in floors.items() if not metrics.get(name, float("-inf")) >= floor}
    listed = ", ".join(f"{name} {metrics.get(name, float('nan')):.3f} (floor {floor:.2f})" for name, floor in floors.items())
    remedy = f" {', '.join(low)} too low: look at the model card's errors, label more hours, train again." if low else ""
    return Verdict(
        not low,
        f"{listed}.{remedy}",
        {name: float(value) for name, value in metrics.items()},
        [{"metric": name, "value": float(metrics.get(name, float("nan"))), "floor": floor} for name, floor in low.items()],
    )


@promise("hours_classifier", _models, lambda e: e.operation.metric_floors, blocking=True)
def metrics_over_floor(registry: Registry, floors: Mapping[str, float]) -> Verdict:
    """Precision, recall and MCC of the classifier in use lie over their floors, on parishes it has not seen."""
    if registry.champion_id() is None:
        return Verdict(True, "The shipped classifier is in use: none that was trained here has reached the floors.")
    return reaches_floors(registry.champion_metrics(), floors)


@promise("hours_classifier", lambda e: _models(e).champion_curve())
def answers_help(points: Sequence[Mapping[str, float]]) -> Verdict:
    """What people answer about rows publishes more rows of parishes that nobody answered about, and none less surely.

    Args:
        points: of the learning curve of the model in use (`learning.learning_curve`), as its card holds them; none before
            the first answer.

    >>> answers_help([]).passed
    True
    """
    if not points:
        return Verdict(True, "Nobody has answered about a row yet.", {}, [])
    first, last = points[0], points[-1]
    worse = last["precision"] < first["precision"]
    remedy = " Review the answers (`mass-pipeline annotate stats`): they teach what is wrong." if worse else ""
    return Verdict(
        not worse,
        f"Of {last['waiting']:.0f} right rows that would wait, {last['share']:.0%} are published after the answers about other "
        f"parishes; precision {last['precision']:.4f}, before {first['precision']:.4f}.{remedy}",
        {"share_published": float(last["share"]), "precision": float(last["precision"])},
        [dict(point) for point in points],
    )


# mass_schedules


@promise(
    "mass_schedules",
    reading(MASS_SCHEDULES, "parish_id", "time", "quote"),
    lambda e: e.operation.earliest_mass,
    lambda e: e.operation.latest_mass,
)
def sensible_hours(rows: Iterable[Row], earliest: str, latest: str) -> Verdict:
    """No Mass lies outside 05:00 to 24:00."""

    def fault(row: Row) -> Finding | None:
        time = "24:00" if row["time"] == "00:00" else str(row["time"])
        if earliest <= time <= latest:
            return None
        return {"parish_id": str(row["parish_id"]), "time": str(row["time"]), "quote": str(row["quote"])[:80]}

    count, odd = _judge(rows, fault)
    return Verdict(
        not odd, f"{len(odd)} of {count} Masses lie outside {earliest} to {latest}.", {"masses": count, "odd": len(odd)}, odd
    )


@promise("mass_schedules", reading(MASS_SCHEDULES, "parish_id", "time", *_EVIDENCE), _pages_of_schedules, blocking=True)
def evidence(rows: Iterable[Row], pages: Collection[tuple[str, str]]) -> Verdict:
    """Every row names a page that was fetched and the words on it."""
    return _with_evidence(rows, pages, "time", "masses", "crawled_pages, announcements and approvals")


def _with_evidence(rows: Iterable[Row], pages: Collection[tuple[str, str]], column: str, named: str, sources: str) -> Verdict:
    """Whether every row has its words and one of the pages, by (parish, digest); `column` tells rows of a parish apart."""

    def fault(row: Row) -> Finding | None:
        missing = [name for name in _EVIDENCE if not row[name]]
        if not missing and (row["parish_id"], row["page_sha256"]) not in pages:
            missing = [f"the page among {sources}"]
        found = {"parish_id": str(row["parish_id"]), column: str(row[column]), "missing": ", ".join(missing)}
        return found if missing else None

    count, bare = _judge(rows, fault)
    return Verdict(not bare, f"{len(bare)} of {count} rows lack evidence.", {named: count, "without_evidence": len(bare)}, bare)


@promise("confession_hours", reading(CONFESSION_HOURS, "parish_id", "start", *_EVIDENCE), _crawled, blocking=True)
def words_of_confession(rows: Iterable[Row], pages: Collection[tuple[str, str]]) -> Verdict:
    """Every row names a page that was fetched and the words on it."""
    return _with_evidence(rows, pages, "start", "rows", "crawled_pages")


@promise("mass_schedules", reading(MASS_SCHEDULES, "parish_id", "time", "exception", "valid_from", "valid_to"), blocking=True)
def dated_exceptions(rows: Iterable[Row]) -> Verdict:
    """Every dated exception has its first and last day."""

    def fault(row: Row) -> Finding | None:
        first, last = row["valid_from"], row["valid_to"]
        if isinstance(first, date) and isinstance(last, date) and first <= last:
            return None
        return {"parish_id": str(row["parish_id"]), "time": str(row["time"]), "days": f"{first} to {last}"}

    count, odd = _judge((row for row in rows if row["exception"] is not None), fault)
    return Verdict(not odd, f"{len(odd)} of {count} dated exceptions lack their days.", {"exceptions": count}, odd)


@promise(
    "mass_schedules",
    lambda e: e.reviews.proposals,
    lambda e: e.reviews.decisions,
    lambda e: {str(one) for one in e.values(MASS_SCHEDULES, "parish_id")},
)
def approved_orders(proposals: Iterable[Proposal], decisions: Iterable[Decision], parishes: Collection[str]) -> Verdict:
    """Sites agree with the standing orders that people approved, or the difference was decided about.

    Args:
        proposals: all that were ever made.
        decisions: all that were ever taken.
        parishes: those of this run.
    """
    waiting = [one for one in pending(proposals, decisions) if one.parish_id in parishes]
    differing = [one for one in waiting if one.origin == "crawl"]
    findings: list[Finding] = [
        {"proposal": one.proposal_id, "parish_id": one.parish_id, "origin": one.origin, "quote": one.quote[:80]}
        for one in waiting
    ]
    remedy = " Decide with `mass-pipeline schedules proposals`, `approve` or `reject`." if differing else ""
    return Verdict(
        not differing,
        f"{len(differing)} sites say something else than the approved order, {len(waiting)} proposals wait.{remedy}",
        {"differing": len(differing), "waiting": len(waiting)},
        sorted(findings, key=lambda one: one["origin"] != "crawl"),
    )


# parish_states


@promise("parish_states", _parishes_covered, values(PARISH_STATES, "parish_id"), blocking=True)
def every_parish(parishes: Iterable[object], stated: Iterable[object]) -> Verdict:
    """Every parish of the directory has its state.

    Args:
        parishes: identifiers the directory has in these dioceses.
        stated: identifiers of the rows.
    """
    expected, found = {str(one) for one in parishes}, {str(one) for one in stated}
    wrong = sorted(expected ^ found)
    return Verdict(
        not wrong,
        f"{len(expected & found)} of {len(expected)} parishes have a state; {len(wrong)} rows are missing or of no parish.",
        {"parishes": len(expected), "wrong": len(wrong)},
        _named(wrong),
    )


@promise(
    "parish_states",
    _published_counts,
    _states,
    now=lambda e: e.operation.clock()(),
    remembered_days=lambda e: e.operation.lost_parish_days,
    tolerance=lambda e: e.operation.lost_rows_tolerance,
)
def nothing_lost(
    counts: Mapping[str, Published],
    states: Mapping[str, tuple[str, str]],
    *,
    now: datetime,
    remembered_days: float,
    tolerance: float,
) -> Verdict:
    """No published parish disappeared, and no diocese lost more than 2 % of its rows.

    Args:
        counts: parish_id -> rows published now and before.
        states: parish_id -> state and its reason; an owner who opted out is no loss.
        now: the present moment.
        remembered_days: so long after its last publication a vanished parish is named.
        tolerance: share of rows that may be lost between two publications.
    """
    kept = {parish: one for parish, one in counts.items() if states.get(parish, ("", ""))[0] != "opt_out"}
    lost: list[Finding] = [
        {"parish_id": parish, "last_published": one.last_at[:10], "rows_before": one.before, **_reason(states.get(parish))}
        for parish, one in sorted(kept.items())
        if not one.rows and one.days_since(now) <= remembered_days
    ]
    before, rows = sum(one.before for one in kept.values()), sum(one.rows for one in kept.values())
    share = max(before - rows, 0) / before if before else 0.0
    remedy = " See the reasons, then run crawl_job of the diocese again." if lost or share > tolerance else ""
    return Verdict(
        not lost and share <= tolerance,
        f"{len(lost)} published parishes have no order any more; {rows} rows, {before} before ({share:.1%} fewer).{remedy}",
        {"parishes_lost": len(lost), "rows": rows, "rows_before": before, "share_lost": share},
        lost,
    )


def _reason(state: tuple[str, str] | None) -> dict[str, str]:
    name, reason = state or ("not in the directory", "The parish is no longer listed.")
    return {"state": name, "reason": reason}


# announcements


@promise("announcements", values(ANNOUNCEMENTS, "issued"))
def dated(issued: Iterable[object]) -> Verdict:
    """At least half of the announcements tell when they were issued."""
    days = list(issued)
    dated = sum(day is not None for day in days)
    share = dated / len(days) if days else 1.0
    remedy = "" if share >= _LEAST_DATED else " Look at some of the pages: their layout may hide the day."
    return Verdict(
        share >= _LEAST_DATED,
        f"{dated} of {len(days)} announcements are dated.{remedy}",
        {"announcements": len(days), "dated": dated},
    )


@promise("announcements", reading(ANNOUNCEMENTS, "parish_id", "url", "text"), _parishes_with_sites, blocking=True)
def of_known_sites(rows: Iterable[Row], parishes: Iterable[object]) -> Verdict:
    """Every announcement holds words and belongs to a parish with a web site.

    Args:
        rows: parish_id, url, text.
        parishes: parishes of parish_urls with a URL.
    """
    known = set(parishes)

    def fault(row: Row) -> Finding | None:
        is_right = row["parish_id"] in known and str(row["text"]).strip()
        return None if is_right else {"parish_id": str(row["parish_id"]), "url": str(row["url"])}

    count, faults = _judge(rows, fault)
    remedy = " Materialize announcements of that diocese again: its parishes have changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} announcements, {len(faults)} of no known site or without words.{remedy}",
        {"announcements": count, "faults": len(faults)},
        faults,
    )


@promise("announcements", reading(ANNOUNCEMENTS, "url", "issued", "changes"))
def changes_near_their_day(rows: Iterable[Row]) -> Verdict:
    """What announcements change lies near the day they were issued.

    Args:
        rows: url, issued, changes.
    """

    def fault(change: Row) -> Finding | None:
        if _is_sensible(change["issued"], change["valid_from"], change["valid_to"]):
            return None
        return {"url": str(change["url"]), "quote": str(change["quote"])[:200], "first_day": str(change["valid_from"])}

    changes = ({**change, "url": row["url"], "issued": row["issued"]} for row in rows for change in row["changes"])  # type: ignore[attr-defined]
    count, faults = _judge(changes, fault)
    remedy = " Read the quotes; a wrong year or a page of the archive is likely." if faults else ""
    return Verdict(
        not faults,
        f"{count} changes, {len(faults)} far from the day of their announcement or ending before they begin.{remedy}",
        {"changes": count, "faults": len(faults)},
        faults,
    )


def _is_sensible(issued: object, first: object, last: object) -> bool:
    if not isinstance(issued, date) or not isinstance(first, date):
        return False
    return issued - _EARLIEST <= first <= issued + _LATEST and (last is None or (isinstance(last, date) and first <= last))


# external_links and companion_sites


@promise(
    "external_links",
    reading(EXTERNAL_LINKS, "parish_id", "url", "site", "source_url"),
    reading(CRAWLED_PAGES, "parish_id", "url", "domain"),
    blocking=True,
)
def leave_their_site(links: Iterable[Row], pages: Iterable[Row]) -> Verdict:
    """Every link stands on a crawled page of its parish and leads to another site.

    Args:
        links: parish_id, url, site, source_url.
        pages: parish_id, url, domain of the crawled pages.
    """
    domain_of = {(row["parish_id"], row["url"]): row["domain"] for row in pages}
    count, orphans, inner = 0, [], []
    for row in links:
        count += 1
        domain = domain_of.get((row["parish_id"], row["source_url"]))
        if domain is None:
            orphans.append(row)
        elif domain == row["site"]:
            inner.append(row)
    faults = [*orphans, *inner]
    remedy = " Materialize external_links of that diocese again: its pages have changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} links: {len(orphans)} without a crawled page of their parish, {len(inner)} within their site.{remedy}",
        {"links": count, "without_page": len(orphans), "inner": len(inner)},
        [{"parish_id": str(row["parish_id"]), "url": str(row["url"])} for row in faults],
    )


@promise(
    "companion_sites", reading(COMPANION_SITES, "site", "connectivity", "linked_from"), values(PARISH_URLS, "url"), blocking=True
)
def outside_the_target_set(companions: Iterable[Row], own_urls: Iterable[object]) -> Verdict:
    """No companion is a parish's own site, and each belongs to the subset of as many parishes as it names.

    Args:
        companions: site, connectivity, linked_from.
        own_urls: start URLs of the target set; None where a parish has none.
    """
    from mass_pipeline.crawling.web_graph import target_domains

    own = target_domains(own_urls)

    def fault(row: Row) -> Finding | None:
        linked_from = row["linked_from"]
        assert isinstance(linked_from, Sized)
        is_right = row["site"] not in own and row["connectivity"] == len(linked_from) and len(linked_from)
        return None if is_right else {"site": str(row["site"]), "connectivity": int(str(row["connectivity"]))}

    count, faults = _judge(companions, fault)
    remedy = " Materialize companion_sites again: parish_urls has changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} companions, {len(faults)} that belong to the target set or to another subset.{remedy}",
        {"companions": count, "faults": len(faults)},
        faults,
    )


# public_index


@promise("public_index", _generations)
def gate(generations: Generations) -> Verdict:
    """The newest generation covers as much as the last one, is whole, and is the one that is served."""
    from mass_pipeline.finding.index.generations import require_whole
    from mass_pipeline.finding.index.library import open_index

    whole = generations.all()
    try:
        present = generations.current()
        if present is None:
            return Verdict(False, "No generation is in force: " + _refused(whole[-1].manifest() if whole else {}))
        require_whole(present)
        open_index(present)
    except StorageError as error:
        return Verdict(False, str(error), {"generations": len(whole)})
    newest = whole[-1]
    if newest != present and newest.manifest().get("objections"):
        return Verdict(False, f"{newest.name} was not put in force: {_refused(newest.manifest())}", {"generations": len(whole)})
    return Verdict(True, f"{present.name} is in force.", {"generations": len(whole)})


def _refused(manifest: dict[str, object]) -> str:
    objections = manifest.get("objections") or ["none was built yet: mass-pipeline public build"]
    assert isinstance(objections, list)
    return "; ".join(map(str, objections)) + "."
