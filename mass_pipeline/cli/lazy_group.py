"""Groups of commands that are imported only when they are called, so that `--help` and a crawl start fast."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click


def lazy_group(package: str, commands: Mapping[str, tuple[str, str]]) -> type[click.Group]:
    """A class of groups, for `click.group(cls=...)`.

    Args:
        package: `__name__` of the package that holds the modules.
        commands: name -> (`module:attribute` within the package or by its full name, one line for --help; "" for an earlier
            name, which is not shown).
    """

    class LazyGroup(click.Group):
        def list_commands(self, ctx: click.Context) -> list[str]:
            return list(commands)

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            if cmd_name not in commands:
                return None
            module, attribute = commands[cmd_name][0].split(":")
            command = getattr(
                importlib.import_module(module if module.startswith("mass_pipeline.") else f"{package}.{module}"), attribute
            )
            assert isinstance(command, click.Command)
            return command

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items() if summary])

    return LazyGroup
