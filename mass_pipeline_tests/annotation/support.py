"""Helpers of the annotation tests: a clock to turn, items, voters, and a browser-like client."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI
from hypothesis import HealthCheck, Phase
from starlette.testclient import TestClient

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import Item, item_from_row, item_of_row
from mass_pipeline.annotation.operators import add_operator
from mass_pipeline.annotation.queue import Asked, Draw, next_question
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.voting import cast
from mass_pipeline.annotation.web.app import create_app
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.checked import RowQuestion, row_id

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
PASSWORD = "correct horse battery"
SECRET = "a secret of the tests, long enough to be taken"
GENERATED: dict[str, Any] = {  # of hypothesis: the same examples each time, and the first that fails is told as it is
    "deadline": None, "derandomize": True, "database": None, "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": list(HealthCheck),
}  # fmt: skip
NO_CHANCE = Draw(wants_gold=False, wants_random=False, pivot=0.0)


@dataclass
class Clock:
    """A clock that the test turns."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


def item(number: int = 1, **columns: Any) -> Item:
    """An item like a row of candidate_hours."""
    row: dict[str, Any] = {
        "candidate_id": f"c{number:04d}", "parish_id": f"p{number % 7}", "url": f"https://parafia{number % 7}.example/msze",
        "time": "09:30", "raw": "9.30", "left": "Niedziele i święta:\n8.00, ", "right": ", 11.00", "heading": "Porządek Mszy",
        "day_scope": "niedziele", "block": f"list_item/{number // 4}", "list_index": number % 4,
    }  # fmt: skip
    return item_from_row(row | columns)


def row_question(number: int = 1, **changes: Any) -> RowQuestion:
    """A row of a schedule that people may be asked about."""
    mass = Mass(("Su",), f"{number % 12 + 7:02d}:45", place="Lipowiec")
    asked = RowQuestion(
        row_id("p1", mass, "Niedziela: 10.45"), f"p{number % 7}", "lodzka", "Lipowiec, Parafia św. Anny", "https://parafia.example/msze",
        mass, "Niedziela: 10.45", "Msze święte\nNiedziela: ", "10.45", ", 12.00", "Porządek Mszy", "Niedziela", "waits",
        0.7, "w", "c",
    )  # fmt: skip
    return replace(asked, **changes)


def row_item(number: int = 1, *, gold: str | None = None, **changes: Any) -> Item:
    """A question about a row of a schedule."""
    return item_of_row(row_question(number, **changes), gold=gold)


def ask(store: Store, voter: str, now: datetime = START, draw: Draw = NO_CHANCE) -> Asked | None:
    """The next question of a voter."""
    with store.engine.begin() as connection:
        return next_question(connection, voter, "default", now, draw, store.config)


def answer(store: Store, voter: str, candidate: str, word: str, *, now: datetime = START, origin: str | None = None) -> None:
    """Cast a vote; every voter has a network of its own unless said otherwise."""
    with store.engine.begin() as connection:
        cast(connection, voter, candidate, word, origin=origin or f"net-{voter}"[:32], now=now, config=store.config)


def row_of(store: Store, candidate: str) -> Any:
    """The stored row of an item."""
    import sqlalchemy as sa

    from mass_pipeline.annotation.schema import items

    with store.engine.connect() as connection:
        return connection.execute(sa.select(items).where(items.c.candidate_id == candidate)).one()


def make_app(store: Store, clock: Clock, **config: Any) -> FastAPI:
    """The app with quiet chance, reachable as localhost."""
    changed = replace(store.config, **({"gold_share": 0.0, "random_share": 0.0} | config))
    return create_app(
        Store(store.engine, changed), secret=SECRET, clock=clock, steady=lambda: clock().timestamp(), rng=random.Random(1)
    )


@dataclass
class Person:
    """A browser-like client: keeps cookies, sends Origin with forms, reads forms out of pages."""

    app: FastAPI
    address: str = "198.51.100.7"
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        base = "https://localhost"
        self.client = TestClient(
            self.app, base_url=base, follow_redirects=False, raise_server_exceptions=False, client=(self.address, 50000),
            headers={"Origin": base, "Accept-Language": "pl", **self.headers},
        )  # fmt: skip

    def get(self, path: str, **kwargs: Any) -> Any:
        return self.client.get(path, **kwargs)

    def post(self, path: str, **fields: str) -> Any:
        return self.client.post(path, data=fields)

    def begin(self) -> Person:
        """Read the instructions and get a cookie."""
        assert self.post("/instructions").status_code == 303
        return self

    def form(self, action: str = "/vote", page: str = "/task") -> dict[str, str]:
        """Hidden fields of the form with this action on a page."""
        return hidden_fields(self.get(page).text, action)

    def vote(self, word: str) -> Any:
        """Answer the present question."""
        return self.post("/vote", answer=word, **self.form())


def begun(store: Store, clock: Clock, *items: Item) -> Person:
    """Somebody who has read the instructions, of an app with these questions."""
    store.add_items(items, now=START)
    return Person(make_app(store, clock)).begin()


def operator_of(app: FastAPI, store: Store) -> Person:
    """An operator of the store who has logged in."""
    add_operator(store, "anna", PASSWORD, now=START)
    person = Person(app)
    assert person.post("/operator/login", name="anna", password=PASSWORD).status_code == 303
    return person


def hidden_fields(page: str, action: str) -> dict[str, str]:
    """Hidden fields of the first form with this action."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form is not None, f"no form {action} in {page[:2000]}"
    pairs = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form.group())
    return {html.unescape(name): html.unescape(value) for name, value in pairs}


def quick(**changes: Any) -> AnnotationConfig:
    """Default settings with changes."""
    return replace(AnnotationConfig(), **changes)
