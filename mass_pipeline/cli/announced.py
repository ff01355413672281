"""From a record of an announcement to the Masses of days: the work behind `mass-pipeline announcements`, one record at a time.

The way is that of the asset `announcements` and of publication: division into single announcements, the topic, the reading of
changes, what the standing order settles, rows, days. Not here: fetching, and what a person decides about proposals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Final

from mass_pipeline.crawling.pages.relevance import Topic, load_topic, topic_path
from mass_pipeline.crawling.watching.articles import Article, relevant_announcements
from mass_pipeline.guard import TooCostly
from mass_pipeline.guard.sandbox import parsed
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import WEEKDAYS, Day, Mass
from mass_pipeline.reading.changes import read_changes
from mass_pipeline.reading.changes.sheets import announcement_items, is_sheet
from mass_pipeline.reading.text.news import NewsRecord
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.schedules.announced import Announced, exceptions_of, in_words, settled
from mass_pipeline.schedules.day import day_schedule, standing_rows
from mass_pipeline.schedules.publication import publish
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import Order
from mass_pipeline.schedules.trust import WEIGHTS, terms_of, trust_in

_PAGE: Final = "https://parish.invalid/"
_WANTED: Final = "Expected id, text, issued (YYYY-MM-DD), standing and dates (a list of YYYY-MM-DD)."
_LIST: Final = re.compile(r"(?P<days>\S+) (?P<hours>\d\d:\d\d(?:,\d\d:\d\d)*)")


@dataclass(frozen=True, slots=True)
class AnnouncementRecord:
    """One line of a file of announcements.

    Attributes:
        id: repeated in the answer.
        text: of the announcement or the sheet, lines separated by line breaks.
        issued: day of publication.
        standing: usual order of the parish; () where unknown.
        dates: days to be reported.
    """

    id: str
    text: str
    issued: date
    standing: tuple[ScheduleRow, ...]
    dates: tuple[date, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any], place: str = "") -> AnnouncementRecord:
        """From a line's object with `id`, `text`, `issued`, `standing` ("Su 08:00,10:00; Mo-Sa 18:00") and `dates`.

        Args:
            place: of the line, "file:number: ", for the message.

        Raises:
            BadInput: a key is missing or holds something else; the message names line, record, key and value.
        """
        try:
            return cls(
                str(data["id"]),
                str(data["text"]),
                _date_of("issued", data["issued"]),
                tuple(standing_order(str(data.get("standing") or ""))),
                tuple(_date_of("dates", day) for day in _list_of("dates", data.get("dates"))),
            )
        except KeyError as error:
            raise BadInput(f"{place}record {data.get('id')!r}: {error} is missing. {_WANTED}") from error
        except ValueError as error:
            raise BadInput(f"{place}record {data.get('id')!r}: {error}. {_WANTED}") from error


@dataclass(frozen=True, slots=True)
class DayTold:
    """Hours of one day, sorted.

    Attributes:
        usual: by the standing order alone.
        published: after the changes that need no person.
        read: after all dated changes.
    """

    usual: tuple[str, ...]
    published: tuple[str, ...]
    read: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnnouncementAnswer:
    """What was read of a record: its days, and the first days of lasting changes.

    Attributes:
        ended: why its reading was ended, "" when it was read.
    """

    id: str
    days: Mapping[date, DayTold]
    lasting: tuple[date, ...]
    ended: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The object as files hold it."""
        days = {
            day.isoformat(): {"usual": list(one.usual), "published": list(one.published), "read": list(one.read)}
            for day, one in self.days.items()
        }
        ended = {"error": self.ended} if self.ended else {}
        return {"id": self.id, "days": days, "lasting": [day.isoformat() for day in self.lasting]} | ended


def standing_order(text: str) -> Iterator[ScheduleRow]:
    """Rows of a standing order in short, "Su 08:00,10:00; Mo-Sa 18:00"; none for "".

    Raises:
        ValueError: naming the part that is no list of days and hours.
    """
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        match = _LIST.fullmatch(part)
        if match is None:
            raise ValueError(f"standing: {part!r} is no list like 'Mo-Sa 07:00,18:00'")
        try:
            days = tuple(_days(match["days"]))
        except ValueError as error:
            raise ValueError(f"standing: {match['days']!r} names no days like 'Mo-Sa' or 'Su,PH'") from error
        yield from (ScheduleRow(Mass(days, hour), _PAGE, part, "", None) for hour in match["hours"].split(","))


