"""The one judge of single hours: is this hour of a site a Mass of its standing order, by the rules and by the classifier?

The rules judge first, and hours of other pages corroborate: what repeats the schedule of the site is a Mass though its page
states none. What the rules leave open the classifier decides, page by page; a page on which it finds times that the site's
schedule does not know is believed in nothing: such pages list neighbouring parishes or tell of other dates. Dated, cancelled
and other hours are never accepted. `mass-pipeline hours` prints these verdicts, and `combine` publishes by them.

Belongs: the verdict on an hour. Not here: its words (hour_words), the schedule the hours make (combine).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.schema import frame_of, is_mass_probability, standing_probability
from mass_pipeline.model.records import Mass, SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.regular.readings import standing_slots
from mass_pipeline.reading.regular.schedule_blocks import ScheduleBlock
from mass_pipeline.reading.text.candidates import CandidateHour, find_candidates
from mass_pipeline.reading.validity.assembly import HourVerdict
from mass_pipeline.site_reading import hour_words

_FINAL_KINDS: Final = frozenset({"dated", "cancelled", "range"})
_REPEATED_SHARE: Final = 0.8
_AGREEING_SHARE: Final = 0.8  # of a page's accepted open hours; the same share by which a part of a page repeats the schedule
_NEVER: Final = 0.01
_DOUBTFUL: Final = 0.2
_CORROBORATED: Final = 0.9
_READ: Final = 0.97
# When the classifier is followed.
ACCEPT: Final = 0.98  # least probability of `standing` at which an hour the rules left open is published
_OPEN_HOUR: Final = 0.9  # the same for the verdict on a single hour, which publishes nothing by itself
REJECT: Final = 0.005  # greatest probability of being a Mass at all at which an hour the rules accepted is taken back
FIRM: Final = 0.9  # confidence of the rules from which on they are not overruled
LEAST_PAGE_SCORE: Final = 0.3  # hours of pages below it are never added


@dataclass(frozen=True, slots=True)
class JudgedHour:
    """A candidate hour and what is thought of it.

    Attributes:
        hour: the candidate; its `reading` is the Mass that the rules or the agreement with other pages took it for.
        is_mass: accepted as a Mass of the standing order.
        score: 0..1, how surely it is one.
        is_open: the rules do not know what the hour is; who knows better may decide.
        stated: the Mass that its own page states as its standing order.
        said: the Mass it is by its own words, also in a part of the page that is not taken for the standing order.
        standing, mass: probability of a Mass of the standing order, and of any Mass that takes place; None without a classifier.
    """

    hour: CandidateHour
    is_mass: bool
    score: float
    is_open: bool = False
    stated: Mass | None = None
    said: Mass | None = None
    standing: float | None = None
    mass: float | None = None


def judge_hours(
    readings: Sequence[PageReading], schedule: SiteSchedule, *, parish_id: str, model: Trained | None = None
) -> list[list[JudgedHour]]:
    """Judge every candidate hour of a site.

    Args:
        readings: one per page.
        schedule: what they add up to.
        parish_id: parish of the site.
        model: the classifier; None for the rules alone.

    Returns:
        For each page, in the order given, its hours in reading order.
    """
    standing = standing_slots(schedule.masses)
    times = {time for _, time in standing}
    judged = [_judge_page(reading, standing, times, parish_id) for reading in readings]
    return judged if model is None else with_classifier(judged, model)


def with_classifier(judged: Sequence[Sequence[JudgedHour]], model: Trained) -> list[list[JudgedHour]]:
    """Complete the rules' verdicts on the hours of a site by the classifier's.

    Returns:
        The same shape. An open hour is a Mass from the threshold of the model on, at least 0.9, on pages that agree with the
        site's schedule; its score is the classifier's. What the rules accept stays a Mass, with a score that both raise; what
        they know to be something else stays so.
    """
    chances = model.predict_proba(frame_of(one.hour for page in judged for one in page))
    standing, mass = iter(standing_probability(chances).tolist()), iter(is_mass_probability(chances).tolist())
    weighed = [[replace(one, standing=next(standing), mass=next(mass)) for one in page] for page in judged]
    times = {one.hour.time for page in judged for one in page if one.is_mass}
    return [_completed_page(page, times, max(model.threshold, _OPEN_HOUR)) for page in weighed]


def _completed_page(page: Sequence[JudgedHour], times: Set[str], accept: float) -> list[JudgedHour]:
    found = [one.hour.time for one in page if one.is_open and not one.is_mass and (one.standing or 0.0) >= accept]
    agrees = not times or sum(time in times for time in found) >= _AGREEING_SHARE * len(found)
    return [_completed(one, one.standing or 0.0, accept, agrees) for one in page]


def _completed(one: JudgedHour, standing: float, accept: float, agrees: bool) -> JudgedHour:
    if one.is_mass:
        return replace(one, score=1.0 - (1.0 - one.score) * (1.0 - standing))
    if one.is_open and agrees:
        return replace(one, is_mass=standing >= accept, score=standing)
    return one


def _judge_page(reading: PageReading, standing: Set[tuple[str, str]], times: Set[str], parish_id: str) -> list[JudgedHour]:
    verdicts = dict(reading.verdicts)
    said: dict[tuple[int, int], Mass | None] = {}
    for notice in reading.notices:
        repeats = _repeats(notice, standing)  # then also what was set aside is what the site states elsewhere
        judged_by_rules = notice.reading.verdicts if repeats else notice.verdicts
        named = {place: verdict for place, verdict in judged_by_rules.items() if verdict.kind == "mass"}
        said.update((place, verdict.mass) for place, verdict in named.items())
        if repeats:
            verdicts.update(named)
    judged = []
    for hour in candidates_of(reading, parish_id, verdicts):
        place = (hour.line, hour.start)
        stated = reading.verdicts.get(place)
        verdict = _judge(hour, verdicts.get(place), standing, times)
        judged.append(replace(verdict, stated=stated.mass if stated is not None else None, said=said.get(place)))
    return judged


def candidates_of(
    reading: PageReading, parish_id: str, verdicts: Mapping[tuple[int, int], HourVerdict] | None = None
) -> list[CandidateHour]:
    """The candidate hours of a page, each with the Mass that the rules took it for.

    Args:
        verdicts: of its hours; those of the reading when None.
    """
    known = reading.verdicts if verdicts is None else verdicts
    masses = {place: verdict.mass for place, verdict in known.items() if verdict.mass is not None}
    return find_candidates(reading.document, parish_id=parish_id, page_score=reading.score, readings=masses)


def _repeats(notice: ScheduleBlock, standing: Set[tuple[str, str]]) -> bool:
    """Whether a part of a page says the same as the schedule of the site, though it does not look like one by itself."""
    said = standing_slots(notice.masses)
    return bool(said) and len(said & standing) >= _REPEATED_SHARE * len(said)


def _judge(hour: CandidateHour, verdict: HourVerdict | None, standing: Set[tuple[str, str]], times: Set[str]) -> JudgedHour:
    if hour_words.begins_range(hour):
        return JudgedHour(hour, False, _NEVER)
    if verdict is not None and verdict.kind == "mass":
        if hour.time not in times or hour_words.is_former(hour):
            return JudgedHour(hour, False, _DOUBTFUL)
        return JudgedHour(hour, True, _READ)
    is_open = verdict.kind == "unclear" if verdict is not None else not hour_words.ends_range(hour)
    if hour.time not in times or (verdict is not None and verdict.kind in _FINAL_KINDS):
        return JudgedHour(hour, False, _NEVER, is_open)
    named = hour_words.is_named_a_mass(hour.left, hour.right)
    if named or (is_open and (hour_words.is_said_to_be_standing(hour.left, hour.right) or hour_words.is_listed(hour, standing))):
        return JudgedHour(hour, True, _CORROBORATED)
    return JudgedHour(hour, False, _DOUBTFUL if is_open else _NEVER, is_open)
