"""Plots in the Dagster UI, under /plots/: nothing else of the data folder is served."""

from __future__ import annotations

import re
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mass_pipeline.resources.plots import PlotStore

_PLOT: Final = re.compile(r"/plots/([0-9a-f]{64}\.png)")


class WithPlots:
    """ASGI application that answers for plots itself and leaves the rest to another.

    Args:
        app: the other.
        plots: where they are kept.
    """

    def __init__(self, app: ASGIApp, plots: PlotStore) -> None:
        self._app = app
        self._plots = plots

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _PLOT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if asked is None:
            await self._app(scope, receive, send)
            return
        png = await run_in_threadpool(self._plots.read, asked[1])
        answer: Response = PlainTextResponse("There is no such plot.\n", 404)
        if png is not None:
            answer = Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=31536000, immutable"})
        await answer(scope, receive, send)
