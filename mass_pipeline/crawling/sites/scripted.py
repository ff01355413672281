"""Pages of one site that only scripts fill: shown to a browser where the setting says so; else a feed they name is followed.

Which pages they are is for `pages.links` to say, how they are shown `rendering`'s. Here: how many of a site, what
is kept of them, and what happens when that fails: the page keeps what it had.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from multidict import CIMultiDict

from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.pages.links import RawLink
from mass_pipeline.crawling.pages.spider import ParsedPage, parse_aside, read_body_aside
from mass_pipeline.crawling.rendering import HandedOn, NotRendered, Renderer, ShownPage
from mass_pipeline.crawling.sites.records import NOT_RENDERED, RENDERED
from mass_pipeline.crawling.sites.store import CrawlStore, KnownUrl, SiteRow
from mass_pipeline.model.identifiers import url_md5

if TYPE_CHECKING:
    from mass_pipeline.crawling.sites.engine import CrawlRun

_SHOWN_TYPE = "text/html; charset=utf-8"


class ScriptedPages:
    """Of one site.

    Args:
        row: requests and bytes of its pages are counted there.
    """

    def __init__(self, row: SiteRow, run: CrawlRun) -> None:
        self._row, self._config, self._renderer = row, run.session.config, run.renderer
        self._shared: dict[str, HandedOn] = {}
        self._shown = 0

    async def received(self, url: str, answer: Answer, *, with_links: bool) -> tuple[Answer, ParsedPage, str | None]:
        """Read a page that came; one that waits for its scripts is shown to a browser first.

        What the page forbids as it came, it forbids as it is shown.

        Args:
            url: canonical.
            with_links: as for `spider.parse_aside`.

        Returns:
            Answer and page of the server, or of the browser with the headers of the server; and what came of showing it to a
            browser, None when that was not tried.
        """
        page = await parse_aside(answer, with_links=with_links or self._renderer is not None)
        if page.noindex or not page.links.is_shell:
            return answer, page, None
        feeds = page.links.feeds if len(page.links.links) < self._config.few_links else ()
        bare = replace(page, links=replace(page.links, links=[*page.links.links, *feeds]))
        if self._renderer is None:
            return answer, bare, None
        try:
            shown = await self._show(url, answer, self._renderer)
        except NotRendered as error:
            return _without_validators(answer), bare, f"{NOT_RENDERED}{error}"
        headers = CIMultiDict(answer.headers)
        headers["Content-Type"] = _SHOWN_TYPE
        made = _without_validators(replace(answer, body=shown.body, headers=headers))
        read = await parse_aside(made)
        links = replace(read.links, links=[*map(RawLink, shown.leads_to), *read.links.links])
        # A page with a menu alone shows that, unless its text could not be had.
        leads_on = len(links.links) > len(page.links.links)
        if read.links.is_shell and (shown.failed > 0 or not leads_on):
            return _without_validators(answer), bare, f"{NOT_RENDERED}it shows no more than before ({shown.summary})"
        read = replace(read, links=links, nofollow=read.nofollow or page.nofollow)
        return made, read, f"{RENDERED}{shown.summary}"

    async def kept(self, url: str, known: KnownUrl, answer: Answer, store: CrawlStore) -> Answer | None:
        """A page that has not changed, from the store: one that waits for scripts, stored before there was a browser.

        Args:
            answer: that said so.
        """
        found = None if self._renderer is None or known.rendering else store.body_of(bytes.fromhex(url_md5(url)))
        if found is None or not (await read_body_aside(found[1], None)).links.is_shell:
            return None
        return replace(answer, status=200, body=found[1])

    async def _show(self, url: str, answer: Answer, renderer: Renderer) -> ShownPage:
        if self._shown >= self._config.render_pages:
            raise NotRendered(f"{self._shown} pages of the site were shown in this run")
        self._shown += 1
        shown = await renderer.show(url, answer, self._shared)
        self._row.requests += shown.requests
        self._row.body_bytes += shown.body_bytes
        return shown


def _without_validators(answer: Answer) -> Answer:
    """What a browser shows may change while the page itself does not: all of it is asked for the next time."""
    headers = CIMultiDict(answer.headers)
    for name in ("ETag", "Last-Modified"):
        headers.popall(name, None)
    return replace(answer, headers=headers)
