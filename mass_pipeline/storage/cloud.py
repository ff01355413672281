"""Objects in an S3 store, by obstore (extra `scale`). The store of several machines; credentials and address come from the
environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`).

Every write is one request with a condition that the server judges, so that nobody needs a lock. A request may reach the server
and its answer be lost; asked again, it is then refused as overtaken by itself. So a refusal is looked at before it is believed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any, Final

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import S3Store

from mass_pipeline.model.errors import StorageError
from mass_pipeline.storage.ports import Overtaken, Stamped, change

_RETRY: Final[Any] = {
    "max_retries": 4,
    "retry_timeout": timedelta(seconds=60),
    "backoff": {"init_backoff": timedelta(milliseconds=200), "max_backoff": timedelta(seconds=5), "base": 2},
}


class CloudObjects:
    """Objects below `s3://bucket/prefix`. Not to be used before a fork: its threads do not live on in the child."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        is_plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true", "yes")
        client: Any = {"timeout": "120s", "connect_timeout": "5s", "allow_http": is_plain}
        try:
            self._store = S3Store.from_url(self.url, retry_config=_RETRY, client_options=client)
        except (BaseError, ValueError) as error:
            raise StorageError(f"{self.url} cannot be opened ({_line(error)}). Check address and AWS_ variables.") from error

    def read(self, name: str) -> Stamped | None:
        """See `ObjectStore.read`."""
        with self._errors("read", name):
            try:
                found = obstore.get(self._store, name)
                return Stamped(bytes(found.bytes()), str(found.meta["e_tag"]))
            except FileNotFoundError:
                return None

    def put(self, name: str, data: bytes) -> None:
        """See `ObjectStore.put`."""
        with self._errors("write", name):
            obstore.put(self._store, name, data, use_multipart=False)

    def replace(self, name: str, data: bytes, stamp: str | None) -> None:
        """See `ObjectStore.replace`."""
        mode: Any = "create" if stamp is None else {"e_tag": stamp}
        with self._errors("write", name):
            try:
                obstore.put(self._store, name, data, mode=mode, use_multipart=False)
            except (AlreadyExistsError, PreconditionError) as error:
                known = self.read(name)
                if known is None or known.data != data:
                    raise Overtaken(f"{self.place(name)} was replaced by somebody else; nothing was written.") from error

    def append(self, name: str, lines: bytes) -> None:
        """See `ObjectStore.append`."""
        change(self, name, lambda known: (known or b"")[: (known or b"").rfind(b"\n") + 1] + lines)

    def names(self, folder: str) -> list[str]:
        """See `ObjectStore.names`."""
        return [name for name, _ in self.moments(folder)]

    def moments(self, folder: str) -> list[tuple[str, datetime]]:
        """Names below a folder with when each was written, by the server's clock; sorted."""
        prefix = f"{folder.rstrip('/')}/" if folder else ""
        with self._errors("list", folder):
            listed = [one for batch in obstore.list(self._store, prefix or None) for one in batch]
            return sorted((str(one["path"]), one["last_modified"]) for one in listed)

    def put_file(self, name: str, path: Path) -> None:
        """Write a file under a name that says what it holds (its digest): what stands there already is the same."""
        with self._errors("write", name):
            try:
                obstore.put(self._store, name, path, mode="create", use_multipart=False)
            except AlreadyExistsError:
                return

    def fetch(self, name: str, to: IO[bytes]) -> bool:
        """Copy an object into an open file, a few megabytes at a time; False when there is none."""
        with self._errors("read", name):
            try:
                for chunk in obstore.get(self._store, name).stream(min_chunk_size=1 << 20):
                    to.write(chunk)
            except FileNotFoundError:
                return False
        return True

    def delete(self, names: list[str]) -> None:
        """Remove objects; those that are gone already are no failure."""
        for name in names:
            with self._errors("delete", name):
                try:
                    obstore.delete(self._store, name)
                except FileNotFoundError:
                    continue

    def place(self, name: str) -> str:
        """See `ObjectStore.place`."""
        return f"{self.url}/{name}"

    @contextmanager
    def _errors(self, verb: str, name: str) -> Iterator[None]:
        try:
            yield
        except (BaseError, FileNotFoundError) as error:  # a bucket that is missing is a file that is missing
            raise StorageError(
                f"Cannot {verb} {self.place(name)}: {_line(error)}. Check the storage and its credentials, then run again; "
                "what was published before is untouched."
            ) from error


def _line(error: BaseException) -> str:
    """The first words of an error of obstore, which goes on for pages."""
    return " ".join(str(error).split("Debug source")[0].split())[:300]
