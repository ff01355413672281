"""Every published table has the columns, types and closed vocabularies of the column dictionary."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from mass_pipeline.model.table import Table
from mass_pipeline.publishing.promises.verdict import Finding, Verdict


def validate_schema(table: Table, schemas: Iterable[tuple[str, pa.Schema]], chunks: Iterable[pa.Table]) -> Verdict:
    """Compare files and rows with the dictionary.

    Args:
        table: what is promised.
        schemas: (path, schema) of each file.
        chunks: the rows of columns with a closed vocabulary.
    """
    findings: list[Finding] = []
    for path, schema in schemas:
        if not schema.equals(table.schema):
            different = sorted({field.name for field in set(schema) ^ set(table.schema)}) or ["order of the columns"]
            findings.append({"file": path, "fault": "columns differ", "where": ", ".join(different)})
    rows = 0
    strange: set[tuple[str, str]] = set()
    for chunk in chunks:
        rows += chunk.num_rows
        strange |= _strange_values(table, chunk)
    findings += [
        {"file": "", "fault": f"value {value!r} is not in the vocabulary", "where": name} for name, value in sorted(strange)
    ]
    summary = (
        f"{table.name}: {len(findings)} deviation(s) from model/columns.py; materialize the table again with this version."
        if findings
        else f"{table.name} is as model/columns.py says."
    )
    return Verdict(not findings, summary, {"rows": rows}, findings[:20])


def columns_with_vocabulary(table: Table) -> list[str]:
    """Columns with a closed vocabulary; the first key column when there are none, so that rows can be counted."""
    return [column.name for column in table.columns if column.values] or [table.key[0]]


def _strange_values(table: Table, chunk: pa.Table) -> set[tuple[str, str]]:
    allowed = {column.name: set(column.values) for column in table.columns if column.values}
    present = ((name, value) for name in chunk.column_names for value in pc.unique(chunk.column(name)).to_pylist())
    return {(name, str(value)) for name, value in present if name in allowed and value is not None and value not in allowed[name]}
