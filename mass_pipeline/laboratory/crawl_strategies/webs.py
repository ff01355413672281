"""The webs that `evaluate-crawl` compares strategies on: the demo web, and folders of real sites, both served on loopback."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.urls import canonicalize
from mass_pipeline.crawling.pages.relevance import words_of
from mass_pipeline.crawling.sites.learnt_scorer import likeness
from mass_pipeline.crawling.sites.records import Seed
from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.demo_web.web import DemoParish, DemoWeb
from mass_pipeline.laboratory.crawl_strategies.folder_sites import FolderSite, ServedPage, read_sites
from mass_pipeline.laboratory.crawl_strategies.running import EvaluatedSite, PageFacts, ServedWeb
from mass_pipeline.model.errors import BadInput
from mass_pipeline.reading.text.charset import decode

_ANCHOR: Final = re.compile(rb"<a\s[^>]*>.*?</a>", re.IGNORECASE | re.DOTALL)


class ShuffledDemoWeb(DemoWeb):
    """The demo web with the links of every page in random order: its own menus name the Masses first, real ones often do not."""

    def _respond(self, request: Request) -> Response:
        response = super()._respond(request)
        if not response.content_type.startswith("text/html"):
            return response
        anchors = _ANCHOR.findall(response.body)
        random.Random(f"{request.host} {request.target}").shuffle(anchors)
        following = iter(anchors)
        return replace(response, body=_ANCHOR.sub(lambda _: next(following), response.body))


@contextmanager
def demo_web(generated: int, seed: int, *, shuffled: bool = False) -> Iterator[ServedWeb]:
    """The bundled sites of the demo web and so many generated ones; sites that state no schedule are left out.

    Args:
        shuffled: links in random order.
    """
    bundled = len(DemoWeb().parishes)
    kind: type[DemoWeb] = ShuffledDemoWeb if shuffled else DemoWeb
    with kind(bundled + generated, seed) as web:
        sites = [site for parish in web.parishes if (site := _of_demo(parish)).targets]
        yield ServedWeb(sites, web.connect_to, lambda: web.requests)


def _of_demo(parish: DemoParish) -> EvaluatedSite:
    """Its pages; one states the schedule when its labelled hours hold at least half of the true ones."""
    truth = {mass.time for mass in parish.site.truth}
    pages = {}
    for page in parish.pages:
        text = decode(page.response.body, page.response.content_type).text
        stated = truth & {hour.time for hour in page.hours if hour.kind == "m"}
        pages[canonicalize(page.url)] = PageFacts(likeness(words_of(text)), 2 * len(stated) >= len(truth) > 0)
    start = canonicalize(parish.start_url)
    own = start not in pages or not pages[start].states_schedule
    seed = Seed(parish.key, start, parish.site.prefix)
    return EvaluatedSite(seed, f"http://{parish.site.host}{parish.site.prefix}", pages, own)


@contextmanager
def folder_web(folder: Path, labels: Path, seed: int) -> Iterator[ServedWeb]:
    """Folders of saved pages, one site each, with the pages that state the schedule named by a labels file.

    Raises:
        BadInput: no labels, or none of a site in the folder.
    """
    stated = read_labels(labels)
    sites = [site for site in read_sites(folder, seed) if stated.get(site.name)]
    if not sites:
        raise BadInput(f"{folder}: no site there for which {labels} names a page with the schedule.")
    pages = {url: page for site in sites for url, page in site.pages.items()}
    server = LoopbackServer(lambda request: _answer(pages, request))
    server.start()
    try:
        evaluated = [_of_folder(site, stated[site.name]) for site in sites]
        yield ServedWeb(evaluated, lambda host, port: ("127.0.0.1", server.port), lambda: server.log)
    finally:
        server.stop()


def read_labels(path: Path) -> dict[str, frozenset[str]]:
    """Site -> names of its files that state the schedule; of JSON Lines with `id`, `masses` and `pages` of file and has_schedule.

    Records whose `masses` are null are not usable and left out.

    Raises:
        BadInput: the file cannot be read, with the line.
    """
    found = {}
    number = 0
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            number += 1
            record = json.loads(line)
            if record.get("masses") is not None:
                stated = (Path(page["file"]).name for page in record["pages"] if page["has_schedule"])
                found[str(record["id"])] = frozenset(stated)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        where = f", line {number}" if number else ""
        raise BadInput(f"{path}{where}: labels cannot be read ({error!r}). Name another file with --labels.") from error
    return found


def _of_folder(site: FolderSite, stated: frozenset[str]) -> EvaluatedSite:
    pages = {url: PageFacts(_likeness(page), page.file in stated) for url, page in site.pages.items()}
    targets = {url for url, facts in pages.items() if facts.states_schedule}
    prefix = site.start_url[: site.start_url.find("/", 8) + 1]
    own = site.start_url not in targets and bool(targets & site.reached)
    return EvaluatedSite(Seed(site.name, site.start_url), prefix, pages, own)


def _likeness(page: ServedPage) -> float:
    return likeness(words_of(decode(page.body).text))


def _answer(pages: Mapping[str, ServedPage], request: Request) -> Response:
    page = pages.get(canonicalize(f"http://{request.host}{request.target}"))
    return Response.error(404) if page is None else Response(200, page.body, page.content_type)
