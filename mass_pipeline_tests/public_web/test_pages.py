"""Pages of the site, as a visitor without scripts gets them."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.finding.index.generations import Generations
from mass_pipeline_tests.finding.made import NOW, parish, row
from mass_pipeline_tests.public_web.support import PARISHES, Visitor, links, look_again, published, site_over

MLYNY = "/msze?miejsce=pomorskie/mlyny"


def lines() -> list[tuple[str, ...]]:
    """Address, hours of its list of Masses and what it says, of each line of pages.txt."""
    text = Path(__file__).with_name("pages.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in text if line and not line.startswith("#")]


@pytest.mark.parametrize(("path", "hours", "says"), lines(), ids=[path for path, *_ in lines()])
def test_a_page_gives_the_hours_and_says_what_the_file_says(visitor: Visitor, path: str, hours: str, says: str) -> None:
    page = visitor.page(path)

    assert visitor.hours(path) == hours.split()
    for sentence in filter(None, says.split(" / ")):
        assert (sentence.removeprefix("!") in page) is not sentence.startswith("!"), sentence


class TestResults:
    def test_every_hour_leads_to_its_words_source_date_and_confidence(self, visitor: Visitor) -> None:
        hours = re.findall(r'class="at[^"]*" href="([^"]*)"', visitor.page(f"{MLYNY}&dzien=2026-11-29"))
        for link in hours:
            page = visitor.page(link)
            assert all(part in page for part in ('<q lang="pl">', "parafia.example", "sprawdzono 22 listopada 2026", "pewność"))
        assert len(hours) >= 3

    def test_a_card_tells_the_street_and_a_way_that_opens_everywhere(self, tmp_path: Path) -> None:
        exact = parish(1, town="Młyny", street="ul. Staszica 1")
        rough = parish(2, town="Młyny-Wola", street="ul. Polna 3", precision_m=5_000)
        published(tmp_path, [exact, rough])
        page = Visitor(site_over(tmp_path, directions="https://maps.example/to/{to}")).page("/msze?miejsce=mlyny")

        assert "ul. Staszica 1" in page
        assert f'href="https://maps.example/to/{exact.latitude}%2C{exact.longitude}"' in page
        assert 'href="geo:' not in page

    def test_churches_near_that_can_still_be_reached_today_come_first(self, tmp_path: Path) -> None:
        near, far = parish(1, [row(["Su"], "07:00"), row(["Mo"], "07:00")]), parish(2, [row(["Su"], "18:00")], latitude=50.2)
        published(tmp_path, [near, far])
        visitor = Visitor(site_over(tmp_path))
        at = f"/msze?lat={near.latitude}&lon={near.longitude}"

        assert [re.findall(r">(\d\d:\d\d)</time>", visitor.page(f"{at}{order}")) for order in ("", "&wczesniej=1")] == [
            ["18:00", "07:00"], ["18:00", "07:00"]
        ]  # fmt: skip

    def test_near_me_ranks_by_distance_and_keeps_rough_positions_apart(self, visitor: Visitor) -> None:
        near = "/msze?lat=50.05&lon=20.0&dzien=2026-11-29&od=08:00&do=08:00"

        assert visitor.hours(near) == ["08:00", "08:00"]
        assert visitor.hours(near, "Położenie znane tylko w przybliżeniu") == ["08:00"]

    @pytest.mark.parametrize("root", ["", "/en"])
    def test_a_question_put_to_the_start_page_goes_on_to_the_results(self, visitor: Visitor, root: str) -> None:
        response = visitor.get(f"{root or '/'}?q=M%C5%82yny%20jutro&wozek=1")

        assert (response.status_code, response.headers["location"]) == (302, f"{root}/msze?q=M%C5%82yny%20jutro&wozek=1")
        assert visitor.get(f"{root or '/'}?q=%20").status_code == 200

    def test_near_a_point_such_a_day_is_worked_out_for_the_nearest_churches(self, visitor: Visitor) -> None:
        town = visitor.hours("/msze?miejsce=Zdr%C3%B3j&dzien=2027-05-27")
        near = visitor.hours("/msze?lat=50.06&lon=19.94&dzien=2027-05-27")

        assert near
        assert set(town) <= set(near)


class TestParish:
    def test_the_right_address_is_the_only_one(self, visitor: Visitor) -> None:
        response = visitor.get("/en/parafia/wrong-p000007/2026-12-25")

        assert response.status_code == 301
        assert response.headers["location"] == "/en/parafia/zdroj-wszystkich-swietych-p000007/2026-12-25"

    def test_unknown_is_404_and_removed_is_410(self, tmp_path: Path) -> None:
        published(tmp_path, aliases={"gone": None, "old": "p000001"})
        visitor = Visitor(site_over(tmp_path))

        assert visitor.get("/parafia/x-nobody").status_code == 404
        assert visitor.get("/parafia/x-gone").status_code == 410
        assert visitor.get("/parafia/x-old").headers["location"] == "/parafia/mlyny-swietego-jana-1-p000001"


class TestEveryPage:
    PATHS = (
        "/", "/en", MLYNY, "/en/msze?miejsce=pomorskie/mlyny", "/parafia/mlyny-swietego-jana-1-p000001",
        "/en/parafia/zdroj-wszystkich-swietych-p000007", "/parafia/zdroj-wszystkich-swietych-p000007/2026-12-25",
        "/miejscowosc/pomorskie/mlyny", "/diecezja/tarnowska", "/dzien/boze-cialo", "/en/dzien/2026-12-25", "/zmiany",
        "/wiadomosci",
    )  # fmt: skip

    @pytest.mark.parametrize("path", PATHS)
    def test_links_within_the_site_lead_somewhere(self, visitor: Visitor, path: str) -> None:
        for link in {html.unescape(one) for one in links(visitor.page(path))}:
            if link.startswith("/"):
                assert visitor.get(link).status_code in (200, 301), link

    @pytest.mark.parametrize("path", PATHS)
    def test_nothing_foreign_is_loaded(self, visitor: Visitor, path: str) -> None:
        page = visitor.page(path)

        assert not [one for one in links(page) if one.startswith(("http", "//")) and f'src="{one}"' in page]
        assert "set-cookie" not in visitor.get(path).headers


class TestHostileWords:
    def test_words_of_pages_stay_words(self, tmp_path: Path) -> None:
        evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
        rows = [row(["Su"], "08:00", quote=evil, note=evil[:40], place=evil[:30], source_url="javascript:alert(1)")]
        published(tmp_path, [parish(1, rows, name=evil, town="Zło", site="javascript:alert(2)", directory_url="javascript:x")])
        visitor = Visitor(site_over(tmp_path))
        key = next(link for link in links(visitor.page("/diecezja/tarnowska")) if "/parafia/" in link)

        for path in ("/diecezja/tarnowska", key, f"{key}/2026-11-29", "/msze?miejsce=Z%C5%82o&dzien=2026-11-29"):
            page = visitor.page(path)
            assert "<script>alert" not in page
            assert "<img src=x" not in page
            assert not [link for link in links(page) if link.startswith("javascript:")], path


class TestFrames:
    @pytest.mark.parametrize("root", ["/de", "/uk"])
    def test_every_kind_of_page_is_there(self, visitor: Visitor, root: str) -> None:
        own = ("", "/prywatnosc", "/o-danych", "/dane", "/api", "/zglos?parafia=p000001", "/dla-parafii", "/dostepnosc", "/mapa")
        for path in (*own, "/swieta", "/parafia/mlyny-swietego-jana-1-p000001/2026-11-29?o=08:00", *TestEveryPage.PATHS[2:]):
            if not path.startswith("/en"):
                assert f'<html lang="{root[1:]}">' in visitor.page(root + path), path


class TestFiles:
    def test_each_coding_of_a_file_has_its_own_tag_and_is_sent_once(self, visitor: Visitor) -> None:
        """RFC 9110 8.8.3: a strong tag differs between codings."""
        plain, packed = (visitor.get("/static/site.css", headers={"accept-encoding": one}) for one in ("identity", "gzip"))
        again = visitor.get("/static/site.css", headers={"accept-encoding": "gzip", "if-none-match": packed.headers["etag"]})

        assert (plain.text, "content-encoding" in plain.headers) == (packed.text, False)
        assert packed.headers["content-encoding"] == "gzip"
        assert plain.headers["etag"] != packed.headers["etag"]
        assert (again.status_code, again.content) == (304, b"")


class TestOldAndMissingData:
    def test_without_any_generation_every_page_says_so(self, tmp_path: Path) -> None:
        visitor = Visitor(site_over(tmp_path))

        assert {visitor.get(path).status_code for path in ("/", "/msze?q=x", "/zdrowie")} == {503}

    def test_a_new_generation_is_served_without_a_restart(self, tmp_path: Path) -> None:
        published(tmp_path)
        visitor = Visitor(site_over(tmp_path))
        visitor.page("/")
        made = published(tmp_path, PARISHES[:1], NOW + timedelta(hours=1))
        look_again(visitor)

        assert made.name in visitor.get("/zdrowie").text
        assert visitor.hours(f"{MLYNY}&dzien=2026-11-29") == ["08:00", "18:00"]
        assert Generations(tmp_path / "public").current() == made
