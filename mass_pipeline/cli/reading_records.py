"""From a record to its schedule: the work behind `mass-pipeline extract`, one record at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from mass_pipeline.cli.judges import Judge
from mass_pipeline.cli.records import reason_of
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.records import ReadMass, SiteSchedule
from mass_pipeline.reading.formats.explain import explain_page
from mass_pipeline.reading.formats.left_out import hours_left_out
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.site_reading.ownership.publishing import explain_rows, weighed_alone
from mass_pipeline.site_reading.ownership.sites import judge_site, open_hours, order_of

if TYPE_CHECKING:
    from mass_pipeline.cli.records import Record
    from mass_pipeline.learning.model import Trained


@dataclass(frozen=True, slots=True)
class Answer:
    """A record's schedule.

    Attributes:
        id: of the record.
        schedule: what was read.
        service_times: value of the OSM tag, "" for no Masses.
        judged_by: the classifier that judged, or `rules`.
        explanation: lines for people, empty unless asked for.
    """

    id: str
    schedule: SiteSchedule
    service_times: str
    judged_by: str
    explanation: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The object as JSON files hold it."""
        found: dict[str, Any] = {
            "id": self.id,
            "masses": [_mass_dict(read) for read in self.schedule.masses],
            "service_times": self.service_times,
            "status": self.schedule.status,
            "judged_by": self.judged_by,
        }
        if self.schedule.alternatives:
            found["alternatives"] = [
                {"weight": weight, "masses": [mass.as_dict() for mass in masses]} for weight, masses in self.schedule.alternatives
            ]
        if self.schedule.withheld:
            found["proposed"] = [{**_mass_dict(one.read), "reasons": list(one.reasons)} for one in self.schedule.withheld]
        if self.schedule.notes:
            found["notes"] = list(self.schedule.notes)
        if self.explanation:
            found["explanation"] = list(self.explanation)
        return found


def _mass_dict(read: ReadMass) -> dict[str, Any]:
    best = read.evidence[0]
    return {
        **read.mass.as_dict(),
        "method": read.method,
        "confidence": round(read.confidence, 3),
        "source": best.source_url,
        "quote": read.quote_of(best.source_url),
        "line": best.line,
        "column": best.column,
    }


def read_record(record: Record, judge: Judge, *, today: date, explain: bool = False) -> Answer:
    """Read one record; one that cannot be read costs only itself, and its answer says why in its notes.

    Args:
        record: strings, text, or pages.
        judge: whose classifier judges; strings are read by the rules alone.
        today: the day of which the order is asked.
        explain: whether to say how it was read.

    Raises:
        MassPipelineError: a page cannot be opened, or the classifier cannot be used.
    """
    try:
        return _read(record, judge, today=today, explain=explain)
    except MassPipelineError:
        raise
    except Exception as error:  # whatever a record does, it ends at the record
        return Answer(record.id, SiteSchedule(notes=(reason_of("the record", error),)), "", judge.name)


def _read(record: Record, judge: Judge, *, today: date, explain: bool) -> Answer:
    named = list(record.readings())
    readings = [one.reading for one in named]
    site = judge_site(readings, today, record.names) if record.strings is None else None
    schedule = site.schedule if site is not None else read_site(readings)
    readings = site.readings if site is not None else readings
    judge = judge if record.strings is None else Judge(by_rules=True)
    model = judge.model()
    if site is not None and "text" not in record.data:
        schedule = order_of(schedule, site.pages, site.own, record.id, model)
    else:
        schedule = weighed_alone(_decided(schedule, readings, name=record.id, model=model))
        schedule = open_hours(schedule, site.pages) if site is not None else schedule
    if record.strings is not None:
        schedule = replace(schedule, notes=(*schedule.notes, *(note for one in readings for note in hours_left_out(one))))
    ended = tuple(one.ended for one in named if one.ended)
    if ended:
        schedule = replace(schedule, notes=(*schedule.notes, *ended))
    described = describe_service_times(read.mass for read in schedule.masses)
    if described.note:
        schedule = replace(schedule, notes=(*schedule.notes, described.note))
    lines = tuple(line for reading in readings for line in explain_page(reading)) if explain else ()
    if explain and site is not None:
        lines += ("--- rows", *explain_rows(schedule.masses, site.pages, site.own))
    return Answer(record.id, schedule, described.value, judge.name, lines)


def _decided(schedule: SiteSchedule, readings: Sequence[PageReading], *, name: str, model: Trained | None) -> SiteSchedule:
    """A schedule as the classifier judges it; unchanged without one."""
    if model is None:
        return schedule
    from mass_pipeline.site_reading.combine import decided_schedule

    return decided_schedule(schedule, readings, name, model)
