"""The console script `mass-pipeline`: the only part of the project that prints.

Commands are looked up by name and imported when called, so that `--help` and a crawl start fast.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import click

from mass_pipeline.cli.groups import CommandGroup
from mass_pipeline.model.errors import NO_ROOM, MassPipelineError, UsageError

# command -> the extra of the package that holds what it imports besides
EXTRAS: Final = {"annotate": "annotation", "public": "public", "extract": "ocr", "lab": "lab"}
# name -> (module:attribute, one line for --help)
COMMANDS: Final = {
    "demo": ("demo:demo", "Run the whole chain on the bundled demo web and compare schedules with the ground truth."),
    "canary": (
        "canary:canary",
        "Look at the live sources before a first run: what answers, and what to do where it is not as expected.",
    ),
    "run": ("run:run", "Run one job of the pipeline here and now; a few lines when it fails."),
    "ui": ("ui:ui", "Start the Dagster UI and daemon on 127.0.0.1."),
    "crawl": ("crawl:crawl", "Crawl start URLs without Dagster; JSON Lines out."),
    "watch": ("watch:watch", "Watch sites for announcements, for ever or for a while."),
    "extract": ("extract:extract", "Read Mass schedules from pages, folders or records."),
    "hours": ("hours:hours", "List every candidate hour with its verdict."),
    "announcements": ("announcements:announcements", "Read dated changes of Masses from a file of announcements."),
    "schedules": ("schedules:schedules", "Show the Masses of a date with their sources; approve regular schedules."),
    "public": ("public:public", "Finding a Mass: index, site and API, open data, how questions are read."),
    "model": ("model:model", "List, show, promote and roll back the classifiers of hours."),
    "automation": ("automation:automation", "Switch schedules and sensors on or off; which of them run."),
    "annotate": ("annotate:annotate", "Start the annotation web app."),
    "serve-demo-web": ("demo:serve_demo_web", "Serve the demo web on loopback until interrupted."),
    "backup": ("backup:backup", "Write one archive of everything, while it runs."),
    "restore": ("backup:restore", "Put a backup back into an empty data folder."),
    "purge": ("purge:purge", "Erase all words of a page or host, for good, and never ask for it again."),
    "lab": ("mass_pipeline.laboratory.cli:lab", "Experiments: crawl strategies, external links, training (extra lab)."),
    "settings": ("settings:settings", "Print every setting with its value, unit, meaning and source."),
}


@click.group(
    cls=CommandGroup,
    package=__name__,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
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
        context = getattr(error, "ctx", None)
        usage = f"\nHow it is used: {context.command_path} --help" if context is not None else ""
        click.echo(f"Error: {error.format_message()}{usage}", err=True)
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
    except ModuleNotFoundError as error:
        (command, *_) = [word for word in sys.argv[1:] if word in COMMANDS] or [""]
        if command not in EXTRAS or (error.name or "").startswith("mass_pipeline"):
            raise
        extra = EXTRAS[command]
        click.echo(
            f"Error: mass-pipeline {command} needs {error.name}, which the extra `{extra}` brings: "
            f"pip install 'mass_pipeline[{extra}]'.",
            err=True,
        )
        code = 1
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, but Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        click.echo(f"Error: {error.filename or 'A file'}: the disk is full. Free space and repeat the command.", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)
