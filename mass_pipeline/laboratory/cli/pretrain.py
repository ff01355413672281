"""`mass-pipeline lab pretrain`: the classifier that the package ships."""

from __future__ import annotations

from pathlib import Path

import click

from mass_pipeline.cli.options import FOLDER

_SHOWN = ["question", "threshold", "precision", "recall", "f1", "mcc", "average_precision", "calibration_error", "n"]


@click.command()
@click.option("--out", type=FOLDER, help="Folder to write.  [default: the package's own]")
def pretrain(out: Path | None) -> None:
    """Train the model shipped with the package anew, from phrase book and demo sites alone.

    Takes about 40 s of processor time. The same source gives the same bytes; `lab classifier` prints more figures.

    \b
    Example:
      mass-pipeline lab pretrain --out model-anew
    """
    from mass_pipeline import learning
    from mass_pipeline.laboratory.pretraining import pretrain as train_anew
    from mass_pipeline.learning.bundled import PRETRAINED, bundled_model
    from mass_pipeline.learning.storage import save

    trained = train_anew()
    shipped = bundled_model()
    saved = save(trained.model, out or Path(str(learning.__file__)).parent / PRETRAINED)
    click.echo(f"model {saved.model_id}, shipped {shipped.model_id if shipped else 'none'}")
    click.echo("on demo sites that took no part in training:")
    click.echo(trained.evaluation.metrics[_SHOWN].round(4).to_string(index=False))
