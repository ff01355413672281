"""What kind of Mass is meant: language, kind, access by wheelchair, the first or the last one. Rules as values."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from mass_pipeline.finding.questions.draft import TOLD, Draft, Match, Piece, each, pattern, phrases
from mass_pipeline.finding.questions.hits import find_hits, is_led
from mass_pipeline.finding.questions.vocabulary import every, expression, filler, joined, mapping, value_of, words_pattern


def _one_of(field: str) -> Callable[[Draft, str, Match], Piece]:
    """What an answer has one of; a second one is told."""
    return lambda draft, value, match: TOLD if getattr(draft, field) not in (None, value) else {field: value}


@cache
def _framed_language() -> re.Pattern[str]:
    before, after = expression(joined("language_frames", "before")), expression(joined("language_frames", "after"))
    language, end = every("languages"), r"(?![^\W_])"
    return re.compile(rf"(?<![^\W_])(?:{before}\W+(?:the\W+)?(?P<a>{language}){end}|(?P<b>{language})\W+{after}{end})")


def _framed(draft: Draft, _: str, match: Match) -> Piece:
    """ "Po angielsku", "Mass in English", "msza angielska"."""
    code = value_of("languages", match["a"] or match["b"])
    if draft.language not in (None, code):
        return TOLD
    return {"language": code, "span": match.span("a" if match["a"] else "b")}


def bare_languages(draft: Draft) -> Draft:
    """A language without "po" or Mass beside it, where nobody is named."""
    if draft.told:
        return draft
    for match in re.finditer(rf"(?<![^\W_]){every('languages')}(?![^\W_])", draft.text.rest):
        if not _is_surname(draft, match) and draft.language is None:
            draft = draft.plus(match.span(), language=value_of("languages", match[0]))
    return draft


def _is_surname(draft: Draft, match: Match) -> bool:
    """Whether a capitalised word that nothing explains stands beside it: "za Annę Węgierską"."""
    raw = draft.text.raw
    beside = [word for word in draft.text.words() if word.end + 1 == match.start() or match.end() + 1 == word.start]
    return not raw.isupper() and any(word.raw[:1].isupper() and word.plain not in filler() for word in beside)


def _pick(draft: Draft, value: str, match: Match) -> Piece | None:
    """The next, first or last Mass; of "pierwsza i ostatnia" an answer has one."""
    if match[0] == "next" and re.match(r"\W+to\b", draft.text.rest[match.end() :]):
        return None
    return _one_of("pick")(draft, value, match)


def not_served(draft: Draft) -> Draft:
    """Confession, adoration, an office: no search knows them, so they are told apart; never inside the name of a place."""
    found = [(key, one) for key, words in mapping("not_served").items() for one in words_pattern(words).finditer(draft.text.rest)]
    names = find_hits(draft.text, draft.places, least_words=2) if found else []
    for key, match in found:
        is_name = is_led(draft.text, match.start()) and draft.text.raw[match.start()].isupper()
        if draft.text.is_taken(*match.span()) or (is_name and match[0] in draft.places.forms):
            continue
        if not any(hit.start < match.end() and match.start() < hit.end for hit in names):
            words = draft.text.raw[slice(*match.span())]
            draft = draft.plus(services=((match.start(), words),) if key != "no_towns" else ()).reported(
                *match.span(), whole=True
            )
    return draft


greetings = each(phrases("greetings"), lambda *_: {})  # "good morning" is no part of the day
first_days = each(phrases("kinds", "first_friday", "first_saturday"), _one_of("kind"))  # no standing order of all Fridays
kinds = each(phrases("kinds"), _one_of("kind"))
free_languages = each(phrases("languages_free"), _one_of("language"))
framed_languages = each(pattern(_framed_language), _framed)
wheelchair = each(phrases("wheelchair"), lambda *_: {"wheelchair": True})
picks = each(phrases("pick"), _pick)
