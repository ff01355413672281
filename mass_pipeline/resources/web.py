"""The web that a run may reach: the real one, or the bundled demo web on loopback that lives as long as the run.

Belongs here: starting and stopping it, and how logical host names lead to it. Not here: clients (http, places, crawling).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.resources.settings import Settings


@dataclass(frozen=True, slots=True)
class Web:
    """Where connections go.

    Attributes:
        connect_to: (host, port) -> loopback address to connect to instead, or None for what DNS says; None in the live profile.
        places_base_url: base URL of the Places API, "" for Google's own.
    """

    connect_to: ConnectTo | None = None
    places_base_url: str = ""

    @property
    def is_local(self) -> bool:
        """Whether everything lies on loopback: only then may private addresses be asked."""
        return self.connect_to is not None


OpenWeb = Callable[[Settings], AbstractContextManager[Web]]


@contextmanager
def open_web(settings: Settings) -> Iterator[Web]:
    """The web of the profile: the real one, or a demo web that is served until the context ends."""
    if settings.is_live:
        yield Web()
        return
    from mass_pipeline.demo_web.web import DemoWeb

    with DemoWeb() as demo:
        yield Web(demo.connect_to, demo.places_base_url)
