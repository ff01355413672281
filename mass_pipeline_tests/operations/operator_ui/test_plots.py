"""Plots beside the Dagster UI: they are served by name, and nothing else of the data folder is."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from mass_pipeline.operations.operator_ui.server import WithPlots
from mass_pipeline.resources.plots import FOLDER, PlotStore


async def _other(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the UI")(scope, receive, send)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(WithPlots(_other, PlotStore(tmp_path)))


class TestPlots:
    def test_a_kept_plot_is_served_and_kept_once(self, client: TestClient, tmp_path: Path) -> None:
        name = PlotStore(tmp_path).keep(b"\x89PNG one")

        assert PlotStore(tmp_path).keep(b"\x89PNG one") == name
        answer = client.get(f"/plots/{name}")
        assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, b"\x89PNG one", "image/png")
        assert [path.name for path in (tmp_path / FOLDER).iterdir()] == [name]

    @pytest.mark.parametrize("path", ["/", "/plots/", "/plots/../secret", "/plots/%2e%2e/secret", "/plots/a.png", "/graphql"])
    def test_other_paths_are_the_ui_s(self, client: TestClient, tmp_path: Path, path: str) -> None:
        (tmp_path / "secret").write_text("secret")

        assert client.get(path).text == "the UI"

    def test_a_plot_that_is_not_there_is_not_found(self, client: TestClient) -> None:
        assert client.get(f"/plots/{'0' * 64}.png").status_code == 404
