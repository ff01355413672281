"""Questions: one hour in its context, made from rows shaped like the table candidate_hours, or one row of a schedule.

Belongs here: the value and its making (names hidden, block found, place in the queue). Not here: files (exchange), tables.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from mass_pipeline.annotation.vocabulary import ANSWER_OF_LABEL, ANSWERS, LABEL_OF_ANSWER, Kind
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.reading.words.masking.lines import masked, masked_line
from mass_pipeline.schedules.checked import REASONS, RowQuestion, lines_digest

_ALWAYS_NEEDED = ("candidate_id", "raw")
TIERS: Final[dict[str, int]] = {name: tier for tier, name in enumerate((*REASONS, "first", "hour"))}


@dataclass(frozen=True, slots=True)
class Item:
    """One question.

    Attributes:
        candidate_id: identifier of the candidate hour; derives from content, so that votes survive a rebuild.
        raw: the hour as written.
        left, right: visible text around it, masked, lines separated by newlines.
        heading, day_scope: nearest heading and governing day words, masked, "" when none.
        block_key: equal for the hours of one block of one page, for the list mode.
        position: place of the hour in its block.
        priority: low ones are asked first within their tier: of an hour 0 when the classifier knows nothing, 1 when it is sure;
            of a row how many of its parish come before it.
        gold: the known answer of a hidden test question, or None.
        page_score: how likely its page tells Masses, 0 to 1, or None; decides whether the hour is asked, and is not stored.
        text_digest: of the words that the question rests on.
        kind: an hour or a row.
        tier: of `TIERS`.
        row: what is asked when it is a row, None for an hour.
        diocese: key of its diocese, "" where it is not known.
    """

    candidate_id: str
    parish_id: str
    url: str
    time: str
    raw: str
    left: str
    right: str
    heading: str
    day_scope: str
    block_key: str
    position: int
    priority: float
    gold: str | None = None
    page_score: float | None = None
    text_digest: str = ""
    kind: Kind = "hour"
    tier: int = TIERS["hour"]
    row: RowQuestion | None = None
    diocese: str = ""

    @property
    def shuffle(self) -> float:
        """Place in the random order, 0 to 1, from the id alone."""
        return _place_of(b"shuffle", self.candidate_id)

    @property
    def host(self) -> str:
        """Host of the source page, "" when the URL has none."""
        return source_host(self.url)


def source_host(url: str) -> str:
    """Host name of an http(s) URL as shown to people; "" for anything else.

    >>> source_host("https://user@parafia.example:8080/msze"), source_host("javascript:alert(1)")
    ('parafia.example', '')
    """
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


def item_from_row(row: Mapping[str, Any]) -> Item:
    """A question from one row of candidate_hours.

    Args:
        row: columns of candidate_hours; besides, `probability` (0 to 1, that it is a Mass; puts uncertain ones first) and
            `gold` (an answer or a label: makes it a hidden test question) when known.

    Raises:
        BadInput: the row has no id, no hour, or a word in `gold` or a figure in `probability` that cannot be.
    """
    for name in _ALWAYS_NEEDED:
        if not _text(row.get(name)):
            raise BadInput(f"An item without {name!r}: rows must have the columns of candidate_hours.")
    candidate_id = _text(row["candidate_id"])
    heading, block = _text(row.get("heading")), _text(row.get("block"))
    parish_id, url = _text(row.get("parish_id")), _text(row.get("url"))
    left, right = masked(_text(row.get("left")))[-1500:], masked(_text(row.get("right")))[:1000]
    return Item(
        candidate_id=candidate_id[:64],
        parish_id=parish_id[:200],
        url=url[:2000],
        time=_text(row.get("time"))[:16],
        raw=_text(row["raw"])[:40],
        left=left,
        right=right,
        heading=masked(heading)[:300],
        day_scope=masked_line(_text(row.get("day_scope")))[:200],
        block_key=content_id(parish_id, url, heading, block),
        position=_position(row),
        priority=uncertainty_rank(candidate_id, row.get("probability")),
        gold=_gold(candidate_id, row.get("gold"), "hour"),
        page_score=_score(row.get("page_score")),
        text_digest=content_id("hour", _text(row["raw"]), left, right),
        diocese=_text(row.get("diocese"))[:64],
    )


def items_of_rows(questions: Iterable[RowQuestion]) -> list[Item]:
    """Questions about rows, parishes in turns: of each one row at random, then of each a second one.

    Rows of a page are in one situation. Fifty answers about fifty parishes publish several times as many rows as fifty about
    the least sure rows do (docs/people-loop.md).
    """
    items = sorted(map(item_of_row, questions), key=lambda item: item.shuffle)
    places = turns((item.tier, item.parish_id) for item in items)
    return [replace(item, priority=float(place)) for item, place in zip(items, places, strict=True)]


def turns(keys: Iterable[Hashable]) -> list[int]:
    """How many equal ones come before each.

    >>> turns(["a", "a", "b", "a"])
    [0, 1, 0, 2]
    """
    seen: Counter[Hashable] = Counter()
    found = []
    for key in keys:
        found.append(seen[key])
        seen[key] += 1
    return found


def item_of_row(question: RowQuestion, *, gold: str | None = None) -> Item:
    """A question about a row of a schedule, the first of its parish.

    Args:
        gold: its known answer, which makes it a hidden test question.
    """
    return Item(
        candidate_id=question.row_id,
        parish_id=question.parish_id[:200],
        url=question.url[:2000],
        time=question.mass.time,
        raw=_text(question.raw)[:40],
        left=masked(_text(question.left))[-1500:],
        right=masked(_text(question.right))[:1000],
        heading=masked(_text(question.heading))[:300],
        day_scope=masked_line(_text(question.day_scope))[:200],
        block_key=question.row_id,
        position=0,
        priority=0.0,
        gold=_gold(question.row_id, gold, "row"),
        text_digest=lines_digest(question.quote),
        kind="row",
        tier=TIERS[question.reason],
        row=question,
        diocese=question.diocese[:64],
    )


def columns_of_row(row: RowQuestion | None) -> dict[str, str]:
    """What the table of items keeps of a row beside what hours have too; empty texts for an hour."""
    if row is None:
        return dict.fromkeys(("mass", "place", "quote", "reason", "context", "wording"), "")
    return {
        "mass": json.dumps(row.mass.as_dict(), ensure_ascii=False, sort_keys=True),
        "place": _text(row.parish)[:300],
        "quote": _text(row.quote)[:600],
        "reason": row.reason,
        "context": row.context,
        "wording": row.wording,
    }


def _position(row: Mapping[str, Any]) -> int:
    # The table keeps no offset in the page; by clock time and place in its line a block reads as people expect.
    hour, _, minute = _text(row.get("time")).partition(":")
    minutes = int(hour) * 60 + int(minute) if hour.isdecimal() and minute.isdecimal() and len(hour + minute) <= 4 else 0
    return minutes * 100 + min(int(row.get("list_index") or 0), 99)


def _text(value: object) -> str:
    """Text that can be stored and shows what it is: no controls, no invisible or turning characters, no font icons."""
    if value is None or value != value:
        return ""
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Co"))


def uncertainty_rank(candidate_id: str, probability: Any) -> float:
    """Place in the queue from a probability: 0 for 0.5 (asked first), 1 for 0 and 1 (asked last), 0.5 for unknown.

    Raises:
        BadInput: the probability is not between 0 and 1.
    """
    if probability is None or probability != probability:
        return 0.5
    if not 0.0 <= float(probability) <= 1.0:
        raise BadInput(f"Item {candidate_id}: probability {probability!r} is not between 0 and 1.")
    return abs(2.0 * float(probability) - 1.0)


def _score(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and value == value else None


def _gold(candidate_id: str, value: Any, kind: Kind) -> str | None:
    text = _text(value)
    if not text:
        return None
    answer = ANSWER_OF_LABEL[kind].get(text, text)
    if answer not in LABEL_OF_ANSWER[kind]:
        raise BadInput(f"Item {candidate_id}: gold {text!r} is none of {', '.join(ANSWERS[kind][:-1])}.")
    return answer


def _place_of(order: bytes, candidate_id: str) -> float:
    """Place in an order by chance, 0 to 1, from the id; an order of its own for each purpose, so that no slice is another's."""
    digest = hashlib.sha256(order + b"\x1f" + candidate_id.encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


@dataclass(slots=True)
class PageFilter:
    """Which hours reach the crowd: those of pages that may tell Masses, and a sample of the others (P12, P14).

    Most hours of a site stand on pages without any Mass (offices, concerts, archives): asking people about them all wastes their
    patience, and asking about none hides what the page score misses. The sample derives from the item's id, so that loading again
    keeps it.

    Attributes:
        least_score: page score from which every hour is asked, 0 to 1; 0 lets everything through.
        sample: share of the hours below it that are asked all the same, 0 to 1.
        kept_as_sample: how many came through below it.
        left_out: how many did not come through.
    """

    least_score: float
    sample: float
    kept_as_sample: int = 0
    left_out: int = 0

    def __call__(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items that are asked, in order; test questions and items without a score always come through."""
        for item in items:
            if item.gold is None and item.page_score is not None and item.page_score < self.least_score:
                if not self.asks(item.candidate_id, item.page_score):
                    self.left_out += 1
                    continue
                self.kept_as_sample += 1
            yield item

    def asks(self, candidate_id: str, page_score: float) -> bool:
        """Whether an hour of a page of this score is asked."""
        return not page_score < self.least_score or _place_of(b"page filter", candidate_id) < self.sample

    def __str__(self) -> str:
        return (
            f"{self.left_out} hours of pages scored below {self.least_score:g} are not asked, "
            f"{self.kept_as_sample} of such pages are, as a sample"
        )
