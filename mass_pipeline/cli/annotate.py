"""`mass-pipeline annotate`: serve the annotation app, load items, export and import votes, look after a campaign."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Set
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.cli.options import listening, replaced_file, require_proxy, the_settings, web_server
from mass_pipeline.model.errors import UsageError

if TYPE_CHECKING:
    from mass_pipeline.annotation.items import PageFilter
    from mass_pipeline.annotation.store import Store
    from mass_pipeline.schedules.checked import RowQuestion

_database = click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://...; default from the settings.")
_campaign = click.option("--campaign", default="default", show_default=True, help="Name of the campaign.")
_PEOPLE_OF_A_PARISH = 2  # whose agreement settles a row
_FILE = click.Path(exists=True, path_type=Path)


@click.group(invoke_without_command=True)
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (default 8094).")
@_database
@_campaign
@click.pass_context
def annotate(ctx: click.Context, host: str | None, port: int | None, database: str | None, campaign: str) -> None:
    """Serve the web app in which people say which hours are Masses (without a subcommand), or look after its data.

    \b
    Examples:
      mass-pipeline annotate load data/demo-run/lake/candidate_hours
      mass-pipeline annotate --port 8200
      mass-pipeline annotate operator anna
      mass-pipeline annotate export votes.jsonl
    """
    if ctx.invoked_subcommand is None:
        _serve(host, port, database, campaign)


@annotate.command()
@click.argument("paths", nargs=-1, type=_FILE)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["items", "votes"]),
    default="items",
    show_default=True,
    help="What PATHS hold: candidate hours, or votes of an export.",
)
@click.option("--rows", is_flag=True, help="Ask about rows of the published schedules.")
@click.option("--parish", metavar="ID", help="Ask two people of this parish about every row of it.")
@click.option(
    "--uncertain",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help="Ask first about so many hours the classifier knows least of.",
)
@_database
@_campaign
def load(
    paths: tuple[Path, ...],
    kind: str,
    rows: bool,
    parish: str | None,
    uncertain: int | None,
    database: str | None,
    campaign: str,
) -> None:
    """Load what people are asked about, or votes.

    PATHS are candidate_hours (Parquet files or folders, or JSON Lines): a column `probability` puts uncertain items first; `gold`
    (yes, no, cancelled) makes hidden test questions. Loading the same items again changes texts and priorities and keeps every
    vote. Votes need their items loaded.

    Rows of schedules are those that wait, that other readings contradict, and kinds of which one was confirmed wrong: repeat it
    after each build. Rows that are no longer read are asked no more, and what people said about a row holds as long as the lines
    it rests on are on its site.

    With --parish every row of one parish that is not settled is asked about, from now on with --rows after each build too, and
    two invitations are printed: whoever accepts one is asked about this parish alone, and two agreeing answers settle a row.

    Uncertain hours (active learning) are published ones without a label, at most five of one parish and one of each repeated
    text, put before all other questions of the campaign: repeat it after each training.

    \b
    Examples:
      mass-pipeline annotate load data/live/lake/candidate_hours --campaign spring
      mass-pipeline annotate load --rows
      mass-pipeline annotate load --parish 3f1c22ab90d4e857
      mass-pipeline annotate load --uncertain 200
    """
    if not (paths or rows or parish or uncertain):
        raise click.UsageError("give PATHS, --rows, --parish ID or --uncertain COUNT.")
    from mass_pipeline.annotation.exchange import import_vote_lines, read_items

    with _open(database) as store:
        for path in paths:
            if kind == "items":
                before = store.progress(campaign).n_items
                asked = _page_filter(store)
                new = store.add_items(asked(read_items(path)), now=_now(), campaign=campaign)
                click.echo(f"{path}: {new} new items (campaign {campaign} had {before} without test questions); {asked}")
            else:
                click.echo(f"{import_vote_lines(store, path)} votes taken from {path}")
        if rows:
            questions, new, gone = _ask_rows(store, campaign)
            click.echo(f"{questions} rows are asked about, {new} of them new; {gone} open ones are asked no more.")
        if parish:
            click.echo(_ask_parish(store, campaign, parish))
        if uncertain:
            click.echo(_ask_uncertain(store, campaign, uncertain))


@annotate.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["votes", "labels"]), default="votes", show_default=True)
@_database
def export(out: Path, form: str, database: str | None) -> None:
    """Write every vote, or the labels made of the votes (JSON Lines); "-" is stdout.

    \b
    Example:
      mass-pipeline annotate export labels.jsonl --format labels
    """
    from mass_pipeline.annotation.exchange import vote_lines

    with _open(database) as store:
        if form == "votes":
            text = "".join(line + "\n" for line in vote_lines(store))
        else:
            text = store.all_labels().to_json(orient="records", lines=True, force_ascii=False) if not store.votes().empty else ""
    if str(out) == "-":
        click.echo(text, nl=False)
    else:
        with replaced_file(out) as aside:
            aside.write_text(text, encoding="utf-8")


@annotate.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@_database
@_campaign
def stats(as_json: bool, database: str | None, campaign: str) -> None:
    """Estimate everybody's skill anew and print progress, answers, agreement and voters; how many answers are still needed for
    what gain in each diocese, which rows wait longest, and what people found wrong.

    \b
    Example:
      mass-pipeline annotate stats --json
    """
    import json
    from dataclasses import asdict

    from mass_pipeline.annotation.campaign import REMEDIES, lines_of, needs_of, overview, refresh_skills, withheld_reasons

    with _open(database) as store:
        refresh_skills(store, now=_now())
        figures = asdict(overview(store, campaign))
        needs = needs_of(store, campaign, _now())
        figures["needs"] = asdict(needs)
        labels = store.all_labels()
        figures["labels"] = labels["status"].value_counts().to_dict()
        withheld = withheld_reasons(labels, store.config)
        figures["withheld"] = withheld
        others = store.campaigns()
    if not others.pop(campaign, 0) and others:
        named = ", ".join(f"{name} ({count})" for name, count in others.items())
        click.echo(f"There are no questions in the campaign {campaign}; there are in {named}: choose with --campaign.", err=True)
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
        return
    del figures["needs"]
    for name, value in {**figures.pop("progress"), **figures}.items():
        click.echo(f"{name:20} {value if not isinstance(value, float) else round(value, 3)}")
    for reason, count in withheld.items():
        click.echo(f"{count} withheld, {reason.replace('_', ' ')}. {REMEDIES[reason]}")
    for line in lines_of(needs):
        click.echo(line)


@annotate.command()
@click.argument("name")
@click.password_option(help="Asked for when not given; from 12 characters.")
@_database
def operator(name: str, password: str, database: str | None) -> None:
    """Create an operator account for /operator/login, or give one a new password.

    \b
    Example:
      mass-pipeline annotate operator anna
    """
    from mass_pipeline.annotation.operators import add_operator

    with _open(database) as store:
        add_operator(store, name, password, now=_now())
    click.echo(f"Operator {name} may log in at /operator/login")


def _serve(host: str | None, port: int | None, database: str | None, campaign: str) -> None:
    import uvicorn

    from mass_pipeline.annotation.database import PROMPT_SECONDS
    from mass_pipeline.annotation.web import app
    from mass_pipeline.annotation.web.tokens import read_or_make_secret
    from mass_pipeline.publishing.desk import PublishedDesk
    from mass_pipeline.publishing.published import Published

    settings = the_settings()
    config = settings.section(AnnotationConfig)
    host, port = host or config.host, config.port if port is None else port
    require_proxy(host, config.trusted_proxies, "ANNOTATION", "docs/annotation.md")
    secret = read_or_make_secret(config.secret, settings.data_folder / "annotation" / "secret")
    with _open(database, busy_seconds=PROMPT_SECONDS) as store:
        _load_when_empty(store, campaign, settings.data_folder / "lake" / "candidate_hours")
        progress = store.progress(campaign)
        proposals = PublishedDesk(Published.of(os.environ))
        made = app.create_app(
            store,
            secret=secret,
            clock=_now,
            rng=random.SystemRandom(),
            campaign=campaign,
            proposal_desk=proposals,
            origins=settings.data_folder / "annotation" / "origins.json",
        )
        taken = listening(host, port)
        address = f"http://{host}:{taken.getsockname()[1]}/"
        about = f"campaign {campaign}: {progress.n_items} questions, {progress.n_votes} answers"
        click.echo(f"Annotation app: {address}  ({about}). Ctrl-C ends it.", err=True)
        uvicorn.Server(web_server(made, timeout_graceful_shutdown=5)).run(sockets=[taken])


def _load_when_empty(store: Store, campaign: str, folder: Path) -> None:
    """After the pipeline's first run the app has something to ask without a further step."""
    from mass_pipeline.annotation.exchange import read_items

    asked, new, _ = _ask_rows(store, campaign)
    if new:
        click.echo(f"{asked} rows of schedules are asked about, {new} of them new.", err=True)
    if store.progress(campaign).n_items > asked:
        return
    if folder.exists():
        click.echo(f"Loading {folder} ...", err=True)
        chosen = _page_filter(store)
        store.add_items(chosen(read_items(folder)), now=_now(), campaign=campaign)
        click.echo(f"{chosen}.", err=True)
    elif not asked:
        click.echo("No items yet: mass-pipeline annotate load FOLDER-OF-candidate_hours", err=True)


