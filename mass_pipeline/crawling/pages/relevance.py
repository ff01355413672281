"""Whether a page is about a topic: the Boolean model, important tags, and the vector space model (C8).

A topic is data (topics/*.toml): weighted terms, thresholds, and phrases in which a term is a mere landmark. Only relevant
pages are stored: better none than wrong. Not here: where the words of a page come from (reading.text).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Final, Literal

from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.text.tree_cost import is_pathological
from mass_pipeline.reading.words.clock import ClockKind, find_clock_tokens
from mass_pipeline.reading.words.spoken_hours import has_spoken_hour

Model = Literal["boolean", "tags", "vector"]
MODELS: Final[tuple[Model, ...]] = ("boolean", "tags", "vector")
TOPICS_FOLDER: Final = Path(__file__).parent / "topics"

_HOUR: Final = "#hour"
_SLIP: Final = re.compile(r"\b(?:[5-9]|1\d|2[0-3])[.:]0\b(?![.:,]?\d)")  # "18:0"
_HOURS: Final = (ClockKind.TIME, ClockKind.RANGE)
# Scripts that put no spaces between words: Han, kana, Thai, Lao, Khmer, Burmese. A word there is taken to be two characters long
# (bigrams: J. Nie, F. Ren, Chinese information retrieval: using characters or words?, IP&M 35 (1999) 443-462).
_DENSE: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"#hour|(?=([{_DENSE}]{{2}}))[{_DENSE}]|[^\W{_DENSE}]+")
_IS_DENSE: Final = re.compile(f"[{_DENSE}]")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a page by where they stand.

    Attributes:
        title, headings, meta: what the important-tags model reads; headings are h1 to h3, meta keywords and description.
        text: everything visible, the other three included where they are.
    """

    text: str
    title: str = ""
    headings: str = ""
    meta: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl looks for.

    Attributes:
        name: of the topic.
        terms: folded term -> weight; a term is one or more words, each a beginning of a word, or `#hour`; in scripts without
            spaces it stands anywhere.
        landmarks: folded phrases passed over before terms are counted.
        tag_weights: a, b, c of the important-tags model: title, headings, meta.
        thresholds: model -> least score of a relevant page.
        chosen: the model that decides.
        hours: further notation of hours as a regular expression, "" for none: `5g30` in Vietnamese.
        divided: whether an article may hold several announcements, each kept or left by itself; else it is one text.
        list_words: beginnings of words in the address, the link or the heading of a page that lists such news -> weight.
    """

    name: str
    terms: Mapping[str, float]
    landmarks: tuple[str, ...]
    tag_weights: Mapping[str, float]
    thresholds: Mapping[str, float]
    chosen: Model
    list_words: Mapping[str, float] = field(default_factory=dict)
    divided: bool = False
    hours: str = ""


def topic_path(name: str) -> Path:
    """File of a topic: one of the project's by name, any other by path.

    Raises:
        BadInput: there is no such topic.
    """
    bundled = TOPICS_FOLDER / f"{name}.toml"
    path = bundled if bundled.is_file() else Path(name)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in TOPICS_FOLDER.glob("*.toml")))
        raise BadInput(f"topic {name!r}: neither a topic of the project ({known}) nor a file.")
    return path


def load_topic(path: Path) -> Topic:
    """Read a topic.

    Raises:
        BadInput: naming the file and what is wrong with it.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        chosen = data["chosen"]
        topic = Topic(
            data["name"],
            {term if term == _HOUR else fold(term): float(weight) for term, weight in data["terms"].items()},
            tuple(sorted(map(fold, data.get("landmarks", {}).get("phrases", ())), key=len, reverse=True)),
            data["tag_weights"],
            data["thresholds"],
            chosen,
            {fold(word): float(weight) for word, weight in data.get("list_words", {}).items()},
            bool(data.get("divided", False)),
            re.compile(data.get("hours", "")).pattern,
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError, ValueError, AttributeError, TypeError, re.error) as error:
        raise BadInput(f"topic {path}: {error!r}; see {TOPICS_FOLDER / 'services.toml'} for the form") from error
    if chosen not in MODELS or not topic.terms:
        raise BadInput(f"topic {path}: needs terms, and chosen = one of {', '.join(MODELS)}")
    return topic


def count_terms(text: str, topic: Topic) -> tuple[Counter[str], int]:
    """Occurrences of each term in a text, and the count of the most frequent word of the text (at least 1).

    A word counts for the longest term it begins with.
    """
    plain = _with_hours_named(re.sub(topic.hours, f" {_HOUR} ", text) if topic.hours else text)
    if topic.landmarks:
        plain = _landmark_pattern(topic.landmarks).sub(" ", plain)
    names, pattern = _term_pattern(tuple(topic.terms))
    found = Counter(names[(match.lastindex or 1) - 1] for match in pattern.finditer(plain))
    return found, max(Counter(match[1] or match[0] for match in _WORD.finditer(plain)).values(), default=1)