def _date_of(key: str, value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise ValueError(f"{key}: {value!r} is no date") from error


def _list_of(key: str, value: object) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError(f"{key}: {value!r} is no list")
    return value


def _days(text: str) -> Iterator[Day]:
    names = [str(day) for day in WEEKDAYS]
    for part in text.replace("+", ",").split(","):
        first, _, last = part.partition("-")
        if first == "PH":
            yield "PH"
        else:
            yield from WEEKDAYS[names.index(first) : names.index(last or first) + 1]


def article_of(text: str, issued: date) -> Article:
    """The text of an announcement as the article that a page with it would be; its first line is the title."""
    title = next((line.strip() for line in text.splitlines() if line.strip()), "")
    document = read_document(text, content_type="text/plain", url="x.txt")
    news = NewsRecord(_PAGE, "", title, issued, text)
    items = tuple(announcement_items(text)) if is_sheet(news, document) else ()
    return Article(title, "", "", "", (), issued, text, items)


def read_guarded_announcement(record: AnnouncementRecord) -> AnnouncementAnswer:
    """`read_announcement` by the asset's topic, where it can be ended; then the answer holds no day and says why."""
    try:
        return parsed(partial(_read_text, record=replace(record, text="")), record.text)
    except TooCostly as error:
        return AnnouncementAnswer(record.id, {}, (), f"too_costly: the announcement: {error}")


def _read_text(text: str, record: AnnouncementRecord) -> AnnouncementAnswer:
    return read_announcement(replace(record, text=text))


def read_announcement(record: AnnouncementRecord, topic: Topic | None = None) -> AnnouncementAnswer:
    """Read one record.

    Args:
        record: the announcement.
        topic: decides which announcements of it are kept; that of the asset by default.
    """
    announced = changes_of(record, topic)
    publication = publish(record.id, Order(tuple(record.standing)), announced, ())
    dated = [one for one in settled(announced, publication.standing) if one.change.valid_to is not None]
    every = exceptions_of(dated, publication.standing).rows
    days = {
        day: DayTold(
            _hours(standing_rows(publication.standing, day)[1]),
            _hours(day_schedule(publication.rows, day).masses),
            _hours(day_schedule((*publication.standing, *every), day).masses),
        )
        for day in record.dates
    }
    lasting = {one.change.valid_from for one in announced if one.change.valid_to is None}
    return AnnouncementAnswer(record.id, days, tuple(sorted(lasting)))


def explained(record: AnnouncementRecord) -> dict[str, Any]:
    """The dated changes of a record under `changes`, each with its probability, its doubts and the terms of its log-odds.

    Only of a record whose reading ended.
    """
    found: list[dict[str, Any]] = []
    for change in (one.change for one in settled(changes_of(record), record.standing) if one.change.valid_to is not None):
        terms = terms_of(change, record.standing)
        found.append(
            {
                "says": in_words(change),
                "days": [str(change.valid_from), str(change.valid_to)],
                "probability": round(trust_in(change, record.standing), 3),
                "doubts": list(change.doubts),
                "terms": {name: round(WEIGHTS[name] * value, 3) for name, value in terms.items() if value},
                "quote": change.quote,
            }
        )
    return {"changes": found}


def changes_of(record: AnnouncementRecord, topic: Topic | None = None) -> list[Announced]:
    """The changes of a record as its words alone tell them, in their order.

    Args:
        record: the announcement.
        topic: as of `read_announcement`.
    """
    topic = topic or load_topic(topic_path("services"))
    article = article_of(record.text, record.issued)
    kept = relevant_announcements(article, topic, site_id=record.id, url=_PAGE, issued=record.issued)
    read = (change for one in kept for change in read_changes(one.text, record.issued))
    return [Announced(change, record.issued, _PAGE, "", None) for change in read]


def _hours(rows: Sequence[ScheduleRow]) -> tuple[str, ...]:
    return tuple(sorted({row.mass.time for row in rows}))
