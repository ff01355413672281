"""Words of a picture with the confidence of tesseract, in a process whose time and memory end. No shell; the picture is piped."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from mass_pipeline.model.errors import MassPipelineError

_SECONDS: Final = 30  # of CPU and of the clock; a poster takes one or two
_MEMORY_BYTES: Final = 2 * 2**30  # address space; the model of Polish needs a fifth of it
_COLUMNS: Final = 12  # of tesseract's table: level page block par line word left top width height conf text
_WORD: Final = "5"  # level of a row that holds a word
_ENVIRONMENT: Final = {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}


class NoTesseract(MassPipelineError):
    """Tesseract or its Polish model is not installed; the message says what to install."""


class PictureUnreadable(MassPipelineError):
    """The picture is too large, broken, or took too long."""


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of a picture.

    Attributes:
        text: its words.
        confidence: 0..1, of the least sure word with a digit, else of all words on average.
    """

    text: str
    confidence: float


@cache
def tesseract_path() -> str:
    """The program.

    Raises:
        NoTesseract: it or its Polish model is missing.
    """
    path = shutil.which("tesseract")
    if path is None:
        raise NoTesseract("tesseract is not installed. Install tesseract-ocr and tesseract-ocr-pol.")
    listed = subprocess.run(  # noqa: S603 - the program found, nothing of a stranger
        [path, "--list-langs"], capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if "pol" not in listed.stdout.split():
        raise NoTesseract("tesseract has no model of Polish. Install tesseract-ocr-pol.")
    return path


def lines_of(png: bytes) -> list[PictureLine]:
    """Lines of a picture, from top to bottom.

    Args:
        png: a decoded and checked picture (`decoding.as_png`).

    Raises:
        NoTesseract: it is not installed.
        PictureUnreadable: it failed or was ended.
    """
    command = [tesseract_path(), "stdin", "stdout", "-l", "pol", "--psm", "4", "tsv"]
    environment = {**_ENVIRONMENT, "PATH": os.environ.get("PATH", "/usr/bin:/bin")}
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    # No word of a stranger is in the command.
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, env=environment) as one:  # noqa: S603
        resource.prlimit(one.pid, resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        resource.prlimit(one.pid, resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
        try:
            written, _ = one.communicate(png, timeout=_SECONDS)
        except subprocess.TimeoutExpired as error:
            one.kill()
            raise PictureUnreadable(f"tesseract took more than {_SECONDS} s") from error
    if one.returncode != 0:
        raise PictureUnreadable(f"tesseract ended with {one.returncode}")
    return lines_of_table(written.decode("utf-8", "replace").splitlines())


def lines_of_table(rows: Iterable[str]) -> list[PictureLine]:
    """Lines from tesseract's table of words.

    >>> head = "5\\t1\\t1\\t1\\t1\\t"
    >>> lines_of_table([head + "1\\t0\\t0\\t9\\t9\\t96\\tNiedziela", head + "2\\t0\\t0\\t9\\t9\\t81\\t8.00"])
    [PictureLine(text='Niedziela 8.00', confidence=0.81)]
    """
    lines: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    for row in rows:
        cells = row.split("\t", _COLUMNS - 1)
        if len(cells) == _COLUMNS and cells[0] == _WORD and cells[-1].strip():
            lines.setdefault(tuple(cells[1:5]), []).append((cells[-1].strip(), _share(cells[10])))
    return [PictureLine(" ".join(word for word, _ in words), _confidence(words)) for words in lines.values()]


def _share(written: str) -> float:
    try:
        return min(1.0, max(0.0, float(written) / 100))
    except ValueError:
        return 0.0


def _confidence(words: list[tuple[str, float]]) -> float:
    of_hours = [sure for word, sure in words if any(one.isdigit() for one in word)]
    return round(min(of_hours) if of_hours else sum(sure for _, sure in words) / len(words), 4)
