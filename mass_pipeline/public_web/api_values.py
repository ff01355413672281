"""Values of the API: what is given of a parish, a rule, a Mass and a day, under names that stay."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, MassRecord, ParishRecord
from mass_pipeline.public_web.lines import flag_names
from mass_pipeline.public_web.texts import ZONE

Json = dict[str, object]


def parish_value(parish: ParishRecord) -> Json:
    """A parish: names, position with its licence, state, dates, links."""
    return {
        "parish_id": parish.parish_id,
        "name": parish.name,
        "town": parish.town or None,
        "voivodeship": parish.voivodeship or None,
        "place": parish.town_key,
        "diocese": parish.diocese_key,
        "state": parish.state,
        "reason": parish.reason or None,
        "checked_at": _moment(parish.checked_at),
        "approved_at": _moment(parish.approved_at),
        "differs": parish.differs,
        "proposals": parish.proposals,
        "position": None
        if parish.latitude is None
        else {
            "latitude": parish.latitude,
            "longitude": parish.longitude,
            "precision_m": parish.precision_m,
            "method": parish.position_method,
            "source_id": parish.position_source_id,
            "licence": parish.licence,
            "attribution": parish.attribution,
        },
        "wheelchair": parish.wheelchair and {"value": parish.wheelchair, "as_of": parish.wheelchair_at, "licence": "ODbL-1.0"},
        "links": {
            "page": parish.path,
            "site": parish.site or None,
            "calendar": f"/api/v1/parishes/{parish.parish_id}/calendar.ics",
        },
    }


def rule_value(rule: MassRecord) -> Json:
    """A published row with its evidence."""
    row = rule.row
    return {
        "mass_id": rule.mass_id,
        **row.mass.as_dict(),
        "language": rule.language,
        "kinds": list(rule.kinds),
        "rite": rule.rite,
        "exception": row.exception,
        "valid_from": row.valid_from.isoformat() if row.valid_from else None,
        "valid_to": row.valid_to.isoformat() if row.valid_to else None,
        "method": row.method,
        "evidence": _evidence(rule),
    }


def mass_value(found: Found) -> Json:
    """A Mass of a date."""
    mass = found.mass
    return {
        "mass_id": mass.mass_id,
        "start": _with_offset(found.start),
        "start_local": found.start.isoformat(),
        "parish": {
            "parish_id": found.parish.parish_id,
            "name": found.parish.name,
            "town": found.parish.town or None,
            "page": found.parish.path,
            "state": found.parish.state,
        },
        "place": mass.row.mass.place or None,
        "note": mass.row.mass.note or None,
        "distance_m": None if found.distance_m is None else round(found.distance_m),
        "precision_m": 5_000 if found.flags & Flag.OTHER_PLACE and found.parish.precision_m else found.parish.precision_m,
        "status": found.status,
        "flags": [name.lower() for name in flag_names(found.flags)],
        "language": mass.language,
        "kinds": list(mass.kinds),
        "rite": mass.rite,
        "exception": mass.row.exception,
        "evidence": _evidence(mass),
    }


def day_value(said: DayOfParish) -> Json:
    """A date of a parish."""
    return {
        "date": said.schedule.day.isoformat(),
        "basis": said.schedule.basis,
        "masses": [mass_value(one) for one in said.masses],
        "cancelled": [mass_value(one) for one in said.cancelled],
        "perhaps": [mass_value(one) for one in said.perhaps],
    }


def _evidence(mass: MassRecord) -> Json:
    row = mass.row
    return {
        "quote": row.quote,
        "url": mass.link or None,
        "fetched_at": _moment(row.fetched_at),
        "checked_at": _moment(row.checked_at or row.fetched_at),
        "confidence": round(row.confidence, 3),
        "confidence_word": mass.confidence_word,
        "page_sha256": row.page_sha256,
        "checked": row.checked and {"people": row.checked.people, "on": row.checked.on.isoformat(), "by": row.checked.by},
    }


@lru_cache(maxsize=4_096)
def _with_offset(start: datetime) -> str:
    """A wall clock in Poland as RFC 3339: Masses of one window begin at few moments."""
    return start.replace(tzinfo=ZONE).isoformat()


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
