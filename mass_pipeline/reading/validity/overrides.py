"""What replaces, removes or adds to what: groups of times in the order of the text -> Masses.

Belongs here: the semantics of exceptions. Not here: which words govern which hour (`reading.grammar`), which hours count
(`listed_times`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mass_pipeline.model.dates_of_year import SUMMER, WINTER, YEAR, DatesOfYear, dates_of_months, joined, months_in
from mass_pipeline.reading.doubts import BARE_FEASTS, DAILY, EVENING_BRACKET, KNOWN_BRACKET, OTHER_BRACKET, Doubts, Question
from mass_pipeline.reading.grammar.time_groups import (
    Adds,
    DaysFrom,
    ElsewhereOn,
    InBracket,
    ItsDays,
    Keeps,
    Only,
    OnlyOn,
    Removes,
    Replaces,
    SameAs,
    Scope,
    SingleDates,
    States,
    TakesTurns,
    TimeEntry,
    TimeGroup,
    Unread,
)
from mass_pipeline.reading.phrases.nodes import (
    LISTS_AND_DAYS,
    NTH,
    WORKDAYS,
    WORKING_WEEK,
    Cond,
    Days,
    InList,
    InSeason,
    Nth,
    OnDays,
    OnNth,
    Season,
    WhichDays,
)
from mass_pipeline.reading.validity.listed_times import DARK_MONTHS, LIGHT_MONTHS, chosen_times
from mass_pipeline.reading.validity.regions import (
    NOWHERE,
    Region,
    dates_of,
    days_of,
    holds_every_week,
    in_any_week,
    moved_to,
    on_dates,
    on_days,
    region,
    region_of_nth,
    with_last_weeks,
)
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.parts_of_day import (
    AFTERNOON,
    SAME_MASS_MINUTES,
    SEASONAL_MINUTES,
    is_in_half,
    may_be_one_mass,
    minutes_between,
)
from mass_pipeline.reading.words.remarks import REMARK_OF_MONTHS, REMARK_OF_SEASON, tells_turns

# Of a text that is a schedule: "w poniedziałki nie ma Mszy", "17.00 (19.00)", and "święta: jak w niedzielę" once a church.
_MOST_DAY_REMOVALS: Final = 50
_MOST_BARE_BRACKETS: Final = 20
_MOST_COPIES: Final = 20
_KEEPS_BASE: Final = tuple(map(dates_of_months, ((5,), (10,), (5, 10))))  # gold convention 3: the base stays "all"
_FEASTS: Final = frozenset({"PH", "AF"})
_OTHER_BUILDING: Final = re.compile(r"\b(?:fili|kaplic|szpital|klasztor|cmentar)")  # folded: its denial is of no order here
_OVERLAYS: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})
_STEM: Final = 5  # letters at least that the cases of a name share
_ENDING: Final = 2  # letters at most in which they differ at the end
_REMARKS: Final = ("z ", "ze ", "dla ", "suma")  # with whom, for whom and what it is called
_ALONG: Final = ("z ", "ze ", "połączon", "po niej", "po której")  # what comes along with a Mass


@dataclass(slots=True)
class Conditions:
    """When something holds.

    Attributes:
        area: days, weeks and dates.
        overlay: season without dates of its own, "" when none.
        named: the source named summer or winter.
    """

    area: Region
    overlay: str = ""
    named: bool = False

    def limit(self, season: Season, *, excluded: bool) -> None:
        """Narrow to a season; overlays have no dates, so leaving one out changes nothing but the remark."""
        if season.dates is None:
            if not excluded:
                self.overlay = season.name if _OVERLAYS.issuperset(season.name.split("+")) else "custom"
            return
        self.named = self.named or season.name in ("summer", "winter")
        self.area = on_dates(self.area, YEAR & ~season.dates if excluded else season.dates)


@dataclass(slots=True)
class Entry:
    """A Mass with the days, weeks and dates it has left after all exceptions.

    Attributes:
        item: the hour in the text.
        label: the list it belongs to (identity of the condition), None outside lists.
        area, overlay, named: as in `Conditions`.
        place: as written, "" for the parish church.
        church: the place in the case in which the text first names it, for comparing.
        notes: remarks.
        time: `HH:MM`.
        unread: what is said of it in a sentence that no rule reads.
    """

    item: TimeEntry
    label: Cond | None
    area: Region
    overlay: str
    named: bool
    place: str
    church: str
    notes: list[str]
    time: str
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class Resolver:
    """Applies groups one after another; `entries` is what holds.

    Attributes:
        has_sunday_list, has_holy_days: the text has lists of their own for them.
        parts_of_year: identities of groups of one hour that, with others, make up the year (`listed_times`).
    """

    doubts: Doubts
    has_sunday_list: bool = False
    has_holy_days: bool = False
    parts_of_year: frozenset[int] = frozenset()
    entries: list[Entry] = field(default_factory=list)
    season_lists: list[tuple[Cond, Region, str]] = field(default_factory=list)  # for parts of the year: label, when, where
    places: dict[str, list[str]] = field(default_factory=dict)  # as first written, by their beginnings
    bare_brackets: int = 0
    day_removals: int = 0
    copies: int = 0
    of_weeks: Region = NOWHERE  # days of certain weeks that have hours of their own

    def apply(self, run: TimeGroup) -> None:
        """Apply one group."""
        effect = run.effect
        if isinstance(effect, SameAs):
            self._copy(run, effect.days)
        elif isinstance(effect, Removes):
            self._remove(run, effect)
        elif isinstance(effect, Unread):
            self._doubt(run, effect)
        elif not isinstance(effect, Keeps):
            self._state(run, effect)

    def _state(self, run: TimeGroup, effect: States | Adds | Only | TakesTurns | Replaces) -> None:
        where, stated = self._where(run), run
        if where is None and (own := [item for item in run.items if _names_own_days(item)]):
            where, stated = _anywhere(run.scope), replace(run, items=own)
        if isinstance(effect, Replaces):
            where = self._where_of_replaced(run, effect.time, where)
        if where is None:
            return
        fresh = [entry for item in chosen_times(stated, self.doubts) for entry in self._entries_of(item, stated, where)]
        fresh = [entry for entry in fresh if not self._only_remarks(entry)]
        if not fresh:
            return
        self._place_as_above(run, fresh)
        self._narrow_to_days_above(run, where, fresh)
        if isinstance(effect, Replaces):
            self._replace(effect.time, where)
        elif run.bracket is not None:
            self._apply_bracket(run, run.bracket, where, fresh)
        else:
            self._apply_plain(run, where, fresh)
        self.entries.extend(fresh)

    def _only_remarks(self, fresh: Entry) -> bool:
        """`Nd 12.30 – z dziećmi` below a list that has the hour of these days for a part of the year: a remark, no more hours."""
        if fresh.item.is_vigil or dates_of(fresh.area) != YEAR:
            return False
        if not fresh.notes or not all(note.startswith(_REMARKS) for note in fresh.notes):
            return False
        days = days_of(fresh.area) - {"PH"}
        return any(
            (entry.time, entry.church) == (fresh.time, fresh.church)
            and entry.item.line != fresh.item.line
            and dates_of(entry.area) != YEAR
            and days_of(entry.area) - {"PH"} == days
            for entry in self.entries
        )

    # --- when a group holds ------------------------------------------------------------------------------------------

    def _days(self, days: Days) -> frozenset[str]:
        if days.daily and not self.has_sunday_list and self.doubts.answer(Question("daily"), DAILY) == "every day":
            return days.days | {"Su"}
        if days.feasts and not self.has_holy_days:
            return frozenset({"AF" if self.doubts.answer(Question("feasts"), BARE_FEASTS) == "abolished feasts" else "PH"})
        return frozenset({"AF"}) if days.feasts else days.days

    def days_of_run(self, run: TimeGroup) -> frozenset[str]:
        """The days of a group; none where the text names none."""
        where = self._where(run)
        return days_of(where.area) if where is not None else frozenset()

    def _where(self, run: TimeGroup) -> Conditions | None:
        """None when the text names no days."""
        label, days, nth, season = run.label(), run.days(), run.nth(), run.season()
        denies = isinstance(run.effect, (Removes, Unread))  # in whichever feasts have the hour
        if nth is not None:
            area = region_of_nth(nth)
        elif days is not None and days.rest and run.stands_beside:  # "I piątek: 16.00, pozostałe dni: 18.00"
            area = region(days.days) & ~self.of_weeks
        elif days is not None:
            leaves_out = run.scope[OnDays].excluded
            base = self._days(label) if label is not None else WORKING_WEEK
            named = _FEASTS if days.feasts and (denies or leaves_out) else self._days(days)
            area = region(base - named if leaves_out else named)
        elif label is not None:
            area = region(_FEASTS if label.feasts and denies else self._days(label))
        else:
            return None
        where = Conditions(area)
        if season is not None:
            where.limit(season, excluded=run.scope[InSeason].excluded)
        return where

    def _where_of_replaced(self, run: TimeGroup, time: str, own: Conditions | None) -> Conditions | None:
        """What is put in the place of an hour takes place on the days of that hour; None when nothing says on which."""
        if not (area := _union(entry for entry in self.entries if entry.time == time)):
            return own
        area = (on_days(area, WORKING_WEEK) if _has_roraty(run) else NOWHERE) or area  # whether or not Sunday has the hour too
        if own is None or run.days_from is DaysFrom.HOURS_ABOVE:  # below the list of another day, or of certain weeks
            own = _anywhere(run.scope)
        return Conditions((area & own.area) or on_dates(area, dates_of(own.area)) or own.area, own.overlay, own.named)

    def _entries_of(self, item: TimeEntry, run: TimeGroup, where: Conditions) -> list[Entry]:
        """The entries of one hour: one, or more when its place depends on the day."""
        own = replace(where)
        notes = list(dict.fromkeys(item.notes))
        season_of_run = run.season()
        if season_of_run is not None and season_of_run.says and not run.scope[InSeason].excluded:
            notes.append(season_of_run.says)
        for cond in item.restrictions:
            self._restrict(own, cond, notes)
        for said in item.said(OnlyOn):
            season, days = said.season.value, said.days.value
            if isinstance(season, Season) and isinstance(days, Days) and season.dates:
                own.area &= ~region(days_of(own.area) - self._days(days), season.dates, (*NTH, -1))
        place = item.place or run.place()
        if " i " not in place and dates_of(own.area) == YEAR and any(map(tells_turns, notes)):
            own.overlay = own.overlay or "custom"  # on some of these days, and nobody says on which; "w Hucie i Lesie": on all
        parts: list[tuple[Region, str]] = []
        for elsewhere in item.said(ElsewhereOn):
            named = elsewhere.days.value
            part = own.area & (region(self._days(named)) if isinstance(named, Days) else NOWHERE)
            own.area &= ~part
            parts.append((part, str(elsewhere.place.value)))
        said_apart = parts and any(other is not item and other.clock.time == item.clock.time for other in run.items)
        parts.insert(0, (NOWHERE if said_apart else own.area, place))  # "17.45 (pn, wt), 17.45 (śr - Lipie)"
        label, time = run.scope.get(InList), item.clock.time
        return [Entry(item, label, area, own.overlay, own.named, at, self._church(at), notes, time) for area, at in parts if area]

    def _restrict(self, where: Conditions, cond: Cond, notes: list[str]) -> None:
        """Narrow the place in the calendar by one condition."""
        value = cond.value
        if isinstance(value, Season):
            where.limit(value, excluded=cond.excluded)
            if cond.excluded:
                notes.extend(_remarks_of(value.name))
            elif value.says:
                notes.append(value.says)
            return
        dates = dates_of(where.area) or YEAR
        if isinstance(value, Nth):
            if cond.excluded:
                where.area &= ~region_of_nth(value)
                return
            parts = [region_of_nth(replace(part, more=()), dates) for part in (value, *value.more)]
            whole = with_last_weeks(where.area)
            where.area = joined((whole & part) or part for part in parts)  # "(w I piątki i święta zniesione)"
        elif isinstance(value, Days):
            named = _FEASTS if value.feasts and cond.excluded else self._days(value)
            other = region(named, YEAR, (*NTH, -1))
            where.area = where.area & ~other if cond.excluded else (where.area & other) or region(named, dates)

    def _church_denied(self, place: str) -> str:
        """The church that a denial means: `w kaplicy` that of `w kaplicy w Rudawce`, where no other chapel has Masses."""
        church, noun = self._church(place), fold(place).split()[:1]
        known = {entry.church for entry in self.entries}
        alike = [one for one in known if noun and " " not in place and one and _share_stem(fold(one).split()[0], noun[0])]
        return alike[0] if church not in known and len(alike) == 1 else church

    def _church(self, place: str) -> str:
        """A place in the case in which it is first named: `17.00 - Brzezina`, then `latem w Brzezinie 18.00`."""
        alike = self.places.setdefault(fold(place)[:_STEM], [])
        first = next((one for one in alike if is_same_place(one, place)), None)
        if first is None:
            alike.append(place)
        return first or place

    def _place_as_above(self, run: TimeGroup, fresh: Sequence[Entry]) -> None:
        """`w kościele św. Anny: 7.15, 9.45; w niedziele wakacyjne: 7.15`: the list of a season is at its list's place."""
        label = run.scope.get(InList)
        if run.season() is None or label is None or run.bracket is not None or any(entry.place for entry in fresh):
            return
        above = [entry for entry in self.entries if _share_days(entry.label, label)]
        places = {entry.place for entry in above}
        if len(places) == 1 and {entry.time for entry in above} & {entry.time for entry in fresh}:
            for entry in fresh:
                entry.place, entry.church = above[0].place, above[0].church

    def _narrow_to_days_above(self, run: TimeGroup, where: Conditions, fresh: Sequence[Entry]) -> None:
        """`(sobota 19.00) (porządek zimowy: 17.00)`: the winter's hour of those days alone that have one near it at its place."""
        season, label = run.season(), run.scope.get(InList)
        is_plain = run.bracket is None and run.stands_beside and not run.scope.keys() & {OnDays, OnNth}
        if len(fresh) != 1 or not is_plain or season is None or not season.dates:
            return
        (lone,) = fresh
        above = [entry for entry in self.entries if _share_days(entry.label, label) and entry.church == lone.church]
        days = days_of(_union(entry for entry in _near(above, lone.time) if entry.time != lone.time))
        if days and "Su" not in days_of(lone.area):
            where.area = lone.area = on_days(lone.area, days) or lone.area

    # --- plain juxtaposition -----------------------------------------------------------------------------------------

    def _apply_plain(self, run: TimeGroup, where: Conditions, fresh: Sequence[Entry]) -> None:
        """`18.00; środa 8.00`, `8.00, 18.00; zimą 17.00`: take from the base what the new hours replace."""
        if isinstance(run.effect, (Adds, TakesTurns)) or where.overlay or all(entry.item.is_vigil for entry in fresh):
            return
        nth, season, label = run.nth(), run.season(), run.scope.get(InList)
        only = isinstance(run.effect, Only)
        if nth is not None:
            self.of_weeks |= where.area
            if nth.rest:
                self._take(self._base(run, where, fresh), where.area)
            return
        if (season is None or season.dates == YEAR) and run.days() is None:
            self._yield_to_season_lists(label, fresh)
            if only:  # "W tygodniu jest tylko Msza o 7.00" beside the list
                hours, places, days = {one.time for one in fresh}, {one.church for one in fresh}, days_of(where.area)
                listed = (e for e in self.entries if e.label is not label and days <= days_of(e.area) and e.church in places)
                self._wait([entry for entry in listed if entry.time not in hours], "tylko")
            return
        if season is not None and season.dates and label is not None and run.days() is None and (len(fresh) > 1 or only):
            self.season_lists += [(label, where.area, place) for place in {entry.church for entry in fresh}]
        if season is not None and season.dates in _KEEPS_BASE:
            return
        base = self._base(run, where, fresh)
        if season is None:  # of a list with one hour to a line, "8.00, w soboty 9.00" means the hour of its own line
            base = [entry for entry in base if entry.item.line == fresh[0].item.line] or base
            only = only or days_of(where.area) == {"Sa"}  # Saturday has its own order
        for entry in fresh:
            entry.place = next((one.place for one in base if one.church == entry.church), entry.place)
        base = _near(base, fresh[0].time) if id(run) in self.parts_of_year else base
        only = only or ({e.time for e in fresh} <= {e.time for e in base} and not (season is None and _tells_along(fresh)))
        area = where.area if season is not None else _union(fresh)
        self._take(_superseded(base, fresh, season, only=only), area, named=where.named)

    def _yield_to_season_lists(self, label: Cond | None, fresh: Sequence[Entry]) -> None:
        """`w ciągu roku` after a list for the vacation: it is the list of the rest of the year."""
        for other, area, place in self.season_lists:
            for entry in fresh if other is not label and _share_days(label, other) else ():
                entry.area &= ~area if entry.church == place else entry.area

    def _base(self, run: TimeGroup, where: Conditions, fresh: Sequence[Entry]) -> list[Entry]:
        """Entries that the group may replace: same list, same place, earlier, on some of its days."""
        label, season, days = run.scope.get(InList), run.season(), run.days()
        places = {entry.church for entry in fresh}
        found: list[Entry] = []
        within_too, every_week = isinstance(run.effect, Only), run.nth() is None
        overlays = ("", "custom") if within_too else ("",)  # "od Wielkanocy 18.30, we wtorki cały rok tylko 8.00"
        of_vigils = season is not None and days is not None and days.days == {"Sa"}
        own_days = season is None or label is None  # a row of a table, in a column of a season or not
        for entry in self.entries:  # what is cheap to ask comes first: a long list asks it of each hour for each
            here = entry.church in places or any(map(tells_turns, entry.notes))  # "9.45 (na przemian w Buku i w Lesie)"
            if not here or entry.overlay not in overlays or not entry.area & where.area:
                continue
            if not within_too and not entry.area & ~where.area:
                continue  # the same days again (the next row of a table) go on with the list; nothing is replaced
            if every_week and not holds_every_week(entry.area):
                continue  # what is said of first Fridays stands beside what is said of all weeks
            of_list = _is_list_of(entry.label, label) if own_days else _share_days(entry.label, label)
            if of_list and (of_vigils or not entry.item.is_vigil):
                found.append(entry)
        return found

    def _take(self, entries: Iterable[Entry], area: Region, *, named: bool = False) -> None:
        """Take an area from entries; those with nothing left go."""
        for entry in entries:
            entry.area &= ~area
            entry.named = entry.named or named
        self.entries = [entry for entry in self.entries if entry.area]

    # --- brackets ----------------------------------------------------------------------------------------------------

    def _apply_bracket(self, run: TimeGroup, bracket: InBracket, where: Conditions, fresh: list[Entry]) -> None:
        """`18.00 (w wakacje 20.00)`: the hour before gives way where the bracket holds."""
        parent, siblings = bracket.hour, bracket.group
        members = [item for item in siblings.items if len(siblings.items) == len(fresh) > 1]
        changed = [(item, entry) for item, entry in zip(members, fresh, strict=False) if item.clock.time != entry.time]
        if len(changed) == 1:  # "6.45, 18.15 (6.45, 16.45)": the list of the winter
            parent, fresh[:] = changed[0][0], [changed[0][1]]
        own = {dim for dim, cond in run.scope.items() if siblings.scope.get(dim) is not cond}
        own |= {type(cond) for entry in fresh for cond in entry.item.restrictions}
        if isinstance(run.effect, Adds) or any(entry.item.is_vigil for entry in fresh):
            return
        elsewhere = any(entry.place != (parent.place or siblings.place()) for entry in fresh)
        if not own & {OnDays, OnNth, InSeason, InList}:
            if not elsewhere:
                self._apply_bare_bracket(bracket, fresh)
            return
        if elsewhere and not own & {InSeason, OnDays}:
            return
        overlay = where.overlay or fresh[0].overlay
        if overlay:
            if _near(fresh, parent.clock.time) or not _has_roraty(run):  # roraty in the morning leave the evening as it is
                self._remark_on(parent, overlay, run.season())
            return
        if own == {InSeason} and dates_of(where.area) in _KEEPS_BASE:
            return
        said_before = own <= {InSeason, OnDays} and {e.time for e in fresh} <= {item.clock.time for item in siblings.items}
        whole = len(fresh) > 1 or isinstance(run.effect, Only) or said_before  # "7.00, 18.00 (w wakacje 18.00)" is the whole list
        replaced = {id(item) for item in siblings.items} if whole else {id(parent)}
        taken = _union(fresh) if own - set(run.scope) else where.area
        named = where.named or any(entry.named for entry in fresh)
        self._take([entry for entry in self.entries if id(entry.item) in replaced], taken, named=named)

    def _remark_on(self, parent: TimeEntry, overlay: str, season: Season | None) -> None:
        """The hour stays as it is; a note says when it is not so.

        `18.00 (od października do Wielkanocy 17.00)`: neither hour is that of whole months, and the first is that of no year.
        """
        moved = f"nie {season.says}" if season is not None and season.says else ""
        for entry in self.entries:
            if entry.item is parent:
                entry.notes = [*entry.notes, *_remarks_of(overlay), *([moved] if moved else [])]
                entry.overlay = entry.overlay or ("custom" if moved else "")

    def _apply_bare_bracket(self, bracket: InBracket, fresh: list[Entry]) -> None:
        """`17.00 (19.00)`: the later hour in the summer, or nobody can say when."""
        self.bare_brackets += 1
        in_vain = not bracket.alone or len(fresh) != 1 or self.bare_brackets > _MOST_BARE_BRACKETS
        base = [] if in_vain else [entry for entry in self.entries if entry.item is bracket.hour]
        if not base:
            fresh.clear()
            return
        before, bare = base[0].time, fresh[0]
        dates = _known_dates(self.entries, before, bare.time)
        is_evening = min(before, bare.time) >= AFTERNOON and may_be_one_mass(before, bare.time)
        answers = KNOWN_BRACKET if dates is not None else EVENING_BRACKET if is_evening else OTHER_BRACKET
        answer = self.doubts.answer(Question("bracket", f"{before} ({bare.time})"), answers)
        if answer == "first alone":
            fresh.clear()
        elif answer == "other half of the year":
            bare.area = on_dates(_union(base), dates or (SUMMER if bare.time > before else WINTER))
            bare.named = True
            self._take(base, bare.area, named=True)

    # --- removals, copies, replacements ------------------------------------------------------------------------------

    def _remove(self, run: TimeGroup, effect: Removes) -> None:
        """`w wakacje bez Mszy o 8.30`: take hours away where they stand."""
        if isinstance(effect.what, ItsDays):
            self._remove_days(run, effect.what, effect.words)
            return
        of, above = effect.what.of, self._where(run) if run.days_from is not DaysFrom.OWN_LINE else None
        for item in run.items:
            having = [e for e in self.entries if (e.item is of if of is not None else e.time == item.clock.time)]
            if effect.words and run.place():  # of a church that has no such hour nobody can say which one is meant
                church = self._church_denied(run.place())
                if not any(entry.church == church for entry in having):
                    self._wait(having, effect.words)
                having = [entry for entry in having if entry.church == church]
            # "W wakacje nie ma Mszy o 6.30 i 10.30" below the list of weekdays may mean hours of other lists alone.
            own = above is not None and not any(entry.area & above.area for entry in having)
            own = own or any(isinstance(cond, LISTS_AND_DAYS) for cond in item.restrictions)
            scope = {dim: cond for dim, cond in run.scope.items() if not (own and issubclass(dim, WhichDays))}
            scope |= {type(cond): cond for cond in item.restrictions}
            limited = TimeGroup(scope, effect=effect)
            where = self._where(limited) or _anywhere(scope)
            if where.overlay and effect.words:  # "Msza o 9.00 w ferie nie jest odprawiana": nobody can say on which days
                self._wait(having, effect.words)
            elif not (where.overlay or limited.is_dated or item.has(SingleDates)):
                with_holy_days = [entry for entry in having if _is_of_sundays_and_holy_days(entry)]
                self._take(with_holy_days, moved_to(where.area, "Su", "PH"))  # "nie ma Mszy o 13.00 w niedziele"
                self._take(having, where.area)  # "w niedzielę 27 lipca nie będzie Mszy o 12.00" takes nothing

    def _remove_days(self, run: TimeGroup, what: ItsDays, words: str) -> None:
        """`W poniedziałki nie ma Mszy`: what is listed for these very days alone is left."""
        where = self._where(run) or _anywhere(run.scope)
        self.day_removals += 1
        if where.overlay or self.day_removals > _MOST_DAY_REMOVALS:
            return
        days, place = days_of(where.area), self._church_denied(run.place())
        if words and _OTHER_BUILDING.search(fold(place)) is None and not any(entry.church == place for entry in self.entries):
            self._wait((entry for entry in self.entries if entry.area & where.area), words)
        any_hour = bool(what.half) or run.season() is not None or not run.scope.keys() & {InList, OnDays, OnNth}
        concerned = [
            entry
            for entry in self.entries
            if entry.church == place and (any_hour or not days_of(entry.area) <= days) and is_in_half(entry.time, what.half)
        ]
        self._take(concerned, where.area)

    def _doubt(self, run: TimeGroup, effect: Unread) -> None:
        """What nobody can say of the hours that it names, or of all on its days at its place: they wait."""
        where = self._where(run) or _anywhere(run.scope)
        hours = {item.clock.time for item in run.items}
        for entry in self.entries:
            if isinstance(effect.what, ItsDays):
                meant = self._concerns(entry, where, effect.what.half, run.place())
            else:
                meant = entry.item is effect.what.of if effect.what.of is not None else entry.time in hours
            if meant:
                self._wait([entry], effect.words)

    def _wait(self, entries: Iterable[Entry], words: str) -> None:
        for entry in entries:
            entry.unread = (*entry.unread, words)

    def _concerns(self, entry: Entry, where: Conditions, half: str, place: str) -> bool:
        """Whether a denial without an hour speaks of an entry: at its place, in that half of the day."""
        return entry.church == self._church_denied(place) and is_in_half(entry.time, half) and bool(entry.area & where.area)

    def _copy(self, run: TimeGroup, source: Days) -> None:
        """`święta nakazane: jak w niedzielę`."""
        label = run.label()
        self.copies += 1
        if label is None or self.copies > _MOST_COPIES:
            return
        model = "Su" if "Su" in self._days(source) else "Tu"
        for entry in [e for e in self.entries if holds_every_week(on_days(e.area, (model,)))]:  # no first Sunday of a month
            area = joined(moved_to(entry.area, model, day) for day in self._days(label))
            self.entries.append(replace(entry, area=area, notes=list(entry.notes)))

    def _replace(self, time: str, where: Conditions) -> None:
        """`w wakacje zamiast 18.30 jest 20.30`."""
        replaced = [entry for entry in self.entries if entry.time == time and entry.area & where.area]
        remark = REMARK_OF_MONTHS.get(months_in(dates_of(where.area)))
        remarks = [remark] if remark else _remarks_of(where.overlay)
        for entry in replaced if remarks else ():
            entry.notes = [*entry.notes, *remarks]
        if not remarks and not where.overlay:
            self._take(replaced, where.area, named=where.named)


