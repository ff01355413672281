"""Pictures of the data folder beside the Dagster UI, under /plots/: nothing else of the folder is served."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_PLOT: Final = re.compile(r"/plots/([0-9a-f]{64}\.png)")


class WithPlots:
    """ASGI application that answers for plots itself and leaves the rest to another.

    Args:
        app: the other.
        folder: of the plots (`resources.plots`).
    """

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app = app
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _PLOT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if asked is None:
            await self._app(scope, receive, send)
            return
        path = self._folder / asked[1]
        answer: Response = PlainTextResponse("There is no such plot.\n", 404)
        if path.is_file():
            answer = FileResponse(path, media_type="image/png", headers={"Cache-Control": "private, max-age=31536000, immutable"})
        await answer(scope, receive, send)
