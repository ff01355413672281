"""Open the store that a place names. Wiring only."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.storage.folder import FolderObjects
from mass_pipeline.storage.ports import ObjectStore

SCHEME: Final = "s3://"
Place = Path | str | ObjectStore  # a folder, an address in object storage, or a store that is open


def is_remote(place: str) -> bool:
    """Whether a place lies in object storage."""
    return place.startswith(SCHEME)


def open_objects(place: Place) -> ObjectStore:
    """The store of a place; opening a folder touches nothing.

    Raises:
        ConfigurationError: object storage without the extra that speaks to it.
        StorageError: the address is none.
    """
    if isinstance(place, Path):
        return FolderObjects(place)
    if isinstance(place, str):
        return _cloud(place) if is_remote(place) else FolderObjects(Path(place))
    return place


@lru_cache(maxsize=8)
def _cloud(url: str) -> ObjectStore:
    try:
        from mass_pipeline.storage.cloud import CloudObjects
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"{url}: object storage needs the extra `scale` (pip install 'mass_pipeline[scale]')."
        ) from error
    return CloudObjects(url)
