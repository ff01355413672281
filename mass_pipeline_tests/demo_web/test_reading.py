"""Hours that are found on the demo web have the labels of their author; what is read of its sites: reading/test_demo_sites."""

from __future__ import annotations

from mass_pipeline.demo_web.annotations import match_annotations
from mass_pipeline.demo_web.compose import ComposedPage
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.model.document import Document
from mass_pipeline.reading.text.candidates import find_candidates
from mass_pipeline.reading.text.reader import read_document

_LEAST_JOINED = 0.90


def _document(page: ComposedPage) -> Document:
    return read_document(page.response.body, content_type=page.response.content_type, url=page.url)


class TestReading:
    def test_nearly_every_candidate_hour_has_its_label(self, demo: DemoWeb) -> None:
        candidates = [
            candidate
            for parish in demo.parishes
            if parish.site.readable != "robots_503"
            for page in parish.pages
            for candidate in find_candidates(_document(page), parish_id=parish.key)
        ]
        joined = match_annotations(candidates, demo.annotations)

        assert len(joined) >= _LEAST_JOINED * len(candidates)
        assert sum(annotation.label == "mass" for annotation in joined.values()) >= 600
