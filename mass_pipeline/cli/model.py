"""`mass-pipeline model`: the classifiers of the data folder, which one is in use, and the way back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import the_settings

if TYPE_CHECKING:
    from mass_pipeline.learning.model import Trained
    from mass_pipeline.learning.registry import Registry


@click.group()
def model() -> None:
    """Models that decide whether an hour is a Mass: list, show, promote, roll back.

    \b
    Examples:
      mass-pipeline model list
      mass-pipeline model show
      mass-pipeline model rollback
    """


@model.command("list")
def list_models() -> None:
    """List the kept models with their figures; the one in use is marked with *.

    \b
    Example:
      mass-pipeline model list
    """
    registry = _registry()
    champion = registry.champion_id()
    for model_id in registry.versions():
        figures = {row.get("question"): row.get("f1") for row in registry.metrics(model_id)}
        shown = ", ".join(f"{name} F1 {value:.4f}" for name, value in figures.items() if isinstance(value, float))
        click.echo(f"{'*' if model_id == champion else ' '} {model_id}  {shown}")
    if not registry.versions():
        click.echo("No model was trained here yet; the one shipped with the package is used.")


@model.command()
@click.argument("model_id", required=False)
def show(model_id: str | None) -> None:
    """Print the card of a model as JSON; of the one in use when no MODEL_ID is given.

    \b
    Example:
      mass-pipeline model show
    """
    click.echo(json.dumps(dict(_find(model_id).card), ensure_ascii=False, indent=1, sort_keys=True))


@model.command()
@click.argument("model_id")
def promote(model_id: str) -> None:
    """Use the kept model MODEL_ID from now on.

    \b
    Example:
      mass-pipeline model promote 0123456789abcdef
    """
    _registry().promote(model_id)
    click.echo(f"{model_id} is in use.")


@model.command()
def rollback() -> None:
    """Return to the model that was in use before the present one.

    \b
    Example:
      mass-pipeline model rollback
    """
    click.echo(f"{_registry().roll_back()} is in use again.")


def _registry() -> Registry:
    from mass_pipeline.learning.registry import Registry

    return Registry.of(the_settings().shared)


def _find(model_id: str | None) -> Trained:
    from mass_pipeline.learning.bundled import load_model
    from mass_pipeline.model.errors import UsageError

    registry = _registry()
    found = registry.load(model_id) if model_id else load_model(registry.objects)
    if found is None:
        raise UsageError("There is no model: train one by materializing hours_classifier.")
    return found
