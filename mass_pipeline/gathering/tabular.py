"""Parishes from a file of the operator's own: CSV, TSV or Parquet, with English or Polish column names.

Source: P1; the table of 2018 has the columns Parafia, Miejscowość, Adres, Diecezja, Dekanat, Województwo.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import pandas as pd
import pyarrow as pa

from mass_pipeline.gathering.address import parse_address
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.parish import Parish, entry_id
from mass_pipeline.gathering.tables import voivodeship_of
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import ParishId, fold

SOURCE: Final = "table"
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "parish_id": ("parish_id",),
    "name": ("name", "parafia", "parish", "dedication", "wezwanie"),
    "town": ("town", "miejscowosc", "place"),
    "address": ("address", "adres"),
    "diocese": ("diocese", "diecezja"),
    "deanery": ("deanery", "dekanat"),
    "voivodeship": ("voivodeship", "wojewodztwo"),
    "directory_url": ("directory_url",),
    "website_hint": ("website_hint", "website", "url", "www", "strona", "strona www"),
}


def read_table(path: Path, dioceses: Dioceses) -> Iterator[Parish]:
    """Parishes of a file, in its order.

    Args:
        path: `.parquet`, or text in UTF-8 separated by tabs, semicolons or commas (seen from the first line).
        dioceses: gives the keys of the dioceses.

    Returns:
        One parish per row with a name; a missing town is taken from the address. The identifier is the column `parish_id` where
        there is one, else it derives from the row's content, so that it survives a change of order.

    Raises:
        BadInput: the file is missing, empty, not UTF-8, or lacks name, town or diocese.
    """
    records = table_records(path, ("name", "town", "diocese"))
    repeated: Counter[str] = Counter()
    count = 0
    for record in records:
        parish = _parish(record, dioceses, repeated)
        if parish is not None:
            count += 1
            yield parish
    if count == 0:
        raise BadInput(f"{path}: no row holds a parish (a name); the earlier table is kept.")


def table_records(path: Path, required: Sequence[str]) -> Iterator[dict[str, str]]:
    """Rows of a file as the columns that are known, by their English names; white space folded.

    Args:
        path: as for `read_table`. required: columns that it must have.

    Raises:
        BadInput: the file is missing, not UTF-8, or lacks one of them.
    """
    try:
        frame = pd.read_parquet(path).astype("object") if path.suffix.lower() == ".parquet" else _read_text(path)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise BadInput(f"{path}: cannot be read as a table of parishes ({error}); save it as CSV or TSV in UTF-8.") from error
    columns = _columns(list(frame.columns), path, required)
    for row in frame.fillna("").itertuples(index=False, name=None):
        yield {name: " ".join(str(row[position]).split()) for name, position in columns.items()}


def _parish(record: Mapping[str, str], dioceses: Dioceses, repeated: Counter[str]) -> Parish | None:
    name, town, diocese = record["name"], record["town"], record["diocese"]
    if not name:
        return None
    address = parse_address(record.get("address", "").split("|") if record.get("address") else (name, town), town)
    town = town or address.post_town or ""
    voivodeship = record.get("voivodeship", "").lower() or address.voivodeship or voivodeship_of(address.postcode)
    return Parish(
        parish_id=ParishId(record.get("parish_id") or _derived_id(record, repeated)),
        name=name,
        town=town,
        voivodeship=voivodeship,
        address=address.text,
        street=address.street,
        postcode=address.postcode,
        deanery=record.get("deanery") or None,
        diocese=diocese,
        diocese_key=dioceses.key_of(diocese),
        directory_url=record.get("directory_url") or None,
        website_hint=record.get("website_hint") or None,
        source=SOURCE,
        fetched_at=None,
    )


def _derived_id(record: Mapping[str, str], repeated: Counter[str]) -> str:
    """Twins of name, town and even address differ by deanery; complete twins by their order."""
    parts = tuple(fold(record.get(column, "")) for column in ("name", "town", "address", "diocese", "deanery"))
    key = "\x1f".join(parts)
    repeated[key] += 1
    ordinal = (str(repeated[key]),) if repeated[key] > 1 else ()
    return entry_id(SOURCE, *parts, *ordinal)


def _read_text(path: Path) -> pd.DataFrame:
    """Separated by what its first line has most of; tab-separated files have no quoting: a quotation mark is one."""
    with path.open(encoding="utf-8-sig") as file:
        separator = max("\t;,", key=file.readline().count)
    quoting: Literal[0, 3] = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    return pd.read_csv(
        path, sep=separator, quoting=quoting, dtype=str, keep_default_na=False, encoding="utf-8-sig", index_col=False
    )


def _columns(header: list[str], path: Path, required: Sequence[str]) -> dict[str, int]:
    """Position of every known column."""
    folded = [fold(name.strip('" ')) for name in header]
    found = {
        column: next(folded.index(alias) for alias in aliases if alias in folded)
        for column, aliases in _NAMES.items()
        if any(alias in folded for alias in aliases)
    }
    missing = [column for column in required if column not in found]
    if missing:
        raise BadInput(
            f"{path}: lacks the column {' and '.join(missing)}; its first line must name the columns "
            f"(name, town, address, diocese, deanery, voivodeship, or in Polish), found: {', '.join(header)[:200]}."
        )
    return found
