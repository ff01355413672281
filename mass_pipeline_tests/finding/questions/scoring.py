"""Compare readings with what a question means: the notation of the question sets, and what they allow.

A line is `question | moment | meaning`; alternatives of the meaning are parted by "or". Parts of a meaning, parted by ";":
p=NAME/VOIVODESHIP[,ambiguous][,around][,district=X], near, postcode=X, parish=WORD@TOWN/VOIVODESHIP[,ambiguous], d=dates,
t=from-to or an exact hour, s=standing, k=pick, l=language, ki=kind, w (wheelchair), f=feast, u=words to report, e=error.
Alternatives inside d, t and f are parted by commas; "-" is "nothing said". What is not written must be null.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from mass_pipeline.finding.places import name_words
from mass_pipeline.finding.questions import Interpretation
from mass_pipeline.model.identifiers import fold

HERE = Path(__file__).parent
DEFAULT_MOMENT = datetime.fromisoformat("2026-11-18T10:00")


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a set."""

    words: str
    at: datetime
    meanings: tuple[dict[str, str], ...]


def read_set(name: str) -> list[Question]:
    """The questions of a file beside this module."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [_question(line) for line in lines if line.strip() and not line.startswith("#")]


def _question(line: str) -> Question:
    words, moment, meaning = (part.strip() for part in line.rsplit("|", 2))
    words = words.encode().decode("unicode_escape").encode("latin-1").decode() if "\\u" in words or "\\x" in words else words
    at = datetime.fromisoformat(moment) if moment else DEFAULT_MOMENT
    return Question(words, at, tuple(_parts(one) for one in meaning.split("; or ")))


def _parts(meaning: str) -> dict[str, str]:
    pairs = (part.strip().partition("=") for part in meaning.split(";") if part.strip())
    return {key: value for key, _, value in pairs}


def mistakes(question: Question, reading: Interpretation) -> list[str]:
    """What is wrong by the meaning that comes nearest; [] when one of them fits."""
    return min((_mistakes(meaning, reading) for meaning in question.meanings), key=len)


def _mistakes(want: dict[str, str], reading: Interpretation) -> list[str]:
    got = reading.to_record()
    if "e" in want:
        return [] if reading.error == want["e"] else [f"error: {reading.error}"]
    wrong = [] if _same_place(want, got["place"]) else [f"place: {got['place']}"]
    if not any(_dates(one) == got["dates"] for one in want.get("d", "-").split(",")):
        wrong.append(f"dates: {got['dates']}")
    if not any(_same_time(one.strip(), reading) for one in want.get("t", "-").split(",")):
        wrong.append(f"time: {got['from']}-{got['to']}")
    standing = want.get("s")
    if got["standing"] != (standing.split() if standing and " " in standing else [standing] if standing in _DAYS else standing):
        wrong.append(f"standing: {got['standing']}")
    for key, field in (("k", "pick"), ("l", "language"), ("ki", "kind")):
        if want.get(key) != got[field]:
            wrong.append(f"{field}: {got[field]}")
    if ("w" in want) != (got["wheelchair"] is True):
        wrong.append(f"wheelchair: {got['wheelchair']}")
    if not any((None if one.strip() == "-" else one.strip()) == got["feast"] for one in want.get("f", "-").split(",")):
        wrong.append(f"feast: {got['feast']}")
    missing = set(fold(want.get("u", "")).split()) - {fold(word) for word in reading.unread}
    extra = {fold(word) for word in reading.unread} - set(fold(want.get("u", "") + " " + want.get("uu", "")).split())
    if missing or extra:
        wrong.append(f"unread: missing {sorted(missing)}, extra {sorted(extra)}")
    return wrong


def summary(reading: Interpretation) -> str:
    """A reading in one line: what is said, the towns where they are not the place by name, the parishes and those of a part."""
    place = reading.place
    shown: dict[str, object] = {key: _shown(value) for key, value in reading.to_record().items() if value}
    if [town.name for town in reading.towns] != [place and place.name]:
        shown["towns"] = _shown([town.name for town in reading.towns])
    shown["parishes"] = _shown([row.name for row in reading.parishes])
    shown["part"] = _shown([row.name for row in reading.district.rows] if reading.district else [])
    return "; ".join(f"{key}={value}" for key, value in shown.items() if value)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "/".join(key if one is True else str(one) for key, one in value.items() if one)
    if isinstance(value, (list, tuple)):
        return ", ".join(str(one["name"] if isinstance(one, dict) else one) for one in value)
    return "yes" if value is True else str(value)


_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


def _dates(text: str) -> list[str]:
    return [] if text.strip() == "-" else text.split()


def _same_time(want: str, reading: Interpretation) -> bool:
    start, end = reading.start, reading.end
    if "-" not in want:
        exact = datetime.fromisoformat(f"2000-01-02T{want}")
        if start is None or end is None:
            return False
        first = datetime.combine(exact.date(), start)
        last = datetime.combine(exact.date(), end)
        return timedelta(0) <= exact - first <= timedelta(minutes=30) and timedelta(0) <= last - exact <= timedelta(hours=1)
    said = [f"{one:%H:%M}" if one else "" for one in (start, end)]
    return want.split("-") == said


def _same_place(want: dict[str, str], got: object) -> bool:
    if "p" not in want and "parish" not in want and "postcode" not in want:
        return (got == {"near": True}) if "near" in want else got is None
    if not isinstance(got, dict):
        return False
    if "postcode" in want and got.get("postcode") != want["postcode"]:
        return False
    if "parish" in want:
        words, _, rest = want["parish"].partition("@")
        if fold(words) not in fold(str(got.get("parish") or "")):
            return False
        return _same_town(rest, got, "town")
    return got.get("parish") is None and ("p" not in want or _same_town(want["p"], got, "name"))


def _same_town(want: str, got: dict[str, object], key: str) -> bool:
    name, *marks = want.split(",")
    town, _, voivodeship = name.partition("/")
    if town and name_words(str(got.get(key) or "")) != name_words(town):  # with or without its hyphen
        return False
    if voivodeship not in ("", "-") and got.get("voivodeship") != voivodeship:
        return False
    if any((mark in marks) != (got.get(mark) is True) for mark in ("ambiguous", "around")):
        return False
    district = next((mark.partition("=")[2] for mark in marks if mark.startswith("district=")), None)
    return name_words(district or "") == name_words(str(got.get("district") or ""))
