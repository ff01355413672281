"""From a record to its schedule: the work behind `mass-pipeline extract`, one record at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mass_pipeline.model.records import ReadMass, SiteSchedule
from mass_pipeline.schedule_grammar import PageReading, read_page, read_site, read_strings, read_text
from mass_pipeline.schedule_grammar.explain import explain_page
from mass_pipeline.schedule_grammar.osm import describe_service_times

if TYPE_CHECKING:
    from mass_pipeline.classification.model import Trained
    from mass_pipeline.cli.records import Record


@dataclass(frozen=True, slots=True)
class Answer:
    """A record's schedule.

    Attributes:
        id: of the record.
        schedule: what was read.
        service_times: value of the OSM tag, "" for no Masses.
        explanation: lines for people, empty unless asked for.
    """

    id: str
    schedule: SiteSchedule
    service_times: str
    explanation: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The object as JSON files hold it (design section 5)."""
        found: dict[str, Any] = {
            "id": self.id,
            "masses": [_mass_dict(read) for read in self.schedule.masses],
            "service_times": self.service_times,
            "status": self.schedule.status,
        }
        if self.schedule.alternatives:
            found["alternatives"] = [
                {"weight": weight, "masses": [mass.as_dict() for mass in masses]} for weight, masses in self.schedule.alternatives
            ]
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
        "quote": best.quote,
        "offsets": [best.start, best.end],
    }


def read_record(record: Record, model_folder: Path | None, *, explain: bool = False) -> Answer:
    """Read one record.

    Args:
        record: strings, text, or pages.
        model_folder: data folder in which a trained model may lie; None for the rules alone.
        explain: whether to say how it was read.
    """
    readings = list(_readings(record))
    schedule = read_site(readings)
    model = _model(str(model_folder)) if model_folder is not None else None
    if model is not None and record.strings is None:
        schedule = _judged(schedule, readings, model, record.id)
    described = describe_service_times(read.mass for read in schedule.masses)
    if described.note:
        schedule = SiteSchedule(schedule.masses, schedule.status, schedule.alternatives, (*schedule.notes, described.note))
    lines = tuple(line for reading in readings for line in explain_page(reading)) if explain else ()
    return Answer(record.id, schedule, described.value, lines)


def _readings(record: Record) -> list[PageReading]:
    if record.strings is not None:
        return [read_strings(*record.strings)]
    if "text" in record.data:
        return [read_text(str(record.data["text"]))]
    return [read_page(document) for _, document in record.documents()]


@lru_cache(maxsize=2)
def _model(data_folder: str) -> Trained | None:
    """The model in use, None when none was trained yet."""
    from mass_pipeline.classification.bundled import load_model

    return load_model(Path(data_folder))


def _judged(schedule: SiteSchedule, readings: list[PageReading], model: Trained, name: str) -> SiteSchedule:
    """The rules' schedule with the classifier's word on every hour."""
    import pandas as pd

    from mass_pipeline.classification.combine import Policy, final_schedule
    from mass_pipeline.extraction.candidates import find_candidates
    from mass_pipeline.model.columns import CANDIDATE_HOURS

    rows = []
    for reading in readings:
        standing = {place: verdict.mass for place, verdict in reading.verdicts.items() if verdict.mass is not None}
        rows.extend(find_candidates(reading.document, parish_id=name, page_score=reading.score, readings=standing))
    frame = pd.DataFrame(
        [{column: getattr(row, column) for column in CANDIDATE_HOURS.names} for row in rows], columns=CANDIDATE_HOURS.names
    )
    return final_schedule(schedule, frame, model.predict_proba(frame), policy=Policy.of(model))
