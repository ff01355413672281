"""`mass-pipeline public build`, `check`, `rollback`, `serve`: the public index. Only `build` starts Dagster."""

from __future__ import annotations

import gc
import os
import time
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import listening, require_proxy, the_settings, web_server
from mass_pipeline.model.errors import MassPipelineError, StorageError

if TYPE_CHECKING:
    from dagster import DagsterInstance


_JOB = "public_index_job"


@click.command()
def build() -> None:
    """Find the positions of the parishes and build the public index from the published tables, as a run of Dagster.

    The new generation is put in force when it covers about as much as the last one; otherwise the last one stays, and the
    command says why and ends with code 1.

    \b
    Example:
      mass-pipeline public build
    """
    from mass_pipeline.cli.run import open_instance, prepare_home, run_job
    from mass_pipeline.publishing.generations import generations_of

    settings = the_settings()
    home = prepare_home(settings, os.environ)
    run_job(_JOB, home, settings.data_folder / "logs")
    with open_instance(home) as instance:
        name = _newest(instance)
    generation = next(one for one in generations_of(settings).all() if one.name == name)
    manifest = generation.manifest()
    click.echo(
        f"{name}: {manifest['with_order']} of {manifest['parishes']} parishes with an order, "
        f"{manifest['occurrences']} Masses laid out"
    )
    objections = manifest["objections"]
    assert isinstance(objections, list)
    if objections:
        raise MassPipelineError(f"{name} was not put in force: {'; '.join(objections)}. The last one stays.")


def _newest(instance: DagsterInstance) -> str:
    """Name of the generation built last; with the clock of the demo, names do not tell."""
    from dagster import AssetKey

    event = instance.get_latest_materialization_event(AssetKey("public_index"))
    assert event is not None
    assert event.asset_materialization is not None
    return str(event.asset_materialization.metadata["generation"].value)


@click.command()
def check() -> None:
    """Compare the generation in force with its manifest, byte for byte, and say which one it is.

    \b
    Example:
      mass-pipeline public check
    """
    from mass_pipeline.publishing.generations import generations_of
    from mass_pipeline.publishing.promises.tables import gate

    verdict = gate(generations_of(the_settings()))
    if not verdict.passed:
        raise MassPipelineError(verdict.summary)
    click.echo(verdict.summary)


@click.command()
@click.argument("generation", required=False)
@click.option("--lift", is_flag=True, help="Let newer generations take its place again.")
def rollback(generation: str | None, lift: bool) -> None:
    """Put an earlier GENERATION in force again: the named one, else the one before the present one.

    It holds, whatever is built at night, until it is lifted.

    \b
    Examples:
      mass-pipeline public rollback
      mass-pipeline public rollback --lift
      mass-pipeline public rollback gen-20261122T030000Z-0123abcd
    """
    from mass_pipeline.publishing.generations import generations_of

    generations = generations_of(the_settings())
    if lift:
        generations.lift()
        click.echo("The next generation that is built is put in force: mass-pipeline public build")
        return
    chosen = generations.rollback(generation)
    click.echo(f"{chosen.name} is in force and holds, until: mass-pipeline public rollback --lift")


@click.command()
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (default 8095).")
def serve(host: str | None, port: int | None) -> None:
    """Serve the public site and its API over the index in force.

    It reads the index and nothing else, needs no secret, keeps nothing of its visitors, and takes up a new generation within a
    second; until the first one is built, pages answer 503. In the demo profile the clock stands still, as for the demo's data.

    \b
    Examples:
      mass-pipeline public serve
      mass-pipeline public serve --port 8100
    """
    import uvicorn

    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.public_web.app import create_app
    from mass_pipeline.public_web.site import make_site
    from mass_pipeline.publishing.generations import library_of
    from mass_pipeline.resources.operation import OperationConfig

    settings = the_settings()
    config = settings.section(PublicConfig)
    listen, at = host or config.host, config.port if port is None else port
    require_proxy(listen, config.trusted_proxies, "PUBLIC", "docs/finding.md")
    library = library_of(settings)
    site = make_site(library, config, settings.section(OperationConfig).clock(), settings.data_folder / "public-inbox")
    taken = listening(listen, at)
    try:
        index = library.present(time.monotonic())
    except StorageError as error:
        click.echo(f"{error} Pages answer 503 until then.", err=True)
    else:
        with index.connection() as connection:
            site.places(index, connection)  # put together now, not while the first people wait
    gc.collect()
    gc.freeze()  # the table of places stays: a search for garbage in it would hold all requests up for a tenth of a second
    click.echo(f"http://{listen}:{taken.getsockname()[1]}/  (Ctrl-C ends it)", err=True)
    uvicorn.Server(web_server(create_app(site))).run(sockets=[taken])
