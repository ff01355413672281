"""Parts of the map that moves: Leaflet's files, where they were fetched, and the tiles that the operator names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.model.errors import ConfigurationError

ASSETS: Final = Path(__file__).with_name("map_assets")
ADDRESS: Final = "/static/map/"
_NAMES: Final = ("leaflet.css", "MarkerCluster.css", "leaflet.js", "leaflet.markercluster.js")
_PLACES: Final = ("{z}", "{x}", "{y}")
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(?::\d{1,5})?")  # what may stand in a policy and names one host


@dataclass(frozen=True, slots=True)
class MovingMap:
    """What the map page needs to move.

    Attributes:
        folder: of Leaflet's files.
        addresses: file -> its address on the site; empty when one of them is absent, and the map is a picture.
        tiles: template of the tiles' addresses, "" for none.
        attribution: what the tiles' source asks to be said, as plain text.
        origin: of the tiles when another host serves them, else "".
    """

    folder: Path
    addresses: Mapping[str, str]
    tiles: str
    attribution: str
    origin: str


def moving_map(folder: Path, config: PublicConfig) -> MovingMap:
    """The parts in a folder and in the settings.

    Raises:
        ConfigurationError: tiles of no single https host and not of the site itself, or without attribution.
    """
    files = [folder / name for name in _NAMES]
    is_whole = all(file.is_file() for file in files)
    return MovingMap(
        folder=folder,
        addresses={file.name: f"{ADDRESS}{file.name}?v={digest(file)}" for file in files} if is_whole else {},
        tiles=config.map_tiles,
        attribution=config.map_attribution,
        origin=_origin(config.map_tiles, config.map_attribution),
    )


def _origin(tiles: str, attribution: str) -> str:
    if not tiles:
        return ""
    parts = urlsplit(tiles)
    is_own = tiles.startswith("/") and not parts.netloc
    is_foreign = parts.scheme == "https" and _HOST.fullmatch(parts.netloc) is not None
    if not (is_own or is_foreign) or any(place not in parts.path for place in _PLACES):
        raise ConfigurationError(
            f"map_tiles: {tiles!r} is no address of tiles; expected one like https://tiles.example/{{z}}/{{x}}/{{y}}.png, of one "
            "host, or /tiles/{z}/{x}/{y}.png of the site itself."
        )
    if not attribution:
        raise ConfigurationError("map_tiles needs map_attribution: what the source of the tiles asks to be said.")
    return "" if is_own else f"https://{parts.netloc}"


def digest(path: Path) -> str:
    """What an address of a file changes by when the file does."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]
