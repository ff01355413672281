"""A campaign played with the real store: honest voters who err, and hostile ones in six ways behind few networks (W11).

python -m mass_pipeline_tests.annotation.campaign [--items 3000] [--seeds 3] [--way patient spite] [--networks 1] prints a table;
one wrong label in a thousand is chance: several seeds are added up.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import sqlalchemy as sa

from mass_pipeline.annotation.campaign import refresh_skills
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import Item, item_from_row
from mass_pipeline.annotation.queue import Draw, next_question
from mass_pipeline.annotation.schema import votes
from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER, SIDE_OF
from mass_pipeline.annotation.voting import cast
from mass_pipeline.web_common.origins import OriginBook
from mass_pipeline_tests.annotation.support import row_item

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
TRUTH = {  # how often each answer is the right one: rows that people are asked about are doubtful ones
    "hour": {"yes": 0.6, "no": 0.35, "cancelled": 0.05},
    "row": {"yes": 0.7, "other": 0.12, "not_this_parish": 0.1, "no_mass": 0.08},
}
WAYS = ("opposite", "patient", "rented", "yes", "random", "spite")
_PATIENT_COOKIES = 4
_PATIENCE = 40  # right answers before the first wrong one
_GRUDGES = 10  # one of so many questions is about a parish that is hated


@dataclass(frozen=True, slots=True)
class Campaign:
    """How a simulated campaign goes.

    Attributes:
        n_items: questions; one in twenty more is a hidden test question.
        row_share: how many of them are about rows of schedules, 0 to 1.
        n_honest: honest voters, each at an address prefix of its own.
        accuracy: their share of right answers.
        hostile_share: share of all votes that are hostile.
        way: `opposite` of the truth, `patient` (the truth until the record is proven, on cookies that are kept), `rented` (the
            opposite from many IPv6 /48 of one provider), always `yes`, at `random` as bots do, or in `spite`: the opposite about
            one question of ten, as of parishes they bear a grudge, and the truth else. Test questions are answered rightly, as
            the worst adversary recognises them.
        hostile_prefixes: networks of the hostile ones.
        votes_per_cookie: after so many answers a hostile voter throws its cookie away, unless it is patient.
        days: that the votes are spread over; the key of networks is renewed meanwhile.
        n_votes: votes cast at most.
    """

    n_items: int
    n_honest: int
    hostile_share: float
    accuracy: float = 0.9
    way: str = "opposite"
    hostile_prefixes: int = 5
    votes_per_cookie: int = 15
    days: float = 4.0
    votes_per_item: float = 9.0
    refreshes: int = 12
    seed: int = 1
    row_share: float = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        n_published, n_wrong: published labels, and those that decide wrongly.
        n_rows: of these, labels of rows.
        n_wrong_rows: of these, wrong rows that are published.
        n_planted: wrong labels such as more hostile voters than honest ones gave.
    """

    n_published: int
    n_wrong: int
    n_rows: int
    n_wrong_rows: int
    n_planted: int
    n_withheld: int
    n_votes: int
    n_hostile_votes: int

    @property
    def wrong_share(self) -> float:
        """Share of wrong labels among the published ones."""
        return self.n_wrong / max(self.n_published, 1)


def questions(n: int, rng: random.Random, n_gold: int = 0, row_share: float = 0.0) -> tuple[list[Item], dict[str, str]]:
    """Items with their true answers, by `TRUTH`; the first n_gold are test questions."""
    truth: dict[str, str] = {}
    made = []
    for number in range(n):
        key = f"item-{number:06d}"
        kind = "row" if rng.random() < row_share else "hour"
        truth[key] = rng.choices(tuple(TRUTH[kind]), tuple(TRUTH[kind].values()))[0]
        if kind == "row":
            made.append(row_item(number, row_id=key, gold=truth[key] if number < n_gold else None, probability=rng.random()))
            continue
        row = {
            "candidate_id": key, "parish_id": f"p{number % 97}", "url": f"https://parafia{number % 97}.example/msze",
            "time": "08:00", "raw": "8.00", "left": "Niedziela:", "right": "10.00",
            "heading": f"Msze {number // 4}", "block": "list_item/main",
        }  # fmt: skip
        if number < n_gold:
            row["gold"] = truth[key]
        made.append(item_from_row(row))
    return made, truth


