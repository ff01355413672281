"""The asset crawls by the strategy, the scorer and the stop rule of the settings."""

from __future__ import annotations

from pathlib import Path

from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.defs.loopback import Answer, web_of
from mass_pipeline_tests.defs.running import run_assets
from mass_pipeline_tests.defs.tables import publish_directory

HOST = "wies.example"
MENU = "<a href=/foto>Galeria</a><a href=/historia>Historia</a><a href=/a>Msze św.</a><a href=/b>Porządek nabożeństw</a>"
LIST = "<h1>Msze święte</h1><p>Niedziele i święta: 8.00, 10.30, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"
TABLE = "<h2>Porządek Mszy św.</h2><p>niedziela - 8:00, 10:30, 12:00<br>w tygodniu - 7:00 i 18:00</p>"
PAGES = {"/": MENU, "/foto": "zdjęcia", "/historia": "dzieje", "/a": LIST, "/b": TABLE}


def outcomes(folder: Path, **environ: str) -> dict[str, str]:
    publish_directory(Lake(folder / "lake"), {"wies": f"http://{HOST}/"})
    pages = {(HOST, path): Answer(body.encode()) for path, body in PAGES.items()}
    ended = run_assets(folder, ["crawled_pages"], partitions=("lodzka", "lodzka"), web=web_of(pages), environ=environ)

    assert ended.success, ended.errors
    rows = ended.lake.reader(CRAWLED_PAGES, ["lodzka"]).rows(["url", "outcome"])
    return {str(row["url"]).removeprefix(f"http://{HOST}"): str(row["outcome"]) for row in rows}


class TestCrawledPages:
    def test_the_whole_site_by_default(self, tmp_path: Path) -> None:
        assert outcomes(tmp_path) == dict.fromkeys(sorted(PAGES), "ok")

    def test_what_matters_alone_with_the_learnt_scorer_and_early_stops(self, tmp_path: Path) -> None:
        found = outcomes(
            tmp_path, CRAWL_STRATEGY="best_first", CRAWL_SCORER="learnt", CRAWL_STOP_WHEN_FOUND="true", CRAWL_FEW_LINKS="0"
        )

        assert found == {"/": "ok", "/a": "ok", "/b": "ok", "/foto": "not_needed", "/historia": "not_needed"}
