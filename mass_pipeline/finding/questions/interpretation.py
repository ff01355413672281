"""What a question was understood to ask: plain facts, ready for a search, a page or JSON. No reading here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Literal

from mass_pipeline.finding.places import District, Town
from mass_pipeline.finding.town_names import ParishRow

Pick = Literal["first", "last", "next"]
Error = Literal["too_long", "bad_characters"]


@dataclass(frozen=True, slots=True)
class TownName:
    """A town as the table of places knows it.

    Attributes:
        name: in the nominative.
        voivodeship: lower case; None when the table does not tell.
        parishes: how many parishes of it the table has.
    """

    name: str
    voivodeship: str | None
    parishes: int

    @classmethod
    def of(cls, town: Town) -> TownName:
        """The name of a town of the table."""
        return cls(town.name, town.voivodeship, len(town.rows))


@dataclass(frozen=True, slots=True)
class Place:
    """Where the asker wants to go.

    Attributes:
        name: town in the nominative, or as typed when no table knows it; None when only a position, postcode or parish is meant.
        voivodeship: of the town; None when it is not known or several fit.
        ambiguous: several towns, or several parishes, answer to the words: the page asks.
        around: near the town, not in it alone.
        district: part of the town.
        near: the asker's own position.
        postcode: `NN-NNN`.
        parish: words that identify a parish; the town is then `name`.
    """

    name: str | None = None
    voivodeship: str | None = None
    ambiguous: bool = False
    around: bool = False
    district: str | None = None
    near: bool = False
    postcode: str | None = None
    parish: str | None = None

    def to_record(self) -> dict[str, object]:
        """The keys that hold, as questions are answered in JSON: a parish has `town`, everything else `name`."""
        record: dict[str, object] = {}
        if self.parish is not None:
            record.update(parish=self.parish, town=self.name, voivodeship=self.voivodeship)
        elif self.name is not None:
            record.update(name=self.name, voivodeship=self.voivodeship)
        flags = {"ambiguous": self.ambiguous, "around": self.around, "near": self.near}
        record.update({key: True for key, holds in flags.items() if holds})
        texts = {"district": self.district, "postcode": self.postcode}
        record.update({key: text for key, text in texts.items() if text is not None})
        return record


@dataclass(frozen=True)
class Interpretation:
    """How a question was read.

    Attributes:
        place: None when no place is said: ask, never guess.
        dates: local dates meant, sorted, at most 31; () when none is said.
        start: local wall clock from which a Mass may begin; None: open. An exact hour has start equal to end.
        end: local wall clock until which it may begin; before `start` when the window passes midnight.
        standing: `sunday`, `weekday`, `holy_day`, `all`, or days (`Mo` to `Su`): the standing order is asked for, not dates.
        pick: only the first or last Mass of the day, or the next one from now.
        language: ISO 639 code, or `sign` for Polish sign language.
        kind: children, youth, first_friday, roraty, old_rite and so on.
        wheelchair: access by wheelchair is asked for.
        feast: feast that was named.
        radius_m: metres round the place, where they were said or follow from a way by car or on foot.
        asks_obligation: whether the days are holy days of obligation is asked.
        unread: words that were not understood, as typed, in order; shown to the asker, never dropped.
        not_served: those of them that ask for something else than Masses: confession, a rosary, an office.
        error: why the words were refused.
        did_you_mean: other towns that the place's words fit, most parishes first.
        also: towns named beside the one that is searched ("Lubsko albo Żary"); their words are unread.
        towns, district, parishes: what the place stands for in the table of places: one town, or all of those that may be meant;
            a part of it; the parishes that the words of a parish or a street fit. land: a voivodeship named without a town of
            it. again: the next day of the name that was said, where today has it too. For the search; no part of the record.
    """

    place: Place | None = None
    dates: tuple[date, ...] = ()
    start: time | None = None
    end: time | None = None
    standing: str | tuple[str, ...] | None = None
    pick: Pick | None = None
    language: str | None = None
    kind: str | None = None
    wheelchair: bool = False
    feast: str | None = None
    radius_m: int | None = None
    asks_obligation: bool = False
    unread: tuple[str, ...] = ()
    not_served: tuple[str, ...] = ()
    error: Error | None = None
    did_you_mean: tuple[TownName, ...] = ()
    also: tuple[TownName, ...] = ()
    towns: tuple[Town, ...] = ()
    district: District | None = None
    parishes: tuple[ParishRow, ...] = ()
    land: str | None = None
    again: date | None = None

    def to_record(self) -> dict[str, object]:
        """One JSON object with every key; null or [] where nothing is said.

        >>> record = Interpretation(dates=(date(2026, 11, 29),), start=time(18)).to_record()
        >>> record["dates"], record["from"], record["to"]
        (['2026-11-29'], '18:00', None)
        """
        return {
            "place": self.place.to_record() if self.place else None,
            "dates": [day.isoformat() for day in self.dates],
            "from": self.start and self.start.isoformat("minutes"),
            "to": self.end and self.end.isoformat("minutes"),
            "standing": list(self.standing) if isinstance(self.standing, tuple) else self.standing,
            "pick": self.pick,
            "language": self.language,
            "kind": self.kind,
            "wheelchair": self.wheelchair or None,
            "feast": self.feast,
            "radius_m": self.radius_m,
            "asks_obligation": self.asks_obligation or None,
            "unread": list(self.unread),
            "not_served": list(self.not_served),
            "error": self.error,
            "did_you_mean": [asdict(one) for one in self.did_you_mean],
            "also": [asdict(one) for one in self.also],
        }
