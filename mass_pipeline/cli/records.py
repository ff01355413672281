"""Records of labelled or unlabelled sources, one JSON object per line: read by `extract` and `hours` alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mass_pipeline.model.document import Document
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.json_lines import read_objects

if TYPE_CHECKING:
    from mass_pipeline.reading.regular.reading import PageReading

_FIELDS: Final = ("sunday", "weekday", "feast")  # of a row of a directory's table
_NAMES: Final = ("name", "town")
_SOURCES: Final = ("pages", "file", "html", "text", *_FIELDS)


@dataclass(frozen=True, slots=True)
class NamedReading:
    """What the rules read on one page.

    Attributes:
        name: as the record has it, "" for strings and texts.
        ended: why its reading was ended, "" when it was read.
    """

    name: str
    reading: PageReading
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a records file.

    Attributes:
        id: identifier, repeated in the output.
        data: the object as read.
        folder: folder of the records file; paths of pages are relative to it.
    """

    id: str
    data: dict[str, Any]
    folder: Path

    @property
    def strings(self) -> tuple[str, str, str] | None:
        """Strings of Sundays, weekdays and abolished feasts, None for records of another kind."""
        if not any(name in self.data for name in _FIELDS):
            return None
        sunday, weekday, feast = (str(self.data.get(name) or "") for name in _FIELDS)
        return sunday, weekday, feast

    @property
    def names(self) -> tuple[str, ...]:
        """What a directory calls the parish: `name` and `town`, where the record has them."""
        return tuple(str(self.data[name]) for name in _NAMES if self.data.get(name))

    def readings(self) -> Iterator[NamedReading]:
        """Every page with what the rules read on it, in order; strings and bare texts are schedules without a name.

        A page whose reading had to be ended holds nothing, and says why.

        Raises:
            BadInput: a page cannot be opened.
        """
        from mass_pipeline.reading.regular.reading import read_strings

        if self.strings is not None:
            yield NamedReading("", read_strings(*self.strings))
            return
        if "text" in self.data:
            yield _read_text(str(self.data["text"]))
            return
        if "html" in self.data:
            yield _read("", str(self.data["html"]), "text/html")
        for page in self._pages():
            yield _read(page, self._content(page))

    def _content(self, page: str) -> bytes:
        path = self.folder / page
        try:
            return path.read_bytes()
        except OSError as error:
            raise BadInput(
                f"record {self.id}: cannot read {path}: {error.strerror}. Paths are relative to the records file."
            ) from error

    def _pages(self) -> list[str]:
        if "file" in self.data:
            return [str(self.data["file"])]
        return [str(page["file"] if isinstance(page, dict) else page) for page in self.data.get("pages") or ()]


def _read(name: str, content: bytes | str, content_type: str | None = None) -> NamedReading:
    """A page, read where its reading can be ended."""
    from mass_pipeline.reading.regular.reading import read_page
    from mass_pipeline.site_reading.guarded import read_guarded

    try:
        return NamedReading(name, read_guarded(content, content_type=content_type, url=name)[1])
    except Exception as error:  # whatever a page does, it ends at the page
        return NamedReading(name, read_page(Document(url=name)), reason_of(name or "the page", error))


def _read_text(text: str) -> NamedReading:
    """A text that states a schedule, read likewise."""
    from mass_pipeline.guard.sandbox import parsed
    from mass_pipeline.reading.regular.reading import read_text

    try:
        return NamedReading("", parsed(read_text, text))
    except Exception as error:  # whatever a text does, it ends at the text
        return NamedReading("", read_text(""), reason_of("the text", error))


def reason_of(name: str, error: Exception) -> str:
    """Why a page, text or record was not read, with its name, for people."""
    from mass_pipeline.guard import TooCostly
    from mass_pipeline.reading.words.masking.lines import with_masked_quotes

    if isinstance(error, TooCostly):
        return f"too_costly: {name}: {error}"
    return f"unreadable: {name}: {with_masked_quotes(f'{type(error).__name__}: {error}')}"


def read_records(path: Path) -> Iterator[Record]:
    """Records of a file, in order; blank lines are skipped.

    Raises:
        UsageError: the file cannot be opened.
        BadInput: a line is no object with an `id` and one of the known sources; the message names the line.
    """
    for number, data in read_objects(path):
        if "id" not in data or not any(source in data for source in _SOURCES):
            raise BadInput(f'{path}:{number}: expected an object with "id" and one of {", ".join(_SOURCES)}.')
        yield Record(str(data["id"]), data, path.parent)
