"""Pages of the documentation made from the code or from files beside the folder, such as home and settings (a hook of MkDocs).

What a page of reference says stands once, in the code; here it is only set out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli import cli
from mass_pipeline.model import columns
from mass_pipeline.resources.settings import load_settings

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_ROOT: Final = Path(__file__).parent.parent
_PROGRAM: Final = "mass-pipeline"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages (hook of MkDocs)."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def pages() -> dict[str, str]:
    """Markdown of every generated page, by its path in the site."""
    return {
        "index.md": _inside((_ROOT / "README.md").read_text(encoding="utf-8")),
        "contributing.md": _inside((_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")),
        "changes.md": (_ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "reference/settings.md": "\n".join(_settings()),
        "reference/tables.md": "\n".join(_tables()),
        "reference/commands.md": "\n".join(["# Commands", "", *_commands(cli, _PROGRAM, 2)]),
    }


def _inside(page: str) -> str:
    """A page beside the folder with its links as seen from the site; what the site does not hold is named without a link."""
    inside = re.sub(r'(\]\(|src=")docs/', r"\1", page)
    inside = inside.replace("(CHANGELOG.md)", "(changes.md)").replace("(CONTRIBUTING.md)", "(contributing.md)")
    return re.sub(r"\[([^\]]+)\]\((?:LICENSE|decisions/?)\)", r"\1", inside)


def _settings() -> Iterator[str]:
    yield from ("# Settings", "", "`mass-pipeline settings` prints them with the values of your installation.")
    section = None
    for row in load_settings({}).rows:
        if row.section != section:
            section = row.section
            yield from ("", f"## {section}", "", "| variable | default | unit | meaning | source |", "|---|---|---|---|---|")
        shown = f"`{row.value}`" if str(row.value) else ""
        yield _row(f"`{row.variable}`", shown, row.info.unit, row.info.meaning, row.info.source)


def _tables() -> Iterator[str]:
    yield from ("# Tables", "", "Parquet files in the data folder's `lake/`; rows are unique and sorted by the key.")
    for table in columns.TABLES.values():
        yield from ("", f"## {table.name}", "", f"Key: {', '.join(f'`{name}`' for name in table.key)}.", "")
        yield from ("| column | type | unit | may be null | meaning |", "|---|---|---|---|---|")
        for one in table.columns:
            values = f" ({', '.join(one.values)})" if one.values else ""
            yield _row(f"`{one.name}`", str(one.type), one.unit, "yes" if one.nullable else "", one.meaning + values)


def _commands(command: click.Command, name: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=name, max_content_width=110)
    yield from (f"{'#' * min(level, 4)} {name}", "", "```text", command.get_help(context), "```", "")
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from _commands(below, f"{name} {each}", level + 1)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"
