"""Texts of schedules that cost more than they say: every rule of the grammar met thousands of times."""

from __future__ import annotations

from typing import Final

from mass_pipeline_tests.hostile.repeated import Maker, halves, repeated

_PAGE: Final = "<html><head><title>Msze Święte</title></head><body><h1>Porządek Mszy Świętych</h1>"


def _line(unit: str, before: str = "Niedziela: 8.00, 10.00, ") -> Maker:
    return repeated(unit, f"{_PAGE}<p>{before}", "</p></body></html>")


def _lines(unit: str) -> Maker:
    return repeated(f"<p>{unit}</p>\n", _PAGE, "</body></html>")


def _rows(cells: str) -> Maker:
    return repeated(f"<tr>{cells}</tr>\n", f"{_PAGE}<table>", "</table></body></html>")


SHAPES: Final[dict[str, Maker]] = {
    # of the attack of November 2026
    "fallen out, one line": _line("Msza św. o 8.00 nie będzie odprawiana. ", ""),
    "fallen out, lines": _lines("Msza św. o 8.00 nie będzie odprawiana"),
    "bracket never closed": _line("8.00, ", "Niedziela 9.00 ("),
    "seasons in brackets, lines": _lines("Niedziele: 8.00 (w wakacje 9.00)"),
    "seasons in brackets, rows": _rows("<td>Niedziele</td><td>8.00 (w wakacje 9.00)</td>"),
    "three hundred parishes": repeated(
        "<h3>Parafia św. Jana nr {i}</h3><p>Niedziele i święta: 7.00, 9.00, 11.30, 18.00</p><p>Dni powszednie: 7.00, 18.00</p>",
        _PAGE,
    ),
    "contacts and blanks, one line": _line(" o 8.00 & tel. ", ""),
    "blanks, one line": _line(" \u00a0", "Msze święte, tel. "),
    "full stops, one line": _line(".", "Niedziela 8.00"),
    "denied and bracketed, one line": _line("tylko 1) 8 </b> ", ""),
    # one line
    "hours, one line": _line("{h}.{m}, "),
    "hours without commas": _line("{h}.{m} "),
    "days and hours, one line": _line("poniedziałek {h}.{m}, wtorek 9.00; "),
    "brackets open and shut": _line("(8.00) ) ( "),
    "slashes alone": _line("/ "),
    "weeks of the month": _line("I, II i III niedziela miesiąca {h}.{m}; "),
    "dates": _line("{i}.11.2026 o {h}.{m}; "),
    "places": _line("w kaplicy św. Anny w Borku {h}.{m}; "),
    "words in other languages": _line("Holy Mass Sunday {h}:{m}; Heilige Messe Sonntag {h}.{m} Uhr; неділя {h}:{m}; "),
    "dashes": _line("- – — "),
    "one word": _line("x"),
    "one number": _line("8"),
    "combining marks": _line("\u0301"),
    "as on Sundays": _line("święta nakazane jak w niedzielę; "),
    "dear names": _line("za śp. Jana Kowalskiego o {h}.{m} "),
    # many lines
    "hours, lines": _lines("Niedziele i święta: {h}.{m}, 10.00, 12.00"),
    "as on Sundays, lines": _lines("Święta nakazane: jak w niedzielę"),
    "footnotes, lines": _lines("8.00*, 9.00** <br> * w wakacje <br> ** oprócz lipca"),
    "or, lines": _lines("Niedziela: 8.00 lub {h}.{m} (19.00)"),
    "intentions": _lines("{i} listopada, niedziela<br>7.00 za śp. Jana<br>9.00 o zdrowie<br>18.00 w int. dz."),
    "different orders": repeated(
        "<h2>Msze święte</h2><p>Niedziele: {h}.{m}, 1{i}.00</p><p>W tygodniu: {h}.00, 18.{m}</p><hr><p>Historia.</p><hr>", _PAGE
    ),
    "headings alone": repeated("<h2>Msze św. w niedziele</h2><h3>Kaplica</h3>", _PAGE, "<p>8.00</p>"),
    "lists": repeated("<li>niedziela: <b>8.00</b>, 10.00 - dla dzieci", f"{_PAGE}<ul>"),
    "text without markup": repeated("Niedziela: 8.00, 10.00 (w wakacje 9.00)\n"),
    "text, one line": repeated("Niedziela: 8.00, 10.00 (w wakacje 9.00); "),
    # tables
    "one row of days": repeated("<td>niedziela {h}.{m} (zimą 17.00)</td>", f"{_PAGE}<table><tr>", "</tr></table>"),
    "rows under headers": repeated(
        "<tr><td>Kościół {i}</td><td>{h}.{m}</td><td>18.00 (w wakacje 19.00)</td></tr>",
        f"{_PAGE}<table><tr><th></th><th>Niedziela</th><th>Dni powszednie</th></tr>",
    ),
    "cells that span rows": _rows("<td rowspan=5000 colspan=50>Niedziela</td><td>{h}.{m}</td>"),
    "tables in turn": repeated("<table><tr><td>Niedziela<td>{h}.{m}</table>", _PAGE),
    "header long": halves("niedziela święto ", "<tr><td>8.00</td></tr>", "</th></tr>", f"{_PAGE}<table><tr><th>"),
    # halves: each of the first meets each of the second
    "list, then what falls out": halves("{h}.{m}, ", "bez Mszy o {h}.{m}; ", "<br>", f"{_PAGE}<p>Niedziela: "),
    "list, then instead": halves("<p>Niedziela {h}.{m}</p>", "<p>zamiast {h}.{m} jest 19.00</p>", "", _PAGE),
    "list, then footnotes": halves("{h}.{m}*, ", "<p>* w wakacje</p>", "</p>", f"{_PAGE}<p>Niedziela: "),
    "list, then brackets": halves("8.00, ", "(w wakacje 9.00) ", "", f"{_PAGE}<p>Niedziela: "),
}

# Plain text has no elements that end a line.
TEXTS: Final[dict[str, Maker]] = {
    "contacts and blanks": repeated(" o 8.00 & tel. "),
    "blanks": repeated(" ", "Msze święte, tel. "),
    "blanks, lines": repeated("    8.00    \n      \n"),
    "full stops": repeated(".", "Niedziela 8.00"),
    "denied and bracketed": repeated("tylko 1) 8 </b> "),
    "an address": repeated("a.", "", "@parafia.example"),
}