def _names_own_days(item: TimeEntry) -> bool:
    """`18.00 (codziennie oprócz niedziel)`: the hour brings its own days; the others of its group are left."""
    return any(isinstance(cond, WhichDays) and not cond.excluded for cond in item.restrictions)


def _anywhere(scope: Scope) -> Conditions:
    """Every day, within the season of the conditions."""
    where = Conditions(region((*WORKING_WEEK, "Su", "PH", "AF"), weeks=(*NTH, -1)))
    season = scope.get(InSeason)
    if season is not None and isinstance(season.value, Season):
        where.limit(season.value, excluded=season.excluded)
    return where


def _remarks_of(overlay: str) -> list[str]:
    """When a Mass that gives way in Advent or Lent does not take place, in words; `overlay` joins several by `+`."""
    return [REMARK_OF_SEASON[name] for name in overlay.split("+") if name in REMARK_OF_SEASON]


def is_same_place(one: str, other: str) -> bool:
    """Whether two names are cases of one: each word differs in its last letters at most.

    >>> is_same_place("Brzezinie", "Brzezina"), is_same_place("Gębice", "Gębiczyn"), is_same_place("Lipa", "Lipy")
    (True, False, False)
    >>> is_same_place("kaplica szpitalna", "kaplica Sióstr"), is_same_place("kaplica", "kaplica Sióstr")
    (False, False)
    """
    words = fold(one).split(), fold(other).split()
    return len(words[0]) == len(words[1]) and all(map(_share_stem, *words))


