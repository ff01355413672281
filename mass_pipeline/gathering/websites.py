"""Find the web site of every parish: candidates from all sources, evidence, verification, one status each (P3, P4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from mass_pipeline.gathering.choice import UNREACHABLE, Choice, Seeker
from mass_pipeline.gathering.config import PlacesConfig, WebsitesConfig
from mass_pipeline.gathering.decisions import find_decision, is_decided, store_decision, sweep
from mass_pipeline.gathering.evidence import CandidateSite, host_evidence, place_evidence, score_of, with_scheme
from mass_pipeline.gathering.ledger import QuotaLedger
from mass_pipeline.gathering.listing import ListedSite
from mass_pipeline.gathering.lookups import Lookup, PlacesLookup
from mass_pipeline.gathering.merging import namesakes
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.parish_url import ParishUrl, RatedUrl, UrlStatus
from mass_pipeline.gathering.ports import Clock, FetchHome, PlacesClient
from mass_pipeline.gathering.sharing import mark_shared
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.identifiers import ParishId, content_id

_NO_PLACES: Final = Lookup("answered")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where candidates come from, beside the directory's own hint.

    Attributes:
        places: Places client; None when Places is not asked.
        places_config: queries, limits and storage time.
        listed: parish -> web sites of the operator's list or of OSM.
    """

    places: PlacesClient | None = None
    places_config: PlacesConfig = field(default_factory=PlacesConfig)
    listed: Mapping[ParishId, Sequence[ListedSite]] = field(default_factory=dict)


def find_websites(
    parishes: Iterable[Parish], sources: Sources, ledger: QuotaLedger, policy: WebsitesConfig, fetch: FetchHome | None, now: Clock
) -> list[ParishUrl]:
    """Look up every parish; decided ones come from the state, so a stopped run goes on where it was.

    Args:
        parishes: in any order.
        sources: where candidates come from.
        ledger: guards the units, and holds the state file.
        policy: how a site is chosen.
        fetch: reads a candidate's home page through the crawler's gate; None: no verification.
        now: the clock.

    Returns:
        One row per parish with exactly one status, sorted by parish_id. Rows are `pending` when the units are spent or
        Places is not asked and no other source has a verified site.

    Raises:
        ConfigurationError: the first-result policy without leave to keep what Places says.
        PlacesDenied: Places refuses the key; what was decided before is kept.
        StorageError: the state cannot be written.
    """
    _check(sources.places_config, policy)
    sweep(ledger.state, now())
    parishes = list(parishes)
    search = _Search(sources, ledger, policy, fetch, now, namesakes(parishes))
    pool = ThreadPoolExecutor(max_workers=sources.places_config.parallel_lookups)
    try:
        rows = list(pool.map(search.decide, parishes))
    finally:  # broken off, nobody waits for the rest: what is under way ends with the clients
        pool.shutdown(wait=False, cancel_futures=True)
    return sorted(mark_shared(rows), key=lambda row: row.parish_id)


