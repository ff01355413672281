"""Several sources become one table: provenance, twins, and what changed since the last run."""

from __future__ import annotations

import dataclasses

from mass_pipeline.gathering.merging import merge, namesakes, twin_groups
from mass_pipeline.gathering.overview import diff_parishes
from mass_pipeline_tests.gathering.support import parish


class TestMerge:
    def test_a_lower_source_fills_what_is_missing_and_is_named(self) -> None:
        first = parish(street=None, website_hint=None, source="deon")
        second = parish("Parafia św. Anny", source="osm", parish_id="osm-1", website_hint="http://swanna.example/")
        (joined,) = merge([[first], [second]])

        assert (first.parish_id, "deon+osm", "ul. Kościelna 5", "http://swanna.example/") == (
            joined.parish_id, joined.source, joined.street, joined.website_hint,
        )  # fmt: skip

    def test_a_higher_source_is_never_overwritten(self) -> None:
        (joined,) = merge([[parish(website_hint="http://a.example/")], [parish(website_hint="http://b.example/")]])

        assert joined.website_hint == "http://a.example/"

    def test_another_patron_or_another_street_is_another_parish(self) -> None:
        others = [
            parish("św. Wojciecha", source="osm"),
            parish(street="ul. Daleka 77", postcode="45-999", source="osm"),
        ]

        assert len(merge([[parish()], others])) == 3

    def test_an_entry_that_fits_two_parishes_joins_neither(self) -> None:
        twins = [parish(parish_id="a", street=None, postcode=None), parish(parish_id="b", street=None, postcode=None)]
        entry = parish(parish_id="c", street=None, postcode=None, source="osm")

        assert merge([twins, [entry]]) == (*twins, entry)

    def test_twins_of_one_source_stay_two(self) -> None:
        assert len(merge([[parish(parish_id="a"), parish(parish_id="b")]])) == 2


class TestTwins:
    def test_same_name_and_town_however_capitalised(self) -> None:
        one, other = parish("Św. Anny", "OPOLE", parish_id="1"), parish("św. Anny", "Opole", parish_id="2")

        assert twin_groups([one, parish("św. Anny", "Nysa"), other]) == [(one, other)]

    def test_namesakes_are_found_through_other_spellings(self) -> None:
        """`NSPJ` and the written-out name mean one patron: by name and town these two cannot be told apart."""
        one = parish("Najświętszego Serca Pana Jezusa", parish_id="1")
        other = parish("NSPJ", parish_id="2")

        assert namesakes([one, other, parish("św. Anny", parish_id="3")]) == {"1", "2"}


class TestDiff:
    def test_new_gone_and_changed_are_told_by_identifier(self) -> None:
        same, old, new = parish(parish_id="1"), parish(parish_id="2"), parish(parish_id="3")
        moved = dataclasses.replace(same, street="ul. Nowa 1")
        diff = diff_parishes([same, old], [moved, new])

        assert ((new,), (old,)) == (diff.new, diff.gone)
        assert [change.columns for change in diff.changed] == [{"street": ("ul. Kościelna 5", "ul. Nowa 1")}]

    def test_the_time_of_fetching_is_no_change(self) -> None:
        assert diff_parishes([parish()], [parish(fetched_at=None)]).changed == ()

    def test_directory_text_cannot_break_the_table(self) -> None:
        text = diff_parishes([], [parish("św. <script> | *Anny*")]).to_markdown()

        assert r"św. \<script\> \| \*Anny\*" in text
        assert diff_parishes([], []).to_markdown() == "Nothing changed since the last run."
