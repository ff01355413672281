"""The same schedule in every layout and spelling must be read the same; pages without a standing order must give nothing.

The layouts come from what page builders, word processors and editors produce; the words are invented.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import product, zip_longest

import pytest

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.laws.words import without_marks

Section = tuple[str, tuple[str, ...]]  # a heading and its hours
Layout = Callable[[list[Section]], str]

WORKING = "Mo Tu We Th Fr Sa"
SCHEDULES = {  # heading, days, hours
    "plain": (("Niedziele", "Su", "7.30 9.00 11.00"), ("Dni powszednie", WORKING, "7.00 18.00")),
    "feasts": (
        ("Niedziele i święta", "Su PH", "8.00 10.00 12.00"),
        ("Święta zniesione", "AF", "9.00 17.00"),
        ("Dni powszednie", WORKING, "17.00"),
    ),
    "days": (
        ("Niedziela", "Su", "9.00 11.00"),
        ("Poniedziałek – piątek", "Mo Tu We Th Fr", "18.00"),
        ("Sobota", "Sa", "8.00 18.00"),
    ),
}
TITLE = "<h2>Msze święte</h2>"
NEWS = "<article><h2>Aktualności</h2><p>W niedzielę 14 czerwca o godz. 15.00 festyn parafialny.</p></article>"
OFFICE = (
    "<h3>Kancelaria parafialna</h3><p>wtorek 16.00–17.00<br>piątek 9.00–10.00</p><h3>Spowiedź</h3><p>pół godziny przed Mszą</p>"
)
MENU = "<td width=150>Strona główna<br>Historia parafii<br>Galeria<br>Kontakt</td>"
WELCOME = "<p>Serdecznie witamy na stronie naszej parafii. Zapraszamy do wspólnej modlitwy.</p>"
SPAN = "<span lang=PL style='font-size:14.0pt;font-family:\"Times New Roman\"'>"
CENTRED = "<p class=MsoNormal style='margin-bottom:0cm;text-align:center'>"


def each(whole: str, section: str, hour: str = "{}", between: str = ", ", parts: str = "") -> Layout:
    """Sections put together: `whole` around them, `section` of {h} and {t}, each hour as `hour`, and what parts these two."""

    def made(sections: list[Section]) -> str:
        return whole.format(
            parts.join(section.format(h=h, t=between.join(hour.format(one) for one in t), n=len(t)) for h, t in sections)
        )

    return made


def columns(sections: list[Section]) -> str:
    """A column for each section, a row for each hour of the longest."""
    rows = zip_longest(*(hours for _, hours in sections), fillvalue="&nbsp;")
    head, *body = ("".join(f"<td>{cell}</td>" for cell in row) for row in ([heading for heading, _ in sections], *rows))
    return f"{TITLE}<table><tr>{head.replace('td>', 'th>')}</tr>{''.join(f'<tr>{row}</tr>' for row in body)}</table>"


def column_cells(sections: list[Section]) -> str:
    """A column for each section, its hours in one cell."""
    head, cells = (
        "".join(f"<td>{one}</td>" for one in row)
        for row in ((f"<b>{heading}</b>" for heading, _ in sections), ("<br>".join(hours) for _, hours in sections))
    )
    return f"{TITLE}<table><tr>{head}</tr><tr>{cells}</tr></table>"


def word_processor(sections: list[Section]) -> str:
    """Headings torn into spans, minutes raised."""
    parts = [f"{CENTRED}<b>{SPAN}Msze święte</span></b></p>"]
    for heading, hours in sections:
        raised = ", ".join(re.sub(r"\.(\d\d)", r"<sup>\1</sup>", hour) for hour in hours)
        parts.append(f"{CENTRED}<b>{SPAN}{heading[:3]}</span>{SPAN}{heading[3:]}<o:p></o:p></span></b></p>")
        parts.append(f"{CENTRED}{SPAN}{raised}&nbsp;</span></p>")
    return "".join(parts)


def one_sentence(sections: list[Section]) -> str:
    return f"<p>Msze święte: {'; '.join(h[:1].lower() + h[1:] + ' – ' + ', '.join(t) for h, t in sections)}.</p>"


HEADED = "<h3>{h}</h3><p>{t}</p>"
LAYOUTS: dict[str, Layout] = {
    "paragraphs": each(TITLE + "{}", "<p>{h}: {t}</p>"),
    "bold and breaks": each("<p><strong>MSZE ŚWIĘTE</strong></p><p>{}</p>", "<b>{h}</b><br>{t}", parts="<br>"),
    "one hour a break": each("<h3>Porządek Mszy św.</h3>{}", "<p><u>{h}</u><br>{t}</p>", between="<br>"),
    "headings": each("<h1>Msze święte</h1>{}", HEADED),
    "headings with hours": each(TITLE + "{}", "<h3>{h}</h3><h4>{t}</h4>"),
    "lists": each(TITLE + "{}", "<p>{h}</p><ul>{t}</ul>", "<li>{}</li>", ""),
    "nested lists": each(TITLE + "<ul>{}</ul>", "<li>{h}<ul>{t}</ul></li>", "<li>{}</li>", ""),
    "definitions": each(TITLE + "<dl>{}</dl>", "<dt>{h}</dt>{t}", "<dd>{}</dd>", ""),
    "table of rows": each(TITLE + "<table><tbody>{}</tbody></table>", "<tr><td>{h}</td><td>{t}</td></tr>"),
    "titled table": each(
        "<table><caption>Msze święte</caption><thead><tr><th>Dzień</th><th>Godziny Mszy</th></tr></thead>{}</table>",
        "<tr><td>{h}</td><td>{t}</td></tr>",
    ),
    "a row an hour": each(
        TITLE + "<table>{}</table>", "<tr><td rowspan={n}>{h}</td>{t}</tr>", "<td>{}</td>", between="</tr><tr>"
    ),
    "spanning headings": each(
        TITLE + "<table>{}</table>", "<tr><td colspan=2>{h}</td></tr>{t}", "<tr><td>{}</td><td>Msza św.</td></tr>", ""
    ),
    "table of columns": columns,
    "table of column cells": column_cells,
    "layout table": each(
        f"<table width=100%><tr>{MENU}<td>{WELCOME}{TITLE}{{}}</td></tr></table>", "<p><b>{h}</b></p><p>{t}</p>"
    ),
    "columns of boxes": each(
        f"<section>{TITLE}<div class='row'>{{}}</div></section>", "<div class='col-md-4'><h4>{h}</h4><div>{t}</div></div>"
    ),
    "day and time boxes": each(
        f"<div class='masses'>{TITLE}{{}}</div>",
        "<div class='item'><div class='day'>{h}</div><div class='time'>{t}</div></div>",
        between=" · ",
    ),
    "spans": each(TITLE + "{}", "<div><span class='label'>{h}</span>{t}</div>", "<span class=hour>{}</span>", ""),
    "badges": each(
        "<div class='card'><h3>Godziny Mszy Świętych</h3>{}</div>", "<h4>{h}</h4><div>{t}</div>", "<div><span>{}</span></div>", ""
    ),
    "accordion": each(
        TITLE + "{}",
        "<button aria-expanded=false>{h}</button><div class='accordion-panel' style='display:none'><p>{t}</p></div>",
    ),
    "details": each(TITLE + "{}", "<details><summary>{h}</summary><p>{t}</p></details>"),
    "word processor": word_processor,
    "old fonts": each(
        "<center><font size=6 color=blue>M S Z E &nbsp; Ś W I Ę T E</font><br><br>{}</center>",
        "<font color=red><b>{h}:</b></font> <font size=4>{t}</font>",
        between="&nbsp; ",
        parts="<br>",
    ),
    "preformatted": each("<pre>\nMSZE ŚWIĘTE\n\n{}\n</pre>", "{h:30}{t}", between="  ", parts="\n"),
    "one sentence": one_sentence,
    "hour words": each(TITLE + "{}", "<div>{h}</div><div>{t}</div>", "godz. {}"),
    "Mass in every line": each(
        "<h2>Porządek nabożeństw</h2>{}", "<h3>{h}</h3><ul>{t}</ul>", "<li>{} – Msza św.</li>", between=""
    ),
    "sidebar": each(
        NEWS + "<div class='widget'><h4 class='widget-title'>Msze Święte</h4><div class='textwidget'>{}</div></div>",
        "<p>{h}<br>{t}</p>",
    ),
    "office below": each("<h1>Msze święte</h1>{}" + OFFICE, HEADED),
}
SPELLINGS: dict[str, Callable[[str, str], tuple[str, str]]] = {
    "as it is": lambda heading, hour: (heading, hour),
    "capitals": lambda heading, hour: (heading.upper(), hour),
    "no accents": lambda heading, hour: (without_marks(heading), hour),
    "decomposed accents": lambda heading, hour: (unicodedata.normalize("NFD", heading), hour),
    "no-break spaces": lambda heading, hour: (heading.replace(" ", "&nbsp;"), hour),
    "wrapped lines": lambda heading, hour: (heading.replace(" ", "\r\n\t"), hour),
    "colon": lambda heading, hour: (heading, hour.replace(".", ":").zfill(5)),
    "raised minutes": lambda heading, hour: (heading, re.sub(r"\.(\d\d)", r"<sup>\1</sup>", hour)),
    "raised underlined minutes": lambda heading, hour: (heading, re.sub(r"\.(\d\d)", r"<sup><u>\1</u></sup>", hour)),
    "superscript digits": lambda heading, hour: (heading, hour.replace(".00", "⁰⁰").replace(".30", "³⁰")),
    "lost superscript": lambda heading, hour: (heading, hour.replace(".", "")),
    "letter o": lambda heading, hour: (heading, hour.replace(".00", ".oo")),
    "torn hours": lambda heading, hour: (heading, f"<span>{hour[0]}</span><b>{hour[1:]}</b>"),
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


def page(inside: str) -> str:
    """A whole page between a menu and a footer."""
    links = (("/", "Start"), ("/msze", "Msze święte"), ("/kontakt", "Kontakt"))
    menu = f"<nav><ul>{''.join(f'<li><a href={address}>{text}</a></li>' for address, text in links)}</ul></nav>"
    footer = "<footer>Parafia św. Anny, ul. Polna 2, 62-080 Zawadka, tel. 61 000 18 30</footer>"
    return (
        f"<!DOCTYPE html><html lang=pl><head><meta charset=utf-8><title>Parafia św. Anny w Zawadce</title></head><body>{menu}"
        f"<main>{inside}</main>{footer}</body></html>"
    )


def written(layout: str, schedule: str, spelling: str = "as it is") -> str:
    """A schedule in a layout and spelling."""
    spelt = SPELLINGS[spelling]
    return LAYOUTS[layout](
        [
            (spelt(heading, "8.00")[0], tuple(spelt("", hour)[1] for hour in hours.split()))
            for heading, _, hours in SCHEDULES[schedule]
        ]
    )


def masses(schedule: str) -> frozenset[tuple[str, str]]:
    """(day, time) of a schedule."""
    return frozenset(
        (day, hour.replace(".", ":").zfill(5))
        for _, days, hours in SCHEDULES[schedule]
        for hour in hours.split()
        for day in days.split()
    )


def read(*insides: str) -> frozenset[tuple[str, str]]:
    """(day, time) of the schedule of a site of these pages."""
    readings = [
        read_page(read_document(page(inside), content_type="text/html", url=f"https://parafia.example/{number or ''}"))
        for number, inside in enumerate(insides)
    ]
    return frozenset((day, mass.mass.time) for mass in read_site(readings).masses for day in mass.mass.days)


class TestLayouts:
    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_do_not_change_the_reading(self, spelling: str) -> None:
        """Three schedules in 29 layouts; but running text with odd capitals, and text that is shown as it is wrapped."""
        for layout, schedule in product(LAYOUTS, SCHEDULES):
            if (layout, spelling) not in {("one sentence", "capitals"), ("preformatted", "wrapped lines")}:
                assert read(written(layout, schedule, spelling)) == masses(schedule), (layout, schedule)


class TestPagesWithoutStandingOrder:
    @pytest.mark.parametrize("name", NO_SCHEDULE)
    def test_give_no_mass_and_take_none_from_the_order_beside_them(self, name: str) -> None:
        """On a page of their own, before and after that of the order, or below it on the same page."""
        assert read(NO_SCHEDULE[name]) == frozenset()
        for layout, schedule in product(("headings", "lists", "titled table"), SCHEDULES):
            order, other = written(layout, schedule), NO_SCHEDULE[name]
            sites = ((order, other), (other, order), (order, order), (f"<section>{order}</section><section>{other}</section>",))
            for site in sites:
                assert read(*site) == masses(schedule), (layout, schedule, sites.index(site))