def _ask_rows(store: Store, campaign: str) -> tuple[int, int, int]:
    """Put the rows of the published tables before people: how many, how many of them new, how many are asked no more."""
    from mass_pipeline.annotation.items import items_of_rows

    questions = _row_questions(store, store.parishes_asked_whole(campaign))
    new = store.add_items(items_of_rows(questions), now=_now(), campaign=campaign)
    return len(questions), new, store.retire_rows({one.row_id for one in questions}, campaign)


def _ask_parish(store: Store, campaign: str, parish: str) -> str:
    """Put every row of a parish before two people whom it invites; what was done, in words."""
    from mass_pipeline.annotation.items import items_of_rows
    from mass_pipeline.annotation.web.tokens import Signing, read_or_make_secret

    questions = [one for one in _row_questions(store, {parish}) if one.parish_id == parish]
    if not questions:
        raise UsageError(
            f"No row of a parish {parish} is open: nothing is published of it or waits, or people settled all of it. Take the "
            "parish_id from the table mass_schedules, and build that first."
        )
    new = store.add_items(items_of_rows(questions), now=_now(), campaign=campaign)
    settings = the_settings()
    secret = read_or_make_secret(store.config.secret, settings.data_folder / "annotation" / "secret")
    links = "\n".join(f"  /invite/{Signing(secret).invite(now=_now(), parish=parish)}" for _ in range(_PEOPLE_OF_A_PARISH))
    return (
        f"{len(questions)} rows of the parish are asked about, {new} of them new. Send one of these to each of two people, after "
        f"the public address of the app; each works once, for 14 days:\n{links}"
    )


