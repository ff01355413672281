"""What is told of coverage: the total, and the least covered modules first."""

from __future__ import annotations

from mass_pipeline_tests.coverage import SHOWN, report


def _counted(**modules: tuple[int, int]) -> dict[str, object]:
    return {
        "files": {name: {"summary": {"covered_lines": run, "missing_lines": missed}} for name, (run, missed) in modules.items()}
    }


def test_the_total_is_that_of_all_lines_and_the_least_covered_come_first() -> None:
    total, *least = report(_counted(good=(95, 5), poor=(20, 80), short=(0, 3), never=(0, 50)))

    assert total == "Coverage: 45.5% of 253 lines in 4 modules. Least covered:"
    assert [line.split() for line in least] == [
        ["0.0%", "50", "lines", "not", "run", "never"],
        ["20.0%", "80", "lines", "not", "run", "poor"],
        ["95.0%", "5", "lines", "not", "run", "good"],
    ]


def test_a_module_without_lines_is_no_division_by_zero_and_ten_modules_are_enough() -> None:
    lines = list(report(_counted(empty=(0, 0), **{f"m{n}": (n, 100 - n) for n in range(30)})))

    assert len(lines) == 1 + SHOWN
    assert lines[1].endswith("m0")
