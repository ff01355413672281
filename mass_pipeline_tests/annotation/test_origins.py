"""Networks as origins of votes: what they are called, how long, and that one of them settles nothing."""

from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import Store
from mass_pipeline.model.settings import settings_of
from mass_pipeline.web_common.origins import OriginBook, period_of
from mass_pipeline_tests.annotation.support import START, Clock, Person, item, make_app


class TestOriginBook:
    def test_a_networks_token_changes_when_its_key_is_destroyed(self, clock: Clock) -> None:
        book = OriginBook(timedelta(hours=24))
        first = book.token("198.51.100.0/24", clock.now)
        same = book.token("198.51.100.0/24", clock.now + timedelta(hours=23))
        later = book.token("198.51.100.0/24", clock.now + timedelta(hours=24))

        assert first == same != later

    def test_the_key_outlives_a_restart_and_is_private(self, clock: Clock, tmp_path: Path) -> None:
        """F5: restarting the app made every network a new one."""
        keep = tmp_path / "annotation" / "origins.json"
        token = OriginBook(timedelta(hours=24), keep).token("198.51.100.0/24", clock.now)
        again = OriginBook(timedelta(hours=24), keep)

        assert stat.S_IMODE(keep.stat().st_mode) == 0o600
        assert again.token("198.51.100.0/24", clock.now + timedelta(hours=23)) == token
        assert again.token("203.0.113.0/24", clock.now + timedelta(hours=23)) != token
        old = keep.read_text()
        assert period_of(again.token("198.51.100.0/24", clock.now + timedelta(hours=25))) != period_of(token)
        assert keep.read_text() != old, "the old key is destroyed"
        assert len(token) <= 32

    @pytest.mark.parametrize("content", ["", "{}", '{"since": "x", "key": "00", "period": "1"}', "\x00"])
    def test_a_damaged_key_is_replaced(self, clock: Clock, tmp_path: Path, content: str) -> None:
        keep = tmp_path / "origins.json"
        keep.write_text(content)

        assert period_of(OriginBook(timedelta(hours=24), keep).token("198.51.100.0/24", clock.now))

    def test_the_key_lives_at_most_72_hours_and_no_setting_says_otherwise(self) -> None:
        assert AnnotationConfig().rate_key_hours <= 72
        assert "rate_key_hours" not in settings_of(AnnotationConfig)


class TestOneNetworkOnManyDays:
    def test_it_settles_no_label(self, store: Store, clock: Clock) -> None:
        """F5: one address with three cookies on three days published 40 of 40 wrong labels."""
        app = make_app(store, clock)
        store.add_items([item(n) for n in range(5)], now=START)
        for _ in range(3):
            person = Person(app).begin()
            for _ in range(5):
                person.vote("yes")
            clock.turn(hours=73)

        assert len(store.votes()) == 15
        assert set(store.all_labels()["status"]) == {"withheld"}
