"""Commands of earlier versions name their successors."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from mass_pipeline.cli import MOVED, cli


@pytest.mark.parametrize("words", [*([name] for name in MOVED), ["annotate", "next"], ["schedules", "confirm"]])
def test_a_command_that_moved_names_the_present_one(words: list[str]) -> None:
    result = CliRunner().invoke(cli, [*words, "--help"])
    present = result.output.split("` is `mass-pipeline ")[1].removesuffix("` now.\n").split()

    assert result.exit_code == 2
    assert (
        CliRunner().invoke(cli, [*(word for word in present if word.islower() and not word.startswith("--")), "--help"]).exit_code
        == 0
    )


def test_forget_is_another_name_of_purge() -> None:
    by_name, by_alias = (CliRunner().invoke(cli, [name, "--help"]) for name in ("purge", "forget"))

    assert (by_alias.exit_code, by_alias.output) == (0, by_name.output)


def test_there_are_fewer_than_forty_commands_without_those_of_the_laboratory() -> None:
    """What is a rare twin of another is an option of it."""
    assert len(list(_commands(cli))) < 40


def _commands(command: click.Command, name: str = "mass-pipeline") -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield name
        return
    if command.invoke_without_command:
        yield name
    context = click.Context(command)
    for one in command.list_commands(context):
        if (found := command.get_command(context, one)) is not None and one != "lab":
            yield from _commands(found, f"{name} {one}")
