"""`mass-pipeline links`: collect external links from a set of sites, watch it, and look at what was found (B5)."""

from __future__ import annotations

import importlib
from typing import Final

import click

# name -> (module:attribute, one line for --help)
_COMMANDS: Final = {
    "sites": ("sites:sites", "List, add and remove the sites of the target set."),
    "start": ("running:start", "Collect, or go on collecting, until the budget of pages is spent."),
    "stop": ("running:stop", "Ask the running process to finish its page and end."),
    "status": ("status:status", "Tell how the collection stands; --watch renews it."),
    "show": ("collected:show", "Print links, filtered; also while the collection runs."),
    "export": ("collected:export", "Write links, or the companion set, to a file."),
    "delete": ("collected:delete", "Delete chosen external links for good."),
}


class _Group(click.Group):
    """Imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name][0].split(":")
        command = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.group(cls=_Group)
def links() -> None:
    """External links of a target set of sites: which other sites does it point to?

    The state lies in a folder (--state; data/<profile>-run/state/links by default). One process collects at a time; every
    other command works beside it, from any terminal. The demo profile reaches the demo web on loopback alone.

    \b
    Examples:
      mass-pipeline links sites add --diocese elblaska
      mass-pipeline links start --budget 500
      mass-pipeline links status --watch
      mass-pipeline links stop
      mass-pipeline links show --host diecezja.example
      mass-pipeline links export companions.graphml
    """
