"""`mass-pipeline public`: what people outside ask, and what they are answered."""

from __future__ import annotations

from typing import Final

import click

from mass_pipeline.cli.groups import CommandGroup

# name -> (module:attribute, one line for --help)
_COMMANDS: Final = {
    "build": ("index:build", "Build the public index from the published tables and put it in force."),
    "check": ("index:check", "Compare the index in force with its manifest."),
    "rollback": ("index:rollback", "Put an earlier generation of the index in force again."),
    "import-reports": ("import_reports:import_reports", "Compare reports with what is published; put up what is doubtful."),
    "parish-link": ("import_reports:parish_link", "Make a link with which a parish confirms its order."),
    "parish-mail": (
        "import_reports:parish_mail",
        "Write to parishes: links they ask for, reminders of feasts.",
    ),
    "serve": ("index:serve", "Serve the public site and API over the index in force."),
    "find": ("questions:find", "Answer a question from the index in force, with the parishes' words."),
    "ask": ("questions:ask", "Tell how a question is read: place, dates, hours, language, kind."),
}


@click.group(cls=CommandGroup, package=__name__, lazy=_COMMANDS)
def public() -> None:
    """Finding a Mass.

    \b
    Examples:
      mass-pipeline public find "msza w niedzielę po 9 w Starzynach"
      mass-pipeline public ask "Mass in English in Kraków on Sunday" --at 2026-11-22T10:00
    """
