"""Groups of commands that are imported only when they are called, so that `--help` and a crawl start fast."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from mass_pipeline.model.errors import nearest


class CommandGroup(click.Group):
    """A group, for `click.group(cls=CommandGroup, ...)`.

    Args:
        package: `__name__` of the package that holds the modules of `lazy`.
        lazy: name -> (`module:attribute` within the package or by its full name, one line for --help).
    """

    def __init__(
        self,
        *args: Any,
        package: str = "",
        lazy: Mapping[str, tuple[str, str]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self._package, self._lazy = package, lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        module, attribute = self._lazy[cmd_name][0].split(":")
        path = module if module.startswith("mass_pipeline.") else f"{self._package}.{module}"
        command = getattr(importlib.import_module(path), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; what was probably meant is asked.

        Raises:
            UsageError: there is no such command.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}{nearest(args[0], self.list_commands(ctx))}", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not self._lazy:
            super().format_commands(ctx, formatter)
            return
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self._lazy.items()])
