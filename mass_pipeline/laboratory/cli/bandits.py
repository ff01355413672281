"""`mass-pipeline lab bandits`: the document's comparison of R1, R2 and R3 beside ours."""

from __future__ import annotations

import click


@click.command()
@click.option("--seeds", type=click.IntRange(2, 1000), default=10, show_default=True, help="Site sets of each shape.")
@click.option("--shapes", is_flag=True, help="Every shape that R1's published total allows: which rule wins (a minute).")
@click.option("--own-sites", is_flag=True, help="Each set's own sites, over n and m (minutes).")
@click.option("--fit", is_flag=True, help="The shapes nearest to the published totals, searched anew (minutes).")
@click.option("--served", is_flag=True, help="Collections over HTTP from ten sites each, a twentieth of the published size.")
def bandits(seeds: int, shapes: bool, own_sites: bool, fit: bool, served: bool) -> None:
    """Links that the policies find with 2,000 pages over ten sites, beside the published totals of R1, R2 and R3.

    Markdown tables, as in docs/link-bandits.md; the same seeds give the same table.

    \b
    Examples:
      mass-pipeline lab bandits
      mass-pipeline lab bandits --shapes --seeds 20
      mass-pipeline lab bandits --served --seeds 2
    """
    from mass_pipeline.laboratory.bandits import reproduction

    wanted = range(reproduction.FIRST_SEED, reproduction.FIRST_SEED + seeds)
    tables = {reproduction.shapes_tables: shapes, reproduction.own_sites_table: own_sites}
    for table in [one for one, asked in tables.items() if asked]:
        for line in table(wanted):
            click.echo(line)
    for line in reproduction.nearest_shapes() if fit else ():
        click.echo(line)
    if served:
        from mass_pipeline.laboratory.link_collection.link_rich import served_table

        for line in served_table(seeds):
            click.echo(line)
    if not (shapes or own_sites or fit or served):
        for line in reproduction.published_table(reproduction.nearest_sets(wanted)):
            click.echo(line)
