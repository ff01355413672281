"""The one table of settings: read once, checked, secrets never shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.cli.settings import settings
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.definitions import build_defs
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.settings import settings_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import load_settings, sections


class TestSettings:
    def test_every_setting_says_what_it_means(self) -> None:
        """The table is the documentation of the settings: none may be without a sentence."""
        silent = [
            f"{name}.{key}" for name, cls in sections().items() for key, info in settings_of(cls).items() if not info.meaning
        ]

        assert silent == []

    def test_the_demo_profile_is_the_default(self) -> None:
        """Nobody reaches real hosts by accident."""
        assert load_settings({}).general.profile == "demo"

    def test_the_live_profile_refuses_to_start_without_a_contact(self) -> None:
        """A webmaster must be able to find out who we are."""
        with pytest.raises(ConfigurationError, match="MASS_PIPELINE_CONTACT"):
            load_settings({"MASS_PIPELINE_PROFILE": "live"})

    @pytest.mark.parametrize("contact", ["foo", "me@here", "https://bot", "www.example.org"])
    def test_a_contact_that_reaches_nobody_is_refused(self, contact: str) -> None:
        with pytest.raises(ConfigurationError, match="reaches nobody"):
            load_settings({"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": contact})

    def test_the_live_profile_starts_with_one(self) -> None:
        settings = load_settings({"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": "me@example.org"})

        assert settings.is_live

    def test_staging_asks_the_emulated_web_by_the_rules_of_the_live_profile(self) -> None:
        """A first live run is rehearsed with its pauses, retries and limits; only addresses and contents are the demo's."""
        demo, staging = load_settings({}), load_settings({"MASS_PIPELINE_PROFILE": "staging"})
        live = load_settings({"MASS_PIPELINE_PROFILE": "live", "MASS_PIPELINE_CONTACT": "me@example.org"})
        crawls = [one.section(CrawlConfig) for one in (staging, live)]
        directories = [one.section(DirectoryConfig) for one in (demo, staging, live)]

        assert replace(crawls[0], removed_hosts=()) == crawls[1]
        assert [one.request_gap_seconds for one in directories] == [0.0, 2.0, 2.0]
        assert directories[0].start_url == directories[1].start_url != directories[2].start_url
        assert not staging.is_live
        assert staging.data_folder not in (demo.data_folder, live.data_folder)

    def test_a_misspelt_variable_is_named_with_the_closest_one(self) -> None:
        with pytest.raises(ConfigurationError, match="Did you mean MASS_PIPELINE_PROFILE"):
            load_settings({"MASS_PIPELINE_PROFIL": "live"})

    def test_a_setting_that_became_a_constant_is_reported_once_and_ignored(self, caplog: pytest.LogCaptureFixture) -> None:
        environ = {"MASS_PIPELINE_OPERATION_TIMEZONE": "Europe/Berlin"}

        assert {load_settings(environ).section(OperationConfig).timezone for _ in range(2)} == {"Europe/Warsaw"}
        assert caplog.messages == [
            "MASS_PIPELINE_OPERATION_TIMEZONE is no setting any more: it is Europe/Warsaw, whatever is set."
        ]

    @pytest.mark.parametrize("section", ["CRAWL", "PUBLIC", "ANNOTATION"])
    def test_there_is_one_contact(self, section: str) -> None:
        """Ignored, a contact under a wrong name would leave webmasters, readers and voters without one."""
        with pytest.raises(ConfigurationError, match="Did you mean MASS_PIPELINE_CONTACT"):
            load_settings({f"MASS_PIPELINE_{section}_CONTACT": "me@example.org"})

        settings = load_settings({"MASS_PIPELINE_CONTACT": "me@example.org"})
        assert {settings.section(one).contact for one in (PublicConfig, AnnotationConfig)} == {"me@example.org"}

    @pytest.mark.parametrize(("variable", "text"), [("CRAWL_MAX_DEPTH", "many"), ("CRAWL_MAX_DEPTH", "-1"), ("PROFILE", "real")])
    def test_a_malformed_value_names_what_is_accepted(self, variable: str, text: str) -> None:
        with pytest.raises(ConfigurationError, match=r"expected (a|one|a number)"):
            load_settings({f"MASS_PIPELINE_{variable}": text})

    def test_an_empty_variable_means_the_default(self) -> None:
        """Shells and compose files often pass empty strings for "not set"."""
        assert load_settings({"MASS_PIPELINE_PROFILE": ""}).general == load_settings({}).general

    def test_variable_names_are_unique(self) -> None:
        variables = [row.variable for row in load_settings({}).rows]

        assert len(variables) == len(set(variables))

    def test_no_secret_shows_in_the_representation(self) -> None:
        """A settings object may end in a traceback or log."""
        secrets = [row for row in load_settings({}).rows if row.info.secret]
        settings = load_settings({row.variable: "s3cr3t-value" for row in secrets})

        assert "s3cr3t-value" not in repr(dict(settings.sections))

    @pytest.mark.parametrize("form", [[], ["--json"]])
    def test_a_password_in_an_address_is_not_printed(self, form: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        """F15: the table goes into tickets and chats."""
        monkeypatch.setenv("MASS_PIPELINE_ANNOTATION_DATABASE", "postgresql://anna:s3:c@ret@db.example/votes?password=hush")
        shown = CliRunner().invoke(settings, form).output

        assert "***" in shown
        assert not any(word in shown for word in ("s3:c", "ret@", "hush"))


class TestWordsForUsers:
    def test_no_row_number_of_a_requirement_is_shown(self) -> None:
        """`(P11)` and `source: V6` say nothing to whoever reads the settings, a table's columns or a sensor."""
        defs = build_defs(load_settings({}))
        repository = defs.get_repository_def()
        graph = repository.asset_graph
        shown = [f"{row.info.meaning} {row.info.source}" for row in load_settings({}).rows if "hazard" not in row.info.source]
        shown += [column.meaning for table in TABLES.values() for column in table.columns]
        shown += [one.description or "" for one in [*repository.sensor_defs, *repository.schedule_defs]]
        shown += [graph.get(key).description or "" for key in graph.get_all_asset_keys()]

        codes = r"\b(?!F1\b|L2\b)[A-Z]\d{1,2}\b"
        assert [text for text in shown if re.search(codes, text)] == []
