"""The console script `mass-pipeline`: the only part of the project that prints.

Commands are looked up by name and imported when called, so that `--help` and a crawl start fast.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

import click

from mass_pipeline.model.errors import MassPipelineError, UsageError

# name -> (module:attribute, one line for --help)
COMMANDS: Final = {
    "demo": ("mass_pipeline.cli.demo:demo", "Run the whole chain on the bundled demo web and show schedules beside the truth."),
    "ui": ("mass_pipeline.cli.ui:ui", "Start the Dagster UI and daemon on 127.0.0.1."),
    "crawl": ("mass_pipeline.cli.crawl:crawl", "Crawl start URLs without Dagster; JSON Lines out."),
    "links": ("mass_pipeline.cli.links:links", "Collect the external links of a set of sites; status, show, export."),
    "watch": ("mass_pipeline.cli.watch:watch", "Watch sites for announcements, for ever or for a while."),
    "evaluate-crawl": (
        "mass_pipeline.cli.evaluate_crawl:evaluate_crawl",
        "Compare crawl strategies: pages until the schedule, harvest rate, recall.",
    ),
    "train-link-scorer": (
        "mass_pipeline.cli.train_link_scorer:train_link_scorer",
        "Train the learnt link scorer from crawls and written menus.",
    ),
    "extract": ("mass_pipeline.cli.extract:extract", "Read Mass schedules from pages, folders or records."),
    "hours": ("mass_pipeline.cli.hours:hours", "List every candidate hour with its verdict."),
    "schedules": (
        "mass_pipeline.cli.standing_orders:schedules",
        "Show the Masses of a date with their sources; approve standing orders.",
    ),
    "model": ("mass_pipeline.cli.model:model", "List, show, promote and roll back the classifiers of hours."),
    "annotate": ("mass_pipeline.cli.annotate:annotate", "Start the annotation web app."),
    "serve-demo-web": ("mass_pipeline.cli.serve_demo_web:serve_demo_web", "Serve the demo web on loopback until interrupted."),
    "settings": ("mass_pipeline.cli.settings:settings", "Print every setting with its value, unit, meaning and source."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="mass_pipeline")
def cli() -> None:
    """Mass schedules of Poland's parishes, read from their own web sites, with evidence and dates.

    \b
    Examples:
      mass-pipeline demo
      mass-pipeline extract page.html
      mass-pipeline crawl --seeds seeds.txt --out pages.jsonl
    """


def main() -> None:
    """Entry point. Exit code 0: done; 1: the work failed; 2: wrong usage or settings; 130: interrupted."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = 130
    except UsageError as error:
        click.echo(f"Error: {error}", err=True)
        code = 2
    except MassPipelineError as error:
        click.echo(f"Error: {error}", err=True)
        code = 1
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, but Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
