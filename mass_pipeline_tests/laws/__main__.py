"""`make laws SEED=`: how often the laws of what is published hold.

Prints for each law the shares right, waiting, wrong and published, lost in silence, and of the controls that are right; with
--show N examples of what is wrong or lost, with text and answer. With --gate the shares may not be worse than those that
floors.json holds, and --pin writes them there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from mass_pipeline_tests.laws.making import LAWS, PHRASES
from mass_pipeline_tests.laws.run import GATE_SEED, GATES, OUTCOMES, Judged, faults, pin, run, shares
from mass_pipeline_tests.laws.texts import Page

FIGURES = (*OUTCOMES, "controls")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=GATES["all"], help="texts of each law")
    parser.add_argument("--laws", nargs="*", default=LAWS, help="L1 ... L8")
    parser.add_argument("--phrases", type=Path, default=PHRASES, help="another file of wordings")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="examples of each law")
    parser.add_argument("--only", nargs="*", default=("wrong", "lost"), help="outcomes that are shown")
    parser.add_argument("--by", choices=("phrase", "place"), help="count the faults by phrase or by place")
    parser.add_argument("--gate", action="store_true", help="fail where a share is worse than pinned")
    parser.add_argument("--pin", choices=GATES, help="pin the present shares of the suite's sample, or of all")
    args = parser.parse_args()
    if args.pin:
        pin(args.pin)
        return
    if args.gate:
        args.seed, args.count, args.phrases = GATE_SEED, GATES["all"], PHRASES
    found = []
    texts = run(args.laws, args.seed, args.count, args.phrases)
    print(f"seed {args.seed}, {args.phrases.name}", "law      n  " + "".join(f"{name:>9}" for name in FIGURES) + "  of", sep="\n")
    for law in args.laws:
        mine = [one for one in texts if one.case.law == law]
        controls = sum(one.case.control for one in mine)
        line = "".join(f"{share:>9.4f}" for share in shares(mine).values())
        print(f"{law}  {len(mine) - controls:>6}  {line}  {controls}")
        found += faults("all", law, shares(mine)) if args.gate else []
        if args.by:
            _count(mine, args.by)
        shown = [one for one in mine if one.outcome in args.only]
        for one in Random(args.seed).sample(shown, min(args.show, len(shown))):
            _show(one)
    sys.exit("\n".join(found) or None)


def _count(texts: Sequence[Judged], by: str) -> None:
    groups: dict[str, Counter[str]] = {}
    for one in texts:
        name = ("control " if one.case.control else "") + getattr(one.case, by)
        groups.setdefault(name, Counter())[one.outcome] += 1
    for name, count in sorted(groups.items(), key=lambda item: -item[1]["wrong"] - item[1]["lost"]):
        print(f"    {name:<60} " + " ".join(f"{outcome} {count[outcome]:<4}" for outcome in OUTCOMES))


def _show(one: Judged) -> None:
    case = one.case
    sort = "control " if case.control else ""
    print(f"--- {case.law} {sort}{one.outcome}: {one.why}\n    phrase: {case.phrase}   place: {case.place}")
    print("    " + str(case.record.get("html") or case.record["text"]).replace("\n", "\n    "))
    if isinstance(case.truth, Page):
        for name in ("masses", "proposed"):
            for row in one.answer.get(name, ()):
                what = (",".join(row["days"]), row["time"], row["season"], row["place"], row["confidence"], row["quote"])
                print(f"    {name}:", *what, *row.get("reasons", ()), sep=" | ")
    else:
        truth = [(kind, [str(day) for day in days][:3], hours) for kind, days, hours in case.truth.changes]
        print(f"    standing {case.record['standing']}; truth {truth}")
        for day, hours in one.answer["days"].items():
            if not hours["usual"] == hours["published"] == hours["read"]:
                print(f"    {day} " + json.dumps(hours))


if __name__ == "__main__":
    main()
