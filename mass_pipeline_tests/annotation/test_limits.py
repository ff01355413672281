"""Sliding windows and address prefixes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.web_common.limits import SlidingWindow
from mass_pipeline.web_common.origins import OriginBook, client_prefix, parse_networks

NOW = datetime(2026, 11, 22, 8, tzinfo=UTC)


class TestSlidingWindow:
    @given(st.lists(st.tuples(st.floats(0, 20), st.integers(1, 4)), max_size=60), st.integers(1, 6))
    def test_no_window_ever_holds_more_than_the_limit(self, steps: list[tuple[float, int]], limit: int) -> None:
        window, now, taken = SlidingWindow(limit, 60.0), 0.0, []
        for step, cost in steps:
            now += step
            if window.take("a", now, cost) is None:
                taken += [now] * min(cost, limit)

        assert all(sum(moment - 60.0 < other <= moment for other in taken) <= limit for moment in taken)

    @given(st.lists(st.floats(0, 5), min_size=1, max_size=40))
    @example([0.8275574940047127, 0, 0, 0, 0, 3.999999999999999])  # told a second too little: the difference was rounded
    def test_whoever_waits_as_told_is_let_in(self, steps: list[float]) -> None:
        window, now = SlidingWindow(5, 60.0), 0.0
        for step in steps:
            now += step
            wait = window.take("a", now)
            if wait is not None:
                now += wait
                assert window.take("a", now) is None

    def test_keys_do_not_share_and_are_forgotten_when_unused(self) -> None:
        window = SlidingWindow(1, 60.0)
        for key in range(1000):
            assert window.take(str(key), 0.0) is None
        window.take("later", 100.0)

        assert list(window._events) == ["later"]


class TestClientPrefix:
    @pytest.mark.parametrize(
        ("peer", "expected"),
        [("203.0.113.9", "203.0.113.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48"), ("::ffff:203.0.113.9", "203.0.113.0/24"),
         ("fe80::1%eth0", "fe80::/48"), (None, "nowhere"), ("/run/socket", "nowhere")],
    )  # fmt: skip
    def test_is_a_slash_24_or_48(self, peer: str | None, expected: str) -> None:
        assert client_prefix(peer, [], ()) == expected

    def test_networks_are_told_apart_by_what_a_provider_is_given(self) -> None:
        """Three /48 of one /32 counted as three networks: a server can be rented with as many."""
        book = OriginBook(timedelta(hours=72))
        rented = {book.token(f"2001:db8:{number}::/48", NOW) for number in range(3)}

        assert len(rented) == 1
        assert book.token("2001:db9:1::/48", NOW) not in rented
        assert book.token("203.0.113.0/24", NOW) != book.token("203.0.114.0/24", NOW)

    def test_a_broken_hop_of_a_proxy_falls_back_to_the_proxy(self) -> None:
        trusted = parse_networks(["10.0.0.0/8"])

        assert client_prefix("10.0.0.1", ["203.0.113.9, unknown"], trusted) == "10.0.0.0/24"

    def test_a_malformed_proxy_is_told(self) -> None:
        with pytest.raises(ConfigurationError, match="trusted_proxies"):
            parse_networks(["proxy.example"])