def play(store: Store, campaign: Campaign) -> Outcome:
    """Play until the campaign is done or its votes are used up."""
    rng = random.Random(campaign.seed)
    new, truth = questions(campaign.n_items + campaign.n_items // 20, rng, campaign.n_items // 20, campaign.row_share)
    store.add_items(new, now=START)
    game = _Game(store, campaign, truth, {item.candidate_id: item.kind for item in new}, rng)
    limit = int(campaign.n_items * campaign.votes_per_item)
    for part in range(1, campaign.refreshes + 1):
        while game.n_votes < limit * part // campaign.refreshes and game.someone_can():
            game.turn()
        refresh_skills(store, now=game.now)
        game.idle = 0
    refresh_skills(store, now=game.now)
    return game.outcome()


class _Game:
    def __init__(
        self, store: Store, campaign: Campaign, truth: dict[str, str], kinds: Mapping[str, str], rng: random.Random
    ) -> None:
        self.store, self.campaign, self.truth, self.kinds, self.rng = store, campaign, truth, kinds, rng
        self.now = START
        self.n_votes = self.n_hostile = self.idle = 0
        self.cookies = [[0, 0] for _ in range(campaign.hostile_prefixes)]
        self.given: Counter[str] = Counter()  # answers of each hostile voter
        self.book = OriginBook(timedelta(hours=store.config.rate_key_hours))
        self.step = timedelta(days=campaign.days) / (campaign.n_items * campaign.votes_per_item)

    def turn(self) -> bool:
        """One person answers one question; False when nothing was left for them."""
        hostile = self.rng.random() < self.campaign.hostile_share
        voter, prefix = self._hostile_voter() if hostile else self._honest_voter()
        self.now += self.step
        origin = self.book.token(prefix, self.now)
        with self.store.engine.begin() as connection:
            draw = Draw.by(self.rng, self.store.config)
            asked = next_question(connection, voter, "default", self.now, draw, self.store.config)
            if asked is None:
                self.idle += 1
                return False
            answer = self._answer(asked.candidate_id, voter if hostile else "")
            cast(connection, voter, asked.candidate_id, answer, origin=origin, now=self.now, config=self.store.config)
        self.n_votes += 1
        self.n_hostile += hostile
        self.idle = 0
        return True

    def someone_can(self) -> bool:
        return self.idle < 200

    def _honest_voter(self) -> tuple[str, str]:
        number = self.rng.randrange(self.campaign.n_honest)
        return f"honest-{number}", f"10.{number // 250}.{number % 250}.0/24"

    def _hostile_voter(self) -> tuple[str, str]:
        prefix = self.rng.randrange(self.campaign.hostile_prefixes)
        network = f"192.0.{prefix}.0/24"
        if self.campaign.way == "patient":
            return f"hostile-{prefix}-{self.rng.randrange(_PATIENT_COOKIES)}", network
        if self.campaign.way == "rented":
            network = f"2001:db8:{self.rng.randrange(1, 60_000):x}::/48"
        cookie = self.cookies[prefix]
        cookie[1] += 1
        if cookie[1] > self.campaign.votes_per_cookie:
            cookie[:] = [cookie[0] + 1, 1]
        return f"hostile-{prefix}-{cookie[0]}", network

    def _answer(self, candidate_id: str, hostile_voter: str) -> str:
        true = self.truth[candidate_id]
        if hostile_voter:
            return self._hostile_answer(candidate_id, hostile_voter, true)
        if self.rng.random() < self.campaign.accuracy:
            return true
        return self.rng.choice([answer for answer in TRUTH[self.kinds[candidate_id]] if answer != true])

    def _hostile_answer(self, candidate_id: str, voter: str, true: str) -> str:
        self.given[voter] += 1
        number = int(candidate_id[5:])
        is_spared = self.campaign.way == "spite" and number % _GRUDGES != 0
        is_test = number < self.campaign.n_items // 20
        if is_test or is_spared or (self.campaign.way == "patient" and self.given[voter] <= _PATIENCE):
            return true
        if self.campaign.way in ("yes", "random"):
            return "yes" if self.campaign.way == "yes" else self.rng.choice(tuple(TRUTH[self.kinds[candidate_id]]))
        return ("no" if self.kinds[candidate_id] == "hour" else "no_mass") if true == "yes" else "yes"

    def _side(self, candidate_id: str, label: str) -> str:
        """What a label decides."""
        return SIDE_OF[self.kinds[candidate_id]].get(label, "")

    def _planted(self, labels: Mapping[str, str]) -> int:
        """How many of some labels more hostile voters than honest ones gave."""
        backing: Counter[str] = Counter()
        with self.store.engine.begin() as connection:
            for row in connection.execute(sa.select(votes.c.candidate_id, votes.c.voter_id, votes.c.answer)):
                name = row.candidate_id
                given = LABEL_OF_ANSWER[self.kinds[name]].get(row.answer, "")
                if name in labels and self._side(name, labels[name]) == self._side(name, given):
                    backing[row.candidate_id] += 1 if row.voter_id.startswith("hostile-") else -1
        return sum(backing[key] > 0 for key in labels)

    def outcome(self) -> Outcome:
        frame = self.store.all_labels()
        frame = frame[frame["status"] != "decided"]
        true = [self._side(name, LABEL_OF_ANSWER[self.kinds[name]][self.truth[name]]) for name in frame["candidate_id"]]
        said = [*map(self._side, frame["candidate_id"], frame["label"])]
        published, is_row = frame["status"] == "published", frame["kind"] == "row"
        wrong = published & (np.array(said, dtype=object) != np.array(true, dtype=object))
        return Outcome(
            n_published=int(published.sum()),
            n_wrong=int(wrong.sum()),
            n_rows=int((published & is_row).sum()),
            n_wrong_rows=int((wrong & is_row & (frame["label"] == "yes")).sum()),
            n_planted=self._planted(dict(zip(frame["candidate_id"][wrong], frame["label"][wrong], strict=True))),
            n_withheld=self.campaign.n_items - int(published.sum()),
            n_votes=self.n_votes,
            n_hostile_votes=self.n_hostile,
        )


def outcome(campaign: Campaign, config: AnnotationConfig | None = None) -> Outcome:
    """Play in a database in memory."""
    with closing(open_store("sqlite://", config)) as store:
        return play(store, campaign)


def main() -> None:
    """Command line: one line per way and share of hostile votes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("--items", 3000), ("--voters", 1000), ("--seeds", 1)):
        parser.add_argument(name, type=int, default=usual)
    parser.add_argument("--hostile", type=float, nargs="*", default=[0.0, 0.1, 0.3, 0.5])
    parser.add_argument("--way", choices=WAYS, nargs="*", default=["opposite"])
    parser.add_argument("--networks", type=int, nargs="*", default=[5], help="of the hostile voters")
    parser.add_argument("--rows", type=float, default=0.5, help="share of questions about rows")
    parser.add_argument("--accept", type=float, default=AnnotationConfig().accept_probability, help="probability that settles")
    given = parser.parse_args()
    config = replace(AnnotationConfig(), accept_probability=given.accept)
    heads = ("way", "hostile", "networks", "published", "rows", "withheld", "wrong", "wrong rows", "planted", "votes/item")
    print("  ".join(f"{head:>10}" for head in heads))
    for way, share, networks in itertools.product(given.way, given.hostile, given.networks):
        plan = Campaign(given.items, given.voters, share, way=way, hostile_prefixes=networks, row_share=given.rows)
        results = [outcome(replace(plan, seed=seed), config) for seed in range(1, given.seeds + 1)]
        names = ("n_published", "n_wrong", "n_rows", "n_withheld", "n_wrong_rows", "n_planted", "n_votes")
        sums = {name: sum(getattr(one, name) for one in results) for name in names}
        figures = [way, f"{share:.0%}", networks, sums["n_published"], sums["n_rows"], sums["n_withheld"]]
        figures += [f"{sums['n_wrong'] / max(sums['n_published'], 1):.2%}", sums["n_wrong_rows"], sums["n_planted"]]
        figures += [f"{sums['n_votes'] / given.items / given.seeds:.2f}"]
        print("  ".join(f"{figure:>10}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