def _row_questions(store: Store, whole: Set[str]) -> list[RowQuestion]:
    """Questions about rows of the published tables, of some parishes about every row."""
    from mass_pipeline.model.columns import MASS_SCHEDULES
    from mass_pipeline.publishing.reviews import ReviewLog
    from mass_pipeline.publishing.row_questions import row_questions
    from mass_pipeline.resources.annotations import row_answers
    from mass_pipeline.resources.lake import open_lake

    settings = the_settings()
    lake = open_lake(settings)
    keys = [key for key in lake.partitions(MASS_SCHEDULES) if key]
    return row_questions(lake, keys, ReviewLog(settings.shared).read(), row_answers(store), whole=whole)


def _ask_uncertain(store: Store, campaign: str, count: int) -> str:
    """Put the hours that the classifier in use knows least about first; what was done, in words."""
    from mass_pipeline.annotation.items import item_from_row
    from mass_pipeline.learning.active import next_to_label
    from mass_pipeline.learning.bundled import load_model
    from mass_pipeline.model.columns import CANDIDATE_HOURS
    from mass_pipeline.resources.lake import open_lake

    settings = the_settings()
    lake = open_lake(settings)
    partitions = lake.partitions(CANDIDATE_HOURS)
    model = load_model(settings.shared)
    if not partitions or model is None:
        missing = "candidate_hours" if not partitions else "classifier"
        raise UsageError(f"{settings.shared} has no {missing} yet: crawl a diocese first, for example with `mass-pipeline demo`.")
    labels = store.all_labels()
    done = set(labels.loc[labels["status"] != "withheld", "candidate_id"])
    hours, asked = lake.reader(CANDIDATE_HOURS, partitions).frame(), _page_filter(store)
    is_asked = [asked.asks(*one) for one in zip(hours["candidate_id"], hours["page_score"], strict=True)]
    chosen = next_to_label(hours[is_asked], done, model, count)
    rows = [{str(name): value for name, value in row.items()} for row in chosen.to_dict("records")]
    new = store.add_items((item_from_row(row) for row in rows), now=_now(), campaign=campaign)
    first = store.ask_first([str(name) for name in chosen["candidate_id"]])
    return f"{first} hours are asked first, {new} of them new; the classifier is {model.model_id}."


def _page_filter(store: Store) -> PageFilter:
    from mass_pipeline.annotation.items import PageFilter

    return PageFilter(store.config.least_page_score, store.config.low_page_sample)


@contextmanager
def _open(database: str | None, busy_seconds: float | None = None) -> Iterator[Store]:
    """The store of the settings, closed in the end."""
    from mass_pipeline.annotation.store import open_store

    settings = the_settings()
    config = settings.section(AnnotationConfig)
    store = open_store(database or config.database_url(settings.data_folder), config, busy_seconds=busy_seconds)
    try:
        yield store
    finally:
        store.close()


def _now() -> datetime:
    return datetime.now(UTC)
