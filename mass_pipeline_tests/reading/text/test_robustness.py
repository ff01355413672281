"""Whatever the bytes: no exception, and the same visible text as a browser's parser gives."""

from __future__ import annotations

import html
import importlib
import json
import pkgutil
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.reading import text as extraction
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.shared import shared_folder

NOT_SHOWN = """
script style template select svg math canvas audio video map head title iframe datalist noembed
"""
WRITTEN_OTHERWISE = re.compile(r"display\s*:\s*none|visibility:|\shidden|[¹²³⁰\u00ad\u200b]|&shy|&#8203|&sup")

_WORDS = "Niedziele|Msze św.|8.00|10:30| |\n|sobota|w wakacje|(|)|,|;|–|&nbsp;|I|piątek|18|godz.|**|\n# |\n---\n|\n| 8.00 |\n"
_TAGS = """
p div br ul li table tr td th b sup u span a h2 dl dt dd svg title script textarea select pre center font hr noscript
"""
_ATTRIBUTES = (
    """; hidden; style='display:none'; colspan=99999; rowspan="3"; class="footer; =x'; id="a" href=x.pdf; alt='8.00' src=y"""
)
_MARKS = "<!-- --> < > <! <? </ & &# &#x110000; \x00 \ufffd \ud7ff"
WORDS, TAGS = st.sampled_from(_WORDS.split("|")), st.sampled_from(_TAGS.split())
ATTRIBUTES, MARKS = st.sampled_from(_ATTRIBUTES.split(";")), st.sampled_from(_MARKS.split(" "))
PIECES = st.one_of(
    WORDS, MARKS, st.builds("<{}{}>".format, TAGS, ATTRIBUTES), st.builds("</{}>".format, TAGS), st.text(max_size=8)
)
DOCUMENTS = st.lists(PIECES, max_size=60).map("".join)


def visible(document: Document) -> str:
    """Letters and digits of the lines that come from text."""
    return _bare("".join(line.text for line in document.lines if line.kind not in (LineKind.ALT, LineKind.STRUCTURED)))


def visible_to_a_browser(source: str) -> str:
    """The same by lexbor's tree."""
    tree = LexborHTMLParser(source)
    for name in NOT_SHOWN.split():
        for node in tree.css(name):
            node.decompose()
    return _bare(tree.body.text()) if tree.body else ""


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def read_everything(content: bytes | str, name: str = "") -> Document:
    """The whole way from bytes to candidates."""
    document = read_document(content, url=name)
    for line in document.lines:
        assert line.text == " ".join(line.text.split())
        assert line.text
    reading = read_page(document)
    find_candidates(document, parish_id="p", readings={k: v.mass for k, v in reading.verdicts.items() if v.mass})
    return document


class TestAnyDocument:
    @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(DOCUMENTS)
    def test_is_read(self, source: str) -> None:
        read_everything(source, "a.html")
        read_everything(source)
        read_everything(source, "a.md")

    @settings(max_examples=100, deadline=None)
    @given(st.binary(max_size=300), st.sampled_from([b"", b"%PDF-1.4\n", b"PK\x03\x04", b"\xff\xfe", b"<html>", b"{\\rtf"]))
    def test_bytes_are_read(self, content: bytes, mark: bytes) -> None:
        read_everything(mark + content)

    @pytest.mark.soak
    @settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(DOCUMENTS)
    def test_soak(self, source: str) -> None:
        read_everything(source, "a.html")


@pytest.mark.shared
@pytest.mark.slow
class TestPublicSuites:
    @pytest.mark.parametrize(
        "parts", [("suites", "html"), ("suites", "encoding"), ("suites", "web", "blns"), ("suites", "web", "bleach_xss")]
    )
    def test_every_file_is_read(self, parts: tuple[str, ...]) -> None:
        files = [path for path in sorted(shared_folder(*parts).rglob("*")) if path.is_file()]

        assert files
        for path in files:
            read_everything(path.read_bytes(), str(path))

    def test_every_naughty_string_is_shown_as_it_is(self) -> None:
        for text in json.loads((shared_folder("suites", "web", "blns") / "blns.json").read_text("utf-8")):
            document = read_everything(f"<p>Msze {html.escape(text)} 8.00</p>", "a.html")

            assert _bare(text).replace("\u0000", "") in visible(document) or not text.isascii()

    def test_tree_construction_cases_show_the_same_text(self) -> None:
        """Differences stay where we keep text that a browser would swallow, or leave out its reordering."""
        cases = list(_tree_cases(shared_folder("suites", "html", "html5lib_tree")))
        differing = [case for case in cases if visible(read_everything(case, "a.html")) != visible_to_a_browser(case)]

        assert len(cases) > 1400
        assert len(differing) / len(cases) < 0.045, differing[:5]

    def test_real_pages_show_the_same_text(self) -> None:
        folder = shared_folder("gold")
        for path in sorted([*folder.glob("sites/*/*.html"), *folder.glob("directory/*/*.html")]):
            document = read_document(path.read_bytes(), content_type="text/html")
            if not WRITTEN_OTHERWISE.search(document.source):
                assert visible(document) == visible_to_a_browser(document.source), path


def _tree_cases(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.dat")):
        if "template" not in path.name:
            for part in path.read_text("utf-8", "replace").split("#data\n")[1:]:
                if "#document-fragment" not in part:
                    yield part.split("\n#errors")[0]


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every regular expression of the package."""
    for info in pkgutil.iter_modules(extraction.__path__):
        module = importlib.import_module(f"{extraction.__name__}.{info.name}")
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                yield f"{info.name}.{name}", value


class TestRegularExpressions:
    """A page of one repeated piece must not make any search quadratic."""

    HOSTILE = (" ", "a ", "- ", "-", "|", "| -", "class=a ", "id=x-", "](", "[a](", "**", "1.", "8.00, ")
    HOSTILE_MARKUP = ("8.00 i ", "<a ", "=", "='", "<!--", "#", "# ")
    LENGTH = 6_000

    def test_take_linear_time(self) -> None:
        """Expressions that begin with white space are only matched at the beginning of a line, the others searched."""
        texts = [
            (unit, text)
            for unit in (*self.HOSTILE, *self.HOSTILE_MARKUP)
            for body in [unit * (self.LENGTH // len(unit))]
            for text in (body, f"a{body}\x01", f"Msza o 8.00{body}x")
        ]
        for name, pattern in _patterns():
            only_matched = pattern.pattern.startswith((r"\s", r"[ \t]", r"([ \t]", r"\W"))
            for unit, text in texts:
                started = time.process_time()
                pattern.match(text)
                if not only_matched:
                    pattern.search(text)
                assert time.process_time() - started < 0.4, (name, unit)
