"""Choose a parish's web site among its candidates: by evidence and verification, or the first result as in 2018 (P3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mass_pipeline.crawler.urls import BadUrl, canonicalize
from mass_pipeline.discovery.config import WebsitesConfig
from mass_pipeline.discovery.evidence import CandidateSite, is_crawlable, score_of
from mass_pipeline.discovery.hosts import HostKind, host_of, kind_of
from mass_pipeline.discovery.parish import Parish
from mass_pipeline.discovery.parish_url import UrlStatus
from mass_pipeline.discovery.ports import FetchHome, HomePage
from mass_pipeline.discovery.verification import Verification, verify
from mass_pipeline.model.errors import FetchError

VERIFIED_SCORE = 0.9  # a page that names the parish outweighs whatever a source says
_DISPROVED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Choice:
    """The outcome for one parish.

    Attributes:
        status: `ok`, `ambiguous` or `not_found`.
        url: start URL, canonical; None unless ok (or ambiguous under the first-result policy, which takes it all the same).
        chosen: the candidate it comes from.
        candidates: all of them, best first, with the evidence of verification.
        verified: whether the page itself names the parish.
    """

    status: UrlStatus
    url: str | None
    chosen: CandidateSite | None
    candidates: tuple[CandidateSite, ...]
    verified: bool


def choose(
    parish: Parish, candidates: Sequence[CandidateSite], policy: WebsitesConfig, fetch: FetchHome | None, places_found: int
) -> Choice:
    """Choose by the policy of the settings.

    Args:
        parish: whose site is sought.
        candidates: from all sources, in the order of the sources.
        policy: which policy, thresholds, and whether to verify.
        fetch: reads a home page; None means no verification.
        places_found: number of places the search gave, with or without a web site.
    """
    if policy.policy == "first_result":
        return _first_result(candidates, places_found)
    ranked = rank(candidates)
    if fetch is None or not policy.verify:
        return _by_score(ranked, policy)
    return _by_verification(parish, ranked, policy, fetch)


def rank(candidates: Sequence[CandidateSite]) -> tuple[CandidateSite, ...]:
    """Candidates by falling score; those with the same canonical URL become one with the evidence of all."""
    merged: dict[str, CandidateSite] = {}
    for candidate in candidates:
        key = _identity(candidate.url)
        known = merged.get(key)
        merged[key] = candidate if known is None else _join(known, candidate)
    return tuple(sorted(merged.values(), key=lambda candidate: (-candidate.score, candidate.url)))


def _join(first: CandidateSite, second: CandidateSite) -> CandidateSite:
    evidence = tuple(dict.fromkeys((*first.evidence, *second.evidence)))
    sources = "+".join(dict.fromkeys((*first.source.split("+"), *second.source.split("+"))))
    place_id, phone = first.place_id or second.place_id, first.phone or second.phone
    return CandidateSite(first.url, sources, evidence, score_of(evidence), place_id, phone)


def _first_result(candidates: Sequence[CandidateSite], places_found: int) -> Choice:
    """P3 as it stands: the web site of the first place, several places are noted; nothing is checked."""
    first = next((candidate for candidate in candidates if candidate.source == "places"), None)
    url = _canonical(first.url) if first else None
    if first is None or url is None:
        return Choice("not_found", None, None, tuple(candidates), False)
    return Choice("ambiguous" if places_found > 1 else "ok", url, first, tuple(candidates), False)


def _by_score(ranked: tuple[CandidateSite, ...], policy: WebsitesConfig) -> Choice:
    """Without verification only a single clear candidate is accepted."""
    good = [c for c in ranked if is_crawlable(c.url) and _canonical(c.url) and c.score >= policy.accept_score]
    if not good:
        return Choice("not_found", None, None, ranked, False)
    if len({host_of(candidate.url) for candidate in good}) > 1:
        return Choice("ambiguous", None, None, ranked, False)
    return Choice("ok", _canonical(good[0].url), good[0], ranked, False)


def _by_verification(parish: Parish, ranked: tuple[CandidateSite, ...], policy: WebsitesConfig, fetch: FetchHome) -> Choice:
    """The best candidate whose page names the parish; a site of its own before a diocesan profile."""
    looked: dict[str, CandidateSite] = {}
    verified: list[tuple[CandidateSite, str]] = []
    crawlable = sorted((c for c in ranked if is_crawlable(c.url)), key=lambda c: kind_of(c.url) is HostKind.DIOCESAN)
    for candidate in crawlable[: policy.verify_at_most]:
        seen, home = _look(parish, candidate, policy, fetch)
        looked[candidate.url] = seen
        if home is not None:
            verified.append((seen, home))
            break
    final = tuple(sorted((looked.get(c.url, c) for c in ranked), key=lambda c: (-c.score, c.url)))
    if verified:
        chosen, home = verified[0]
        return Choice("ok", home, chosen, final, True)
    plausible = any(is_crawlable(c.url) and c.score >= policy.accept_score for c in final)
    return Choice("ambiguous" if plausible else "not_found", None, None, final, False)


def _look(parish: Parish, candidate: CandidateSite, policy: WebsitesConfig, fetch: FetchHome) -> tuple[CandidateSite, str | None]:
    """The candidate with what its pages say, and the home page's canonical URL when they name the parish."""
    url = _canonical(candidate.url)
    if url is None:
        return _with(candidate, ("bad_url",), 0.0), None
    try:
        home = fetch(url)
    except FetchError:
        return _with(candidate, ("page:unreachable",), candidate.score), None
    final = _canonical(home.url) or url
    moved = ("page:moved",) if host_of(final) != host_of(url) else ()
    if not is_crawlable(final):
        return _with(candidate, (*moved, kind_of(final).value), 0.0), None
    judged = verify(parish, home, candidate.phone)
    if judged.is_open:
        judged = _look_further(parish, candidate, home, policy, fetch, judged)
    score = max(candidate.score, VERIFIED_SCORE) if judged.verified else candidate.score * _DISPROVED_SHARE
    return _with(candidate, (*moved, *judged.evidence), score), final if judged.verified else None


def _look_further(
    parish: Parish,
    candidate: CandidateSite,
    home: HomePage,
    policy: WebsitesConfig,
    fetch: FetchHome,
    judged: Verification,
) -> Verification:
    """Home pages often leave the town to the contact page, or everything to their frames: read these too."""
    for url in home.contact_urls[: policy.contact_pages]:
        try:
            more = fetch(url)
        except FetchError:
            continue
        home = HomePage(home.url, f"{home.text} {more.text}", home.title or more.title)
        judged = verify(parish, home, candidate.phone)
        if not judged.is_open:
            break
    return judged


def _with(candidate: CandidateSite, evidence: tuple[str, ...], score: float) -> CandidateSite:
    return replace(candidate, evidence=tuple(dict.fromkeys((*candidate.evidence, *evidence))), score=round(score, 4))


def _canonical(url: str) -> str | None:
    try:
        return canonicalize(url)
    except BadUrl:
        return None


def _identity(url: str) -> str:
    """Scheme and `www.` do not make another site."""
    canonical = _canonical(url) or url
    return canonical.split("://", 1)[-1].removeprefix("www.").rstrip("/")
