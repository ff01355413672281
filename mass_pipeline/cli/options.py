"""What commands have in common: kinds of paths, options of those that ask web sites, the settings, the line of progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import one_line

if TYPE_CHECKING:
    from mass_pipeline.resources.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])
FILE: Final = click.Path(dir_okay=False, path_type=Path)
FILE_THERE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)
FOLDER_THERE: Final = click.Path(exists=True, file_okay=False, path_type=Path)
_LINE_SECONDS: Final = 10.0


def asking_options(command: F) -> F:
    """`--allow-private-hosts` and `--no-delay`."""
    haste = click.option("--no-delay", is_flag=True, help="Wait for nothing; only together with --allow-private-hosts.")
    inside = click.option("--allow-private-hosts", is_flag=True, help="Let loopback and private addresses through (tests only).")
    return inside(haste(command))


def refuse_haste(options: Mapping[str, object]) -> None:
    """UsageError where hosts that are not this machine's would get no pauses."""
    if options["no_delay"] and not options["allow_private_hosts"]:
        raise click.UsageError("--no-delay is for tests on loopback: use it together with --allow-private-hosts.")


def warn_without_contact(contact: str) -> None:
    """Say that nobody will know who asks."""
    if not contact:
        click.echo("No contact given: webmasters cannot find out who asks. Use --contact or MASS_PIPELINE_CONTACT.", err=True)


def require_folder_of(out: Path | None) -> None:
    """BadInput where a file to write has no folder: reported before the work begins."""
    if out is not None and not out.parent.is_dir():
        raise BadInput(f"{out}: the folder {out.parent} does not exist. Make it, or choose another file.")


def the_settings() -> Settings:
    """Settings of the environment."""
    from mass_pipeline.resources.settings import load_settings

    return load_settings(os.environ)


def progress_line() -> Callable[[str, float], None]:
    """Shows a line and the seconds of the work: it renews itself on a terminal; elsewhere it is printed every ten seconds."""
    terminal = sys.stderr.isatty()
    said = 0.0

    def show(line: str, seconds: float) -> None:
        nonlocal said
        if terminal:
            click.echo(f"\r\x1b[K{line}", err=True, nl=False)
        elif seconds - said >= _LINE_SECONDS:
            said = seconds
            click.echo(line, err=True)

    return show


def plain(value: object, width: int | None = None) -> str:
    """Words of the web for a terminal: one line, no control characters, cut to a width.

    >>> plain("a\\x1b[31m b\\n c", 5)
    'a [3…'
    """
    text = one_line("" if value is None else str(value))
    return text if width is None or len(text) <= width else text[: width - 1] + "…"
