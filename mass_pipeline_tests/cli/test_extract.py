"""`mass-pipeline extract`: every form of input, output for machines and people, errors as one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mass_pipeline.cli.extract import extract
from mass_pipeline.cli.judges import judge_of
from mass_pipeline.learning.bundled import bundled_model
from mass_pipeline.learning.registry import Registry
from mass_pipeline.model.errors import BadInput
from mass_pipeline.reading.text.reader import read_document

PAGE = "<html><body><h2>Msze święte</h2><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p></body></html>"
RECORDS = [
    {"id": "strings", "sunday": "8.00, 10.00", "weekday": "18.00"},
    {"id": "text", "text": "Niedziele: 8.00, 10.00\nDni powszednie: 18.00"},
    {"id": "html", "html": PAGE},
    {"id": "file", "file": "page.html"},
    {"id": "pages", "pages": [{"file": "page.html"}, {"file": "empty.html"}]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "empty.html").write_text("<html><body><p>Historia parafii</p></body></html>", encoding="utf-8")
    (tmp_path / "records.jsonl").write_text("\n".join(json.dumps(record) for record in RECORDS), encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(extract, list(arguments))


class TestUnknownWords:
    @pytest.mark.parametrize("line", ["7.00, w czasie żniw 20.00", "7.00, a w porze oberwanej chmury 20.00"])
    def test_the_shipped_classifier_takes_no_unknown_season_for_none(self, folder: Path, line: str) -> None:
        (folder / "page.html").write_text(PAGE.replace("18.00", line), encoding="utf-8")
        answer = json.loads(run(str(folder / "page.html"), "--json").output)

        assert {"07:00", "20:00"}.isdisjoint(mass["time"] for mass in answer["masses"])  # a list stands or falls as one
        assert {"07:00", "20:00"} <= {mass["time"] for mass in answer["proposed"]}


class TestFoldersOfCode:
    def test_are_unread_and_say_why(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        (tmp_path / "package.json").write_text('{"scripts": {"niedziela": "6.00"}}', encoding="utf-8")
        (tmp_path / "src" / "Home.vue").write_text(
            "<template><h2>Msze święte</h2><p>Niedziele: 8.00, 10.00</p></template>", encoding="utf-8"
        )
        answer = json.loads(run(str(tmp_path), "--rules-only", "--json").stdout)

        assert (answer["masses"], answer["status"], answer["notes"]) == ([], "none", ["source code: src/Home.vue"])

    def test_do_not_hide_the_pages_that_were_built_of_them(self, folder: Path) -> None:
        (folder / "App.jsx").write_text("export default () => <p>Niedziele: 6.00</p>", encoding="utf-8")
        answer = json.loads(run(str(folder), "--rules-only", "--json").stdout)

        assert answer["service_times"] == "Mo-Sa 18:00+; Su 08:00+,10:00+"

    def test_without_pages_name_what_is_expected(self, tmp_path: Path) -> None:
        (tmp_path / "package.json").write_text("{}", encoding="utf-8")
        result = run(str(tmp_path), "--rules-only")

        assert isinstance(result.exception, BadInput)
        assert "page.html" in str(result.exception)


class TestRecords:
    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_every_form_gives_the_same_schedule_in_the_order_of_the_file(self, folder: Path, jobs: str) -> None:
        out = folder / "out.jsonl"
        result = run("--records", str(folder / "records.jsonl"), "--rules-only", "--out", str(out), "--jobs", jobs)
        answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]

        assert result.exit_code == 0, result.output
        assert [record["id"] for record in RECORDS] == [answer["id"] for answer in answers]
        assert {"Mo-Sa 18:00+; Su 08:00+,10:00+"} == {answer["service_times"] for answer in answers}

    def test_each_mass_carries_its_evidence(self, folder: Path) -> None:
        result = run("--records", str(folder / "records.jsonl"), "--rules-only")
        page = next(a for a in map(json.loads, result.stdout.splitlines()) if a["id"] == "file")

        for mass in page["masses"]:
            written = read_document(PAGE).lines[mass["line"]].text[mass["column"] :].replace(".", ":")
            assert written.startswith(mass["time"].removeprefix("0"))
            assert all(words in PAGE for words in mass["quote"].split(" … "))
            assert mass["source"] == "page.html"

    def test_an_open_text_has_its_other_readings_with_their_weights(self, folder: Path) -> None:
        written = {"id": "open", "text": "Niedziele: 8.00\nDni powszednie: 17.00 lub 18.00"}
        (folder / "open.jsonl").write_text(json.dumps(written), encoding="utf-8")
        result = run("--records", str(folder / "open.jsonl"), "--rules-only", "--explain")
        answer = json.loads(result.stdout)
        hours = [sorted({mass["time"] for mass in one["masses"]}) for one in answer["alternatives"]]

        assert answer["status"] == "ambiguous"
        assert hours == [["08:00", "17:00"], ["08:00", "18:00"]]
        assert [one["weight"] for one in answer["alternatives"]] == [0.3, 0.3]
        assert any("open: either 17:00, 18:00" in line for line in answer["explanation"])

    def test_the_field_of_feasts_alone_is_a_record(self, tmp_path: Path) -> None:
        (tmp_path / "feasts.jsonl").write_text('{"id": "a", "feast": "8.00, 18.00"}', encoding="utf-8")

        answer = json.loads(run("--records", str(tmp_path / "feasts.jsonl"), "--rules-only").stdout)

        assert [(one["days"], one["time"]) for one in answer["masses"]] == [(["AF"], "08:00"), (["AF"], "18:00")]

    def test_a_record_without_a_source_is_told_every_source(self, tmp_path: Path) -> None:
        (tmp_path / "bare.jsonl").write_text('{"id": "a"}', encoding="utf-8")

        told = str(run("--records", str(tmp_path / "bare.jsonl"), "--rules-only").exception)

        assert "bare.jsonl:1" in told
        assert told.endswith("one of pages, file, html, text, sunday, weekday, feast.")


class TestPaths:
    def test_a_folder_is_one_site_printed_for_people(self, folder: Path) -> None:
        result = run(str(folder), "--rules-only", "--explain")

        assert "niedziela: 8:00, 10:00" in result.stdout
        assert "service_times=" in result.stdout
        assert "standing order" in result.stdout

    def test_json_for_machines(self, folder: Path) -> None:
        answer = json.loads(run(str(folder / "page.html"), "--rules-only", "--json").stdout)

        assert len(answer["masses"]) == 3

    def test_says_that_no_parish_is_known(self, folder: Path) -> None:
        result = run(str(folder / "page.html"))

        assert "`name` and `town`" in result.stderr
        assert "`name`" not in result.stdout

    def test_summary_in_english(self, folder: Path) -> None:
        assert "weekdays: 18:00" in run(str(folder / "page.html"), "--rules-only", "--language", "en").stdout

    def test_paths_or_records_not_both(self, folder: Path) -> None:
        assert run().exit_code == 2
        assert run(str(folder), "--records", str(folder / "records.jsonl")).exit_code == 2


class TestJudge:
    def test_a_page_is_judged_alike_whatever_was_run_before(self, tmp_path: Path) -> None:
        """A demo run left a champion that changed the confidence of every page read later in that checkout."""
        registry = Registry.of(tmp_path)
        shipped = bundled_model()
        assert shipped is not None
        registry.promote(registry.add(replace(shipped, threshold=shipped.threshold / 2)).model_id)

        demo = judge_of({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}, rules_only=False)
        live = judge_of(
            {
                "MASS_PIPELINE_DATA_FOLDER": str(tmp_path),
                "MASS_PIPELINE_PROFILE": "live",
                "MASS_PIPELINE_CONTACT": "a@example.org",
            },
            rules_only=False,
        )

        assert demo.name == f"shipped model {shipped.card['model_id'][:8]}"
        assert live.name.endswith(f"of {tmp_path}")
        assert judge_of({}, rules_only=True).name == "rules"
