"""Records and identifiers: the vocabulary every layer shares."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.identifiers import content_id, fold, slug
from mass_pipeline.model.records import DAYS, Mass

masses = st.builds(
    Mass,
    days=st.sets(st.sampled_from(DAYS), min_size=1).map(lambda days: tuple(d for d in DAYS if d in days)),
    time=st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.integers(0, 59)),
    season=st.sampled_from(["all", "school", "05-09", "10-03"]),
    nth=st.none() | st.lists(st.sampled_from([-1, 1, 2, 3, 4, 5]), min_size=1, unique=True).map(tuple),
    place=st.text(max_size=20),
    note=st.text(max_size=20),
)


class TestMass:
    @given(masses)
    def test_the_json_form_reads_back_as_the_same_record(self, mass: Mass) -> None:
        assert Mass.from_dict(json.loads(json.dumps(mass.as_dict()))) == mass

    @given(st.lists(masses, max_size=8))
    def test_records_have_a_total_order(self, several: list[Mass]) -> None:
        """Sorted output is what makes two runs byte-identical."""
        backwards = several[::-1]

        assert sorted(backwards, key=Mass.sort_key) == sorted(several, key=Mass.sort_key)

    def test_days_are_put_in_the_order_of_the_week(self) -> None:
        assert Mass.from_dict({"days": ["PH", "Su", "Mo"], "time": "08:00"}).days == ("Mo", "Su", "PH")


class TestContentId:
    @given(st.lists(st.text(), min_size=2, max_size=4))
    def test_the_borders_between_parts_count(self, parts: list[str]) -> None:
        joined = content_id("".join(parts))

        assert content_id(*parts) != joined

    @given(st.text())
    def test_any_text_has_one(self, text: str) -> None:
        """Crawled text holds anything, lone surrogates included."""
        assert len(content_id(text)) == 16


class TestFold:
    @given(st.text())
    def test_folding_twice_changes_nothing(self, text: str) -> None:
        assert fold(fold(text)) == fold(text)

    @pytest.mark.parametrize(
        ("text", "key"), [("Łódzka", "lodzka"), ("przemyska (łac)", "przemyska-lac"), ("Żółć i Ość", "zolc-i-osc")]
    )
    def test_polish_names_become_plain_keys(self, text: str, key: str) -> None:
        assert slug(text) == key


class TestTables:
    @pytest.mark.parametrize("name", list(TABLES))
    def test_every_column_has_a_meaning_and_the_key_exists(self, name: str) -> None:
        table = TABLES[name]

        assert all(column.meaning for column in table.columns)
        assert set(table.key) <= set(table.names)
        assert isinstance(table.schema, pa.Schema)
