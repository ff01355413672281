"""What the `links` commands share: the option for the state folder, opening it, plain text for terminals and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mass_pipeline.cli.options import FOLDER, the_settings
from mass_pipeline.model.identifiers import one_line

if TYPE_CHECKING:
    from mass_pipeline.crawler.link_collection.store import LinkStore

F = TypeVar("F", bound=Callable[..., Any])


def state_option(command: F) -> F:
    """`--state FOLDER`."""
    return click.option("--state", type=FOLDER, help="Folder of the collection.  [default: state/links of the data]")(command)


def folder_of(state: Path | None) -> Path:
    """The folder that was named, or the one below the data folder."""
    return state or the_settings().data_folder / "state" / "links"


def open_store(state: Path | None, *, create: bool = False) -> LinkStore:
    """The collection in a folder."""
    from mass_pipeline.crawler.link_collection.store import LinkStore

    return LinkStore(folder_of(state), create=create)


def plain(value: object, width: int | None = None) -> str:
    """Words of the web for a terminal: one line, no control characters, cut to a width.

    >>> plain("a\\x1b[31m b\\n c", 5)
    'a [3…'
    """
    text = one_line("" if value is None else str(value))
    return text if width is None or len(text) <= width else text[: width - 1] + "…"
