"""`mass-pipeline lab evaluate-crawl` over real HTTP on loopback, and its figures on the labelled real sites."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean

import pytest
from click.testing import CliRunner, Result

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.laboratory.cli.evaluate_crawl import evaluate_crawl
from mass_pipeline.laboratory.crawl_strategies.metrics import requests_until
from mass_pipeline.laboratory.crawl_strategies.running import crawl_web, disjoint_starts
from mass_pipeline.laboratory.crawl_strategies.webs import demo_web, folder_web
from mass_pipeline.laboratory.orders import order_of
from mass_pipeline.model.errors import BadInput, UsageError
from mass_pipeline_tests.shared import shared_folder

LOCAL = CrawlConfig(allow_private_hosts=True, no_delay=True)


def saved_site(folder: Path) -> Path:
    """A folder of one saved site whose schedule stands last in the menu, with its labels beside it."""
    site = folder / "sites" / "wies"
    site.mkdir(parents=True)
    menu = "".join(f"<a href=/{name}.html>{name}</a>" for name in ("historia", "galeria", "brak", "kontakt", "msze"))
    (site / "00-index.html").write_text(f"<body>{menu}</body>", encoding="utf-8")
    (site / "01-msze.html").write_text("<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00", encoding="utf-8")
    for number, name in enumerate(("historia", "galeria", "kontakt"), 2):
        (site / f"0{number}-{name}.html").write_text(name, encoding="utf-8")
    pages = [{"file": f"sites/wies/{path.name}", "has_schedule": "msze" in path.name} for path in sorted(site.iterdir())]
    labels = [{"id": "wies", "masses": [{}], "pages": pages}, {"id": "other", "masses": None, "pages": pages}]
    (folder / "sites.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    return folder / "sites"


def run(*options: str) -> Result:
    return CliRunner().invoke(evaluate_crawl, options)


@pytest.mark.row("V11")
class TestSavedSites:
    def test_requests_are_counted_with_dead_links_and_without_robots(self, tmp_path: Path) -> None:
        folder = saved_site(tmp_path)
        out = tmp_path / "out"
        two = ("--strategy", "breadth-first", "--strategy", "best-first, learnt")
        ended = run("--sites", str(folder), *two, "--runs", "2", "--out", str(out))

        assert ended.exit_code == 0, ended.exception
        rows = {row["strategy"]: row for row in csv.DictReader((out / "results.csv").read_text("utf-8").splitlines())}
        assert float(rows["breadth-first"]["until_inner"]) == len(["/", "historia", "galeria", "brak (404)", "kontakt", "msze"])
        assert float(rows["best-first, learnt"]["until_inner"]) == len(["/", "msze"])
        assert rows["best-first, learnt"]["found"] == "1.0"
        assert "best-first, learnt" in ended.stdout
        assert (out / "results.png").read_bytes().startswith(b"\x89PNG")
        found = [one["until"]["wies"] for one in json.loads((out / "results.json").read_bytes())["runs"]]
        assert found == [6, 2, 6, 2]

    def test_without_labels_the_command_says_what_to_do(self, tmp_path: Path) -> None:
        folder = saved_site(tmp_path)
        ended = run("--sites", str(folder), "--labels", str(tmp_path / "none.jsonl"))

        assert isinstance(ended.exception, BadInput)
        assert "--labels" in str(ended.exception)

    def test_a_broken_label_is_named_by_its_line(self, tmp_path: Path) -> None:
        folder = saved_site(tmp_path)
        (tmp_path / "sites.jsonl").write_text('{"id": "a", "masses": [], "pages": []}\n{"id": ', encoding="utf-8")
        ended = run("--sites", str(folder))

        assert "sites.jsonl, line 2" in str(ended.exception)

    def test_an_unknown_strategy_ends_before_anything_is_crawled(self) -> None:
        assert isinstance(run("--strategy", "fastest").exception, UsageError)


class TestGraphs:
    def test_the_same_seed_gives_the_same_table(self) -> None:
        options = (
            "--web",
            "graphs",
            "--runs",
            "1",
            "--graph-budget",
            "60",
            "--strategy",
            "random",
            "--strategy",
            "best-first, cosine",
        )
        one, two = run(*options), run(*options)

        assert one.exit_code == 0, one.exception
        assert one.stdout == two.stdout
        assert "robust" in one.stdout
        assert "until inner" not in one.stdout.split("\n")[1]


class TestDemoWeb:
    def test_shuffled_menus_cost_breadth_first_more_and_the_learnt_scorer_nothing(self) -> None:
        means: dict[tuple[bool, str], float] = {}
        for shuffled in (False, True):
            with demo_web(0, 1, shuffled=shuffled) as web:
                inner = [site for site in web.sites if not site.starts_on_target]
                for arm in ("breadth-first", "best-first, learnt"):
                    crawled = crawl_web(web, LOCAL, order_of(arm, 1))
                    until = [requests_until(crawled[site.seed.parish_id], site.targets) for site in inner]
                    assert None not in until
                    means[shuffled, arm] = fmean(steps or 0 for steps in until)

        assert means[True, "breadth-first"] > 1.5 * means[False, "breadth-first"]
        assert means[True, "best-first, learnt"] <= 1.1 * means[False, "best-first, learnt"]

    def test_disjoint_starts_are_two_inner_pages_without_the_schedule(self) -> None:
        with demo_web(0, 1) as web:
            one, other = disjoint_starts(web.sites, 1)

            assert one.keys() == other.keys()
            for site in web.sites:
                starts = {one.get(site.seed.parish_id), other.get(site.seed.parish_id)}
                assert len(starts) == 2 or starts == {None}
                assert not starts & (site.targets | {site.seed.url})


@pytest.mark.shared
@pytest.mark.soak
class TestRealSites:
    def test_the_learnt_scorer_needs_half_the_requests_of_breadth_first_and_loses_nothing(self) -> None:
        """Sites the weights were not trained on; schedule not on the start page; made-up links in two random orders."""
        sites = shared_folder("gold", "sites")
        ratios, missed = [], 0
        for seed in (1, 2):
            with folder_web(sites, shared_folder("gold", "sites.jsonl"), seed) as web:
                inner = [site for site in web.sites if not site.starts_on_target]
                cost = {}
                for arm in ("breadth-first", "best-first, learnt"):
                    crawled = crawl_web(web, LOCAL, order_of(arm, seed))
                    until = [requests_until(crawled[site.seed.parish_id], site.targets) for site in inner]
                    missed += until.count(None)
                    cost[arm] = fmean(steps or 0 for steps in until)
                ratios.append(cost["best-first, learnt"] / cost["breadth-first"])
        print(f"ratios {[round(ratio, 2) for ratio in ratios]} on {len(inner)} sites")

        assert missed == 0
        assert fmean(ratios) <= 0.5
