"""Canonical URLs (V6): one spelling for one page."""

from __future__ import annotations

import json
import re

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.fetching.scope import registrable_domain
from mass_pipeline.crawling.fetching.urls import BadUrl, canonical_or_none, canonicalize, identity, is_dated, split
from mass_pipeline_tests.shared import shared_folder


class TestCanonicalForm:
    @pytest.mark.parametrize(
        ("href", "canonical"),
        [
            ("HTTP://Parafia.EXAMPLE.pl.:80/", "http://parafia.example.pl/"),
            ("http://a.pl", "http://a.pl/"),
            ("http://a.pl/%7ejan/%c5%82", "http://a.pl/~jan/%C5%82"),
            ("http://a.pl/x/../y/./z", "http://a.pl/y/z"),
            ("http://a.pl/msze/INDEX.HTM", "http://a.pl/msze/"),
            ("http://a.pl/p?utm_source=x&id=7&fbclid=abc", "http://a.pl/p?id=7"),
            ("http://a.pl/p;jsessionid=0A1B?x=1", "http://a.pl/p?x=1"),
            ("http://a.pl/p?PHPSESSID=0123456789abcdef", "http://a.pl/p"),
            ("http://a.pl/?s=kontakt", "http://a.pl/?s=kontakt"),
            ("http://user:secret@a.pl/", "http://a.pl/"),
            ("http://a.pl/x#top", "http://a.pl/x"),
            ("http://żółw.pl/", "http://xn--w-uga1v8h.pl/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://a.pl/a%2541", "http://a.pl/a%2541"),
            ("http://a.pl/%%34%31", "http://a.pl/A"),
            ("http://a.pl/" + "%3" * 1000 + "4", "http://a.pl/4"),
        ],
    )
    @pytest.mark.row("V6")
    def test_spellings_of_one_page_become_one(self, href: str, canonical: str) -> None:
        assert canonicalize(href) == canonical

    @pytest.mark.parametrize(
        ("href", "reason"),
        [
            ("mailto:a@b.pl", "scheme"),
            ("javascript:alert(1)", "scheme"),
            ("tel:123", "scheme"),
            ("http://", "unparsable"),
            ("http://a..", "no_host"),
            ("http://[::1", "unparsable"),
            ("http://a.pl:99999/", "unparsable"),
            ("http://a.pl/" + "x" * 5000, "too_long"),
        ],
    )
    def test_what_is_no_page_is_refused_with_its_reason(self, href: str, reason: str) -> None:
        with pytest.raises(BadUrl, match=reason):
            canonicalize(href, "http://a.pl/")

    def test_parts_of_a_canonical_url_are_what_the_policies_ask_for(self) -> None:
        parts = split("https://[2001:db8::1]:8443/a/b?c=d")

        assert (parts.scheme, parts.host, parts.port, parts.path, parts.query) == ("https", "[2001:db8::1]", 8443, "/a/b", "?c=d")

    @pytest.mark.row("B4")
    def test_option_b4_takes_letter_case_and_a_trailing_slash_for_nothing(self) -> None:
        assert identity("http://a.pl/Msze/", merge_case_and_slash=True) == identity("http://a.pl/msze", merge_case_and_slash=True)


class TestLaws:
    @given(st.text(max_size=60), st.sampled_from([None, "http://a.pl/b/c?d"]))
    def test_canonicalizing_twice_changes_nothing(self, text: str, base: str | None) -> None:
        once = canonical_or_none("http://a.pl/" + text, base) or canonical_or_none(text, base)

        assert once is None or canonicalize(once) == once

    @given(st.text("/%.~?&=;#aA0_-\\[]@: ", max_size=40))
    def test_hostile_punctuation_changes_nothing_either(self, text: str) -> None:
        once = canonical_or_none("http://" + text)

        assert once is None or (canonicalize(once) == once and split(once).host)


@pytest.mark.shared
class TestPublicSuites:
    def test_891_of_891_whatwg_cases_are_parsed_right(self) -> None:
        cases = [
            case
            for case in json.loads(shared_folder("suites/url/wpt_ada/urltestdata.json").read_text())
            if isinstance(case, dict)
        ]
        wrong = []
        for case in cases:
            base = case["base"] if case.get("base") not in (None, "about:blank") or case.get("base") == "about:blank" else None
            try:
                href = ada_url.URL(case["input"], base=base).href if base else ada_url.URL(case["input"]).href
            except (ValueError, UnicodeEncodeError):
                href = None
            if href != (None if case.get("failure") else case["href"]):
                wrong.append((case["input"], base, href))

        assert (len(cases), wrong) == (891, [])

    def test_the_canonical_form_is_idempotent_on_all_of_them(self) -> None:
        for name in ("urltestdata.json", "ada_extra_urltestdata.json", "ada_long_urltestdata.json"):
            for case in json.loads(shared_folder("suites/url/wpt_ada", name).read_text()):
                if isinstance(case, dict):
                    once = canonical_or_none(case["input"], case.get("base"))

                    assert once is None or canonicalize(once) == once

    def test_rfc_3986_references_resolve_as_the_standard_says(self) -> None:
        suite = json.loads(shared_folder("suites/own/rfc3986_5_4.json").read_text())
        whatwg = {"http://g": "http://g/", "http:g": "http://a/b/c/g"}
        wrong = [
            (reference, expected)
            for reference, expected in suite["normal"] + suite["abnormal"]
            if ada_url.URL(reference, base=suite["base"]).href != whatwg.get(expected, expected)
        ]

        assert wrong == []


class TestDatedUrls:
    @pytest.mark.parametrize("path", ["/kalendarz/2026-11", "/2024/05/12/odpust", "/?month=5", "/a?date=2026-01-01"])
    def test_calendars_and_archives_are_known_by_their_dates(self, path: str) -> None:
        assert is_dated("http://a.pl" + path)

    @pytest.mark.parametrize("path", ["/", "/msze/", "/index.php?id=2024", "/historia-1920", "/rok-2026/msze"])
    def test_a_lone_number_is_no_date(self, path: str) -> None:
        assert not is_dated("http://a.pl" + path)


@pytest.mark.shared
class TestRegistrableDomain:
    def test_the_public_suffix_list_decides(self) -> None:
        """U6: a link to another `*.example.pl` parish leads to another site."""
        wrong = []
        count = 0
        for line in shared_folder("suites/url/psl/tests/test_psl.txt").read_text("utf-8").splitlines():
            match = re.fullmatch(r"checkPublicSuffix\('([^']+)', '([^']+)'\);", line)
            if match and match[1] == match[1].lower() and not match[1].startswith("."):
                count += 1
                if registrable_domain(match[1]) != match[2]:
                    wrong.append((match[1], match[2], registrable_domain(match[1])))

        assert count > 20
        assert wrong == []
