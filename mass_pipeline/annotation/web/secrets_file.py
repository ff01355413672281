"""The key that signs cookies: from the settings, or made once and kept in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from mass_pipeline.model.errors import ConfigurationError

LEAST_CHARACTERS: Final = 32


def read_or_make_secret(given: str, path: Path) -> str:
    """The given key, else the one in the file, else a new one written there (mode 0600).

    Raises:
        ConfigurationError: the key is too short, or the file cannot be read or written.
    """
    try:
        secret = given or _from_file(path)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot keep the key of cookies there ({error.strerror}).") from error
    if len(secret) < LEAST_CHARACTERS:
        raise ConfigurationError(
            f"The annotation secret must have at least {LEAST_CHARACTERS} characters; remove it to get a new one."
        )
    return secret


def _from_file(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
        file.flush()
        os.fsync(file.fileno())
    return path.read_text(encoding="ascii").strip()
