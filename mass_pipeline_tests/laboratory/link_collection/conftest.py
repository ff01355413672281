"""A collection over a loopback server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.link_collection.collector import collect_links
from mass_pipeline.laboratory.link_collection.reading import read_links
from mass_pipeline.laboratory.link_collection.records import CollectionSettings, CollectReport
from mass_pipeline.laboratory.link_collection.store import LinkStore, add_site
from mass_pipeline_tests.crawling.loopback import Answer, Loopback
from mass_pipeline_tests.crawling.made import QUICK

BANDITS = LinkBanditConfig(quantum_pages=2, step_pages=2, first_pages=1)
Sites = Mapping[str, Mapping[str, Answer | list[Answer]]]


class Collection:
    """A state folder, and what was asked of the server."""

    def __init__(self, state: Path, server: Loopback) -> None:
        self.state = state
        self.server = server

    def add(self, *hosts: str) -> None:
        """Add sites by host."""
        with LinkStore(self.state, create=True) as store:
            for host in hosts:
                add_site(store, host)

    def run(
        self, after_page: Callable[[], object] | None = None, crawl: Mapping[str, object] | None = None, **settings: object
    ) -> CollectReport:
        """Collect.

        Args:
            after_page: called after each page.
        """
        return collect_links(
            self.state,
            replace(CollectionSettings(policy="quantum"), **settings),  # type: ignore[arg-type]
            config=replace(QUICK, **(crawl or {})),  # type: ignore[arg-type]
            bandits=BANDITS,
            connect_to=self.server.connect_to,
            on_page=None if after_page is None else lambda *page: after_page() and None,
        )

    def ask_to_stop(self) -> None:
        """As the command does."""
        with LinkStore(self.state) as store:
            store.request_stop()

    def links(self, kind: str = "external", *columns: str) -> list[object]:
        """Addresses, or some columns, of the links of a kind."""
        with LinkStore(self.state) as store:
            rows = read_links(store, kind)  # type: ignore[arg-type]
        if not columns:
            return [row["url"] for row in rows]
        return [tuple(row[name] for name in columns) for row in rows]

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Pages asked for, without robots.txt, in order."""
        return [
            (request.host, request.path)
            for request in self.server.requests
            if request.path != "/robots.txt" and not request.path.startswith("/.well-known/")
        ]


@pytest.fixture
def collection(tmp_path: Path):  # type: ignore[no-untyped-def]  # yields a factory
    """`collection(sites)`: serve the sites, add them all to the target set."""
    servers: list[Loopback] = []

    def make(sites: Sites) -> Collection:
        server = Loopback(sites)
        server.__enter__()
        servers.append(server)
        made = Collection(tmp_path / "state", server)
        made.add(*sites)
        return made

    yield make
    for server in servers:
        server.__exit__(None, None, None)
