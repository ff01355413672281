"""An improbable order beside a probable one: what is published is the probable one, and the other waits."""

from __future__ import annotations

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.site_reading.ownership.sites import order_of
from mass_pipeline_tests.site_reading.made import site, slots

NAME = "Parafia św. Anny w Borkach"
FRAME = f"<title>{NAME}</title><header><h2>{NAME}</h2></header>%s<footer>{NAME}</footer>"
OWN_LINES = "<p>W niedziele Msze o 8.00 i 10.00.</p>"
RICHER_LINES = "<h1>Rowery dla gości: Msze</h1><p>Niedziele: 7.30, 9.00, 13.00</p><p>Dni powszednie: 7.00, 16.00</p>"
OWN, RICHER, BOTH = (FRAME % lines for lines in (OWN_LINES, RICHER_LINES, OWN_LINES + RICHER_LINES))


def order(*pages: str) -> SiteSchedule:
    """What is published of a site."""
    judged = site(*pages)
    return order_of(judged.schedule, judged.pages, judged.own, "p", None)


class TestTheOwnOrderBesideARicherOne:
    def test_stays_as_it_is(self) -> None:
        assert not slots(order(RICHER))
        assert slots(order(OWN, RICHER)) == slots(order(RICHER, OWN)) == slots(order(OWN))

    def test_the_richer_one_waits(self) -> None:
        waiting = {(day, one.read.mass.time) for one in order(OWN, RICHER).withheld for day in one.read.mass.days}

        assert ("Su", "07:30") in waiting
        assert waiting.isdisjoint(slots(order(OWN)))

    def test_stays_beside_hours_of_places_that_cannot_be_told(self) -> None:
        """The hours of "Pan Lis" would wait for their place alone."""
        minutes = FRAME % (
            "<h1>Punkt czwarty: godziny Mszy</h1><p>Pan Lis: niedziele 8.30, 10.00, 12.30. Pani Wrona: niedziele 9.30, 11.30, "
            "dni powszednie 16.30.</p>"
        )

        assert slots(order(OWN, minutes)) == slots(order(OWN))

    def test_stays_on_the_same_page(self) -> None:
        assert slots(order(BOTH)) == slots(order(OWN))

    def test_where_no_order_is_probable_it_waits(self) -> None:
        schedule = order(RICHER)

        assert not schedule.masses
        assert schedule.withheld
