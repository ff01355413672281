"""Write to parishes: the link that one asked for, and a reminder before Christmas and Easter. Off by default (setting public).

A parish is written to at the address of the operator's table, else at the one that its own site publishes as a link for mail on
most of its first pages; of two that stand on equally many, neither is taken. Addresses are read when they are needed and kept
nowhere. What was sent is remembered by parish and feast (resources.alerts).
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.feasts import Season, season_near
from mass_pipeline.finding.parish_links import make_link, order_digest, read_answers, take_wanted
from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.project_files import project_file
from mass_pipeline.publishing.published import Parish, Published
from mass_pipeline.resources.alerts import Alerts
from mass_pipeline.schedules.reviews import left_out
from mass_pipeline.schedules.rows import ScheduleRow

MOST: Final = 200  # letters at one time; the others follow at the next
_LINK_EVERY: Final = timedelta(7)
_SEASON: Final = timedelta(80)  # shorter than the memory of what was sent, longer than a season's preparation
_DEPTH: Final = 1  # of pages whose addresses count
_MAILTO: Final = re.compile(rb"""href\s*=\s*["']?\s*mailto:([\w.+%-]{1,64}@[\w.-]{1,190}\.[A-Za-z]{2,20})""", re.IGNORECASE)
_LINK: Final = """Szczęść Boże,

{address} podaje godziny Mszy świętych tak, jak podają je strony parafii. Ktoś poprosił na tej stronie o odnośnik parafii {label}.
Pod tym odnośnikiem można jednym dotknięciem potwierdzić porządek Mszy albo wpisać dobre godziny:

{link}

Jest ważny 30 dni i na jedną odpowiedź. Można tam też poprosić o pominięcie albo o to, by więcej nie pisać.
Jeśli to pomyłka, wystarczy nic nie robić.
{contact}"""
_REMINDER: Final = """Szczęść Boże,

{address} podaje godziny Mszy świętych tak, jak podają je strony parafii. Zbliża się {season}; godzin parafii {label} na te dni
jeszcze nie znamy. Pod tym odnośnikiem można je wpisać i potwierdzić zwykły porządek Mszy:

{link}

Jest ważny 30 dni i na jedną odpowiedź. Można tam też poprosić o pominięcie albo o to, by więcej nie pisać.
Najpewniej jest podać godziny na stronie parafii: przeczytamy je sami.
{contact}"""


@dataclass(frozen=True, slots=True)
class Letters:
    """What one round did: letters sent, and parishes without an address."""

    sent: int
    without_address: int


