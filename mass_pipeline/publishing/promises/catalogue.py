"""The promises of every published table: which validator reads which columns, and whether its failure keeps rows back.

What blocks is tried on each part before it is published (`Gate`); the verdict on every part is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.model.columns import (
    ANNOTATED_SET,
    ANNOUNCEMENTS,
    CANDIDATE_HOURS,
    COMPANION_SITES,
    CRAWLED_PAGES,
    EXTERNAL_LINKS,
    MASS_SCHEDULES,
    PARISH_STATES,
    PARISH_URLS,
    PARISHES,
    READABLE_OUTCOMES,
    TABLES,
)
from mass_pipeline.model.table import Table
from mass_pipeline.publishing.counts import PublishedCounts
from mass_pipeline.publishing.promises import validators
from mass_pipeline.publishing.promises.promise import Evidence, Promise, Verdict
from mass_pipeline.publishing.verdicts import VerdictLog
from mass_pipeline.resources.lake import Lake, PartitionKey, TableReader
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from mass_pipeline.finding.index.generations import Generations
    from mass_pipeline.learning.registry import Registry


def _young_enough(table: Table, days: Callable[[OperationConfig], float]) -> Promise:
    """The check that no diocese of a table is overdue; it looks at every partition, whatever the run made."""
    return Promise(
        table.name,
        "no_diocese_overdue",
        lambda e: validators.validate_ages(
            e.lake.made_at(table), e.dioceses, e.operation.clock()(), timedelta(days(e.operation))
        ),
        "Every diocese was made, and none is older than its rhythm allows.",
    )


def _schema(table: Table) -> Promise:
    """The blocking promise that a table is as the column dictionary says."""

    def validate(evidence: Evidence) -> Verdict:
        reader = evidence.reader(table)
        return validators.validate_schema(table, reader.schemas(), reader.chunks(validators.columns_with_vocabulary(table)))

    return Promise(
        table.name, "schema", validate, "Columns, types and vocabularies are those of model/columns.py.", blocking=True
    )


PROMISES: Final = (
    *map(_schema, TABLES.values()),
    *(_young_enough(table, lambda operation: operation.overdue_days) for table in (CRAWLED_PAGES, MASS_SCHEDULES)),
    _young_enough(ANNOUNCEMENTS, lambda operation: operation.overdue_daily_days),
    Promise(
        "parishes",
        "number_of_parishes",
        lambda e: validators.validate_count(
            len(e.reader(PARISHES)), e.operation.expected_parishes, e.operation.expected_parishes_tolerance
        ),
        "As many parishes as the directory is known to list (10,130 in the live profile, +- 5 %).",
    ),
    Promise(
        "parishes",
        "known_dioceses",
        lambda e: validators.validate_dioceses(e.rows(PARISHES, "diocese_key", "diocese"), e.dioceses, e.settings.dioceses_file),
        "Every parish lies in a diocese of data/dioceses.csv.",
        blocking=True,
    ),
    Promise(
        "parish_urls",
        "one_row_per_parish",
        lambda e: validators.validate_one_row_each(e.values(PARISHES, "parish_id"), e.values(PARISH_URLS, "parish_id")),
        "Each parish has exactly one row.",
        blocking=True,
    ),
    Promise(
        "parish_urls",
        "look_ups_ended",
        lambda e: validators.validate_statuses(map(str, e.values(PARISH_URLS, "status"))),
        "At most a tenth of the look-ups ended in an error.",
    ),
    Promise(
        "parish_urls",
        "no_look_up_waits",
        lambda e: validators.validate_waiting(
            map(str, e.values(PARISH_URLS, "status")), is_asked=bool(e.settings.section(PlacesConfig).api_key)
        ),
        "No look-up waits for units of Places.",
    ),
    Promise(
        "crawled_pages",
        "start_pages_answered",
        lambda e: validators.validate_start_pages(e.rows(CRAWLED_PAGES, "parish_id", "outcome")),
        "At least half of the sites gave a page.",
    ),
    Promise(
        "candidate_hours",
        "clock_times",
        lambda e: validators.validate_times(e.rows(CANDIDATE_HOURS, "candidate_id", "time")),
        "Every candidate is a clock time.",
        blocking=True,
    ),
    Promise(
        "candidate_hours",
        "parishes_covered",
        lambda e: validators.validate_parishes_covered(
            (
                row["parish_id"]
                for row in e.rows(CRAWLED_PAGES, "parish_id", "outcome", "body_sha256")
                if row["outcome"] in READABLE_OUTCOMES and row["body_sha256"]
            ),
            e.values(CANDIDATE_HOURS, "parish_id"),
        ),
        "At least half of the parishes with pages have candidate hours.",
    ),
    Promise(
        "annotated_set",
        "parish_in_one_part",
        lambda e: validators.validate_splits(e.rows(ANNOTATED_SET, "parish_id", "split")),
        "No parish stands in two of train, dev and test.",
        blocking=True,
    ),
    Promise(
        "annotated_set",
        "both_labels",
        lambda e: validators.validate_labels(e.rows(ANNOTATED_SET, "label")),
        "There are Masses and other hours.",
        blocking=True,
    ),
    Promise(
        "annotated_set",
        "dioceses_covered",
        lambda e: validators.validate_dioceses_covered(
            e.dioceses, e.lake.partitions(CANDIDATE_HOURS), e.operation.min_diocese_coverage
        ),
        "Most dioceses have candidate hours.",
        blocking=True,
    ),
    Promise(
        "hours_classifier",
        "metrics_over_floor",
        lambda e: validators.validate_champion(_models(e), e.operation.metric_floors),
        "Precision, recall and MCC of the classifier in use lie over their floors, on parishes it has not seen.",
        blocking=True,
    ),
    Promise(
        "hours_classifier",
        "answers_help",
        lambda e: validators.validate_learning(_models(e).champion_curve()),
        "What people answer about rows publishes more rows of parishes that nobody answered about, and none less surely.",
    ),
    Promise(
        "mass_schedules",
        "sensible_hours",
        lambda e: validators.validate_hours(
            e.rows(MASS_SCHEDULES, "parish_id", "time", "quote"), e.operation.earliest_mass, e.operation.latest_mass
        ),
        "No Mass lies outside 05:00 to 24:00.",
    ),
    Promise(
        "mass_schedules",
        "evidence",
        lambda e: validators.validate_evidence(
            e.rows(MASS_SCHEDULES, "parish_id", "time", "source_url", "quote", "page_sha256"), _pages_of_schedules(e)
        ),
        "Every row names a page that was fetched and the words on it.",
        blocking=True,
    ),
    Promise(
        "mass_schedules",
        "dated_exceptions",
        lambda e: validators.validate_exceptions(
            e.rows(MASS_SCHEDULES, "parish_id", "time", "exception", "valid_from", "valid_to")
        ),
        "Every dated exception has its first and last day.",
        blocking=True,
    ),
    Promise(
        "mass_schedules",
        "approved_orders",
        lambda e: validators.validate_approved(
            e.reviews.proposals, e.reviews.decisions, {str(one) for one in e.values(MASS_SCHEDULES, "parish_id")}
        ),
        "Sites agree with the standing orders that people approved, or the difference was decided about.",
    ),
    Promise(
        "parish_states",
        "every_parish",
        lambda e: validators.validate_every_parish(_parishes_covered(e), e.values(PARISH_STATES, "parish_id")),
        "Every parish of the directory has its state.",
        blocking=True,
    ),
    Promise(
        "parish_states",
        "nothing_lost",
        lambda e: validators.validate_nothing_lost(
            {parish: one for key in _covered(e) for parish, one in PublishedCounts(e.settings.shared).read(key).items()},
            {
                str(row["parish_id"]): (str(row["state"]), str(row["reason"]))
                for row in e.rows(PARISH_STATES, "parish_id", "state", "reason")
            },
            now=e.operation.clock()(),
            remembered_days=e.operation.lost_parish_days,
            tolerance=e.operation.lost_rows_tolerance,
        ),
        "No published parish disappeared, and no diocese lost more than 2 % of its rows.",
    ),
    Promise(
        "announcements",
        "of_known_sites",
        lambda e: validators.validate_sites(
            e.rows(ANNOUNCEMENTS, "parish_id", "url", "text"),
            (row["parish_id"] for row in e.rows(PARISH_URLS, "parish_id", "url") if row["url"]),
        ),
        "Every announcement holds words and belongs to a parish with a web site.",
        blocking=True,
    ),
    Promise(
        "announcements",
        "dated",
        lambda e: validators.validate_dated(e.values(ANNOUNCEMENTS, "issued")),
        "At least half of the announcements tell when they were issued.",
    ),
    Promise(
        "announcements",
        "changes_near_their_day",
        lambda e: validators.validate_changes(e.rows(ANNOUNCEMENTS, "url", "issued", "changes")),
        "What announcements change lies near the day they were issued.",
    ),
    Promise(
        "external_links",
        "leave_their_site",
        lambda e: validators.validate_links(
            e.rows(EXTERNAL_LINKS, "parish_id", "url", "site", "source_url"), e.rows(CRAWLED_PAGES, "parish_id", "url", "domain")
        ),
        "Every link stands on a crawled page of its parish and leads to another site.",
        blocking=True,
    ),
    Promise(
        "companion_sites",
        "outside_the_target_set",
        lambda e: validators.validate_companions(
            e.rows(COMPANION_SITES, "site", "connectivity", "linked_from"), e.values(PARISH_URLS, "url")
        ),
        "No companion is a parish's own site, and each belongs to the subset of as many parishes as it names.",
        blocking=True,
    ),
    Promise(
        "public_index",
        "gate",
        lambda e: validators.validate_in_force(_generations(e)),
        "The newest generation covers as much as the last one, is whole, and is the one that is served.",
    ),
)


def _models(e: Evidence) -> Registry:
    from mass_pipeline.learning.registry import Registry

    return Registry.of(e.settings.shared)


def _generations(e: Evidence) -> Generations:
    from mass_pipeline.publishing.generations import generations_of

    return generations_of(e.settings)


def _pages_of_schedules(e: Evidence) -> set[tuple[str, str]]:
    """(parish, digest) of the pages a row may rest on: crawled, announcing, or shown to the person who approved."""
    crawled = {(str(row["parish_id"]), str(row["body_sha256"])) for row in e.rows(CRAWLED_PAGES, "parish_id", "body_sha256")}
    keys = e.keys or e.lake.partitions(MASS_SCHEDULES)
    announcing = e.lake.published(ANNOUNCEMENTS, keys).rows(["parish_id", "article_sha256"])
    approved = ((one.proposal.parish_id, row.page_sha256) for one in e.reviews.decisions for row in (*one.rows, *one.replaces))
    return crawled | {(str(row["parish_id"]), str(row["article_sha256"])) for row in announcing} | set(approved)


def _covered(e: Evidence) -> Sequence[str]:
    """Keys of the dioceses whose states this run covers."""
    return e.lake.partitions(PARISH_STATES) if e.keys is None else e.keys


def _parishes_covered(e: Evidence) -> list[object]:
    dioceses = set(_covered(e))
    return [row["parish_id"] for row in e.rows(PARISHES, "parish_id", "diocese_key") if row["diocese_key"] in dioceses]


@dataclass(frozen=True, slots=True)
class Gate:
    """Judges parts by the promises that block.

    Attributes:
        lake: what is published so far.
        settings: all settings.
        dioceses: every partition key.
    """

    lake: Lake
    settings: Settings
    dioceses: Sequence[str]

    def broken(self, table: Table, key: PartitionKey, proposed: TableReader) -> Mapping[str, str]:
        """Name -> summary, of the promises that the proposed rows break; what each promise says is kept."""
        evidence = Evidence(self.lake, self.settings, self.dioceses, None if key is None else [key], proposed)
        verdicts = {one.name: one.verdict(evidence) for one in PROMISES if one.asset == table.name and one.blocking}
        VerdictLog(self.settings.shared).record(table.name, key, verdicts)
        return {name: verdict.summary for name, verdict in verdicts.items() if not verdict.passed}
