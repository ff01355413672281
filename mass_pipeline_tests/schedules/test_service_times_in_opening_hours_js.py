"""`service_times` in opening_hours.js, mode 2, as mappers' tools evaluate it. Its licence is LGPL: it is not shipped.

npm install --prefix DIR opening_hours@3.15
NODE_PATH=DIR/node_modules pytest mass_pipeline_tests/schedules/test_service_times_in_opening_hours_js.py
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date

import pytest

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline_tests.schedules.calendars import compared
from mass_pipeline_tests.schedules.test_service_times_agree import CLASSES

FIRST, DAYS = date(2026, 1, 1), 366
_PROGRAM = """
const OpeningHours = require('opening_hours');
const {values, first, days} = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const country = {address: {country_code: 'pl', state: ''}, lat: 52, lon: 19};
const two = number => String(number).padStart(2, '0');
const day = at => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const [year, month, date] = first.split('-').map(Number);
console.log(JSON.stringify(values.map(value =>
  new OpeningHours(value, country, {mode: 2})
    .getOpenIntervals(new Date(year, month - 1, date), new Date(year, month - 1, date + days))
    .map(([at]) => [day(at), `${two(at.getHours())}:${two(at.getMinutes())}`]))));
"""


def in_opening_hours_js(values: Sequence[str], first: date, days: int) -> list[dict[date, set[str]]]:
    """Day -> hours that opening_hours.js reads from each value; skips the test, with a word, where it is absent."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    environ = {**os.environ, "TZ": "Europe/Warsaw"}
    if subprocess.run([node, "-e", "require.resolve('opening_hours')"], env=environ, capture_output=True).returncode:
        pytest.skip("needs opening_hours of npm, LGPL and not shipped: npm install --prefix DIR opening_hours, NODE_PATH")
    asked = json.dumps({"values": values, "first": first.isoformat(), "days": days})
    ran = subprocess.run([node, "-e", _PROGRAM], input=asked, env=environ, capture_output=True, text=True, check=True)
    found = []
    for starts in json.loads(ran.stdout):
        hours: dict[date, set[str]] = defaultdict(set)
        for day, hour in starts:
            hours[date.fromisoformat(day)].add(hour)
        found.append(hours)
    return found


class TestDemoParishes:
    def test_every_parish_day_agrees_or_differs_for_a_reason_that_has_no_selector(self) -> None:
        orders = [masses for masses in DemoWeb().truth.values() if masses]
        values = [describe_service_times(masses).points for masses in orders]
        counts: Counter[str] = Counter()
        every_day = [date.fromordinal(FIRST.toordinal() + n) for n in range(DAYS)]
        for masses, theirs in zip(orders, in_opening_hours_js(values, FIRST, DAYS), strict=True):
            counts += compared(masses, FIRST, DAYS, {day: theirs[day] for day in every_day})
        print(dict(counts), f"{counts['same'] / counts.total():.4f}")

        assert counts[""] == 0
        assert set(counts) <= CLASSES | {"same"}
        assert counts["same"] / counts.total() >= 0.97
