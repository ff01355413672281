"""The same schedule in every layout and spelling must be read the same; pages without a standing order must give nothing."""

from __future__ import annotations

import re
from itertools import product

import pytest

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.evaluation.layouts import LAYOUTS, SCHEDULES, Schedule, page

SPELLINGS = {
    "as it is": lambda heading, hour: (heading, hour),
    "capitals": lambda heading, hour: (heading.upper(), hour),
    "colon": lambda heading, hour: (heading, hour.replace(".", ":").zfill(5)),
    "raised minutes": lambda heading, hour: (heading, re.sub(r"\.(\d\d)", r"<sup>\1</sup>", hour)),
    "lost superscript": lambda heading, hour: (heading, hour.replace(".", "")),
    "hour word": lambda heading, hour: (heading, f"godz. {hour}"),
    "Mass in the label": lambda heading, hour: (f"Msze św. w {heading.lower()}", hour),
    "pictures": lambda heading, hour: (f"⛪ {heading}", f"🕐 {hour}"),
}

NO_SCHEDULE = {
    "intentions": "<h2>Intencje mszalne</h2><h3>Poniedziałek 12.05.2025</h3><p>7.00 + Jan Malec<br>18.00 ++ rodzice</p>"
    "<h3>Wtorek 13.05.2025</h3><p>7.00 + Zofia<br>18.00 O zdrowie dla Anny</p>",
    "table of intentions": "<table><tr><th>Data</th><th>Godzina</th><th>Intencja</th></tr><tr><td>12.05</td><td>7.00</td>"
    "<td>+ Jan</td></tr><tr><td>12.05</td><td>18.00</td><td>+ Anna</td></tr></table>",
    "announcements": "<h2>Ogłoszenia 8 czerwca 2025</h2><ol><li>Dziś po Mszy o 11.00 spotkanie.</li><li>W czwartek Boże Ciało, "
    "Msze św. o 9.00 i 11.00.</li><li>W sobotę o 15.00 ślub.</li></ol>",
    "office": "<h2>Kancelaria parafialna</h2><p>Poniedziałek, środa, piątek: 16.00–17.30</p><p>Sobota: 9.00–11.00</p>",
    "rosary": "<h2>Różaniec</h2><p>Nabożeństwa różańcowe w październiku: niedziele 16.30, dni powszednie 17.30.</p>",
    "feast": "<h2>Odpust parafialny</h2><p>W niedzielę 24 sierpnia 2025 Msze św. o 8.00, 10.00 i suma odpustowa o 12.00.</p>",
    "rehearsals": "<h2>Schola</h2><p>Próby w każdą sobotę o godz. 10.00, w niedzielę o 9.30 w salce.</p>",
    "history": "<h2>Kronika</h2><p>1 maja 1983 o godz. 12.00 biskup odprawił Mszę św.</p><p>W 1930 r. było 700 parafian.</p>",
    "calendar": "<table><tr><th>Pn<th>Wt<th>Śr<th>Cz<th>Pt<th>So<th>Nd<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7"
    "<tr><td>8<td>9<td>10<td>11<td>12<td>13<td>14</table>",
    "readings": "<p>Mt 18,15-20; Ps 95,1-2.6-7; Rz 13,8-10. Niedziela zwykła.</p>",
}


def read(markup: str) -> frozenset[tuple[str, str]]:
    """(day, time) of the schedule of a site of one page."""
    reading = read_page(read_document(markup, content_type="text/html", url="https://parafia.example/"))
    return frozenset((day, mass.mass.time) for mass in read_site([reading]).masses for day in mass.mass.days)


class TestLayouts:
    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_do_not_change_the_reading(self, spelling: str) -> None:
        """Of three schedules in 29 layouts and eight spellings, those in running text with odd capitals may differ."""
        for layout, wanted in product(LAYOUTS, SCHEDULES):
            spelt = Schedule(
                wanted.name,
                tuple(
                    (SPELLINGS[spelling](heading, "")[0], tuple(SPELLINGS[spelling]("", hour)[1] for hour in hours))
                    for heading, hours in wanted.sections
                ),
                wanted.masses,
            )
            if (layout, spelling) != ("one line", "capitals"):
                assert read(page(LAYOUTS[layout], spelt)) == wanted.masses, (layout, wanted.name)


class TestPagesWithoutStandingOrder:
    @pytest.mark.parametrize("name", NO_SCHEDULE)
    def test_give_no_mass(self, name: str) -> None:
        assert read(page(lambda _: NO_SCHEDULE[name], SCHEDULES[0])) == frozenset()
