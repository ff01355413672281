"""The process that serves the Dagster UI behind its guard: `python -m mass_pipeline.operations.operator_ui.server`."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.option("--host", required=True, help="Address to listen on.")
@click.option("--port", type=int, required=True, help="Port to listen on.")
@click.option("--workspace", type=click.Path(path_type=Path), required=True, help="workspace.yaml of the code location.")
@click.option("--name", "names", multiple=True, required=True, help="Host header under which the UI is reached; repeatable.")
@click.option("--read-only", is_flag=True, help="For readers: nothing can be started or changed.")
def serve(host: str, port: int, workspace: Path, names: tuple[str, ...], read_only: bool) -> None:
    """Serve the Dagster UI of the instance in DAGSTER_HOME, with the plots of the data folder, until it is stopped."""
    import uvicorn
    from dagster import DagsterInstance
    from dagster_webserver.app import create_app_from_workspace_process_context
    from dagster_webserver.version import __version__

    from mass_pipeline.dagster_internals import WorkspaceFileTarget, WorkspaceProcessContext
    from mass_pipeline.operations.operator_ui.guard import UiGuard
    from mass_pipeline.operations.operator_ui.plots import WithPlots
    from mass_pipeline.resources.plots import PlotStore
    from mass_pipeline.resources.settings import load_settings

    plots = PlotStore(load_settings(os.environ).shared)
    with DagsterInstance.get() as instance:
        instance.optimize_for_webserver(statement_timeout=15_000, pool_recycle=3_600, max_overflow=20)
        target = WorkspaceFileTarget(paths=[str(workspace)])
        with WorkspaceProcessContext(instance, version=__version__, read_only=read_only, workspace_load_target=target) as process:
            app = create_app_from_workspace_process_context(process)
            uvicorn.run(
                UiGuard(WithPlots(app, plots), hosts=names), host=host, port=port, log_level="warning", server_header=False
            )


if __name__ == "__main__":
    serve()
