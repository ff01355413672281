"""Letters to parishes: to the address that they publish themselves, once a feast, and to nobody who asked for none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from mass_pipeline.defs.automation.sensors import parish_mail, settle_inbox
from mass_pipeline.finding.inbox import Report, append, state_of
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.finding.parish_links import answer, link_of, make_link, want_link
from mass_pipeline.model.columns import CRAWLED_PAGES, MASS_SCHEDULES
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.publishing.parish_mail import stated_addresses, write_letters
from mass_pipeline.publishing.published import Published
from mass_pipeline.resources.alerts import Alerts, AlertsConfig
from mass_pipeline.resources.lake import table_of
from mass_pipeline_tests.cli.test_public import published_tables
from mass_pipeline_tests.finding.made import row
from mass_pipeline_tests.resources.test_alerts import MailServer, Postbox

ADVENT = datetime(2026, 12, 11, 9, tzinfo=UTC)
CHRISTMAS = datetime(2026, 12, 25).date()  # noqa: DTZ001


def page(parish_id: str, url: str, body: str, depth: int = 0) -> dict[str, object]:
    """A crawled page; what no test looks at is empty."""
    made: dict[str, object] = {column.name: None for column in CRAWLED_PAGES.columns}
    content = body.encode()
    return made | {
        "parish_id": parish_id, "diocese_key": "tarnowska", "url": url, "url_md5": url, "start_url": url, "domain": "p.example",
        "depth": depth, "outcome": "ok", "status": 200, "truncated": False, "body": content, "body_sha256": str(hash(content)),
    }  # fmt: skip


@pytest.fixture
def postbox() -> Postbox:
    return Postbox()


@pytest.fixture
def alerts(postbox: Postbox, tmp_path: Path) -> Iterator[Alerts]:
    server = MailServer(postbox, hostname="127.0.0.1", port=0)
    server.start()
    try:
        config = AlertsConfig(email_from="msze@a.example", smtp=f"smtp://127.0.0.1:{server.port}")
        yield Alerts(config, tmp_path / "alerts.sqlite")
    finally:
        server.stop()


def published_at(folder: Path, at: datetime = ADVENT, **environ: str) -> Published:
    """Three parishes at a moment; the operator's table knows the first."""
    if not (folder / "lake").exists():
        published_tables(folder, 3)
        (folder / "contacts.csv").write_text("parish_id,email\np0,parafia@zero.example\np1,not an address\n")
    return Published.of(
        {
            "MASS_PIPELINE_DATA_FOLDER": str(folder),
            "MASS_PIPELINE_OPERATION_FROZEN_NOW": at.isoformat(),
            "MASS_PIPELINE_PUBLIC_BASE_URL": "https://msze.example",
            "MASS_PIPELINE_PUBLIC_PARISH_CONTACTS": str(folder / "contacts.csv"),
            **environ,
        }
    )


