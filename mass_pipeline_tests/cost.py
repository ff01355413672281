"""What a run of the tests costs, by the CPU seconds of all its processes: the same on a busy machine as on a quiet one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

_DEAREST = 20
_STARTED: pytest.StashKey[float] = pytest.StashKey()
_PROPERTY = "cpu_seconds"


def cpu_seconds() -> float:
    """Of this process and of those it has begun and waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """A test costs from the beginning of its fixtures ..."""
    item.stash[_STARTED] = cpu_seconds()
    yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """... to the end of them."""
    yield
    item.user_properties.append((_PROPERTY, cpu_seconds() - item.stash[_STARTED]))


class Cost:
    """Put together where the run is reported."""

    def __init__(self) -> None:
        self._tests: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See pytest."""
        if report.when == "teardown":
            self._tests[report.nodeid] = sum(float(str(value)) for name, value in report.user_properties if name == _PROPERTY)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """See pytest; the workers have ended by now, and what they cost is counted with what was waited for."""
        terminalreporter.section(f"{cpu_seconds():.0f} CPU seconds; the dearest tests")
        for name in sorted(self._tests, key=lambda name: -self._tests[name])[:_DEAREST]:
            terminalreporter.line(f"{self._tests[name]:8.1f}  {name}")
        rooms = Counter[str]()
        for name, seconds in self._tests.items():
            rooms[name.split("::")[0].split("/")[1]] += seconds
        terminalreporter.line("by room: " + ", ".join(f"{room} {seconds:.0f}" for room, seconds in rooms.most_common()))


def pytest_configure(config: pytest.Config) -> None:
    """Asked for by `--cost`, and in no worker: those have nobody to print for."""
    if config.option.cost and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Cost())


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--cost`."""
    parser.addoption("--cost", action="store_true", help="Print the CPU seconds of the run and its dearest tests.")
