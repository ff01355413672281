"""Reports, a parish's link, the widget, and files to take away."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.finding.inbox import read_reports
from mass_pipeline.finding.parish_links import make_link, read_answers, wanted_links
from mass_pipeline_tests.finding.made import NOW
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

OWN = {"Origin": "https://localhost"}


@pytest.fixture
def own(tmp_path: Path) -> Visitor:
    """A visitor of a site whose inbox the test looks into."""
    published(tmp_path)
    return Visitor(site_over(tmp_path))


def reported(visitor: Visitor, **fields: str) -> Any:
    """The answer to a report of a Mass that is missing, with these fields instead."""
    return visitor.client.post("/zglos", data={"parish_id": "p000001", "kind": "missing", **fields}, headers=OWN)


class TestReports:
    def test_a_report_is_appended_without_anything_of_its_sender(self, own: Visitor) -> None:
        answer = reported(own, kind="wrong_hour", text="teraz\r\no 9\x00", generation="g")
        (report,) = read_reports(own.site.inbox)

        assert answer.status_code == 202
        assert report.report_id in answer.text
        assert (report.text, report.kind) == ("teraz o 9", "wrong_hour")
        assert "testclient" not in (own.site.inbox / "reports.jsonl").read_text()
        assert own.get(f"/zglos/{report.report_id}").status_code == 200

    def test_other_sites_may_report_by_the_api_alone(self, own: Visitor) -> None:
        foreign = {"Origin": "https://other.example"}
        fields = {"parish_id": "p000001", "kind": "missing"}

        assert own.client.post("/zglos", data=fields, headers=foreign).status_code == 403
        assert own.client.post("/api/v1/reports", json=fields, headers=foreign).status_code == 202
        assert own.client.post("/api/v1/reports", content=b"[", headers={"Content-Type": "application/json"}).status_code == 400

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            *(("kind", "x"), ("parish_id", "nobody"), ("text", "x" * 501), ("mass_id", "y" * 90)),
            *(("time", "25:61"), ("days", "Xx"), ("day", "2001-01-01"), ("day", "jutro")),
        ],
    )
    def test_a_strange_one_is_refused_by_the_name_of_its_field(self, own: Visitor, field: str, value: str) -> None:
        answer = reported(own, **{"time": "7:30", field: value})

        assert answer.status_code == 400
        assert field in answer.text or field == "mass_id"
        assert not list(read_reports(own.site.inbox))

    def test_a_flood_of_one_network_ends(self, tmp_path: Path) -> None:
        published(tmp_path)
        visitor = Visitor(site_over(tmp_path, reports_per_day=2))

        assert [reported(visitor).status_code for _ in range(4)] == [202, 202, 429, 429]

    def test_the_right_hour_is_kept_and_its_page_says_so_without_the_words(self, own: Visitor) -> None:
        answer = reported(own, text="tel. 605 111 222", time="7:30", days="Su PH")
        (report,) = read_reports(own.site.inbox)

        assert (report.time, report.days, report.text) == ("7:30", "Su PH", "tel. ▒▒▒")
        assert answer.headers["location"] == f"/zglos/{report.report_id}"
        page = own.page(f"/zglos/{report.report_id}")
        assert "7:30" in page
        assert "Młyny" in page
        assert "tel." not in page

    def test_the_form_offers_the_published_hours(self, own: Visitor) -> None:
        assert re.search(r'<option value="\w+">11:00</option>', own.page("/zglos?parafia=p000002"))


class TestParishLink:
    @pytest.fixture
    def link(self, own: Visitor) -> str:
        """Address of a link of a parish."""
        return f"/potwierdz/{make_link(own.site.inbox, 'p000001', 'order', NOW)}"

    def sent(self, own: Visitor, link: str, **fields: str) -> Any:
        return own.client.post(link, data=fields, headers=OWN)

    def seen(self, preview: Any) -> dict[str, str]:
        """What sends an answer that was seen in a preview."""
        found = re.search(r'name="seen" value="(\w+)"', preview.text)
        assert found is not None
        return {"send": "1", "seen": found[1]}

    def test_opening_writes_nothing_and_sending_counts_once(self, own: Visitor, link: str) -> None:
        before = sorted(path.name for path in own.site.inbox.iterdir())

        assert "Tak dziś podajemy" in own.page(link)
        assert sorted(path.name for path in own.site.inbox.iterdir()) == before
        assert [self.sent(own, link, says="in_force").status_code for _ in range(2)] == [202, 404]
        assert [one.parish_id for one in read_answers(own.site.inbox)] == ["p000001"]
        assert "Stan zgłoszenia" in own.page(link)

    def test_a_new_order_is_shown_as_it_was_read_before_it_is_sent(self, own: Visitor, link: str) -> None:
        text = "niedziele: 8.00, 10.00\ndni powszednie: 18.00"
        fields = {"says": "changed", "text": text, "day": "2026-12-24", "hours": "8.00, 24.00"}
        preview = self.sent(own, link, **fields)

        assert preview.status_code == 200
        assert "niedziele: 08:00, 10:00" in preview.text
        assert "08:00, 24:00" in preview.text
        assert not list(read_answers(own.site.inbox))
        assert self.sent(own, link, **{**fields, "hours": "9.00"}, **self.seen(preview)).status_code == 200
        assert self.sent(own, link, **fields, **self.seen(preview)).status_code == 202
        (said,) = read_answers(own.site.inbox)
        assert (said.says, said.text, dict(said.hours)) == ("changed", text, {"2026-12-24": "8.00, 24.00"})

    def test_the_order_as_it_was_shown_is_confirmed_with_the_hours_of_a_date(self, own: Visitor, link: str) -> None:
        shown = html.unescape(own.page(link).split("<textarea")[1].split(">")[1].split("</textarea")[0])
        fields = {"says": "changed", "text": shown.replace("\n", "\r\n"), "day": "2026-12-24", "hours": "22"}
        self.sent(own, link, **fields, **self.seen(self.sent(own, link, **fields)))
        (said,) = read_answers(own.site.inbox)

        assert (said.says, said.text, dict(said.hours)) == ("in_force", "", {"2026-12-24": "22"})

    def test_hours_that_cannot_be_read_are_not_sent(self, own: Visitor, link: str) -> None:
        answer = self.sent(own, link, says="in_force", day="2026-12-24", hours="<b>rano</b>", send="1")

        assert "&lt;b&gt;rano&lt;/b&gt;" in answer.text
        assert not list(read_answers(own.site.inbox))

    def test_before_christmas_it_asks_for_the_hours_of_the_feast(self, tmp_path: Path) -> None:
        published(tmp_path)
        advent = NOW.replace(month=12, day=11)
        visitor = Visitor(site_over(tmp_path, at=advent))
        token = make_link(visitor.site.inbox, "p000001", "order", advent)

        assert 'name="hours-2026-12-24"' in visitor.page(f"/potwierdz/{token}")
        assert 'name="hours-2026-12-24"' in visitor.page(f"/en/potwierdz/{token}")

    def test_a_forged_link_opens_nothing(self, own: Visitor) -> None:
        assert own.get("/potwierdz/forged").status_code == 404
        assert self.sent(own, "/potwierdz/forged", says="changed", text="niedziele: 8.00").status_code == 404

    def test_no_other_site_answers_for_a_parish(self, own: Visitor, link: str) -> None:
        assert own.client.post(link, data={"says": "leave_out"}, headers={"Origin": "https://other.example"}).status_code == 403
        assert not list(read_answers(own.site.inbox))


class TestForParishes:
    def test_a_parish_is_found_by_its_words_and_asks_for_its_link(self, tmp_path: Path) -> None:
        published(tmp_path)
        visitor = Visitor(site_over(tmp_path, parish_mail=True))

        assert "/dla-parafii?parafia=p000007" in visitor.page("/dla-parafii?q=zdr%C3%B3j")
        assert 'method="post"' in visitor.page("/dla-parafii?parafia=p000007")
        codes = [visitor.client.post("/dla-parafii", data={"parish_id": "p000007"}, headers=OWN).status_code for _ in range(3)]
        assert codes == [202, 202, 202]
        assert [one.parish_id for one in wanted_links(visitor.site.inbox)] == ["p000007"]

    def test_where_nobody_is_written_to_nothing_is_asked_for(self, own: Visitor) -> None:
        assert 'method="post"' not in own.page("/en/dla-parafii?parafia=p000007")
        assert own.client.post("/dla-parafii", data={"parish_id": "p000007"}, headers=OWN).status_code == 400
        assert not list(wanted_links(own.site.inbox))


class TestWidget:
    def test_it_may_be_framed_and_is_small_and_without_scripts(self, own: Visitor) -> None:
        answer = own.get("/widget/p000001")

        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert "<script" not in answer.text
        assert len(answer.content) <= 15_000

    def test_no_other_page_may(self, own: Visitor) -> None:
        assert "frame-ancestors 'none'" in own.get("/").headers["content-security-policy"]


class TestApi:
    def test_pages_of_masses_follow_each_other_without_gaps(self, visitor: Visitor) -> None:
        query = "masses?place=mlyny&from=2026-11-22T00:00&to=2026-12-20T00:00"
        whole = [one["start"] for one in visitor.get(f"/api/v1/{query}&limit=100").json()["masses"]]
        found, cursor = [], "0"
        while cursor is not None:
            page = visitor.get(f"/api/v1/{query}&limit=7&cursor={cursor}").json()
            found += [one["start"] for one in page["masses"]]
            cursor = page["cursor"]

        assert found == whole
        assert len(whole) > 20
