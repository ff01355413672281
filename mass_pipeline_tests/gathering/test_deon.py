"""The walk through a directory in deon.pl's form, and its canary."""

from __future__ import annotations

import dataclasses

import pytest

from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.deon import read_directory
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.model.errors import ConfigurationError, Gone, LayoutChanged
from mass_pipeline_tests.gathering.support import DIOCESES, START, detail_page, directory, fetch_from, list_page

CONFIG = DirectoryConfig(allow_live=True, start_url=START)


def walk(site: dict[str, str], previous_count: int | None = None) -> list[Parish]:
    return list(read_directory(fetch_from(site), CONFIG, dioceses=DIOCESES, previous_count=previous_count))


@pytest.mark.row("P1")
class TestReadDirectory:
    def test_every_parish_of_every_page_is_read_in_order(self) -> None:
        parishes = walk(directory(25))

        assert [f"św. Anny {n}" for n in range(1, 26)] == [parish.name for parish in parishes]

    def test_cells_and_address_become_the_columns(self) -> None:
        parish = walk(directory(12))[0]

        assert (
            (parish.town, parish.voivodeship, parish.diocese, parish.diocese_key, parish.deanery, parish.street, parish.postcode)
            == ("Miejscowość 1", "opolskie", "opolska", "opolska", "Biała", "ul. Leśna 1", "48-217")
        )  # fmt: skip
        assert parish.address == "św. Anny 1|ul. Leśna 1|48-217 Miejscowość 1|woj. opolskie"
        assert parish.directory_url == f"{START}parafia,1.html"

    def test_the_identifier_survives_a_move_to_https(self) -> None:
        plain = walk(directory(10))
        secure = {url.replace("http:", "https:"): page for url, page in directory(10).items()}
        config = dataclasses.replace(CONFIG, start_url=START.replace("http:", "https:"))
        moved = list(read_directory(fetch_from(secure), config, dioceses=DIOCESES))

        assert [parish.parish_id for parish in plain] == [parish.parish_id for parish in moved]

    @pytest.mark.parametrize(
        ("written", "hint"),
        [
            ("www.swanna.example", "http://www.swanna.example"),
            ("http://swanna.example/", "http://swanna.example/"),
            ('<a href="https://swanna.example/start">strona parafii</a>', "https://swanna.example/start"),
            ("brak", None),
            ("", None),
        ],
    )
    def test_the_bold_www_label_gives_the_website_hint(self, written: str, hint: str | None) -> None:
        site = directory(10) | {f"{START}parafia,1.html": detail_page(1, written)}

        assert hint == walk(site)[0].website_hint

    def test_the_last_page_is_read_from_the_pager_and_a_longer_pager_further_on_counts(self) -> None:
        site = directory(30)
        site[START] = site[START].replace('<a href="/parafie-koscioly/strona,3.html">3</a>', "")

        assert len(walk(site)) == 30

    def test_nothing_is_fetched_before_the_operator_allows_it(self) -> None:
        asked: list[str] = []
        config = dataclasses.replace(CONFIG, allow_live=False)

        with pytest.raises(ConfigurationError, match="ALLOW_LIVE"):
            list(read_directory(lambda url: asked.append(url), config, dioceses=DIOCESES))  # type: ignore[arg-type,return-value]
        assert asked == []


class TestCanary:
    """A changed layout must stop the run and say what is missing; it must never give a shorter table."""

    @pytest.mark.parametrize(
        ("parishes", "changed", "previous", "words"),
        [
            (
                25, {"": "<html><head><title>Przerwa</title></head><body></body></html>"}, None,
                r"at least 9 rows .* found 0 on page 1 of 1 \(title 'Przerwa'\)",
            ),
            (25, {"": list_page(range(1, 11), 3, css="topic")}, None, "at least 9 rows"),
            (25, {"": list_page(range(1, 11), 1)}, 25, "a pager, as the last run had 25 parishes"),
            (35, {"strona,2.html": list_page(range(11, 21), 1)}, None, "a pager on every list page, found none on page 2 of 4"),
            (25, {"strona,2.html": list_page(range(11, 15), 3)}, None, "found 4 on page 2 of 3"),
            (25, {"strona,3.html": list_page(range(0), 3)}, None, r"at least 1 rows .* found 0 on page 3 of 3"),
            (25, {"": list_page(range(1, 11), 3, diocese="")}, None, "95% rows with a diocese, found 1"),
            (25, {}, 40, "40 parishes as in the last run, give or take 5%, found 25"),
        ],
        ids=[
            "no rows", "renamed classes", "no pager on page 1", "no pager on page 2", "half a page", "empty last page",
            "no diocese", "far from the last run",
        ],
    )  # fmt: skip
    def test_it_stops_the_run(self, parishes: int, changed: dict[str, str], previous: int | None, words: str) -> None:
        site = directory(parishes) | {f"{START}{path}": page for path, page in changed.items()}

        with pytest.raises(LayoutChanged, match=words):
            walk(site, previous_count=previous)

    def test_a_captcha_instead_of_detail_pages_stops_after_twenty(self) -> None:
        captcha = "<html><head><title>Czy jesteś robotem?</title></head><body>Przepisz kod</body></html>"
        site = {url: captcha if "parafia," in url else page for url, page in directory(60).items()}
        asked: list[str] = []
        fetch = fetch_from(site)

        with pytest.raises(LayoutChanged, match="95% detail pages with an address, found 0 of 20"):
            list(read_directory(lambda url: (asked.append(url), fetch(url))[1], CONFIG, dioceses=DIOCESES))
        assert len(asked) <= 23

    def test_a_total_near_the_last_run_passes(self) -> None:
        assert len(walk(directory(25), previous_count=26)) == 25

    def test_a_page_that_cannot_be_had_is_an_error_not_a_shorter_table(self) -> None:
        site = directory(25)
        del site[f"{START}strona,3.html"]

        with pytest.raises(Gone):
            walk(site)
