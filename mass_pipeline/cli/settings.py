"""`mass-pipeline settings`: the table of settings as it stands now."""

from __future__ import annotations

import json
import re

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.resources.settings import SettingRow

_USER_INFO = re.compile(r"(://[^/:@\s]*:).*(@)")  # up to the last @: passwords may hold one
_IN_QUERY = re.compile(r"([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*", re.IGNORECASE)
_LEAST_WIDTH = 140  # characters; narrower, the table breaks every word


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, for machines.")
@click.option("--changed", is_flag=True, help="Only settings that differ from their default.")
def settings(as_json: bool, changed: bool) -> None:
    """Print every setting: variable, value, unit, meaning, source.

    \b
    Example:
      MASS_PIPELINE_PROFILE=live MASS_PIPELINE_CONTACT=me@example.org mass-pipeline settings --changed
    """
    from rich.console import Console
    from rich.table import Table

    rows = [row for row in the_settings().rows if not (changed and row.is_default)]
    if as_json:
        for row in rows:
            click.echo(json.dumps(_as_dict(row), ensure_ascii=False))
        return
    if not rows:
        click.echo("Every setting has its default.")
        return
    rooms = "Letters with numbers name rows of docs/rows.md; after the word hazard, of docs/hazards.md."
    table = Table(title="Settings (* differs from the default)", caption=rooms)
    for column in ("variable", "value", "unit", "meaning", "source"):
        table.add_column(column, overflow="fold", no_wrap=column == "variable")
    for row in rows:
        mark = "" if row.is_default else " *"
        table.add_row(row.variable, _shown(row) + mark, row.info.unit, row.info.meaning, row.info.source)
    Console(width=max(_LEAST_WIDTH, Console().width)).print(table)


def _shown(row: SettingRow) -> str:
    if row.info.secret:
        return "(set)" if row.value else "(not set)"
    return ", ".join(row.value) if isinstance(row.value, tuple) else _without_password(str(row.value))


def _without_password(value: str) -> str:
    """An address with its password masked, as `postgresql://user:***@host/name`; other values as they are.

    >>> _without_password("postgresql://anna:s3:c@ret@db.example/votes?password=x")
    'postgresql://anna:***@db.example/votes?password=***'
    """
    return _IN_QUERY.sub(r"\1***", _USER_INFO.sub(r"\1***\2", value))


def _as_dict(row: SettingRow) -> dict[str, object]:
    return {
        "variable": row.variable,
        "value": _shown(row) if row.info.secret or isinstance(row.value, str) else row.value,
        "unit": row.info.unit,
        "meaning": row.info.meaning,
        "source": row.info.source,
        "default": row.is_default,
    }
