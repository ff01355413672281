"""`make evaluate`: scores per set and phenomenon, written sets and wishes, and the gate.

    python -m mass_pipeline_tests.evaluation [--sets golden,sites] [--show] [--pin [--allow-regression]]

Exit code 1 when a floor is broken.
"""

from __future__ import annotations

import argparse
import sys

from mass_pipeline_tests.evaluation import announcements, gate
from mass_pipeline_tests.evaluation.run import SetResult, evaluate
from mass_pipeline_tests.evaluation.scoring import Score
from mass_pipeline_tests.evaluation.sets import NAMES, load_set
from mass_pipeline_tests.evaluation.written import report as written_report
from mass_pipeline_tests.evaluation.written import texts_report
from mass_pipeline_tests.shared import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mass_pipeline_tests.evaluation", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sets", default=",".join(NAMES), help="comma-separated (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="also the cells of each record that are wrong (+) or missed (-)")
    parser.add_argument("--pin", action="store_true", help="take the present figures as floors")
    parser.add_argument("--allow-regression", action="store_true", help="let floors sink; needs a line in CHANGELOG.md")
    options = parser.parse_args()
    results = []
    for name in options.sets.split(","):
        labelled = load_set(name)
        if labelled is None:
            print(f"{name}: not there (../shared/gold/{name}.jsonl), skipped")
            continue
        results.append(evaluate(labelled))
        _print(results[-1])
        if options.show:
            _print_faults(results[-1])
    print("written, reported only")
    print("\n".join([*written_report(), *texts_report(), *announcements.report()]))
    return _pin(results, allow_regression=options.allow_regression) if options.pin else _check(results)


def _print(result: SetResult) -> None:
    print(f"\n{result.labelled.name}")
    print(f"  {'':24}{'precision':>9} {'recall':>8} {'F1':>8} {'perfect':>8} {'records':>8}")
    for view, score in result.scores.items():
        _print_score(view, score)
    _print_score("week, all that is read", result.all_read)
    print(f"  {result.withheld} rows withheld")
    if result.hours is not None:
        hours = result.hours
        figures = f"{hours.precision:9.4f} {hours.recall:8.4f}"
        print(f"  {'hours m against n':24}{figures}   cancelled accepted: {hours.cancelled_accepted}")
    for phenomenon, score in result.phenomena.items():
        if score.records > 1:
            _print_score(f"  {phenomenon}", score)


def _print_faults(result: SetResult) -> None:
    for record in result.records:
        for view, told in record.differences.items():
            for sign, cells in (("+", told.extras), ("-", told.misses)):
                for cell in sorted(cells, key=str):
                    print(f"  {record.record.id} {view} {sign} {' '.join(str(part) for part in cell if part != ())}")


def _print_score(name: str, score: Score) -> None:
    print(f"  {name:24}{score.precision:9.4f} {score.recall:8.4f} {score.f1:8.4f} {score.perfect_share:8.3f} {score.records:8}")


def _check(results: list[SetResult]) -> int:
    floors = gate.load_floors()
    found = [fault for r in results for fault in gate.faults(r.labelled.name, r.labelled.fingerprint, r.figures, floors)]
    for fault in found:
        print(f"GATE {fault}")
    if not found:
        print("All quality floors hold.")
    return 1 if found else 0


def _pin(results: list[SetResult], *, allow_regression: bool) -> int:
    floors = gate.load_floors()
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    try:
        for result in results:
            floors = gate.pin(
                result.labelled.name,
                result.labelled.fingerprint,
                result.figures,
                floors,
                allow_regression=allow_regression,
                changelog=changelog,
            )
    except ValueError as error:
        print(f"GATE {error}")
        return 1
    gate.save_floors(floors)
    print(f"Floors pinned in {gate.FLOORS_FILE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
