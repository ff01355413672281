"""`mass-pipeline announcements`: what announcements of a file change in the Masses of days."""

from __future__ import annotations

from pathlib import Path

import click

from mass_pipeline.cli.options import FILE, FILE_THERE


@click.command()
@click.option("--records", required=True, type=FILE_THERE, help="JSON Lines of announcements.")
@click.option("--out", type=FILE, help="JSON Lines file to write.  [default: stdout]")
@click.option("--explain", is_flag=True, help="Also each dated change, with its probability and what it rests on.")
def announcements(records: Path, out: Path | None, explain: bool) -> None:
    """Read dated changes of Masses from a file of announcements.

    Each line is an object with "id", "text", "issued" (the day of publication), "standing" (the usual order, like
    "Su 08:00,10:00; Mo-Sa 18:00", or "") and "dates" (days to be reported). The answer holds, for each of these days, the
    hours that are "usual", "published" (with the changes that need no person) and "read" (with all dated changes), and
    the first days of "lasting" ones. Announcements are divided, chosen by topic, read and published as by the asset.

    \b
    Example:
      mass-pipeline announcements --records announcements.jsonl --out days.jsonl
    """
    from mass_pipeline.cli.announced import AnnouncementRecord, explained, read_guarded_announcement
    from mass_pipeline.cli.options import write_lines
    from mass_pipeline.model.json_lines import read_objects

    read = [AnnouncementRecord.of(data, f"{records}:{number}: ") for number, data in read_objects(records)]
    answers = map(read_guarded_announcement, read)
    lines = (
        one.as_dict() | (explained(record) if explain and not one.ended else {})
        for one, record in zip(answers, read, strict=True)
    )
    write_lines(lines, out, "announcements")
