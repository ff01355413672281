"""Questions made of rows of candidate_hours, and which hours reach the crowd at all."""

from __future__ import annotations

from typing import Any

import pytest

from mass_pipeline.annotation.items import PageFilter, item_from_row, source_host
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import item


class TestItem:
    def test_pictures_of_icon_fonts_are_left_out(self) -> None:
        """They are boxes in every other font."""
        assert item(left="\ue0b0 Msze św.: ").left == " Msze św.: "

    def test_names_of_private_persons_never_reach_an_item(self) -> None:
        made = item(left="7.00 + Jan Kowalski\n", right=" za śp. Annę Nowak", heading="Intencje Marii Wójcik")

        assert "Kowalski" not in made.left
        assert "Nowak" not in made.right
        assert "Wójcik" not in made.heading

    def test_the_most_uncertain_hour_has_priority_nought(self) -> None:
        assert item(probability=0.5).priority == 0.0
        assert item(probability=0.99).priority == pytest.approx(0.98)
        assert item().priority == 0.5

    def test_hours_of_one_block_share_a_key_and_other_blocks_do_not(self) -> None:
        first, second, other = item(4), item(4, candidate_id="x"), item(4, heading="Kancelaria")

        assert first.block_key == second.block_key != other.block_key

    def test_the_random_order_depends_on_the_id_alone(self) -> None:
        assert item(1).shuffle == item(1, left="changed").shuffle != item(2).shuffle
        assert 0.0 <= item(1).shuffle < 1.0

    def test_a_label_and_an_answer_both_make_a_test_question(self) -> None:
        assert item(gold="not_mass").gold == item(gold="no").gold == "no"

    @pytest.mark.parametrize("columns", [{"candidate_id": ""}, {"raw": None}, {"gold": "maybe"}, {"probability": 1.2}])
    def test_a_row_that_cannot_be_an_item_is_refused_by_name(self, columns: dict[str, object]) -> None:
        with pytest.raises(BadInput, match=r"item|Item"):
            item(**columns)

    def test_characters_that_turn_the_text_around_or_hide_in_it_are_dropped(self) -> None:
        """Bidi overrides could show 03.9 for 9.30; NUL cannot be stored."""
        made = item(left="M\u202e\u2066s\u200bz\x00\x07a\nod\tdo", raw="9\u202e.30")

        assert made.left == "Msza\nod\tdo"
        assert made.raw == "9.30"

    def test_missing_columns_and_floating_nan_are_empty(self) -> None:
        made = item_from_row({"candidate_id": "a", "raw": "7", "heading": float("nan"), "day_scope": None})

        assert (made.heading, made.day_scope, made.host) == ("", "", "")


class TestSourceHost:
    @pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//evil.example/", "http://[::1", ""])
    def test_anything_but_http_has_no_host_and_so_no_link(self, url: str) -> None:
        assert source_host(url) == ""


def asked(score: float | None, n: int = 400, **more: Any) -> PageFilter:
    rows = ({"candidate_id": f"c{n}", "raw": "8.00", "page_score": score, **more} for n in range(n))
    chosen = PageFilter(0.3, 0.05)
    for _ in chosen(map(item_from_row, rows)):
        pass
    return chosen


@pytest.mark.row("P12")
class TestPageFilter:
    @pytest.mark.parametrize("score", [0.3, 0.9, None])
    def test_hours_of_likely_pages_and_of_pages_without_a_score_are_all_asked(self, score: float | None) -> None:
        assert (asked(score).left_out, asked(score).kept_as_sample) == (0, 0)

    def test_of_the_others_a_sample_is_asked_the_same_each_time(self) -> None:
        chosen = asked(0.1)

        assert chosen.left_out + chosen.kept_as_sample == 400
        assert 8 <= chosen.kept_as_sample <= 36
        assert asked(0.1) == chosen

    def test_test_questions_are_always_asked(self) -> None:
        assert asked(0.0, gold="yes").left_out == 0
