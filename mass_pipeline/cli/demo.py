"""`mass-pipeline demo`: the whole chain on the bundled demo web, and what it found against the ground truth."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import UsageError

if TYPE_CHECKING:
    from mass_pipeline.annotation.store import Store
    from mass_pipeline.cli.demo_people import Asked
    from mass_pipeline.resources.settings import Settings


@click.command()
@click.option("--all", "show_all", is_flag=True, help="Print every parish, also those that agree with the truth.")
@click.option("--keep", is_flag=True, help="Go on from the earlier run instead of crawling and training afresh.")
def demo(show_all: bool, keep: bool) -> None:
    """Run the whole chain on the bundled demo web: directory, web sites, crawl, hours, classifier, schedules, answers of people.

    Prints the schedules found next to the ground truth, how well they agree, what answers about rows that waited changed, and
    where tables, UI and logs are. Real HTTP on loopback; nothing leaves this machine. Takes a minute or two; in the profile
    staging, which keeps the pauses of real hosts, longer.

    \b
    Examples:
      mass-pipeline demo
      mass-pipeline demo --all
      MASS_PIPELINE_DATA_FOLDER=demo-data mass-pipeline demo
      MASS_PIPELINE_PROFILE=staging mass-pipeline demo
    """
    from mass_pipeline.cli.run import prepare_home, run_job

    settings = the_settings()
    if settings.is_live:
        raise UsageError("The demo asks the emulated web: unset MASS_PIPELINE_PROFILE, or set it to demo or staging.")
    home = prepare_home(settings, os.environ)
    if not keep:
        _start_afresh(settings)
    logs = settings.data_folder / "logs"
    started = time.monotonic()
    run_job("full_pipeline_job", home, logs)
    asked = _ask_people(settings)
    run_job("answers_job", home, logs)
    _report(settings, show_all)
    _report_people(settings, asked)
    _show_public(settings)
    click.echo(f"\nDone in {time.monotonic() - started:.0f} s.")
    command = Path(sys.executable).with_name("mass-pipeline")  # a user may not have activated the environment
    for label, place in (
        ("Tables", f"{settings.shared}/lake"),
        ("Logs", logs),
        ("UI", f"{command} ui"),
        ("Page", f"{command} public serve"),
    ):
        click.echo(f"  {label + ':':8}{place}")


def _show_public(settings: Settings) -> None:
    """Answer one question of people outside from the public index."""
    from mass_pipeline.cli.public.answering import DEMO_QUESTION, answer_lines, site_of_settings
    from mass_pipeline.finding.config import PublicConfig

    config = settings.section(PublicConfig)
    click.echo(f"\nThe public page, once it is served: http://{config.host}:{config.port}/\n  {DEMO_QUESTION}")
    for line in answer_lines(site_of_settings(settings), DEMO_QUESTION):
        click.echo(f"    {line}")


def _start_afresh(settings: Settings) -> None:
    """Forget what earlier demo runs have crawled, looked up, learnt and been told, so that the demo shows all of it; tables
    stay."""
    from mass_pipeline.cli.demo_people import forget_volunteers

    for name in ("state", "models"):
        shutil.rmtree(settings.data_folder / name, ignore_errors=True)
    with closing(_annotations(settings)) as store:
        forget_volunteers(store, datetime.now(UTC))


def _ask_people(settings: Settings) -> Asked:
    """The demo's volunteers answer about the rows that wait."""
    from mass_pipeline.cli.demo_people import ask_volunteers
    from mass_pipeline.demo_web.web import DemoWeb
    from mass_pipeline.model.columns import MASS_SCHEDULES, PARISHES
    from mass_pipeline.publishing.reviews import ReviewLog
    from mass_pipeline.publishing.row_questions import row_questions
    from mass_pipeline.resources.lake import open_lake

    lake, truth = open_lake(settings), DemoWeb().truth_by_directory_url
    orders = {str(row["parish_id"]): truth.get(str(row["directory_url"]), ()) for row in lake.reader(PARISHES).rows()}
    keys = [key for key in lake.partitions(MASS_SCHEDULES) if key]
    with closing(_annotations(settings)) as store:
        questions = row_questions(lake, keys, ReviewLog(settings.shared).read(), ())
        return ask_volunteers(store, questions, orders, datetime.now(UTC))


def _annotations(settings: Settings) -> Store:
    from mass_pipeline.annotation.config import AnnotationConfig
    from mass_pipeline.annotation.store import open_store

    config = settings.section(AnnotationConfig)
    return open_store(config.database_url(settings.data_folder), config)


