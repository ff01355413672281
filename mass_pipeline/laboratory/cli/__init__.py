"""`mass-pipeline lab`: the commands of the laboratory."""

from __future__ import annotations

from typing import Final

import click

from mass_pipeline.cli.groups import CommandGroup

# name -> (module:attribute, one line for --help)
COMMANDS: Final = {
    "crawl": ("crawl:crawl", "Crawl with any strategy and scorer; leave the sites for a query."),
    "evaluate-crawl": (
        "evaluate_crawl:evaluate_crawl",
        "Compare crawl strategies: pages until the schedule, harvest rate, recall.",
    ),
    "bandits": ("bandits:bandits", "R1, R2, R3 of the document beside the published totals."),
    "classifier": ("classifier:classifier", "The network beside its rivals and the set-up of 2018."),
    "links": ("links:links", "Collect the external links of a set of sites; status, show, export."),
    "train-link-scorer": ("train_link_scorer:train_link_scorer", "Train the learnt link scorer from crawls and written menus."),
    "pretrain": ("pretrain:pretrain", "Train the classifier shipped with the package."),
}


@click.group(cls=CommandGroup, package=__name__, lazy=COMMANDS)
def lab() -> None:
    """Experiments: crawl strategies, collection of external links, training of what the package ships.

    \b
    Examples:
      mass-pipeline lab evaluate-crawl
      mass-pipeline lab crawl --seeds seeds.txt --out pages.jsonl --strategy best-first --scorer shark
      mass-pipeline lab links sites add --diocese elblaska
    """