def _with_hours_named(text: str) -> str:
    """The folded text with `#hour` in the place of its hours, in whatever notation the readers of schedules know."""
    parts, position = [], 0
    for token in find_clock_tokens(text):
        slip = token.kind is ClockKind.NUMBER and _SLIP.fullmatch(token.raw)
        if token.kind in _HOURS or slip:
            parts += [text[position : token.start], f" {_HOUR} "]
            position = token.end
    folded = fold("".join([*parts, text[position:]]))
    return f"{folded} {_HOUR}" if has_spoken_hour(folded) else folded


@lru_cache(maxsize=32)
def _term_pattern(terms: tuple[str, ...]) -> tuple[list[str], re.Pattern[str]]:
    names = sorted(terms, key=len, reverse=True)
    spaced = [name for name in names if not _IS_DENSE.search(name)]
    dense = [name for name in names if _IS_DENSE.search(name)]
    parts = "|".join("(" + r"\w* ".join(map(re.escape, name.split())) + ")" for name in spaced) or "(?!)"
    patterns = [rf"(?<![^\W{_DENSE}])(?:{parts})[^\W{_DENSE}]*", *(f"({re.escape(name)})" for name in dense)]
    return spaced + dense, re.compile("|".join(patterns))


@lru_cache(maxsize=32)
def _landmark_pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(map(re.escape, phrases)) + r")\w*")


def boolean_score(words: Words, topic: Topic) -> float:
    """S(D) = |D and T|: how many different terms of the topic the page has."""
    return float(len(count_terms(words.text, topic)[0]))


def tags_score(words: Words, topic: Topic) -> float:
    """S = a S_title + b S_h1..3 + c S_meta, each the sum of the weights of the terms found there."""
    parts = {"title": words.title, "headings": words.headings, "meta": words.meta}
    sums = {tag: sum(topic.terms[term] for term in count_terms(text, topic)[0]) for tag, text in parts.items()}
    return sum(topic.tag_weights[tag] * total for tag, total in sums.items())


def vector_score(words: Words, topic: Topic) -> float:
    """cos of the topic's weights w_i and the page's x_i w_i; x_i is the term's frequency relative to the most frequent word."""
    found, most = count_terms(words.text, topic)
    page = {term: count / most * topic.terms[term] for term, count in found.items()}
    norm = math.sqrt(sum(weight * weight for weight in page.values()))
    whole = math.sqrt(sum(weight * weight for weight in topic.terms.values()))
    return sum(weight * topic.terms[term] for term, weight in page.items()) / (norm * whole) if norm else 0.0


SCORES: Final = {"boolean": boolean_score, "tags": tags_score, "vector": vector_score}


def score(words: Words, topic: Topic, model: Model | None = None) -> float:
    """Score of a page by a model, the topic's chosen one when none is named."""
    return SCORES[model or topic.chosen](words, topic)


def is_relevant(words: Words, topic: Topic, model: Model | None = None) -> bool:
    """Whether a page belongs to the topic: its score reaches the model's threshold."""
    return score(words, topic, model) >= topic.thresholds[model or topic.chosen]


_MAX_CHARS: Final = 100_000  # words beyond change no score; a page may hold megabytes
_MOST_MARKUP: Final = 1_000_000  # a tree of it takes 50 ms of the event loop
_MARKUP: Final = re.compile(r"<[^<>]{0,2000}>")
_UNSEEN: Final = ["script", "style", "noscript", "template"]


def words_of(markup: str) -> Words:
    """Title, h1 to h3, meta keywords and description, and the visible text; each "" where there is none.

    >>> words_of("<title>Parafia</title><h1>Msze</h1><p>Niedziela 8.00")
    Words(text='Parafia Msze Niedziela 8.00', title='Parafia', headings='Msze', meta='')
    """
    markup = markup[:_MOST_MARKUP]
    if is_pathological(markup):
        return Words(" ".join(unescape(_MARKUP.sub(" ", markup[: 4 * _MAX_CHARS])).split())[:_MAX_CHARS])
    tree = LexborHTMLParser(markup)
    tree.strip_tags(_UNSEEN)
    title = tree.css_first("title")
    name = _plain(title.text()) if title else ""
    headings = " ".join(_plain(node.text(separator=" ")) for node in tree.css("h1,h2,h3"))
    meta = " ".join(
        _plain(node.attributes.get("content") or "")
        for node in tree.css("meta[name][content]")
        if (node.attributes.get("name") or "").lower() in ("keywords", "description")
    )
    body = tree.body
    text = _plain(body.text(separator=" ")[: 4 * _MAX_CHARS]) if body else ""
    return Words(" ".join(filter(None, (name, meta, text)))[:_MAX_CHARS], name, headings, meta)


def _plain(text: str) -> str:
    return " ".join(text.split())