def _report_people(settings: Settings, asked: Asked) -> None:
    from mass_pipeline.cli.demo_people import loop_lines
    from mass_pipeline.model.columns import MASS_SCHEDULES
    from mass_pipeline.resources.lake import open_lake
    from mass_pipeline.schedules.checked import row_key
    from mass_pipeline.schedules.rows import ScheduleRow

    rows = open_lake(settings).published(MASS_SCHEDULES).rows()
    standing = [(str(row["parish_id"]), ScheduleRow.from_dict(row)) for row in rows if row["exception"] is None]
    click.echo("\nWhat people changed:")
    for line in loop_lines(asked, {(parish, row_key(row.mass)): row for parish, row in standing}):
        click.echo(f"  {line}")


def _report(settings: Settings, show_all: bool) -> None:
    from collections import Counter

    from mass_pipeline.cli.demo_report import learning_lines, masses_by_parish, parish_lines, week_score, week_slots
    from mass_pipeline.demo_web.web import DemoWeb
    from mass_pipeline.model.columns import ANNOTATED_SET, MASS_SCHEDULES, PARISHES
    from mass_pipeline.resources.lake import open_lake

    lake, truth = open_lake(settings), DemoWeb().truth_by_directory_url
    parishes = {str(row["parish_id"]): row for row in lake.reader(PARISHES).rows()}
    found = masses_by_parish(lake.published(MASS_SCHEDULES).rows())
    pairs = {one: (truth.get(str(row["directory_url"]), ()), found.get(one, [])) for one, row in parishes.items()}
    ordered = sorted(parishes.values(), key=lambda row: (str(row["diocese_key"]), str(row["town"]), str(row["name"])))
    shown = 0
    click.echo("\nSchedules found next to the ground truth (= they agree, ≠ they differ):")
    for row in ordered:
        lines = list(parish_lines(f"{row['town']}, {row['name']}", *pairs[str(row["parish_id"])]))
        if show_all or lines[0].startswith("≠") or shown < 12:
            shown += 1
            click.echo("\n".join(lines))
    score = week_score(pairs.values())
    click.echo(
        f"\n{len(parishes)} parishes, {shown} shown (--all for all). Week: precision {score.precision:.3f}, "
        f"recall {score.recall:.3f}, F1 {score.f1:.3f} ({score.found} right, {score.wrong} wrong, {score.missed} missed)."
    )
    labels = Counter((str(row["source"]), str(row["label"])) for row in lake.reader(ANNOTATED_SET).rows(["source", "label"]))
    published = [row for row in lake.published(MASS_SCHEDULES).rows() if row["exception"] is None]
    rows = [
        (str(row["parish_id"]), str(row["method"]), week_slots(masses_by_parish([row])[str(row["parish_id"])]))
        for row in published
    ]
    for line in learning_lines(labels, rows, {one: week_slots(want) for one, (want, _) in pairs.items()}):
        click.echo(line)


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port on 127.0.0.1; 0 picks a free one."
)
@click.option(
    "--sites", type=click.IntRange(1, 100_000), default=None, help="Number of sites; beyond the bundled ones they are generated."
)
@click.option("--seed", type=int, default=20261120, show_default=True, help="Seed of the generated sites.")
def serve_demo_web(port: int, sites: int | None, seed: int) -> None:
    """Serve the directory, the Places emulator and the parish sites of the demo web on 127.0.0.1.

    Hosts are told apart by the Host header, so a client must send the logical name to the loopback port.

    \b
    Examples:
      mass-pipeline serve-demo-web
      mass-pipeline serve-demo-web --port 0 --sites 500 --seed 7
      curl -H 'Host: parafie.demo-katalog.example' http://127.0.0.1:8765/parafie-koscioly/
    """
    import threading

    from mass_pipeline.demo_web.web import DemoWeb, all_hours

    with DemoWeb(sites, seed, port=port) as web:
        click.echo(f"Demo web on http://127.0.0.1:{web.port} (Ctrl-C stops it)")
        click.echo(f"  directory  {web.directory_url}  ({len(web.parishes)} parishes)")
        click.echo(f"  places     {web.places_base_url}/maps/api/place/textsearch/json  and  /v1/places:searchText")
        click.echo(f"  hosts      {len(web.hosts)}, {sum(len(p.pages) for p in web.parishes)} pages, ", nl=False)
        click.echo(f"{all_hours(web.parishes)} labelled hours")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("Stopped.")
