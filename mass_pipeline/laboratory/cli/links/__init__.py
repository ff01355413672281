"""`mass-pipeline lab links`: collect external links from a set of sites, watch it, and look at what was found (B5)."""

from __future__ import annotations

from typing import Final

import click

from mass_pipeline.cli.groups import CommandGroup

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


@click.group(cls=CommandGroup, package=__name__, lazy=_COMMANDS)
def links() -> None:
    """External links of a target set of sites: which other sites does it point to?

    The state lies in a folder (--state; data/<profile>-run/state/links by default). One process collects at a time; every
    other command works beside it, from any terminal. The demo profile reaches the demo web on loopback alone.

    \b
    Examples:
      mass-pipeline lab links sites add --diocese elblaska
      mass-pipeline lab links start --budget 500
      mass-pipeline lab links status --watch
      mass-pipeline lab links stop
      mass-pipeline lab links show --host diecezja.example
      mass-pipeline lab links export companions.graphml
    """
