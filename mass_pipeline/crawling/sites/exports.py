"""Give pages to others: JSON Lines with the fields of P7, batches for a Parquet writer. Streams; writes aside, then renames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from mass_pipeline.crawling.sites.records import CrawledPage
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.whole_files import replacing, sync
from mass_pipeline.reading.text.charset import to_text

if TYPE_CHECKING:
    import pyarrow as pa

ROW_GROUP_PAGES: Final = 1000  # performance 5.1: a tenth of the raw size, and a reader holds one group at a time
_BUFFER_BYTES: Final = 1 << 20


def write_jsonl(pages: Iterable[CrawledPage], path: Path, told: Mapping[str, Mapping[str, float]] | None = None) -> int:
    """One object per URL, in the order given: the fields of P7, and how the fetch ended.

    Args:
        told: what else is known of pages, name of the field -> URL -> value (V10).

    Returns:
        Number of lines.

    Raises:
        StorageError: the file cannot be written; an earlier one stays.
    """
    import orjson

    count = 0
    with _aside(path) as file:
        for page in pages:
            more = {name: values.get(page.url) for name, values in (told or {}).items()}
            file.write(orjson.dumps(as_record(page) | more, option=orjson.OPT_APPEND_NEWLINE))
            count += 1
    return count


def as_record(page: CrawledPage) -> dict[str, object]:
    """The fields of P7 (content as text, "" when none was kept) with parish, outcome, status and time."""
    encoding = (page.encoding or "").partition(";")[0]
    content = to_text(page.body, encoding) if page.body and encoding else ""
    return {
        "parish_id": page.parish_id,
        "url": page.url,
        "depth": page.depth,
        "button_text": page.link_text or "",
        "previous_url": page.referrer or "",
        "start_url": page.start_url,
        "domain": page.domain,
        "outcome": page.outcome,
        "reason": page.reason,
        "status": page.status,
        "final_url": page.final_url,
        "content_type": page.content_type,
        "encoding": page.encoding,
        "rendering": page.rendering,
        "fetched_at": page.fetched_at.isoformat(timespec="milliseconds") if page.fetched_at else None,
        "content": content,
    }


def page_batches(pages: Iterable[CrawledPage], *, rows: int = ROW_GROUP_PAGES) -> Iterator[pa.RecordBatch]:
    """Batches with the columns of `columns.CRAWLED_PAGES`, for a Parquet writer that makes a row group of each.

    Args:
        pages: as `read_pages` gives them, sorted.
        rows: at most so many per batch.

    Returns:
        No batch at all for no pages.
    """
    import pyarrow as pa

    from mass_pipeline.model.columns import CRAWLED_PAGES

    names = CRAWLED_PAGES.names
    schema = CRAWLED_PAGES.schema
    iterator = iter(pages)
    while group := list(islice(iterator, rows)):
        arrays = [
            pa.array([getattr(page, name) for page in group], type=field.type) for name, field in zip(names, schema, strict=True)
        ]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


@contextmanager
def _aside(path: Path) -> Iterator[IO[bytes]]:
    """Write beside the target, then take its place in one step; nothing half-written is ever seen under its name."""
    try:
        with replacing(path) as aside:
            with aside.open("wb", buffering=_BUFFER_BYTES) as file:
                yield file
            sync(aside)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror or error}). Choose another place or free space."
        ) from error
