"""Pages of whole sites in other hour notations, words, tags and surroundings: the reading must stay what it is.

`python -m mass_pipeline_tests.benchmarks mutations` tries every mutation on every site.
"""

from __future__ import annotations

from random import Random

import pytest

from mass_pipeline_tests.evaluation.mutations import MUTATIONS, changes, sites

# Mutations that are known to change the reading of a site, with the reason.
_CAPITALS = "in capitals a quantity, an hour of the past or a date is taken for an hour"
_ONE_LEVEL = "the church within the season is headed like the season"
_NO_LABEL = "nothing but bold letters says that Nabożeństwa heads the list"
_BOX_ABOVE = "the order stands under the heading of the box above it"
KNOWN_CHANGES: dict[tuple[str, str], str] = {
    ("superscript digits", "written-third-04"): "hours that nothing parts",
    **{("capitals", f"written-{name}"): _CAPITALS for name in ("site-18", "second-08", "second-25", "third-05", "third-12")},
    ("headings in bold", "written-third-18"): _ONE_LEVEL,
    ("headings of the second level", "written-third-18"): _ONE_LEVEL,
    ("headings of the third level", "written-third-18"): _ONE_LEVEL,
    ("sections unnamed", "written-third-18"): "the footer is taken for another order",
    ("bold dropped", "written-second-18"): _NO_LABEL,
    ("italics and fonts", "written-second-18"): _NO_LABEL,
    ("office above", "written-second-11"): _BOX_ABOVE,
    ("confession above", "written-second-11"): _BOX_ABOVE,
    ("pages merged", "written-site-25"): "the title that spoke for the page is gone",
    ("pages merged", "written-third-08"): "an announcement without a date of its own",
}
SITES_EACH = 3  # drawn for every mutation, others for each one


class TestMutations:
    @pytest.mark.parametrize("name", MUTATIONS)
    def test_do_not_change_the_reading(self, name: str) -> None:
        drawn = Random(name).sample(sites(), SITES_EACH)

        assert [site.id for site in drawn if (name, site.id) not in KNOWN_CHANGES and changes(site, name)] == []
