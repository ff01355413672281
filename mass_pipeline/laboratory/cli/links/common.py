"""What the `links` commands share: the option for the state folder, opening it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mass_pipeline.cli.options import FOLDER, the_settings

if TYPE_CHECKING:
    from mass_pipeline.laboratory.link_collection.store import LinkStore

F = TypeVar("F", bound=Callable[..., Any])


def state_option(command: F) -> F:
    """`--state FOLDER`."""
    return click.option("--state", type=FOLDER, help="Folder of the collection.  [default: state/links of the data]")(command)


def folder_of(state: Path | None) -> Path:
    """The folder that was named, or the one below the data folder."""
    return state or the_settings().data_folder / "state" / "links"


def open_store(state: Path | None, *, create: bool = False) -> LinkStore:
    """The collection in a folder."""
    from mass_pipeline.laboratory.link_collection.store import LinkStore

    return LinkStore(folder_of(state), create=create)