class _Search:
    """The look-up of one parish after another, with what they share."""

    def __init__(
        self,
        sources: Sources,
        ledger: QuotaLedger,
        policy: WebsitesConfig,
        fetch: FetchHome | None,
        now: Clock,
        with_namesake: frozenset[ParishId],
    ) -> None:
        self._with_namesake = with_namesake
        self._sources, self._ledger, self._policy, self._fetch, self._now = sources, ledger, policy, fetch, now
        self._lookup = PlacesLookup(sources.places, ledger, sources.places_config, now) if sources.places else None

    def decide(self, parish: Parish) -> ParishUrl:
        fingerprint = self._fingerprint(parish)
        known = self._decided(parish, fingerprint)
        if known is not None:
            return known
        limit = self._policy.dead_runs
        settled = partial(is_decided, parish_id=parish.parish_id, fingerprint=fingerprint, dead_runs_limit=limit)
        lookup = self._lookup.look_up(parish, settled) if self._lookup else _NO_PLACES
        seeker = Seeker(parish, parish.parish_id in self._with_namesake, self._policy, self._fetch)
        choice = seeker.choose(self._candidates(parish, lookup), lookup.places)
        row = self._row(parish, lookup, choice)
        if row.status == "pending":  # another process may have decided it in the meantime
            return self._decided(parish, fingerprint) or row
        if row.status not in {"pending", "error"}:
            self._keep(row, fingerprint, lookup)
        return row

    def _decided(self, parish: Parish, fingerprint: str) -> ParishUrl | None:
        return find_decision(self._ledger.state, parish.parish_id, fingerprint, self._policy.dead_runs)

    def _keep(self, row: ParishUrl, fingerprint: str, lookup: Lookup) -> None:
        """Rows that rest on unverified Places content, or on a site that did not answer, hold for a time only."""
        days, now = self._sources.places_config.content_days, self._now()
        limits = [days] if days > 0 and any(c.source == "places" for c in row.candidates) else []
        if row.url is None and any(UNREACHABLE in c.evidence for c in row.candidates):
            limits.append(self._policy.retry_days)
        until = now + timedelta(days=min(limits)) if limits else None
        served = () if days > 0 else lookup.questions
        store_decision(self._ledger.state, row, fingerprint, now, valid_until=until, served=served)

    def _candidates(self, parish: Parish, lookup: Lookup) -> list[CandidateSite]:
        found = []
        if parish.website_hint:
            found.append(_listed(parish.website_hint, "directory"))
        found.extend(_listed(site.url, site.source) for site in self._sources.listed.get(parish.parish_id, ()))
        for place in lookup.places:
            if place.website:
                evidence = (*place_evidence(parish, place), host_evidence(place.website))
                found.append(CandidateSite(place.website, "places", evidence, score_of(evidence), place.place_id, place.phone))
        return found

    def _row(self, parish: Parish, lookup: Lookup, choice: Choice) -> ParishUrl:
        chosen = choice.chosen
        place_id = chosen.place_id if chosen else None
        return ParishUrl(
            parish_id=parish.parish_id,
            diocese_key=parish.diocese_key,
            status=self._status(lookup, choice),
            url=choice.url,
            scope_prefix=None,
            shared_host=False,
            place_id=place_id or (lookup.places[0].place_id if lookup.places else None),
            source=chosen.source if chosen else None,
            query=lookup.query,
            candidates=tuple(self._publishable(candidate, choice) for candidate in choice.candidates),
            verified=choice.verified,
            checked_at=self._now(),
        )

    def _status(self, lookup: Lookup, choice: Choice) -> UrlStatus:
        """A verified site is found even when Places could not be asked; else an unasked parish stays pending."""
        if choice.status == "ok" or lookup.status == "answered":
            if self._lookup is None and choice.status != "ok":
                return "pending" if choice.status == "not_found" else choice.status
            return choice.status
        return lookup.status

    def _publishable(self, candidate: CandidateSite, choice: Choice) -> RatedUrl:
        """Places content is withheld unless its site was verified or the settings allow keeping it for some days."""
        is_places_only = candidate.source == "places"
        is_verified = choice.verified and choice.chosen is not None and candidate.url == choice.chosen.url
        if is_places_only and not is_verified and self._sources.places_config.content_days == 0:
            return RatedUrl(place_link(candidate.place_id or ""), candidate.source, candidate.evidence, candidate.score)
        return RatedUrl(candidate.url, candidate.source, candidate.evidence, candidate.score)

    def _fingerprint(self, parish: Parish) -> str:
        listed = self._sources.listed.get(parish.parish_id, ())
        policy = self._policy
        facts = (parish.name, parish.town, parish.street or "", parish.postcode or "", parish.website_hint or "")
        verifies, asks = policy.verify and self._fetch is not None, self._lookup is not None
        how = (policy.policy, str(verifies), str(asks), "False")  # the last was an option: what was decided stays decided
        return content_id(*facts, *(f"{site.source} {site.url}" for site in listed), *how)


def _check(places: PlacesConfig, policy: WebsitesConfig) -> None:
    if policy.policy == "first_result" and places.content_days == 0:
        raise ConfigurationError(
            "The first-result policy keeps web sites that only Places vouches for; say for how many days they may be kept "
            "with MASS_PIPELINE_PLACES_CONTENT_DAYS (docs/terms.md), or use MASS_PIPELINE_WEBSITES_POLICY=evidence."
        )


def place_link(place_id: str) -> str:
    """A link that shows a place on Google Maps without keeping any of its content.

    >>> place_link("abc")
    'https://www.google.com/maps/place/?q=place_id:abc'
    """
    return f"https://www.google.com/maps/place/?q=place_id:{place_id}"


def _listed(url: str, source: str) -> CandidateSite:
    url = with_scheme(url.strip())
    evidence = (f"listed_by_{source}", host_evidence(url))
    return CandidateSite(url, source, evidence, score_of(evidence))
