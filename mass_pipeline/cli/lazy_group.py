"""Groups of commands that are imported only when they are called, so that `--help` and a crawl start fast."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

import click


def lazy_group(
    package: str, commands: Mapping[str, tuple[str, str]], moved: Mapping[str, str] = MappingProxyType({})
) -> type[click.Group]:
    """A class of groups, for `click.group(cls=...)`.

    Args:
        package: `__name__` of the package that holds the modules.
        commands: name -> (`module:attribute` within the package or by its full name, one line for --help; "" for an earlier
            name, which is not shown).
        moved: commands of earlier versions -> what they are called now.
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

        def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
            if args and args[0] in moved:
                raise click.UsageError(f"`{args[0]}` is `{moved[args[0]]}` now.", ctx)
            return super().resolve_command(ctx, args)

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items() if summary])

    return LazyGroup