def write_letters(published: Published, alerts: Alerts) -> Letters:
    """Send what is due now, at most `MOST` letters.

    Raises:
        ConfigurationError: no address of the site, or no sender, is set.
        StorageError: the inbox cannot be written.
    """
    config = published.settings.section(PublicConfig)
    now = datetime.fromisoformat(published.now())
    if not config.base_url:
        raise ConfigurationError("MASS_PIPELINE_PUBLIC_BASE_URL: letters to parishes hold links to the site; say where it is.")
    sent = missing = 0
    for letter in _due(published, config, alerts):
        address = letter.address
        text = partial(_text, published, config, letter, now)
        was_sent = alerts.mail_once(letter.kind, letter.parish.parish_id, address, now, letter.within, text)
        sent += was_sent
        missing += not address
        if sent >= MOST:
            break
    return Letters(sent, missing)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that is due; `season` is None for a link that was asked for, `address` "" where none is known."""

    parish: Parish
    address: str
    rows: tuple[ScheduleRow, ...]
    season: Season | None

    @property
    def kind(self) -> str:
        """What it is remembered by, with the parish."""
        return f"parish reminder {self.season.first}" if self.season else "parish link"

    @property
    def within(self) -> timedelta:
        """So long no other of its kind is sent."""
        return _SEASON if self.season else _LINK_EVERY


def reminders(published: Published, config: PublicConfig, done: Collection[str] = ()) -> Iterator[Letter]:
    """Letters of the season that begins within two weeks, by diocese; none outside of such a time.

    Args:
        done: parishes that were written to already.
    """
    today = published.today()
    season = season_near(today)
    if season is None or not season.is_reminded or season.first <= today:
        return
    refused = _refused(published, config)
    wanted = [one for one in published.parishes() if one.parish_id not in refused and one.parish_id not in done]
    for diocese in sorted({one.diocese_key for one in wanted}):
        orders = published.rows_of([diocese])
        silent = [one for one in wanted if one.diocese_key == diocese and not _speaks(orders.get(one.parish_id, []), season)]
        yield from _letters(published, config, silent, orders, season)


def _due(published: Published, config: PublicConfig, alerts: Alerts) -> Iterator[Letter]:
    asked = {one.parish_id for one in take_wanted(published.inbox)} - _refused(published, config)
    parishes = [one for one in published.parishes() if one.parish_id in asked] if asked else []
    yield from _letters(published, config, parishes, published.rows_of({one.diocese_key for one in parishes}), None)
    season = season_near(published.today())
    if season is not None:
        yield from reminders(published, config, alerts.mailed(f"parish reminder {season.first}"))


def _letters(
    published: Published,
    config: PublicConfig,
    parishes: list[Parish],
    orders: Mapping[str, list[ScheduleRow]],
    season: Season | None,
) -> Iterator[Letter]:
    known = _table(config.parish_contacts)
    unknown = {one.parish_id for one in parishes if one.parish_id not in known}
    stated = stated_addresses(published, {one.diocese_key for one in parishes if one.parish_id in unknown}, unknown)
    for one in parishes:
        address = known.get(one.parish_id) or stated.get(one.parish_id, "")
        yield Letter(one, address, tuple(orders.get(one.parish_id, ())), season)


def _refused(published: Published, config: PublicConfig) -> set[str]:
    """Parishes that are not written to: they asked so, or asked to be left out."""
    silent = {one.parish_id for one in read_answers(published.inbox) if one.says == "no_mail"}
    return silent | set(config.opt_out) | left_out(published.log.read().decisions)


def _speaks(rows: list[ScheduleRow], season: Season) -> bool:
    """Whether the parish has announced hours of the season."""
    return any(row.exception is not None and row.holds_on(day) for row in rows for day in season.days)


def _table(path: str) -> dict[str, str]:
    """parish_id -> address, of the operator's table."""
    if not path:
        return {}
    file = project_file(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigurationError(f"MASS_PIPELINE_PUBLIC_PARISH_CONTACTS: {file} cannot be read ({error.strerror}).") from error
    found = csv.DictReader(lines, delimiter="\t" if lines and "\t" in lines[0] else ",")
    if not {"parish_id", "email"} <= set(found.fieldnames or ()):
        raise ConfigurationError(f"MASS_PIPELINE_PUBLIC_PARISH_CONTACTS: {Path(file).name} needs columns parish_id and email.")
    return {row["parish_id"]: row["email"].strip() for row in found if _is_address(row["email"] or "")}


def _is_address(text: str) -> bool:
    return _MAILTO.fullmatch(b"href=mailto:" + text.strip().encode()) is not None


def stated_addresses(published: Published, dioceses: Collection[str], parish_ids: Collection[str]) -> dict[str, str]:
    """parish_id -> the address that most of its site's first pages give as a link for mail; a tie gives none."""
    found: dict[str, Counter[str]] = {}
    columns = ["parish_id", "depth", "body"]
    for row in published.lake.published(CRAWLED_PAGES, sorted(dioceses)).rows(columns) if parish_ids else ():
        body = row["body"]
        if row["parish_id"] in parish_ids and isinstance(body, bytes) and int(str(row["depth"])) <= _DEPTH:
            stated = {one.decode("ascii", "ignore").lower() for one in _MAILTO.findall(body)}
            found.setdefault(str(row["parish_id"]), Counter()).update(stated)
    return {key: best for key, counts in found.items() if (best := _first(counts))}


def _first(counts: Counter[str]) -> str:
    best = counts.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else ""


def _text(published: Published, config: PublicConfig, letter: Letter, now: datetime) -> tuple[str, str]:
    """Subject and words, with a new link."""
    parish, address = letter.parish, config.base_url.rstrip("/")
    token = make_link(published.inbox, parish.parish_id, order_digest(parish.parish_id, letter.rows), now)
    contact = f"\nKontakt: {config.contact}\n" if config.contact else ""
    values = {"address": address, "label": parish.label, "link": f"{address}/potwierdz/{token}", "contact": contact}
    if letter.season is None:
        return f"Porządek Mszy: {parish.label}", _LINK.format(**values)
    return f"{letter.season.pl}: godziny Mszy, {parish.label}", _REMINDER.format(**values, season=letter.season.pl)
