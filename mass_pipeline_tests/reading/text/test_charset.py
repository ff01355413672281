"""Bytes become the characters that the page's author typed."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.reading.text.charset import charset_name, decode, detect, meta_charset
from mass_pipeline_tests.shared import shared_folder

PYTHON_NAMES = {"utf-8": "utf-8", "windows-1250": "cp1250", "iso-8859-2": "iso8859-2"}
SENTENCE = "Msze święte w niedziele i święta: 7:30, 9:00, źródło łaski w każdą środę o piątej"


def as_bytes(text: str, encoding: str) -> bytes:
    """Dashes and quotation marks that iso-8859-2 lacks are written the plain way there."""
    if encoding == "iso-8859-2":
        text = text.replace("–", "-").replace("„", '"').replace("”", '"').replace("…", "...").replace("—", "-")
    return text.encode(PYTHON_NAMES[encoding])


class TestEvidenceInOrder:
    def test_a_byte_order_mark_beats_the_header(self) -> None:
        decoded = decode(b"\xef\xbb\xbf" + SENTENCE.encode(), "text/html; charset=iso-8859-2")

        assert (decoded.text, decoded.encoding, decoded.reason) == (SENTENCE, "utf-8", "byte order mark")

    def test_valid_utf8_beats_a_header_that_says_otherwise(self) -> None:
        """T5: servers send AddDefaultCharset iso-8859-2 over pages saved as UTF-8."""
        assert decode(SENTENCE.encode(), "text/html; charset=ISO-8859-2").text == SENTENCE

    def test_the_header_beats_the_meta(self) -> None:
        body = b'<meta charset="windows-1251">' + "Göttingen ß".encode("cp1257", "ignore")

        assert detect(body, "text/html; charset=windows-1257") == ("windows-1257", "header")

    @pytest.mark.parametrize(
        ("declared", "written"), [("windows-1250", "iso-8859-2"), ("iso-8859-2", "windows-1250"), ("iso-8859-1", "iso-8859-2")]
    )
    def test_polish_letters_overrule_a_wrong_declaration(self, declared: str, written: str) -> None:
        decoded = decode(as_bytes(SENTENCE, written), f"text/html; charset={declared}")

        assert (SENTENCE, written) == (decoded.text, decoded.encoding)
        assert "against" in decoded.reason

    def test_czech_text_keeps_its_declared_iso_8859_2(self) -> None:
        """Its š sits where windows-1250 has ą: the Polish rule must not speak about other languages."""
        text = "Bohoslužby v neděli, příští týden jiné časy, širší nabídka"

        assert decode(text.encode("iso8859-2"), "text/html; charset=iso-8859-2").text == text

    def test_a_page_cut_inside_a_character_stays_utf8(self) -> None:
        assert detect("Mszą".encode()[:-1]) == ("utf-8", "valid UTF-8")

    def test_one_broken_byte_does_not_lose_a_utf8_page(self) -> None:
        assert decode(SENTENCE.encode() * 3 + b"\xb3" + SENTENCE.encode()).text.count("święte") == 4

    def test_utf16_without_a_mark_is_seen_by_its_nul_bytes(self) -> None:
        assert decode("Godziny Mszy".encode("utf-16-be")).text == "Godziny Mszy"

    @pytest.mark.parametrize(
        ("charset", "words"),
        [
            ("windows-1251", "Святая Месса в воскресенье в 9 часов, в будни в 18 часов."),
            ("koi8-r", "Расписание богослужений в нашем приходе: воскресенье в 9 и 11.30."),
            ("gbk", "本堂主日弥撒时间为上午九点和下午六点，平日弥撒早上七点。"),
            ("big5", "本堂主日彌撒時間為上午九點和下午六點，平日彌撒早上七點。"),
            ("shift_jis", "日曜日のミサは午前九時と午後六時です。平日のミサは朝七時からです。"),
            ("euc-kr", "주일 미사는 오전 아홉 시와 오후 여섯 시에 있습니다."),
        ],
    )
    def test_undeclared_pages_in_other_scripts_are_not_read_as_polish(self, charset: str, words: str) -> None:
        """B3."""
        page = f'<div class="content"><script>var menu = ["start", "kontakt"];</script><p>{words}</p></div>'

        decoded = decode(page.encode(charset))

        assert (decoded.encoding, decoded.text) == (charset, page)

    def test_a_page_that_is_nothing_but_names_with_polish_letters_is_polish(self) -> None:
        assert decode("Łódź Żary Śląsk źdźbło ćmą".encode("cp1250")).text == "Łódź Żary Śląsk źdźbło ćmą"


class TestPolishRule:
    @pytest.mark.shared
    @pytest.mark.parametrize("size", [60, 200, 1000, 5000])
    @pytest.mark.parametrize("encoding", sorted(PYTHON_NAMES))
    def test_undeclared_texts_of_60_characters_and_more_are_read_right(self, encoding: str, size: int) -> None:
        """T4: at least 99.5 % exact."""
        sentences = shared_folder("suites", "own", "polish_sentences.txt").read_text("utf-8").split("\n")
        chance = random.Random(size)
        right = 0
        for _ in range(400):
            text = ""
            while len(text) < size:
                text += chance.choice(sentences) + " "
            body = as_bytes(text[:size], encoding)
            right += decode(body).text == body.decode(PYTHON_NAMES[encoding])

        assert right >= 0.995 * 400

    @pytest.mark.shared
    @pytest.mark.parametrize(
        ("folder", "encoding"), [("iso-8859-2-polish", "iso-8859-2"), ("windows-1250-polish", "windows-1250")]
    )
    def test_public_polish_documents_are_read_right(self, folder: str, encoding: str) -> None:
        for file in shared_folder("suites", "encoding", "chardet", folder).iterdir():
            assert detect(file.read_bytes())[0] == encoding


class TestDeclarations:
    @pytest.mark.shared
    def test_every_label_of_the_standard_is_known(self) -> None:
        """Two names are left out on purpose: `replacement` and `x-user-defined` hide the text."""
        groups = json.loads(shared_folder("suites", "encoding", "whatwg", "encodings.json").read_text("utf-8"))
        wrong = [
            (label, encoding["name"], charset_name(label))
            for group in groups
            for encoding in group["encodings"]
            for label in encoding["labels"]
            if encoding["name"] not in ("replacement", "x-user-defined") and charset_name(label) != encoding["name"].lower()
        ]

        assert wrong == []

    @pytest.mark.parametrize("label", ["utf-7", "base64", "rot13", "idna", "", "unknown", "iso-8859-99"])
    def test_unsafe_or_unknown_labels_are_ignored(self, label: str) -> None:
        """UTF-7 has let scripts through filters; Python would also take base64 for a charset."""
        assert charset_name(label) is None

    @pytest.mark.parametrize(
        ("head", "name"),
        [
            (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso-8859-2"),
            (b"<META content='text/html;charset=Windows-1250' HTTP-EQUIV=content-type>", "windows-1250"),
            (b"<?xml version='1.0' encoding='iso-8859-2'?><html>", "iso-8859-2"),
            (b"<!-- <meta charset=koi8-r> --><meta charset=cp1250>", "windows-1250"),
            (b"<meta charset=utf-16>", "utf-8"),
            (b'<meta name=keywords content="charset=koi8-r">', None),
            (b" " * 1024 + b"<meta charset=koi8-r>", None),
        ],
    )
    def test_meta_elements_are_read_as_browsers_do(self, head: bytes, name: str | None) -> None:
        assert meta_charset(head) == name


class TestAnyBytes:
    @given(st.binary(max_size=400), st.text(max_size=40))
    def test_no_bytes_and_no_header_crash_the_decoder(self, body: bytes, header: str) -> None:
        decoded = decode(body, header)

        assert decoded.reason
        assert not body or decoded.text or body in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

    def test_bytes_without_a_letter_in_windows_1250_do_not_stop_the_page(self) -> None:
        assert decode(b"\x81 wi\xeaty \x9c", "text/html; charset=windows-1250").text == "\x81 więty ś"