def _share_stem(one: str, other: str) -> bool:
    stem = max(_STEM, max(len(one), len(other)) - _ENDING)
    return one[:stem] == other[:stem]


def _has_roraty(run: TimeGroup) -> bool:
    return any(fold(note).startswith("rorat") for item in run.items for note in item.notes)


def _is_list_of(one: Cond | None, other: Cond | None) -> bool:
    """Days named outside any list (a row of a table) change the weekday list all the same."""
    if one is other:
        return True
    return other is None and one is not None and isinstance(one.value, Days) and one.value.days in (WORKING_WEEK, WORKDAYS)


def _share_days(one: Cond | None, other: Cond | None) -> bool:
    """Whether two lists are of the same days, wherever they stand: a list of a season replaces that of the year."""
    if one is None or other is None or one is other:
        return one is other
    return isinstance(one.value, Days) and isinstance(other.value, Days) and bool(one.value.days & other.value.days)


def _is_of_sundays_and_holy_days(entry: Entry) -> bool:
    label = entry.label.value if entry.label is not None else None
    return isinstance(label, Days) and label.days >= {"Su", "PH"}


def _tells_along(fresh: Sequence[Entry]) -> bool:
    """`W środy o 18.00 Msza św. z nowenną` below `6.30, 18.00`: a remark on one of the hours, not the only one of the day."""
    return len(fresh) == 1 and bool(fresh[0].notes) and all(note.startswith(_ALONG) for note in fresh[0].notes)


