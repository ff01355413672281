"""Pages of whole sites in other hour notations, words, tags and surroundings: the reading must stay what it is."""

from random import Random

import pytest

from mass_pipeline_tests.evaluation.mutations import MUTATIONS, changes, sites

# Mutations that are known to change the reading of a site, with the reason.
KNOWN_CHANGES: dict[str, tuple[str, str]] = {  # mutation -> sites, reason
    "superscript digits": ("third-04", "hours that nothing parts"),
    "hour word": ("fourth-06", "`od g. godz. 15.30` is no longer an hour from which something goes on"),
    "no space between hours": ("fourth-06", "`8.30,10,11.30` parts no bare hour"),
    "breaks between hours": ("fourth-20", "what is said of other parishes ends with the line"),
    "capitals": (
        "site-18 second-08 second-25 third-05 third-12 fourth-06",
        "in capitals a quantity, an hour of the past or a date is taken for an hour",
    ),
    "thin spaces and zero widths": ("fourth-13", "letter-spaced capitals whose words are parted by thin spaces"),
    "lines wrapped": ("fourth-03 fourth-13", "preformatted text, and letter-spaced capitals"),
    **dict.fromkeys(
        ("headings in bold", "headings of the second level", "headings of the third level"),
        ("third-18", "the church within the season is headed like the season"),
    ),
    "sections unnamed": ("third-18", "the footer is taken for another order"),
    **dict.fromkeys(
        ("bold dropped", "italics and fonts"), ("second-18", "only bold letters say that Nabożeństwa heads the list")
    ),
    "office above": ("fourth-16", "the order stands under the heading of the box above it"),
    "confession above": (
        "second-11 fourth-08 fourth-09 fourth-16",
        "the order stands under the heading of the box above it",
    ),
    "pages merged": ("site-25 third-08 fourth-18", "the titles that spoke for and against the pages are gone"),
}
SITES_EACH = 1  # drawn for every mutation, others for each one


class TestMutations:
    @pytest.mark.parametrize("name", MUTATIONS)
    def test_do_not_change_the_reading(self, name: str) -> None:
        drawn = Random(name).sample(sites(), SITES_EACH)

        assert [site.id for site in drawn if (name, site.id) not in KNOWN_CHANGES and changes(site, name)] == []
