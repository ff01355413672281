"""What the UI tells about tables beside their rows: where columns come from, and by which code they were made."""

from __future__ import annotations

import pytest

from mass_pipeline.assets import LINEAGE
from mass_pipeline.assets.code_version import _sources, code_version
from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.lineage import column_lineage


class TestColumnLineage:
    @pytest.mark.parametrize("table", sorted(TABLES))
    def test_every_column_named_exists(self, table: str) -> None:
        for column, sources in column_lineage(table).items():
            assert column in TABLES[table].names
            for source in sources:
                above, _, name = source.partition(".")
                assert name in TABLES[above].names, source

    def test_every_table_but_the_first_tells_where_it_comes_from(self) -> None:
        assert {table for table in TABLES if not column_lineage(table)} == {"parishes"}


class TestCodeVersion:
    def test_it_rests_on_what_the_asset_reaches_and_on_nothing_else(self) -> None:
        files = {path.as_posix().split("mass_pipeline/")[-1] for path in _sources("assets.candidate_hours")}

        assert {"assets/candidate_hours.py", "schedule_grammar/judging/reading.py", "extraction/reader.py"} <= files
        assert any(name.startswith("language/") and name.endswith(".toml") for name in files), "vocabularies count"
        assert not any(name.startswith(("crawler/", "resources/", "discovery/", "finding/")) for name in files)

    def test_every_asset_has_one_of_its_own(self) -> None:
        versions = [code_version(stage.compute.__module__.removeprefix("mass_pipeline.")) for stage in LINEAGE]

        assert len(set(versions)) == len(LINEAGE)
        assert all(len(version) == 12 for version in versions)
