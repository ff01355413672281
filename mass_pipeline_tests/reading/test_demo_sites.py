"""Every site of the demo web whose schedule stands in its pages is read as its author meant it, without crawling."""

from __future__ import annotations

import pytest

from mass_pipeline.demo_web.web import DemoParish, DemoWeb
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.scoring import compare

COMPLETED = "e13-kadzielnia"  # a list below a heading without a word of Masses, which the classifier adds: defs/test_chain.py
PARISHES = [one for one in DemoWeb().parishes if one.site.readable in ("text", "nothing_stated") and one.key != COMPLETED]


class TestDemoSites:
    @pytest.mark.parametrize("parish", PARISHES, ids=lambda parish: parish.key)
    def test_is_read_like_its_truth(self, parish: DemoParish) -> None:
        answers = [(page.url, page.response) for page in parish.pages if page.response.body]
        pages = [read_page(read_document(one.body, content_type=one.content_type, url=url)) for url, one in answers]

        found = [dict(read.mass.as_dict()) for read in read_site(pages).masses]
        difference = compare([dict(mass.as_dict()) for mass in parish.site.truth], found, "full")

        assert (difference.extras, difference.misses) == (frozenset(), frozenset())
