"""Read a state folder: pages in order, links, history. Read only; memory does not grow with the state."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.sites.records import CrawledPage
from mass_pipeline.crawling.sites.store import unpacker_of
from mass_pipeline.crawling.state import schema
from mass_pipeline.crawling.state.packing import DamagedBody, PageUnpacker
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.identifiers import url_md5
from mass_pipeline.model.state_file import state_error
from mass_pipeline.model.whole_files import replacing, sync
from mass_pipeline.reading.text.charset import to_text

_PAGE: Final = (
    "SELECT s.parish_id,u.url,u.final_url,u.url_md5,s.start_url,s.domain,u.depth,r.url AS referrer,"
    "u.link_text,u.outcome,u.status,"
    "p.content_type,p.encoding,p.etag,p.last_modified,p.fetched_at,p.elapsed_ms,p.truncated,p.body,p.body_sha256,u.reason,"
    "p.tls_verified,p.confirmed_at AS checked_at,u.checked_at AS asked_at,p.rendering,"
    "p.dictionary_id "
    "FROM urls u JOIN sites s USING(site_id) LEFT JOIN pages p USING(url_id) LEFT JOIN urls r ON r.url_id=u.referrer_id "
)
_NONSENSE: Final = (
    ValueError,
    TypeError,
    OverflowError,
    AttributeError,
)  # what a flipped bit makes of a moment, a text, a number


def read_pages(state: Path) -> Iterator[CrawledPage]:
    """Every URL that has its outcome, sorted by (parish_id, url); bodies decompressed.

    Raises:
        StorageError: no state there, or it is damaged.
    """
    with _opened(state) as connection:
        unpacker = unpacker_of(connection)
        query = _PAGE + "WHERE u.site_id=? AND u.outcome IS NOT NULL ORDER BY u.url"
        sites = [row[0] for row in connection.execute("SELECT site_id FROM sites ORDER BY parish_id")]
        for site in sites:  # one site at a time: memory holds the packed pages of one site, not of the partition
            for row in connection.execute(query, (site,)):
                yield _page(row, unpacker)


def read_page(state: Path, url: str) -> CrawledPage | None:
    """One page by its canonical URL, None when it is not there.

    Raises:
        StorageError: no state there, or it is damaged.
    """
    with _opened(state) as connection:
        row = connection.execute(_PAGE + "WHERE u.url_md5=?", (bytes.fromhex(url_md5(url)),)).fetchone()
        return _page(row, unpacker_of(connection)) if row and row["outcome"] is not None else None


def read_history(state: Path) -> Iterator[tuple[datetime, str, str, int | None]]:
    """Time-stamped log of answered URLs, oldest first (V3): `(at, url, outcome, status)`."""
    with _opened(state) as connection:
        for at, url, outcome, status in connection.execute(
            "SELECT h.at,u.url,h.outcome,h.status FROM history h JOIN urls u USING(url_id) ORDER BY h.at,h.rowid"
        ):
            yield datetime.fromtimestamp(at, UTC), url, outcome, status


@contextmanager
def _opened(state: Path) -> Iterator[sqlite3.Connection]:
    """The state file for reading; whatever a damaged file makes of its rows is a `StorageError` that names it."""
    connection = schema.open_for_reading(state, schema.CRAWL_FILE)
    try:
        yield connection
    except sqlite3.Error as error:
        raise state_error(state / schema.CRAWL_FILE, error, schema.FORMATS[schema.CRAWL_FILE]) from error
    except _NONSENSE as error:
        problem = sqlite3.DatabaseError(f"a row makes no sense: {error}")
        raise state_error(state / schema.CRAWL_FILE, problem, schema.FORMATS[schema.CRAWL_FILE]) from error
    finally:
        connection.close()


def _page(row: sqlite3.Row, unpacker: PageUnpacker) -> CrawledPage:
    """A row of `_PAGE` as a record, whose attributes have the names of its columns."""
    values: dict[str, Any] = dict(row)
    url, body, digest, dictionary_id = str(row["url"]), row["body"], row["body_sha256"], values.pop("dictionary_id")
    if row["url_md5"] != bytes.fromhex(url_md5(url)):
        raise ValueError(f"the address {url!r} is not the one that was stored")
    values |= {
        "final_url": row["final_url"] or (url if row["status"] is not None else None),
        "url_md5": url_md5(url),
        "truncated": bool(row["truncated"]),
        "body_sha256": digest.hex() if isinstance(digest, bytes) else None,
        "reason": row["reason"] or "",
        "tls_verified": row["tls_verified"] is None or bool(row["tls_verified"]),
        **{name: _moment(row[name]) for name in ("fetched_at", "checked_at", "asked_at")},
    }
    try:
        if body is None and row["outcome"] in (Outcome.OK, Outcome.TRUNCATED):
            raise DamagedBody("the stored body is missing")
        values["body"] = unpacker.unpack(body, dictionary_id, digest) if body is not None else None
    except DamagedBody as error:  # named, and asked for anew by the next crawl
        values |= {"outcome": Outcome.ERROR.value, "body": None, "body_sha256": None, "reason": str(error)}
    return CrawledPage(**values)


def _moment(seconds: object) -> datetime | None:
    if not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except OSError as error:
        raise ValueError(f"{seconds} is no moment") from error


_BUFFER_BYTES: Final = 1 << 20


def write_jsonl(pages: Iterable[CrawledPage], path: Path, extra: Mapping[str, Mapping[str, float]] | None = None) -> int:
    """One object per URL, in the order given: the fields of P7, and how the fetch ended.

    Args:
        extra: what else is known of pages, name of the field -> URL -> value (V10).

    Returns:
        Number of lines.

    Raises:
        StorageError: the file cannot be written; an earlier one stays.
    """
    import orjson

    count = 0
    with _aside(path) as file:
        for page in pages:
            more = {name: values.get(page.url) for name, values in (extra or {}).items()}
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