class TestReminders:
    def test_two_weeks_before_each_parish_is_written_to_once(self, tmp_path: Path, alerts: Alerts, postbox: Postbox) -> None:
        published = published_at(tmp_path)
        done = [write_letters(published, alerts) for _ in range(2)]

        assert [(one.sent, one.without_address) for one in done] == [(1, 2), (0, 0)]
        (mail,) = postbox.mails
        assert (mail["to"], mail["from"], mail["auto-submitted"]) == ("parafia@zero.example", "msze@a.example", "auto-generated")
        token = mail.get_content().split("/potwierdz/")[1].split()[0]
        link = link_of(published.inbox, token, ADVENT)
        assert link is not None
        assert link.parish_id == "p0"
        assert b"zero.example" not in (tmp_path / "alerts.sqlite").read_bytes()

    @pytest.mark.parametrize("at", ["2026-11-22T09:00:00+00:00", "2026-12-09T09:00:00+00:00", "2026-12-25T09:00:00+00:00"])
    def test_at_another_time_nobody_is(self, tmp_path: Path, alerts: Alerts, postbox: Postbox, at: str) -> None:
        assert write_letters(published_at(tmp_path, datetime.fromisoformat(at)), alerts).sent == 0

    def test_who_has_announced_asked_for_none_or_left_is_let_alone(
        self, tmp_path: Path, alerts: Alerts, postbox: Postbox
    ) -> None:
        published = published_at(tmp_path)
        (tmp_path / "contacts.csv").write_text("".join(["parish_id\temail\n", *(f"p{n}\ta@p{n}.example\n" for n in range(3))]))
        christmas = row(["Fr"], "22:00", exception="added", valid_from=CHRISTMAS, valid_to=CHRISTMAS)
        rows = [christmas.as_dict("p0", ""), row(["Su"], "08:00").as_dict("p1", ""), row(["Su"], "08:00").as_dict("p2", "")]
        published.lake.publish(MASS_SCHEDULES, {"tarnowska": [table_of(MASS_SCHEDULES, rows)]})
        assert answer(published.inbox, make_link(published.inbox, "p1", "", ADVENT), "no_mail", "", ADVENT)

        assert write_letters(published, alerts).sent == 1
        assert [mail["to"] for mail in postbox.mails] == ["a@p2.example"]

    def test_what_the_server_did_not_take_is_sent_the_next_time(self, tmp_path: Path, alerts: Alerts, postbox: Postbox) -> None:
        published = published_at(tmp_path)
        postbox.closed = True
        first = write_letters(published, alerts)
        postbox.closed = False

        assert (first.sent, write_letters(published, alerts).sent) == (0, 1)

    def test_without_the_address_of_the_site_it_says_what_to_set(self, tmp_path: Path, alerts: Alerts) -> None:
        with pytest.raises(ConfigurationError, match="MASS_PIPELINE_PUBLIC_BASE_URL"):
            write_letters(published_at(tmp_path, MASS_PIPELINE_PUBLIC_BASE_URL=""), alerts)


class TestLinks:
    def test_a_link_that_is_asked_for_comes_once_a_week(self, tmp_path: Path, alerts: Alerts, postbox: Postbox) -> None:
        quiet = datetime(2026, 11, 2, 9, tzinfo=UTC)
        sent = []
        for day in (2, 3, 10):
            published = published_at(tmp_path, quiet.replace(day=day))
            want_link(published.inbox, "p0", quiet)
            sent.append(write_letters(published, alerts).sent)

        assert sent == [1, 0, 1]
        assert "/potwierdz/" in postbox.mails[0].get_content()


class TestStatedAddresses:
    def test_the_one_on_most_first_pages_is_taken_and_a_tie_is_none(self, tmp_path: Path) -> None:
        published = published_at(tmp_path)
        office, priest = '<a href="mailto:Kancelaria@p.example">', "<a href='mailto:jan@p.example?subject=x'>"
        rows = [
            page("p0", "https://p.example/", office + priest),
            page("p0", "https://p.example/kontakt", office, 1),
            page("p0", "https://p.example/deep", priest * 9, 5),
            page("p1", "https://p.example/1", office + priest),
            page(
                "p2", "https://p.example/2", "pisz: jan@p.example, <a href='mailto:&quot;x&quot;@p.example\nBcc:evil@e.example'>"
            ),
        ]
        published.lake.publish(CRAWLED_PAGES, {"tarnowska": [table_of(CRAWLED_PAGES, rows)]})

        assert stated_addresses(published, ["tarnowska"], {"p0", "p1", "p2"}) == {"p0": "kancelaria@p.example"}


class TestSensors:
    def test_the_inbox_is_settled_by_itself_and_nobody_is_written_to_unasked(self, tmp_path: Path, alerts: Alerts) -> None:
        published = published_at(tmp_path)
        sunday = row(["Su"], "08:00")
        sent = ADVENT.isoformat()
        append(published.inbox, Report("r1", sent, "p1", mass_id("p1", sunday), "wrong_hour", "", "g", time="9:00"))
        resources = {"settings": published.settings, "lake": published.lake, "alerts": alerts}
        told = {
            sensor.name: sensor.evaluate_tick(dg.build_sensor_context(resources=resources))
            for sensor in (settle_inbox, parish_mail)
        }

        assert state_of(published.inbox, "r1") == "waits"
        assert "1 new proposals" in str(told["settle_inbox"].skip_message)
        assert "MASS_PIPELINE_PUBLIC_PARISH_MAIL" in str(told["parish_mail"].skip_message)
