"""What replaces, removes or adds to what: runs of hours in the order of the text -> Masses (field guide H).

Belongs here: the semantics of exceptions. Not here: which words govern which hour (`reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mass_pipeline.model.dates_of_year import SUMMER, WINTER, YEAR, dates_of_months, joined, months_in
from mass_pipeline.reading.doubts import BARE_FEASTS, DAILY, DAILY_BESIDE_WEEKDAYS, Doubts, Question
from mass_pipeline.reading.grammar.effects import Adds, Copies, Only, Removes, Replaces, TakesTurns
from mass_pipeline.reading.grammar.time_groups import TimeEntry, TimeGroup
from mass_pipeline.reading.phrases.nodes import (
    LISTS_AND_DAYS,
    NTH,
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
from mass_pipeline.reading.validity.conditions import Conditions, anywhere, limit, remarks_of
from mass_pipeline.reading.validity.entries import (
    SEASONAL_MINUTES,
    Entry,
    answers_to_bracket,
    at_places_above,
    changed_hour,
    giving_way,
    is_at_one_of,
    is_inflection,
    is_list_of,
    is_one_of_them,
    is_roraty,
    is_said_again,
    known_dates,
    latest_shift,
    name_as_above,
    near,
    of_same_line,
    remark_on,
    same_list,
    stands_only_beside,
    union,
    where_it_stands,
    with_holy_days,
    yield_to_season_lists,
)
from mass_pipeline.reading.validity.plausibility import chosen_hours
from mass_pipeline.reading.validity.regions import (
    NOWHERE,
    Region,
    dates_of,
    days_of,
    holds_every_week,
    is_within,
    moved_to,
    on_dates,
    on_days,
    overlap,
    region,
    region_of_nth,
    subtract,
    with_last_weeks,
)
from mass_pipeline.reading.words.parts_of_day import NOON
from mass_pipeline.reading.words.remarks import REMARK_OF_MONTHS, tells_turns

_MOST_DAY_REMOVALS: Final = 50  # likewise: "w poniedziałki nie ma Mszy"
_MOST_BARE_BRACKETS: Final = 20  # of a text that is a schedule
_MOST_COPIES: Final = 20  # likewise: "święta: jak w niedzielę", once for each church
_KEEPS_BASE: Final = tuple(map(dates_of_months, ((5,), (10,), (5, 10))))  # gold convention 3: the base stays "all"
_SAME_MASS_MINUTES: Final = 60  # likewise for a lone hour of a single day


@dataclass(slots=True)
class Resolver:
    """Applies runs one after another; `entries` is what stands."""

    doubts: Doubts
    has_sunday_list: bool = False
    has_weekday_list: bool = False
    has_holy_days: bool = False
    adds_sundays: bool = False  # "w niedziele także": further hours of Sunday, which so has those of every day
    season_lists: list[tuple[Cond, Region, frozenset[str]]] = field(default_factory=list)  # label, when, at which places
    parts_of_year: frozenset[int] = frozenset()  # runs of one hour that make up the year
    entries: list[Entry] = field(default_factory=list)
    bare_brackets: int = 0
    day_removals: int = 0
    copies: int = 0

    def apply(self, run: TimeGroup) -> None:
        """Apply one run."""
        effect = run.effect
        if isinstance(effect, Copies):
            self._copy(run, effect.days)
            return
        if isinstance(effect, Removes):
            self._remove(run, effect)
            return
        own = self._where(run) or self._where_of_items(run)
        where = self._where_of_victim(run, effect.time, own) if isinstance(effect, Replaces) else own
        if where is None:
            return
        fresh = [entry for item in chosen_hours(run, self.doubts) for entry in self._entries_of(item, run, where)]
        fresh = [entry for entry in fresh if not is_said_again(entry, self.entries)]
        if not fresh:
            return
        self._place_as_above(run, fresh)
        narrowed = at_places_above(self.entries, run, fresh)
        if narrowed is not fresh:
            fresh, where = narrowed, Conditions(union(narrowed), where.overlay, where.named)
        if isinstance(effect, Replaces):
            self._replace_victim(effect.time, where, fresh)
        elif run.parent is not None and run.siblings is not None:
            self._apply_bracket(run, where, fresh)
        else:
            self._apply_plain(run, where, fresh)
        self.entries.extend(fresh)

    # --- where a run holds -------------------------------------------------------------------------------------------

    def _days(self, days: Days) -> frozenset[str]:
        if days.daily and not self.has_sunday_list and self._daily_is_every_day():
            return days.days | {"Su"}
        if days.feasts and not self.has_holy_days:
            return frozenset({"AF" if self.doubts.answer(Question("feasts"), BARE_FEASTS) == "abolished feasts" else "PH"})
        return frozenset({"AF"}) if days.feasts else days.days

    def _daily_is_every_day(self) -> bool:
        weights = DAILY_BESIDE_WEEKDAYS if self.has_weekday_list else DAILY
        added = self.adds_sundays and not self.has_weekday_list
        return added or self.doubts.answer(Question("daily"), weights) == "every day"

    def _where(self, run: TimeGroup) -> Conditions | None:
        """None when the text names no days."""
        label, days, nth, season = run.label(), run.days(), run.nth(), run.season()
        if nth is not None:
            area = region_of_nth(nth)
        elif days is not None:
            cond = run.scope[OnDays]
            named = self._days(days)
            base = self._days(label) if label is not None else WORKING_WEEK
            area = region(base - named if cond.excluded else named)
        elif label is not None:
            area = region(self._days(label))
        else:
            return None
        where = Conditions(area)
        if season is not None:
            limit(where, season, excluded=run.scope[InSeason].excluded)
        return where

    def _where_of_items(self, run: TimeGroup) -> Conditions | None:
        """`18.00 (codziennie oprócz niedziel)`: the hours bring their own days."""
        if not any(isinstance(c, WhichDays) and not c.excluded for item in run.items for c in item.restrictions):
            return None
        run.items[:] = [i for i in run.items if any(isinstance(c, WhichDays) and not c.excluded for c in i.restrictions)]
        return anywhere(run.scope)

    def _where_of_victim(self, run: TimeGroup, victim: str, own: Conditions | None) -> Conditions | None:
        """What is put in the place of an hour takes place on the days of that hour; None when nothing says on which."""
        if not (area := where_it_stands(self.entries, victim, run)):
            return own
        if own is not None and run.below_list and (run.below_hours or stands_only_beside(self.entries, victim, own.area)):
            own = None  # below the list of another day, or of certain weeks
        where = own or anywhere(run.scope)
        left = (area & where.area) or on_dates(area, dates_of(where.area))
        return Conditions(left or where.area, where.overlay, where.named)

    def _entries_of(self, item: TimeEntry, run: TimeGroup, where: Conditions) -> list[Entry]:
        """The entries of one hour: one, or more when its place depends on the day."""
        own = Conditions(where.area, where.overlay, where.named)
        notes = list(dict.fromkeys(item.notes))
        season_of_run = run.season()
        if season_of_run is not None and season_of_run.says and not run.scope[InSeason].excluded:
            notes.append(season_of_run.says)
        for cond in item.restrictions:
            self._restrict(own, cond, notes)
        for season, days in item.partial:
            if isinstance(season.value, Season) and isinstance(days.value, Days) and season.value.dates:
                others = days_of(own.area) - self._days(days.value)
                own.area = subtract(own.area, region(others, season.value.dates, (*NTH, -1)))
        place = item.place or run.place()
        if " i " not in place and dates_of(own.area) == YEAR and any(map(tells_turns, notes)):
            own.overlay = own.overlay or "custom"  # on some of these days, and nobody says on which; "w Hucie i Lesie": on all
        label = run.scope.get(InList)
        entries: list[Entry] = []
        for days, elsewhere in item.splits:
            named = self._days(days.value) if isinstance(days.value, Days) else frozenset()
            part = own.area & region(named)
            if part:
                own.area = subtract(own.area, part)
                entries.append(
                    Entry(item.clock.time, part, own.overlay, str(elsewhere.value), notes, item, label, own.named, item.uncertain)
                )
        said_apart = item.splits and any(other is not item and other.clock.time == item.clock.time for other in run.items)
        if own.area and not said_apart:  # "17.45 (pn, wt), 17.45 (śr - Lipie)"
            told = Entry(
                item.clock.time, own.area, own.overlay, place, notes, item, label, own.named, item.uncertain, run.in_all_columns
            )
            entries.insert(0, told)
        return entries

    def _restrict(self, where: Conditions, cond: Cond, notes: list[str]) -> None:
        """Narrow the place in the calendar by one condition."""
        value = cond.value
        if isinstance(value, Season):
            limit(where, value, excluded=cond.excluded)
            if cond.excluded:
                notes.extend(remarks_of(value.name))
            elif value.says:
                notes.append(value.says)
            return
        dates = dates_of(where.area) or YEAR
        if isinstance(value, Nth):
            other = region_of_nth(value)
            if cond.excluded:
                where.area = subtract(where.area, other)
                return
            parts = [region_of_nth(replace(part, more=()), dates) for part in (value, *value.more)]
            whole = with_last_weeks(where.area)
            where.area = joined((whole & part) or part for part in parts)  # "(w I piątki i święta zniesione)"
        elif isinstance(value, Days):
            named = self._days(value)
            other = region(named, YEAR, (*NTH, -1))
            narrowed = subtract(where.area, other) if cond.excluded else where.area & other
            where.area = narrowed or (NOWHERE if cond.excluded else region(named, dates))

    # --- plain juxtaposition -----------------------------------------------------------------------------------------

    def _apply_plain(self, run: TimeGroup, where: Conditions, fresh: Sequence[Entry]) -> None:
        """`18.00; środa 8.00`, `8.00, 18.00; zimą 17.00`: take from the base what the new hours replace."""
        if isinstance(run.effect, (Adds, TakesTurns)) or where.overlay or all(entry.item.vigil for entry in fresh):
            return
        nth, season = run.nth(), run.season()
        if nth is not None:
            if nth.rest or isinstance(run.effect, Only):
                self._take(self._base(run, where, fresh), where.area)
            return
        if (season is None or season.dates == YEAR) and run.days() is None:  # "w ciągu roku" beside a list for the vacation
            yield_to_season_lists(fresh, run.scope.get(InList), self.season_lists)
            return
        label = run.scope.get(InList)
        whole = run.days() is None and (len(fresh) > 1 or isinstance(run.effect, Only))
        if season is not None and season.dates and label is not None and whole:
            self.season_lists.append((label, where.area, frozenset(entry.place for entry in fresh)))
        base = self._base(run, where, fresh) if season is not None else of_same_line(self._base(run, where, fresh), fresh)
        name_as_above(fresh, base)
        base = near(base, fresh[0].time) if id(run) in self.parts_of_year else base
        minutes = SEASONAL_MINUTES if season is not None else _SAME_MASS_MINUTES
        if season is not None and season.dates in _KEEPS_BASE:
            return
        area = where.area if season is not None else union(fresh)
        only = isinstance(run.effect, Only) or (season is None and days_of(where.area) == {"Sa"})  # Saturday has its own order
        if season is None and not isinstance(run.effect, Only) and is_one_of_them(fresh, base):
            base = [entry for entry in base if entry.time == fresh[0].time]
        only = only or {entry.time for entry in fresh} <= {entry.time for entry in base}  # "7.00, 18.00; w wakacje 18.00"
        later = latest_shift(season, minutes)
        self._take(giving_way(base, fresh, only=only, near=minutes, later=later), area, named=where.named)

    def _place_as_above(self, run: TimeGroup, fresh: Sequence[Entry]) -> None:
        """`w kościele św. Anny: 7.15, 9.45; w niedziele wakacyjne: 7.15`: the list of a season is at its list's place."""
        label = run.scope.get(InList)
        if run.season() is None or label is None or run.parent is not None or any(entry.place for entry in fresh):
            return
        above = [entry for entry in self.entries if same_list(entry.label, label)]
        places = {entry.place for entry in above}
        if len(places) == 1 and {entry.time for entry in above} & {entry.time for entry in fresh}:
            for entry in fresh:
                entry.place = above[0].place

    def _base(self, run: TimeGroup, where: Conditions, fresh: Sequence[Entry]) -> Sequence[Entry]:
        """Entries that the run may replace: same list, same place, earlier, on some of its days."""
        label = run.scope.get(InList)
        places = {entry.place for entry in fresh}
        found: list[Entry] = []
        within_too, every_week = isinstance(run.effect, Only), run.nth() is None
        overlays = ("", "custom") if within_too else ("",)  # "od Wielkanocy 18.30, we wtorki cały rok tylko 8.00"
        of_vigils = run.season() is not None and (days := run.days()) is not None and days.days == {"Sa"}
        own_days = run.season() is None or label is None  # a row of a table, in a column of a season or not
        for entry in self.entries:  # what is cheap to ask comes first: a long list asks it of each hour for each
            here = is_at_one_of(entry, places) or any(map(tells_turns, entry.notes))  # "9.45 (na przemian w Buku i w Lesie)"
            if not here or entry.overlay not in overlays or not overlap(entry.area, where.area):
                continue
            if not within_too and is_within(entry.area, where.area):
                continue  # the same days again (the next row of a table) go on with the list; nothing is replaced
            if entry.all_year or (every_week and not holds_every_week(entry.area)):
                continue  # what is said of first Fridays stands beside what is said of all weeks
            of_list = is_list_of(entry.label, label) if own_days else same_list(entry.label, label)
            if of_list and (of_vigils or not entry.item.vigil):
                found.append(entry)
        return found

    def _take(self, entries: Sequence[Entry], area: Region, *, named: bool = False) -> None:
        """Take an area from entries; those with nothing left go."""
        for entry in entries:
            entry.area = subtract(entry.area, area)
            entry.named_season = entry.named_season or named
        if any(not entry.area for entry in entries):
            self.entries = [entry for entry in self.entries if entry.area]

    def _apply_bracket(self, run: TimeGroup, where: Conditions, fresh: list[Entry]) -> None:
        """`18.00 (w wakacje 20.00)`: the hour before gives way where the bracket holds."""
        assert run.parent is not None
        assert run.siblings is not None
        parent = run.parent
        if (changed := changed_hour(run.siblings, fresh)) is not None:  # "6.45, 18.15 (6.45, 16.45)": the list of the winter
            parent, fresh[:] = changed[0], [changed[1]]
        own = {dim for dim, cond in run.scope.items() if run.siblings.scope.get(dim) is not cond}
        own |= {type(cond) for entry in fresh for cond in entry.item.restrictions}
        elsewhere = any(entry.place != (run.parent.place or run.siblings.place()) for entry in fresh)
        if isinstance(run.effect, Adds) or any(entry.item.vigil for entry in fresh):
            return
        if not own & {OnDays, OnNth, InSeason, InList}:
            if not elsewhere:
                self._apply_bare_bracket(run, parent, fresh)
            return
        if elsewhere and InSeason not in own and OnDays not in own:
            return
        if where.overlay or any(entry.overlay for entry in fresh):
            if near(fresh, run.parent.clock.time) or not is_roraty(run):  # roraty in the morning leave the evening as it is
                remark_on(self.entries, run.parent, remarks_of(where.overlay or fresh[0].overlay))
                self._narrow_parent(run)
            return
        said_before = own <= {InSeason, OnDays} and {e.time for e in fresh} <= {item.clock.time for item in run.siblings.items}
        if len(fresh) > 1 or isinstance(run.effect, Only) or said_before:  # "7.00, 18.00 (w wakacje 18.00)" is the whole list
            members = {id(item) for item in run.siblings.items}
        else:
            members = {id(parent)}
        if own == {InSeason} and dates_of(where.area) in _KEEPS_BASE:
            return
        taken = union(fresh) if own - set(run.scope) else where.area
        named = where.named or any(entry.named_season for entry in fresh)
        self._take([entry for entry in self.entries if id(entry.item) in members], taken, named=named)

    def _narrow_parent(self, run: TimeGroup) -> None:
        """`18.00 (od 12 maja do 20 września 19.00)`: neither hour is that of whole months, and the first is that of no year."""
        season = run.season()
        if season is None or not season.says:
            return
        for entry in self.entries:
            if entry.item is run.parent and not entry.overlay:
                entry.overlay = "custom"
                entry.notes = [*entry.notes, f"nie {season.says}"]

    def _apply_bare_bracket(self, run: TimeGroup, parent: TimeEntry, fresh: list[Entry]) -> None:
        """`17.00 (19.00)`: the later hour in the summer, or nobody can say when."""
        self.bare_brackets += 1
        in_vain = (
            not run.bare or len(fresh) != 1 or fresh[0].time == parent.clock.time or self.bare_brackets > _MOST_BARE_BRACKETS
        )
        base = [] if in_vain else [entry for entry in self.entries if entry.item is parent]
        if not base:
            fresh.clear()
            return
        bare = fresh[0]
        dates = known_dates(self.entries, base[0].time, bare.time)
        question = Question("bracket", f"{base[0].time} ({bare.time})")
        answer = self.doubts.answer(question, answers_to_bracket(base[0].time, bare.time, known=dates is not None))
        if answer == "first alone":
            fresh.clear()
        elif answer == "other half of the year":
            later = dates or (SUMMER if bare.time > base[0].time else WINTER)
            bare.area = on_dates(union(base), later)
            bare.named_season = True
            self._take(base, bare.area, named=True)

    # --- removals, copies, swaps -------------------------------------------------------------------------------------

    def _remove(self, run: TimeGroup, effect: Removes) -> None:
        """`w wakacje bez Mszy o 8.30`: take hours away where they stand."""
        if effect.whole_days:
            self._remove_days(run, effect.half)
        for item in run.items if not effect.elsewhere else ():
            above = self._where(run) if run.below_list else None
            own = above is not None and stands_only_beside(self.entries, item.clock.time, above.area)
            own = own or any(isinstance(cond, LISTS_AND_DAYS) for cond in item.restrictions)
            scope = {dim: cond for dim, cond in run.scope.items() if not (own and issubclass(dim, WhichDays))}
            for cond in item.restrictions:
                scope[type(cond)] = cond
            limited = TimeGroup(scope)
            where = self._where(limited) or anywhere(scope)
            if where.overlay or limited.is_dated or item.dated:
                continue  # "w niedzielę 27 lipca nie będzie Mszy o 12.00" leaves the standing order as it is
            for entry in self.entries:
                if entry.time == item.clock.time:
                    entry.area = subtract(entry.area, with_holy_days(where.area, entry))
            self.entries = [entry for entry in self.entries if entry.area]

    def _remove_days(self, run: TimeGroup, half: str) -> None:
        """`W poniedziałki nie ma Mszy`: what is listed for these very days alone is left."""
        where = self._where(run) or anywhere(run.scope)
        self.day_removals += 1
        if where.overlay or self.day_removals > _MOST_DAY_REMOVALS:
            return
        days = days_of(where.area)
        concerned = [
            entry
            for entry in self.entries
            if (entry.place == run.place() or is_inflection(run.place(), entry.place))
            and not (days_of(entry.area) <= days and run.season() is None)
            and (not half or (entry.time < NOON) == (half == "morning"))
        ]
        self._take(concerned, where.area)

    def _copy(self, run: TimeGroup, source: Days) -> None:
        """`święta nakazane: jak w niedzielę`."""
        label = run.label()
        wanted = self._days(source)
        self.copies += 1
        if label is None or not wanted or self.copies > _MOST_COPIES:
            return
        model = "Su" if "Su" in wanted else "Tu"
        for entry in [e for e in self.entries if holds_every_week(on_days(e.area, (model,)))]:  # no first Sunday of a month
            area = NOWHERE
            for day in self._days(label):
                area |= moved_to(entry.area, model, day)
            self.entries.append(replace(entry, area=area, notes=list(entry.notes)))

    def _replace_victim(self, victim: str, where: Conditions, fresh: Sequence[Entry]) -> None:
        """`w wakacje zamiast 18.30 jest 20.30`."""
        replaced = [entry for entry in self.entries if entry.time == victim and overlap(entry.area, where.area)]
        for entry in fresh if replaced else ():
            if is_inflection(entry.place, replaced[0].place):  # "Msze o 17.00 w Jaworniku" of "Jawornik (kościół parafialny)"
                entry.place = replaced[0].place
        remark = REMARK_OF_MONTHS.get(months_in(dates_of(where.area)))
        remarks = [remark] if remark else remarks_of(where.overlay)
        if remarks:
            for entry in replaced:
                entry.notes = [*entry.notes, *remarks]
        elif not where.overlay:
            self._take(replaced, where.area, named=where.named)
