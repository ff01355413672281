"""A PostgreSQL server of one's own, that may be ended and begun again without harm to anybody's."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]


class OwnPostgres:
    """A cluster in a temporary folder, on a free port of loopback. A context manager.

    Runs as the user `postgres` where the caller is root, which PostgreSQL refuses to be.
    """

    def __enter__(self) -> Self:
        if not BINARIES:
            raise RuntimeError("No PostgreSQL server is installed: apt-get install postgresql.")
        self._folder = Path(tempfile.mkdtemp(prefix="mass-pg-"))
        self._data = self._folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "-N")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"postgresql+psycopg2://postgres@127.0.0.1:{self._port}/postgres"

    def create(self, database: str) -> str:
        """The URL of a new database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", self._port, "-U", "postgres", database)
        return self.url.removesuffix("postgres") + database

    def start(self) -> None:
        options = f"-p {self._port} -k {self._folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", self._folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """As a power cut would: no connection is ended in peace, and it recovers from its log when it starts."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: object) -> None:
        user: Sequence[str] = ("runuser", "-u", "postgres", "--") if os.getuid() == 0 else ()
        command = [*user, str(BINARIES[0] / program), *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
