"""Folders of saved pages become sites again: addresses, start pages, and links to what nothing links to."""

from __future__ import annotations

from pathlib import Path

from mass_pipeline.laboratory.crawl_strategies.folder_sites import FolderSite, read_site, read_sites


def saved(folder: Path, **pages: str) -> FolderSite:
    """A site of the pages, by file name with `__` for the dot."""
    folder.mkdir(exist_ok=True)
    for name, text in pages.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return read_site(folder, seed=1)


def by_file(site: FolderSite) -> dict[str, str]:
    return {page.file: url for url, page in site.pages.items()}


class TestAddresses:
    def test_numbers_before_the_names_are_no_part_of_them(self, tmp_path: Path) -> None:
        for name in ("00-msze.html", "01-index.html"):
            (tmp_path / name).write_text("x")
        site = read_site(tmp_path, 1)

        assert {url.partition(".example")[2] for url in site.pages} == {"/", "/msze.html"}
        assert site.start_url.endswith(".example/")

    def test_are_those_the_links_of_the_site_name(self, tmp_path: Path) -> None:
        site = saved(tmp_path / "s", index__html="<a href='dzialy/planMszy.php?id=1'>Msze</a>", planmszy__html="Msze")

        assert by_file(site)["planmszy.html"] == "http://s.example/dzialy/planMszy.php?id=1"
        assert site.reached == set(site.pages)

    def test_are_those_the_pages_give_themselves(self, tmp_path: Path) -> None:
        canonical = '<link rel="canonical" href="https://parafia.example/{}">'
        site = saved(tmp_path / "s", a__html=canonical.format(""), b__html=canonical.format("msze/") + "Msze")

        assert by_file(site) == {"a.html": "http://parafia.example/", "b.html": "http://parafia.example/msze/"}

    def test_of_pages_with_one_name_differ(self, tmp_path: Path) -> None:
        for folder in ("00-index.html", "01-index.html", "02-index.html"):
            (tmp_path / folder).write_text(folder)

        assert len(read_site(tmp_path, 1).pages) == 3


class TestLinks:
    def test_pages_that_nothing_links_to_get_a_link_with_their_heading_on_the_start_page(self, tmp_path: Path) -> None:
        site = saved(
            tmp_path / "s", index__html="<body><a href=a.html>A</a></body>", a__html="a", b__html="<h1>Msze &amp; inne</h1>"
        )
        start = site.pages[site.start_url].body.decode()

        assert '<a href="http://s.example/b.html">Msze &amp; inne</a>' in start
        assert "s.example/a.html" not in start
        assert start.endswith("</body>")
        assert site.reached == {"http://s.example/", "http://s.example/a.html"}

    def test_a_site_without_start_page_gets_one(self, tmp_path: Path) -> None:
        site = saved(tmp_path / "s", msze__md="# Msze święte\nNiedziele: 8.00")

        assert site.pages[site.start_url].file == ""
        assert b"Msze &#347;wi&#281;te" in site.pages[site.start_url].body

    def test_stand_in_an_order_that_depends_on_the_seed_alone(self, tmp_path: Path) -> None:
        (tmp_path / "s").mkdir()
        for number in range(9):
            (tmp_path / "s" / f"strona{number}.html").write_text("x")
        starts = [read_sites(tmp_path, seed)[0].pages["http://s.example/"].body for seed in (1, 1, 2)]

        assert starts[0] == starts[1] != starts[2]

    def test_an_old_encoding_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / "index.html").write_bytes("<meta charset=iso-8859-2><body>święta</body>".encode("iso-8859-2"))
        (tmp_path / "b.html").write_text("<h1>Różaniec</h1>", encoding="utf-8")
        site = read_site(tmp_path, 1)
        body = site.pages[site.start_url].body

        assert "święta" in body.decode("iso-8859-2")
        assert b"R&#243;&#380;aniec" in body