def _union(entries: Iterable[Entry]) -> Region:
    return joined(entry.area for entry in entries)


def _near(entries: Iterable[Entry], time: str) -> list[Entry]:
    """The entries that may be the Mass of an hour in a part of the year."""
    return [entry for entry in entries if may_be_one_mass(entry.time, time)]


def _known_dates(entries: Iterable[Entry], time: str, other: str) -> DatesOfYear | None:
    """The dates of the second hour where another list says when each of the two is; None when none does."""
    dates = {entry.time: on for entry in entries if entry.time in (time, other) and (on := dates_of(entry.area)) != YEAR}
    return dates[other] if len(dates) == 2 and dates[time] == YEAR & ~dates[other] else None


def _superseded(base: Sequence[Entry], fresh: Sequence[Entry], season: Season | None, *, only: bool) -> list[Entry]:
    """The base hours that give way: all of them to a list, the nearest one to a lone hour.

    Args:
        base: what may give way.
        fresh: what may take its place.
        season: of the fresh hours. In the dark half of the year Masses begin earlier; a much later hour then is one more Mass,
            as that of students.
        only: the fresh hours are the only ones.
    """
    hours = {entry.time for entry in fresh}
    if len(hours) > 1 and not only and min(hours) >= AFTERNOON:
        evening = [entry for entry in base if entry.time >= AFTERNOON]
        if len({entry.time for entry in evening}) == len(hours):
            return evening  # "7.00, 16.00, 17.30; czas letni 17.00, 18.30": the morning stays
    if only or len(hours) > 1 or _most_at_once(base) <= 1:
        return list(base)
    lone = fresh[0].time
    nearest = min((entry.time for entry in base), key=lambda time: minutes_between(time, lone))
    dates = (season.dates if season is not None else None) or YEAR
    in_the_dark = not DARK_MONTHS & ~dates and not dates & LIGHT_MONTHS
    later_in_the_dark = in_the_dark and lone > nearest
    most = SEASONAL_MINUTES if season is not None and not later_in_the_dark else SAME_MASS_MINUTES
    return [entry for entry in base if entry.time == nearest] if may_be_one_mass(nearest, lone, most) else []


def _most_at_once(base: Sequence[Entry]) -> int:
    """The greatest number of hours on one day of some date: a summer and a winter hour are one Mass."""
    areas: dict[str, Region] = {}
    for entry in base:
        areas[entry.time] = areas.get(entry.time, NOWHERE) | in_any_week(entry.area)
    deepest: list[Region] = []  # what lies in one area at least, in two at least, ...
    for area in areas.values():
        for depth, known in enumerate(deepest):
            deepest[depth], area = known | area, known & area
        deepest += [area] if area else []
    return len(deepest)
