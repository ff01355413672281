"""`mass-pipeline public ask`: one JSON object per question; every key is there; wrong usage is one clear line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from mass_pipeline.cli.public.questions import ask
from mass_pipeline.model.errors import BadInput, UsageError

KEYS = {"id", "place", "dates", "from", "to", "standing", "pick", "language", "kind", "wheelchair", "feast", "unread", "error"}
TABLE = "Miejscowość\tWojewództwo\tParafia\nGNIEZNO\twielkopolskie\tWniebowzięcia NMP\n"


def _table(tmp_path: Path) -> str:
    (tmp_path / "places.tsv").write_text(TABLE, "utf-8")
    return str(tmp_path / "places.tsv")


class TestAsk:
    def test_a_question_is_answered_with_every_key(self, tmp_path: Path) -> None:
        result = CliRunner().invoke(
            ask, ["msza jutro po 18 w Gnieźnie", "--at", "2026-11-22T10:00", "--places", _table(tmp_path)], catch_exceptions=False
        )

        answer = json.loads(result.stdout)

        assert set(answer) >= KEYS
        assert answer["place"] == {"name": "Gniezno", "voivodeship": "wielkopolskie"}
        assert (answer["dates"], answer["from"], answer["to"]) == (["2026-11-23"], "18:00", None)

    def test_records_are_answered_in_order_whatever_they_hold(self, tmp_path: Path) -> None:
        records = tmp_path / "questions.jsonl"
        records.write_text(
            '{"id": "a", "q": "msza\\u0000 \\ud800", "at": "2026-11-22T10:00"}\n\n{"id": "b", "q": null}\n', "utf-8"
        )
        out = tmp_path / "answers.jsonl"

        CliRunner().invoke(
            ask, ["--records", str(records), "--out", str(out), "--places", _table(tmp_path)], catch_exceptions=False
        )

        answers = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert [(answer["id"], answer["error"]) for answer in answers] == [("a", "bad_characters"), ("b", None)]

    def test_without_a_table_the_parishes_of_the_demo_are_known(self) -> None:
        result = CliRunner().invoke(ask, ["msza w Młyniskach Górnych"], catch_exceptions=False)

        assert json.loads(result.stdout)["place"]["name"] == "Młyniska Górne"

    def test_wrong_use_is_one_line(self, tmp_path: Path) -> None:
        moment = CliRunner().invoke(ask, ["msza", "--at", "tomorrow", "--places", _table(tmp_path)])
        (tmp_path / "bad.tsv").write_text("a\tb\n", "utf-8")
        table = CliRunner().invoke(ask, ["msza", "--places", str(tmp_path / "bad.tsv")])

        assert isinstance(moment.exception, UsageError)
        assert isinstance(table.exception, BadInput)
        assert CliRunner().invoke(ask, []).exit_code == 2
