"""`mass-pipeline announcements`: the Masses of days, as announcements of a file change them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mass_pipeline.cli import announced
from mass_pipeline.cli.announcements import announcements
from mass_pipeline.guard import TooCostly
from mass_pipeline.model.errors import BadInput

_SHEET = """Ogłoszenia duszpasterskie
1. W środę nie będzie Mszy św. o godz. 18.00.
2. W czwartek o godz. 10.00 Msza św. za Ojczyznę.
3. W niedzielę po Mszy zbiórka na ogrzewanie kościoła.
4. Od grudnia w niedziele Msza wieczorna o 17.00."""

_OVER = f"over 1,000 bytes of memory for {len(_SHEET):,} bytes"


def _record(text: str, **others: object) -> str:
    data = {"id": "a", "text": text, "issued": "2026-11-22", "standing": "Mo-Sa 18:00; Su 08:00,10:00,18:00"}
    return json.dumps(data | {"dates": ["2026-11-25", "2026-11-26", "2026-11-29"]} | others, ensure_ascii=False)


def _run(tmp_path: Path, records: str, *options: str) -> tuple[list[dict[str, Any]], BaseException | None]:
    (tmp_path / "records.jsonl").write_text(records, "utf-8")
    result = CliRunner().invoke(announcements, ["--records", str(tmp_path / "records.jsonl"), *options])
    return [json.loads(line) for line in result.stdout.splitlines()], result.exception


class TestAnnouncements:
    def test_each_day_is_told_as_usual_as_published_and_as_read(self, tmp_path: Path) -> None:
        (answer,), error = _run(tmp_path, _record(_SHEET))

        assert error is None
        assert answer["id"] == "a"
        assert answer["days"]["2026-11-25"] == {"usual": ["18:00"], "published": [], "read": []}
        assert answer["days"]["2026-11-26"] == {"usual": ["18:00"], "published": ["10:00", "18:00"], "read": ["10:00", "18:00"]}
        assert answer["days"]["2026-11-29"]["published"] == ["08:00", "10:00", "18:00"]

    def test_what_waits_for_a_person_is_read_but_not_published(self, tmp_path: Path) -> None:
        (answer,), _ = _run(tmp_path, _record("W sąsiedniej parafii w środę Msza św. odpustowa o godz. 11.00."))

        assert answer["days"]["2026-11-25"]["published"] == ["18:00"]

    def test_each_dated_change_is_explained_by_its_probability_and_terms(self, tmp_path: Path) -> None:
        (answer,), _ = _run(tmp_path, _record(_SHEET), "--explain")

        assert [(one["says"], one["days"], one["doubts"]) for one in answer["changes"]] == [
            ("cancelled 18:00", ["2026-11-25", "2026-11-25"], []),
            ("added 10:00", ["2026-11-26", "2026-11-26"], []),
        ]
        assert all(0.9 < one["probability"] < 1 and one["terms"]["constant"] > 0 for one in answer["changes"])

    def test_an_announcement_of_something_else_changes_nothing(self, tmp_path: Path) -> None:
        """The topic of the asset decides: a text without its words is never read for changes."""
        (answer,), _ = _run(tmp_path, _record("W środę o godz. 19.00 zebranie rady parafialnej."))

        assert all(day["read"] == day["usual"] for day in answer["days"].values())

    def test_a_lasting_change_is_told_by_its_first_day(self, tmp_path: Path) -> None:
        (answer,), _ = _run(tmp_path, _record("Od niedzieli 29 listopada Msza św. wieczorna o godz. 17.00."))

        assert answer["lasting"] == ["2026-11-29"]
        assert answer["days"]["2026-11-29"]["published"] == ["08:00", "10:00", "18:00"]

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"issued": "2026-13-01"}, "issued: '2026-13-01' is no date"),
            ({"standing": "Ni 08:00"}, "standing: 'Ni' names no days"),
            ({"dates": ["2026-11-25", "wtorek"]}, "dates: 'wtorek' is no date"),
            ({"dates": "2026-11-25"}, "dates: '2026-11-25' is no list"),
        ],
    )
    def test_a_wrong_value_is_named_with_its_line_and_key(self, tmp_path: Path, wrong: dict[str, object], said: str) -> None:
        _, error = _run(tmp_path, "\n".join([_record("x"), _record("x", **wrong)]))

        assert isinstance(error, BadInput)
        assert f"records.jsonl:2: record 'a': {said}" in str(error)

    def test_a_key_that_is_missing_is_named(self, tmp_path: Path) -> None:
        _, error = _run(tmp_path, '{"id": "a", "text": "x"}')

        assert "'issued' is missing. Expected id, text, issued (YYYY-MM-DD)" in str(error)

    def test_the_output_file_holds_one_answer_a_line(self, tmp_path: Path) -> None:
        out = tmp_path / "days.jsonl"

        _run(tmp_path, "\n".join([_record(_SHEET), "", _record(_SHEET, id="b")]), "--out", str(out))

        assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == ["a", "b"]

    def test_an_announcement_whose_reading_is_ended_has_no_day_and_says_why(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def ended(parse: object, text: str) -> object:
            raise TooCostly("memory", 1000, len(text))

        monkeypatch.setattr(announced, "parsed", ended)
        (answer,), error = _run(tmp_path, _record(_SHEET))

        assert error is None
        assert answer == {"id": "a", "days": {}, "lasting": [], "error": f"too_costly: the announcement: {_OVER}"}
