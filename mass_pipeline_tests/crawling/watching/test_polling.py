"""The adaptive interval: due when something new is likely, never sooner or later than allowed (C2)."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.watching.config import PollingConfig
from mass_pipeline.crawling.watching.polling import PageHistory, is_busy, next_poll, record_poll
from mass_pipeline_tests.crawling.watching.polling_year import adaptive, changes_of_a_site, every, simulate

_CONFIG = PollingConfig()
_MONDAY = datetime(2026, 2, 2, 2, tzinfo=UTC)  # 3 o'clock in Warsaw; a quiet week follows


def _watched(weekdays: Sequence[int], weeks: int = 8, weight: float = 1.0) -> PageHistory:
    """A page looked at every night that had an article on these weekdays."""
    history = record_poll(PageHistory(weight), _MONDAY - timedelta(weeks=weeks), [], _CONFIG)
    for day in range(weeks * 7):
        published = (_MONDAY - timedelta(weeks=weeks) + timedelta(days=day)).date()
        now = _MONDAY - timedelta(weeks=weeks) + timedelta(days=day + 1)
        history = record_poll(history, now, [published] if published.weekday() in weekdays else [], _CONFIG)
    return history


def _looks_at_rolling_news(weight: float, config: PollingConfig) -> int:
    """Looks within 72 hours at a page with a new item every twelve minutes, after a week of them."""
    history, now, looks = PageHistory(weight), _MONDAY, 0
    start = _MONDAY + timedelta(days=7)
    while now < start + timedelta(hours=72):
        since = history.polled_at or now
        history = record_poll(history, now, [now.date()] * int((now - since) / timedelta(minutes=12)), config)
        following = next_poll(history, config)
        assert following is not None
        now, looks = following, looks + (now >= start)
    return looks


class TestNextPoll:
    def test_a_page_never_looked_at_is_due_now(self) -> None:
        assert next_poll(PageHistory(), _CONFIG) is None

    def test_the_first_look_learns_the_habit_from_the_days_of_the_archive(self) -> None:
        """A parish that announces on Sundays is looked at in the night after the next one, not after a week of learning."""
        today = _MONDAY.date()
        sundays = [today - timedelta(days=7 * week + 1) for week in range(5)]
        history = record_poll(PageHistory(), _MONDAY, [*sundays, today, today], _CONFIG)
        at = next_poll(record_poll(history, _MONDAY + timedelta(hours=1), [], _CONFIG), _CONFIG)

        assert at is not None
        assert (at.date(), at.hour) == (date(2026, 2, 9), 2)
        assert [round(rate, 1) for rate in (history.rate(6, _CONFIG), history.rate(2, _CONFIG))] == [0.9, 0.0]

    @pytest.mark.parametrize("days", [[], [0, 0, 0], [1, 1, 8], [400, 800, 1200], [-3, -10, -20]])
    def test_an_archive_without_three_different_days_of_late_tells_nothing(self, days: list[int]) -> None:
        published = [_MONDAY.date() - timedelta(days=day) for day in days]

        assert record_poll(PageHistory(), _MONDAY, published, _CONFIG) == PageHistory(polled_at=_MONDAY)

    def test_a_page_with_news_on_thursday_and_sunday_is_looked_at_after_either(self) -> None:
        thursday = next_poll(_watched([3, 6]), _CONFIG)
        assert thursday is not None
        history = record_poll(_watched([3, 6]), thursday, [date(2026, 2, 5)], _CONFIG)
        sunday = next_poll(history, _CONFIG)

        assert sunday is not None
        assert [thursday.weekday(), sunday.weekday()] == [4, 0]

    def test_a_page_without_news_is_left_alone_for_longer_and_longer_but_not_for_ever(self) -> None:
        history, gaps, now = PageHistory(), [], _MONDAY
        for _ in range(12):
            history = record_poll(history, now, [], _CONFIG)
            at = next_poll(history, _CONFIG)
            assert at is not None
            gaps.append((at - now).days)
            now = at

        assert gaps[0] < 7 < gaps[-1] <= _CONFIG.longest_days

    @pytest.mark.row("C1", "C2")
    def test_a_new_page_is_looked_at_again_after_an_hour_and_a_heavier_one_sooner(self) -> None:
        """By the weight alone, whatever its archive tells; then by the night."""
        history = {weight: record_poll(PageHistory(weight), _MONDAY, [], _CONFIG) for weight in (0.5, 1.0, 4.0)}
        gaps = {weight: (next_poll(first, _CONFIG) or _MONDAY) - _MONDAY for weight, first in history.items()}
        second = record_poll(history[1.0], _MONDAY + timedelta(hours=1), [], _CONFIG)

        assert gaps == {0.5: timedelta(hours=2), 1.0: timedelta(hours=1), 4.0: timedelta(minutes=15)}
        assert (next_poll(second, _CONFIG) or _MONDAY) - _MONDAY >= timedelta(hours=_CONFIG.shortest_hours)

    @pytest.mark.row("C2")
    def test_news_of_a_heavier_page_are_expected_more_eagerly(self) -> None:
        light, heavy = (next_poll(PageHistory(w, _MONDAY), _CONFIG) for w in (1.0, 5.0))
        assert light is not None
        assert heavy is not None

        assert heavy < light

    def test_more_is_expected_before_holy_week(self) -> None:
        quiet, busy = (next_poll(PageHistory(polled_at=day), _CONFIG) for day in (_MONDAY, datetime(2026, 3, 22, 2, tzinfo=UTC)))
        assert quiet is not None
        assert busy is not None

        assert busy - datetime(2026, 3, 22, 2, tzinfo=UTC) < quiet - _MONDAY

    @pytest.mark.row("C1")
    def test_rolling_news_are_looked_at_by_the_hour_where_the_settings_allow_it(self) -> None:
        """C1, C2: five items an hour for three days; weight shortens the interval below a day."""
        config = PollingConfig(shortest_hours=0.1)
        looks = {weight: _looks_at_rolling_news(weight, config) for weight in (0.1, 1.0, 10.0)}

        assert looks[0.1] < looks[1.0] < looks[10.0]
        assert looks[10.0] > 300
        assert _looks_at_rolling_news(10.0, _CONFIG) <= 6  # as polite as before by default

    @given(
        st.lists(st.floats(0, 50), min_size=7, max_size=7),
        st.lists(st.floats(0, 50), min_size=7, max_size=7),
        st.integers(1_600_000_000, 2_200_000_000),
    )
    def test_is_always_later_than_the_last_look_and_within_the_bounds(
        self, articles: list[float], exposure: list[float], seconds: int
    ) -> None:
        polled = datetime.fromtimestamp(seconds, UTC)
        at = next_poll(PageHistory(1.0, polled, tuple(articles), tuple(exposure)), _CONFIG)
        assert at is not None

        assert timedelta(hours=_CONFIG.shortest_hours - 1) <= at - polled <= timedelta(days=_CONFIG.longest_days + 1)

    def test_the_night_before_the_look_tells_nothing_new(self) -> None:
        """Looked at on Monday noon, 0.3 articles a day: two more nights until 0.4 are expected."""
        noon = _MONDAY.replace(hour=11)
        at = next_poll(PageHistory(1.0, noon, (30.0,) * 7, (100.0,) * 7), _CONFIG)

        assert at is not None
        assert at.date() == date(2026, 2, 4)

    def test_by_the_hour_the_interval_is_the_share_of_a_day_at_the_rate(self) -> None:
        """48 articles a day and 0.4 of them expected: a fifth of an hour; at 0.9 a day 10 h 40 min."""
        config = replace(_CONFIG, shortest_hours=0.1)
        often, seldom = (PageHistory(1.0, _MONDAY, (rate * 1e6,) * 7, (1e6,) * 7) for rate in (48.0, 0.9))

        assert (next_poll(often, config) or _MONDAY) - _MONDAY == pytest.approx(timedelta(hours=0.2), abs=timedelta(seconds=1))
        assert (next_poll(seldom, config) or _MONDAY) - _MONDAY == pytest.approx(
            timedelta(hours=32 / 3), abs=timedelta(seconds=1)
        )

    def test_news_within_half_a_day_are_not_waited_for_until_the_night(self) -> None:
        """At the default twelve hours a look in the night follows one in the night; at eleven and a half it does not wait."""
        often = PageHistory(1.0, _MONDAY, (1e9,) * 7, (1e6,) * 7)

        assert next_poll(often, _CONFIG) == _MONDAY + timedelta(days=1)
        assert next_poll(often, replace(_CONFIG, shortest_hours=11.5)) == _MONDAY + timedelta(hours=11.5)

    def test_the_look_falls_on_the_quiet_hour_at_the_minute_of_the_last_one(self) -> None:
        polled = datetime(2026, 2, 2, 9, 17, 45, 500, tzinfo=UTC)
        often = PageHistory(1.0, polled, (1e9,) * 7, (1e6,) * 7)

        assert next_poll(often, _CONFIG) == datetime(2026, 2, 3, 2, 17, tzinfo=UTC)

    def test_a_page_is_due_as_soon_as_as_much_is_expected_as_the_settings_say(self) -> None:
        """Of a page nothing is known of, a tenth of an article a day: 0.1 after one night, 0.2 after two."""
        unknown = PageHistory(polled_at=_MONDAY)
        nights = {share: next_poll(unknown, replace(_CONFIG, expected_changes=share)) for share in (0.1, 0.2)}
        daily = replace(_CONFIG, expected_changes=0.1, shortest_hours=24.0)

        assert nights == {0.1: _MONDAY + timedelta(days=1), 0.2: _MONDAY + timedelta(days=2)}
        assert next_poll(unknown, daily) == _MONDAY + timedelta(days=1)

    def test_a_page_that_never_has_news_waits_for_the_longest_time(self) -> None:
        dead = PageHistory(1.0, _MONDAY, (0.0,) * 7, (1e6,) * 7)
        nothing_expected = replace(_CONFIG, prior_per_day=0.0)

        assert next_poll(dead, _CONFIG) == _MONDAY + timedelta(days=_CONFIG.longest_days)
        assert next_poll(PageHistory(polled_at=_MONDAY), nothing_expected) == _MONDAY + timedelta(days=_CONFIG.longest_days)


class TestRecording:
    def test_the_rate_of_a_weekday_is_what_was_seen_and_what_is_expected_of_any_page(self) -> None:
        """Three articles on two Mondays beside 0.1 a day on the word of half a week."""
        seen = PageHistory(articles=(3.0, *(0.0,) * 6), exposure=(2.0, *(0.0,) * 6))

        assert seen.rate(0, _CONFIG) == pytest.approx(3.05 / 2.5)
        assert [seen.rate(1, _CONFIG), PageHistory().rate(6, _CONFIG)] == pytest.approx([0.1, 0.1])

    def test_observations_fade_to_1_e_after_the_weeks_of_the_settings_and_not_within_a_day(self) -> None:
        seen = PageHistory(1.0, _MONDAY, (4.0,) * 7, (0.0,) * 7)
        later = {days: record_poll(seen, _MONDAY + timedelta(days=days), [], _CONFIG).articles for days in (-1, 0, 56)}

        assert later[0] == later[-1] == seen.articles  # a clock that was set back fades nothing either
        assert later[56] == pytest.approx([4 / math.e] * 7)

    def test_each_day_since_the_last_look_was_observed_once(self) -> None:
        history = record_poll(record_poll(PageHistory(), _MONDAY, [], _CONFIG), _MONDAY + timedelta(days=9), [], _CONFIG)

        assert history.exposure == (2, 2, 1, 1, 1, 1, 1)

    def test_days_before_the_last_look_count_as_that_day_and_future_ones_as_today(self) -> None:
        history = record_poll(PageHistory(), _MONDAY, [], _CONFIG)
        history = record_poll(history, _MONDAY + timedelta(days=2), [date(2020, 1, 1), date(2030, 1, 1)], _CONFIG)

        assert history.articles == (1, 0, 1, 0, 0, 0, 0)

    def test_a_new_habit_counts_for_more_than_a_longer_old_one(self) -> None:
        """What lies back long enough is forgotten, not only outnumbered."""
        history = _watched([6], weeks=26)
        for day in range(12 * 7):
            today = (_MONDAY + timedelta(days=day)).date()
            published = [today] if today.weekday() == 2 else []
            history = record_poll(history, _MONDAY + timedelta(days=day + 1), published, _CONFIG)

        assert history.rate(2, _CONFIG) > 2 * history.rate(6, _CONFIG)


class TestSeasons:
    @pytest.mark.parametrize(
        ("year", "days"),
        [
            (2019, "03-31 04-14 07-01 09-01 10-27 12-01 12-25"),  # March ends with a Sunday
            (2022, "03-27 04-10 07-01 09-01 10-30 11-27 12-25"),  # Christmas is a Sunday
            (2026, "03-29 07-01 09-01 10-25 11-29 12-25"),  # the clocks change on Palm Sunday
        ],
    )
    def test_the_days_on_which_schedules_change(self, year: int, days: str) -> None:
        every_day = (date(year, 1, 1) + timedelta(days=n) for n in range(365))

        assert [f"{day:%m-%d}" for day in every_day if is_busy(day, 0)] == days.split()

    def test_a_week_before_is_seven_days_and_a_season_before_reaches_over_the_new_year(self) -> None:
        assert [is_busy(date(2026, 12, day), 7) for day in (17, 18)] == [False, True]
        assert is_busy(date(2026, 12, 31), 90)  # Palm Sunday of 2027 is 21 March
        assert not is_busy(date(2026, 12, 31), 70)


@pytest.mark.slow
@pytest.mark.row("C2")
class TestFreshness:
    def test_a_simulated_year_finds_changes_within_a_day_for_a_fifth_of_daily_polling(self) -> None:
        """Issue 7, section 4; 300 sites and another seed in docs/polling.md."""
        rng = random.Random(7)
        sites = [changes_of_a_site(rng) for _ in range(100)]
        outcome = simulate(sites, adaptive(_CONFIG), _CONFIG, 7)
        daily = simulate(sites[:20], every(1), _CONFIG, 7)

        assert statistics.median(outcome.ages) <= 1.0
        assert outcome.requests <= daily.requests / 5
