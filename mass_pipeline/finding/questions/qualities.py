"""What kind of Mass is meant: language, kind, access by wheelchair, the first or the last one. Rules over a draft."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import find_hits, is_led
from mass_pipeline.finding.questions.vocabulary import every, expression, filler, joined, mapping, value_of, words_pattern

_FOR: Final = (
    r"w intencji|intencj\w*|za (?:s ?[.,]? ?p\b\.?|dusz[ey]|zmarl\w*|zdrowie|rodzin\w*|swietej pamieci|blogoslawienstwo)"
    r"|for the soul of|memorial mass"
)
_INTENTION: Final = re.compile(
    rf"(?<![^\W_])(?:{_FOR})(?P<names>(?:\W+(?!w\b|we\b|na\b|o\b|in\b|at\b|on\b|po\b|dzis|jutro|ʘ)[^\W\dʘ]+){{0,3}})"
)
_LEAST_OF_INTENTION: Final = 3  # words: "w intencji zmarłych"
_PRIEST: Final = re.compile(
    r"(?<![^\W_])(?:ks|ksiadz|ksiedza|ksiedzem|bp|biskup(?:a|em|owi|ie)?|fr|father|ojca(?! pio)|ojciec(?! pio)"
    r"|sp|pana(?! jezusa| boga)|pani)"
    r"\.?\s+(?P<name>[^\W\dʘ]+(?:\s+[^\W\dʘ]+)?)"
)


def greetings(draft: Draft) -> None:
    """ "Good morning" and "dobry wieczór" are no part of the day."""
    list(draft.said("greetings", "words"))


def intentions(draft: Draft) -> None:
    """For whom a Mass is said, and priests by name: a search knows none, and a surname is no language."""
    for pattern, group in ((_INTENTION, 0), (_PRIEST, "name")):
        for match in pattern.finditer(draft.text.rest):
            start, end = match.span(group)
            if pattern is _INTENTION:
                end = _without_town(draft, start, end)
            if pattern is _PRIEST:
                names = [n for n in re.finditer(r"[^\W_]+", draft.text.raw[start:end]) if n[0][:1].isupper()]
                if not names or names[0].start() > 0:
                    continue
                names = [
                    names[0],
                    *(one for one in names[1:] if draft.text.plain[start:end][one.start() :] not in draft.places.forms),
                ]
                start, end = match.start(), start + names[-1].end()
            draft.report(start, end)


def _without_town(draft: Draft, start: int, end: int) -> int:
    """The end of an intention before a town of the table that its last word names: "w intencji zmarłych Kłodzko"."""
    words = [word for word in draft.text.words() if start <= word.start and word.end <= end]
    if len(words) < _LEAST_OF_INTENTION or "nom" not in _cases(draft, words[-1].plain):
        return end
    return words[-2].end


def _cases(draft: Draft, form: str) -> set[str]:
    """The cases in which a form names a town of the table."""
    found = draft.places.forms.get(form, {}).items()
    return {case for lemma, cases in found for case in cases if any(town.rows for town in draft.places.towns.get((lemma,), ()))}


def not_served(draft: Draft) -> None:
    """Confession, adoration, an office: no search knows them, so they are reported apart; never inside the name of a place."""
    found = [(key, one) for key, words in mapping("not_served").items() for one in words_pattern(words).finditer(draft.text.rest)]
    names = find_hits(draft.text, draft.places, least_words=2) if found else []
    for key, match in found:
        is_name = is_led(draft.text, match.start()) and draft.text.raw[match.start()].isupper()
        if "ʘ" in match[0] or (is_name and match[0] in draft.places.forms):
            continue
        if not any(hit.start < match.end() and match.start() < hit.end for hit in names):
            if key != "no_towns":
                draft.not_served[match.start()] = draft.text.raw[slice(*match.span())]
            draft.report(*match.span(), whole=True)


@cache
def _framed_language() -> re.Pattern[str]:
    before, after = expression(joined("language_frames", "before")), expression(joined("language_frames", "after"))
    language, end = every("languages"), r"(?![^\W_])"
    return re.compile(rf"(?<![^\W_])(?:{before}\W+(?:the\W+)?(?P<a>{language}){end}|(?P<b>{language})\W+{after}{end})")


def languages(draft: Draft) -> None:
    """ "po angielsku", "Mass in English", "msza angielska"; sign language."""
    for code, words in mapping("languages_free").items():
        for match in words_pattern(words).finditer(draft.text.rest):
            _language(draft, code, match.span())
    for match in _framed_language().finditer(draft.text.rest):
        group = "a" if match["a"] else "b"
        _language(draft, value_of("languages", match[group]), match.span(group))


def bare_languages(draft: Draft) -> None:
    """A language without "po" or Mass beside it, where nobody is named."""
    if draft.unread:
        return
    for match in re.finditer(rf"(?<![^\W_]){every('languages')}(?![^\W_])", draft.text.rest):
        if not _is_surname(draft, match):
            _language(draft, value_of("languages", match[0]), match.span())


def _is_surname(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a capitalised word that nothing explains stands beside it: "za Annę Węgierską"."""
    raw = draft.text.raw
    beside = [word for word in draft.text.words() if word.end + 1 == match.start() or match.end() + 1 == word.start]
    return not raw.isupper() and any(word.raw[:1].isupper() and word.plain not in filler() for word in beside)


def _language(draft: Draft, code: str, span: tuple[int, int]) -> None:
    if "ʘ" in draft.text.rest[slice(*span)]:
        return
    if draft.language not in (None, code):
        draft.report(*span)
        return
    draft.language = code
    draft.text.take(*span)


def first_days(draft: Draft) -> None:
    """First Fridays and Saturdays of every month: a kind of Mass, no standing order of all Fridays."""
    _kinds(draft, "first_days")


def kinds(draft: Draft) -> None:
    """For children, Roraty, in the old rite; a second kind is reported, since an answer has one."""
    _kinds(draft, "kinds")


def _kinds(draft: Draft, section: str) -> None:
    for kind, words in mapping(section).items():
        for match in words_pattern(words).finditer(draft.text.rest):
            _choose(draft, "kind", kind, match)


def _choose(draft: Draft, field: str, value: str, match: re.Match[str]) -> None:
    """Set what an answer has one of; a second one is reported."""
    if draft.text.is_taken(match):
        return
    if getattr(draft, field) not in (None, value):
        draft.report(*match.span())
    else:
        setattr(draft, field, value)
        draft.text.take(*match.span())


def wheelchair(draft: Draft) -> None:
    """Wózek, podjazd, wheelchair."""
    draft.wheelchair = bool(list(draft.said("wheelchair", "true")))


def picks(draft: Draft) -> None:
    """The next, first or last Mass; of "pierwsza i ostatnia" an answer has one."""
    for pick, words in mapping("pick").items():
        for match in words_pattern(words).finditer(draft.text.rest):
            if match[0] != "next" or not re.match(r"\W+to\b", draft.text.rest[match.end() :]):
                _choose(draft, "pick", pick, match)
