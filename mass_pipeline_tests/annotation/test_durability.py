"""Votes of a process that is killed without warning: none that was acknowledged is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.support import START, item, row_of

_ITEMS = 40
_VOTING = """
import sys
from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.support import answer, ask
store = open_store(sys.argv[1])
for number in range(10_000):
    asked = ask(store, f"{sys.argv[2]}-{number}")
    if asked is None:
        break
    answer(store, f"{sys.argv[2]}-{number}", asked.candidate_id, "yes")
    print(asked.candidate_id, f"{sys.argv[2]}-{number}", flush=True)
"""


def test_no_acknowledged_vote_is_lost_or_doubled(database: str) -> None:
    store = open_store(database)
    store.add_items([item(number) for number in range(_ITEMS)], now=START)
    acknowledged: list[tuple[str, ...]] = []
    for kill in (9, 16):
        with subprocess.Popen([sys.executable, "-c", _VOTING, database, f"v{kill}"], stdout=subprocess.PIPE, text=True) as voting:
            assert voting.stdout is not None
            acknowledged += [tuple(voting.stdout.readline().split()) for _ in range(kill)]
            voting.kill()
            acknowledged += [tuple(line.split()) for line in voting.stdout if line.endswith("\n")]
    votes = Counter(map(tuple, store.votes()[["candidate_id", "voter_id"]].to_numpy().tolist()))
    counted = [row_of(store, f"c{number:04}").n_votes for number in range(_ITEMS)]
    store.close()

    assert len(acknowledged) >= 25
    assert set(acknowledged) <= set(votes)
    assert max(votes.values()) == 1
    assert sum(counted) == len(votes)
