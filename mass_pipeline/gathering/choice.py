"""Choose a parish's web site among its candidates: by evidence and verification, or the first result as in 2018 (P3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mass_pipeline.crawling.fetching.urls import canonical_or_none
from mass_pipeline.gathering.config import WebsitesConfig
from mass_pipeline.gathering.evidence import CandidateSite, is_crawlable, score_of
from mass_pipeline.gathering.hosts import HostKind, host_of, kind_of
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import UrlStatus
from mass_pipeline.gathering.ports import FetchHome, HomePage, Place
from mass_pipeline.gathering.sharing import site_identity
from mass_pipeline.gathering.verification import Verification, verify
from mass_pipeline.model.errors import FetchError

VERIFIED_SCORE = 0.9  # a page that names the parish outweighs whatever a source says
UNREACHABLE = "page:unreachable"
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


def rank(candidates: Sequence[CandidateSite]) -> tuple[CandidateSite, ...]:
    """Candidates by falling score; those with the same canonical URL become one with the evidence of all."""
    merged: dict[str, CandidateSite] = {}
    for candidate in candidates:
        key = site_identity(canonical_or_none(candidate.url) or candidate.url)
        known = merged.get(key)
        merged[key] = candidate if known is None else _join(known, candidate)
    return tuple(sorted(merged.values(), key=lambda candidate: (-candidate.score, candidate.url)))


def _join(first: CandidateSite, second: CandidateSite) -> CandidateSite:
    evidence = tuple(dict.fromkeys((*first.evidence, *second.evidence)))
    sources = "+".join(dict.fromkeys((*first.source.split("+"), *second.source.split("+"))))
    place_id, phone = first.place_id or second.place_id, first.phone or second.phone
    return CandidateSite(first.url, sources, evidence, score_of(evidence), place_id, phone)


@dataclass(frozen=True, slots=True)
class Seeker:
    """Seeks the web site of one parish.

    Attributes:
        parish: whose site is sought.
        has_namesake: another parish of the town has the same patron.
        policy: which policy, thresholds, and whether to verify.
        fetch: reads a home page; None means no verification.
    """

    parish: Parish
    has_namesake: bool
    policy: WebsitesConfig
    fetch: FetchHome | None

    def choose(self, candidates: Sequence[CandidateSite], places: Sequence[Place] = ()) -> Choice:
        """Choose by the policy of the settings.

        Args:
            candidates: from all sources, in the order of the sources.
            places: what Places found, best first, with and without web sites.
        """
        if self.policy.policy == "first_result":
            return _first_result(candidates, places)
        ranked = rank(candidates)
        if self.fetch is None or not self.policy.verify:
            return _by_score(ranked, self.policy)
        return self._by_verification(ranked, self.fetch)

    def _by_verification(self, ranked: tuple[CandidateSite, ...], fetch: FetchHome) -> Choice:
        """The best candidate whose page names the parish; a site of its own before a diocesan profile."""
        looked: dict[str, CandidateSite] = {}
        chosen, home = None, None
        crawlable = sorted((c for c in ranked if is_crawlable(c.url)), key=lambda c: kind_of(c.url) is HostKind.DIOCESAN)
        for candidate in crawlable[: self.policy.verify_at_most]:
            seen, home = self._look(candidate, fetch)
            looked[candidate.url] = seen
            if home is not None:
                chosen = seen
                break
        final = tuple(sorted((looked.get(c.url, c) for c in ranked), key=lambda c: (-c.score, c.url)))
        if chosen is not None:
            return Choice("ok", home, chosen, final, True)
        plausible = any(is_crawlable(c.url) and c.score >= self.policy.accept_score for c in final)
        return Choice("ambiguous" if plausible else "not_found", None, None, final, False)

    def _look(self, candidate: CandidateSite, fetch: FetchHome) -> tuple[CandidateSite, str | None]:
        """The candidate with what its pages say, and the home page's canonical URL when they name the parish."""
        url = canonical_or_none(candidate.url)
        if url is None:
            return _with(candidate, ("bad_url",), 0.0), None
        try:
            home = fetch(url)
        except FetchError:
            return _with(candidate, (UNREACHABLE,), candidate.score), None
        final = canonical_or_none(home.url) or url
        moved = ("page:moved",) if host_of(final) != host_of(url) else ()
        if not is_crawlable(final):
            return _with(candidate, (*moved, kind_of(final).value), 0.0), None
        judged = self._verify(home, candidate)
        if judged.is_open:
            judged = self._look_further(home, candidate, fetch, judged)
        score = max(candidate.score, VERIFIED_SCORE) if judged.verified else candidate.score * _DISPROVED_SHARE
        return _with(candidate, (*moved, *judged.evidence), score), final if judged.verified else None

    def _look_further(self, home: HomePage, candidate: CandidateSite, fetch: FetchHome, judged: Verification) -> Verification:
        """Home pages often leave the town to the contact page, or everything to their frames: read these too."""
        for url in home.contact_urls[: self.policy.contact_pages]:
            try:
                more = fetch(url)
            except FetchError:
                continue
            home = HomePage(home.url, f"{home.text} {more.text}", home.title or more.title)
            judged = self._verify(home, candidate)
            if not judged.is_open:
                break
        return judged

    def _verify(self, home: HomePage, candidate: CandidateSite) -> Verification:
        return verify(self.parish, home, candidate.phone, has_namesake=self.has_namesake)


def _first_result(candidates: Sequence[CandidateSite], places: Sequence[Place]) -> Choice:
    """P3 as it stands: the web site of the first place, several places are noted; nothing is checked."""
    first = next((c for c in candidates if places and c.place_id == places[0].place_id), None)
    url = canonical_or_none(first.url) if first else None
    if first is None or url is None:
        return Choice("not_found", None, None, tuple(candidates), False)
    return Choice("ambiguous" if len(places) > 1 else "ok", url, first, tuple(candidates), False)


def _by_score(ranked: tuple[CandidateSite, ...], policy: WebsitesConfig) -> Choice:
    """Without verification only a single clear candidate is accepted."""
    good = [c for c in ranked if is_crawlable(c.url) and canonical_or_none(c.url) and c.score >= policy.accept_score]
    if not good:
        return Choice("not_found", None, None, ranked, False)
    if len({host_of(candidate.url) for candidate in good}) > 1:
        return Choice("ambiguous", None, None, ranked, False)
    return Choice("ok", canonical_or_none(good[0].url), good[0], ranked, False)


def _with(candidate: CandidateSite, evidence: tuple[str, ...], score: float) -> CandidateSite:
    return replace(candidate, evidence=tuple(dict.fromkeys((*candidate.evidence, *evidence))), score=round(score, 4))
