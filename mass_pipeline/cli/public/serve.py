"""`mass-pipeline public serve`: the public site and API, read-only, until interrupted."""

from __future__ import annotations

import gc
import time

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import StorageError, UsageError


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
    from mass_pipeline.web_common.prompt import PromptProtocol

    settings = the_settings()
    config = settings.section(PublicConfig)
    listen, at = host or config.host, config.port if port is None else port
    if listen not in ("127.0.0.1", "::1", "localhost") and not config.trusted_proxies:
        raise UsageError(
            f"{listen} would be reached without a proxy, which provides HTTPS. Listen on 127.0.0.1, or set "
            "MASS_PIPELINE_PUBLIC_TRUSTED_PROXIES and MASS_PIPELINE_PUBLIC_PUBLIC_HOSTS (docs/finding.md)."
        )
    library = library_of(settings)
    site = make_site(library, config, settings.section(OperationConfig).clock(), settings.data_folder / "public-inbox")
    # Addresses of visitors must not end in an access log, and only our own proxies' headers are believed.
    served = uvicorn.Config(
        create_app(site),
        http=PromptProtocol,
        host=listen,
        port=at,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        log_level="warning",
    )
    try:
        index = library.present(time.monotonic())
    except StorageError as error:
        click.echo(f"{error} Pages answer 503 until then.", err=True)
    else:
        with index.connection() as connection:
            site.places(index, connection)  # put together now, not while the first people wait
    gc.collect()
    gc.freeze()  # the table of places stays: a search for garbage in it would hold all requests up for a tenth of a second
    click.echo(f"http://{listen}:{at}/  (Ctrl-C ends it)", err=True)
    uvicorn.Server(served).run()
