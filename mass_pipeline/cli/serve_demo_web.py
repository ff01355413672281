"""`mass-pipeline serve-demo-web`: the demo web on loopback, until interrupted."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port on 127.0.0.1; 0 picks a free one."
)
@click.option(
    "--sites", type=click.IntRange(1, 100_000), default=None, help="Number of sites; beyond the bundled ones they are generated."
)
@click.option("--seed", type=int, default=20261120, show_default=True, help="Seed of the generated sites.")
def serve_demo_web(port: int, sites: int | None, seed: int) -> None:
    """Serve the directory, the Places emulator and the parish sites of the demo web on 127.0.0.1.

    Hosts are told apart by the Host header, so a client must send the logical name to the loopback port.

    \b
    Examples:
      mass-pipeline serve-demo-web
      mass-pipeline serve-demo-web --port 0 --sites 500 --seed 7
      curl -H 'Host: parafie.demo-katalog.example' http://127.0.0.1:8765/parafie-koscioly/
    """
    import threading

    from mass_pipeline.demo_web.web import DemoWeb, all_hours

    with DemoWeb(sites, seed, port=port) as web:
        click.echo(f"Demo web on http://127.0.0.1:{web.port} (Ctrl-C stops it)")
        click.echo(f"  directory  {web.directory_url}  ({len(web.parishes)} parishes)")
        click.echo(f"  places     {web.places_base_url}/maps/api/place/textsearch/json  and  /v1/places:searchText")
        click.echo(f"  hosts      {len(web.hosts)}, {sum(len(p.pages) for p in web.parishes)} pages, ", nl=False)
        click.echo(f"{all_hours(web.parishes)} labelled hours")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("Stopped.")
