"""`mass-pipeline announcements`: what announcements of a file change in the Masses of days."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mass_pipeline.model.errors import BadInput, UsageError


@click.command()
@click.option(
    "--records", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSON Lines of announcements."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="JSON Lines file to write.  [default: stdout]")
def announcements(records: Path, out: Path | None) -> None:
    """Read dated changes of Masses from a file of announcements.

    Each line is an object with "id", "text", "issued" (the day of publication), "standing" (the usual order, like
    "Su 08:00,10:00; Mo-Sa 18:00", or "") and "dates" (days to be told). The answer holds, for each of these days, the
    hours that are "usual", "published" (with the changes that need no person) and "read" (with all dated changes), and
    the first days of "lasting" ones. Announcements are divided, chosen by topic, read and published as by the asset.

    \b
    Example:
      mass-pipeline announcements --records announcements.jsonl --out days.jsonl
    """
    from mass_pipeline.cli.announced import AnnouncementRecord, read_guarded_announcement
    from mass_pipeline.cli.json_lines import write_lines

    try:
        lines = records.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {records}: {error}. Give a UTF-8 file with one JSON object per line.") from error
    read = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                data = json.loads(line)
            except ValueError as error:
                raise BadInput(f"{records}:{number}: not JSON ({error}). Each line must be one object.") from error
            if not isinstance(data, dict):
                raise BadInput(f"{records}:{number}: not an object.")
            read.append(AnnouncementRecord.of(data))
    write_lines((read_guarded_announcement(record).as_dict() for record in read), out, "announcements")
