"""Files and options that commands have in common: JSON Lines in and out, kinds of paths, the settings, the line of progress."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from mass_pipeline.model.errors import BadInput, UsageError
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.model.whole_files import replacing

if TYPE_CHECKING:
    import uvicorn

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


def require_proxy(host: str, trusted: Collection[str], section: str, page: str) -> None:
    """UsageError where an app would be reached from elsewhere without a proxy, which provides HTTPS (hazard O1).

    Args:
        host: address to listen on.
        trusted: proxies that are set.
        section: of the settings that would name them.
        page: where that is described.
    """
    if host not in ("127.0.0.1", "::1", "localhost") and not trusted:
        raise UsageError(
            f"{host} would be reached without a proxy, which provides HTTPS. Listen on 127.0.0.1, or set "
            f"MASS_PIPELINE_{section}_TRUSTED_PROXIES and MASS_PIPELINE_{section}_PUBLIC_HOSTS ({page})."
        )


def web_server(app: Any, **more: Any) -> uvicorn.Config:
    """How an app is served: addresses of visitors end in no access log, and only our own proxies' headers are believed (W6)."""
    import uvicorn

    from mass_pipeline.web_common.prompt import PromptProtocol

    quiet: dict[str, Any] = {"access_log": False, "server_header": False, "proxy_headers": False, "log_level": "warning"}
    return uvicorn.Config(app, http=PromptProtocol, **quiet, **more)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; told before anything is started for it.

    Raises:
        UsageError: the port is taken, or no address of this machine.
    """
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be listened on ({os.strerror(error.errno or 0)}); choose another with --port."
        ) from error


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


@contextmanager
def replaced_file(out: Path) -> Iterator[Path]:
    """A file to write that takes the place of `out` in the end; UsageError when it cannot be written."""
    try:
        with replacing(out) as aside:
            yield aside
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}. Choose another file.") from error


def write_lines(answers: Iterable[Mapping[str, object]], out: Path | None, noun: str) -> None:
    """One object a line, to a file, replaced only when complete, or to standard output.

    Args:
        answers: in order.
        out: where to; None for standard output.
        noun: what they are, in the plural, for the word at the end.

    Raises:
        UsageError: the file cannot be written.
    """
    if out is None:
        for answer in answers:
            click.echo(json.dumps(answer, ensure_ascii=False))
        return
    count = 0
    with replaced_file(out) as aside, aside.open("w", encoding="utf-8") as stream:
        for answer in answers:
            stream.write(json.dumps(answer, ensure_ascii=False) + "\n")
            count += 1
    click.echo(f"{count} {noun} written to {out}", err=True)
