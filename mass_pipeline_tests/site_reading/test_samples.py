"""Rows as the classifier sees them: what it learns lets a row of the same words be published, and the rules' vetoes hold."""

from __future__ import annotations

import numpy as np

from mass_pipeline.learning.rows import BY_RULES, RowModel, fit_rows
from mass_pipeline.site_reading.ownership.features import evidence_of
from mass_pipeline.site_reading.ownership.publishing import OTHER_CHURCH, weighed
from mass_pipeline.site_reading.ownership.samples import row_probabilities, samples_of
from mass_pipeline.site_reading.ownership.sites import JudgedSite
from mass_pipeline_tests.site_reading.made import site

PAGE = """<html><head><title>Msze święte - Parafia św. Anny w {town}</title></head><body><h2>Parafia św. Anny w {town}</h2>
<h1>Msze święte</h1><p>Niedziele: 8.00, 10.00</p><p>Dni powszednie: 18.00</p>{more}<footer>Parafia św. Anny w {town}</footer>"""
UNKNOWN = "<p>{word}: niedziela 9.15</p>"


def parish(more: str = "", town: str = "Borkach", others: tuple[str, ...] = ()) -> JudgedSite:
    """A parish with something more on its page."""
    return site(PAGE.format(town=town, more=more), *others)


def published(judged: JudgedSite, rows: RowModel | None) -> set[str]:
    """Times that are published."""
    return {read.mass.time for read in weighed(judged.schedule, judged.pages, judged.own, rows).masses}


def place(judged: JudgedSite, rows: RowModel | None) -> str:
    """Where the Mass of 9.15 is published to be."""
    schedule = weighed(judged.schedule, judged.pages, judged.own, rows)
    return next(read.mass.place for read in schedule.masses if read.mass.time == "09:15")


def taught_by(*pages: tuple[str, bool]) -> RowModel:
    """What answers about the row of 9.15 of some sites teach."""
    samples, right = [], []
    for more, is_right in pages:
        judged = parish(more)
        evidence = evidence_of(judged.schedule.masses, judged.pages, judged.own)
        for read, sample in zip(judged.schedule.masses, samples_of(judged.schedule.masses, evidence, judged.own), strict=True):
            if read.mass.time == "09:15":
                samples.append(sample)
                right.append(0.985 if is_right else 0.015)
    return fit_rows(samples, right, np.ones(len(samples)), [f"p{at}" for at in range(len(samples))])


class TestARowThatRestsOnAnUnexplainedWord:
    def test_is_published_with_its_name_after_answers_about_others_like_it(self) -> None:
        judged = parish(UNKNOWN.format(word="Kręzielsko"))
        villages = tuple((UNKNOWN.format(word=word), True) for word in ("Brzezielsko", "Odrzelsko", "Marzelsko", "Wyrzelsko") * 4)

        assert place(judged, None) == place(judged, BY_RULES) == OTHER_CHURCH
        assert place(judged, taught_by(*villages)) == "Kręzielsko"

    def test_waits_on_when_the_answers_are_no(self) -> None:
        judged = parish(UNKNOWN.format(word="Kręgielnia"))
        boxes = tuple((UNKNOWN.format(word=word), False) for word in ("Pływalnia", "Wypożyczalnia", "Palarnia", "Strzelnia") * 4)

        assert "09:15" not in published(judged, taught_by(*boxes))


class TestTheParishItself:
    def test_is_not_learnt_by_name(self) -> None:
        """Two parishes whose pages differ by their town look the same."""
        one, other = (parish(town=town) for town in ("Borkach", "Rzeczycy"))
        found = [
            samples_of(judged.schedule.masses, evidence_of(judged.schedule.masses, judged.pages, judged.own), judged.own)
            for judged in (one, other)
        ]

        assert found[0] == found[1]


class TestOrdersThatContradictEachOther:
    def test_wait_both_whatever_was_learnt(self) -> None:
        """Nothing in the words of a row says which of two orders holds now."""
        other = PAGE.format(town="Borkach", more="").replace("8.00, 10.00", "7.30, 9.30").replace("18.00", "17.30")
        judged = parish(others=(other.replace("Msze", "Porządek Mszy"),))
        sure = RowModel(("prior", "constant"), np.array([1.0, 9.0]), np.ones(2))
        evidence = evidence_of(judged.schedule.masses, judged.pages, judged.own)

        assert published(judged, sure) == set()
        assert max(row_probabilities(judged.schedule.masses, evidence, judged.own, sure)) < 0.7
