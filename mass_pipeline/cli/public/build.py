"""`mass-pipeline public build`, `check`, `rollback`: generations of the public index without Dagster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import MassPipelineError

if TYPE_CHECKING:
    from mass_pipeline.finding.index.generations import Generation
    from mass_pipeline.resources.settings import Settings


@click.command()
def build() -> None:
    """Find the positions of the parishes and build the public index from the published tables.

    The new generation is put in force when it covers about as much as the last one; otherwise the last one stays, and the
    command says why and ends with code 1.

    \b
    Example:
      mass-pipeline public build
    """

    generation = build_generation(the_settings())
    manifest = generation.manifest()
    click.echo(
        f"{generation.name}: {manifest['with_order']} of {manifest['parishes']} parishes with an order, "
        f"{manifest['occurrences']} Masses laid out"
    )
    objections = manifest["objections"]
    assert isinstance(objections, list)
    if objections:
        raise MassPipelineError(f"{generation.name} was not put in force: {'; '.join(objections)}. The last one stays.")


def build_generation(settings: Settings) -> Generation:
    """Positions and index of the published tables; the generation is in force unless its manifest lists objections."""
    from mass_pipeline.model.columns import PARISH_POSITIONS
    from mass_pipeline.publishing.index import publish_index
    from mass_pipeline.publishing.positions import positions_of
    from mass_pipeline.resources.lake import open_lake

    lake = open_lake(settings)
    lake.publish(PARISH_POSITIONS, {None: [positions_of(lake, settings)]})
    return publish_index(lake, settings)


@click.command()
def check() -> None:
    """Compare the generation in force with its manifest, byte for byte, and say which one it is.

    \b
    Example:
      mass-pipeline public check
    """
    from mass_pipeline.publishing.promises.public_index import validate_in_force

    verdict = validate_in_force(the_settings().data_folder / "public")
    if not verdict.passed:
        raise MassPipelineError(verdict.summary)
    click.echo(verdict.summary)


@click.command()
@click.argument("generation", required=False)
def rollback(generation: str | None) -> None:
    """Put an earlier GENERATION in force again: the named one, else the one before the present one.

    \b
    Examples:
      mass-pipeline public rollback
      mass-pipeline public rollback gen-20261122T030000Z-0123abcd
    """
    from mass_pipeline.publishing.generations import generations_of

    chosen = generations_of(the_settings()).rollback(generation)
    click.echo(f"{chosen.name} is in force")
