"""One schedule in every layout parish pages use: whatever the markup, the reading must be the same.

Each layout is a function from sections (heading, hours) to the inside of `<main>`. The layouts come from what page builders,
word processors and editors produce; the words are invented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Section = tuple[str, tuple[str, ...]]
Layout = Callable[[Sequence[Section]], str]


@dataclass(frozen=True)
class Schedule:
    """A schedule and how it is read: sections as written, Masses as (days, time)."""

    name: str
    sections: tuple[Section, ...]
    masses: frozenset[tuple[str, str]]


def schedule(name: str, *parts: tuple[str, str, str]) -> Schedule:
    """Build a schedule from (heading, days, hours) with days like "Su PH" and hours like "8.00 10.00"."""
    sections = tuple((heading, tuple(hours.split())) for heading, _, hours in parts)
    masses = frozenset(
        (day, hour.replace(".", ":").zfill(5)) for _, days, hours in parts for hour in hours.split() for day in days.split()
    )
    return Schedule(name, sections, masses)


WORKING = "Mo Tu We Th Fr Sa"
SCHEDULES: tuple[Schedule, ...] = (
    schedule("plain", ("Niedziele", "Su", "7.30 9.00 11.00"), ("Dni powszednie", WORKING, "7.00 18.00")),
    schedule(
        "feasts",
        ("Niedziele i święta", "Su PH", "8.00 10.00 12.00"),
        ("Święta zniesione", "AF", "9.00 17.00"),
        ("Dni powszednie", WORKING, "17.00"),
    ),
    schedule(
        "days",
        ("Niedziela", "Su", "9.00 11.00"),
        ("Poniedziałek – piątek", "Mo Tu We Th Fr", "18.00"),
        ("Sobota", "Sa", "8.00 18.00"),
    ),
)


def _joined(hours: Sequence[str]) -> str:
    return ", ".join(hours)


def _paragraphs(sections: Sequence[Section]) -> str:
    return "<h2>Msze święte</h2>" + "".join(f"<p>{h}: {_joined(t)}</p>" for h, t in sections)


def _bold_and_breaks(sections: Sequence[Section]) -> str:
    return "<p><strong>MSZE ŚWIĘTE</strong></p><p>" + "<br>".join(f"<b>{h}</b><br>{_joined(t)}" for h, t in sections) + "</p>"


def _one_hour_per_break(sections: Sequence[Section]) -> str:
    return "<h3>Porządek Mszy św.</h3>" + "".join(f"<p><u>{h}</u><br>{'<br>'.join(t)}</p>" for h, t in sections)


def _headings(sections: Sequence[Section]) -> str:
    return "<h1>Msze święte</h1>" + "".join(f"<h3>{h}</h3><p>{_joined(t)}</p>" for h, t in sections)


def _headings_with_hours(sections: Sequence[Section]) -> str:
    return "<h2>Msze święte</h2>" + "".join(f"<h3>{h}</h3><h4>{_joined(t)}</h4>" for h, t in sections)


def _lists(sections: Sequence[Section]) -> str:
    return "<h2>Msze święte</h2>" + "".join(
        f"<p>{h}</p><ul>{''.join(f'<li>{hour}</li>' for hour in t)}</ul>" for h, t in sections
    )


def _nested_lists(sections: Sequence[Section]) -> str:
    inner = "".join(f"<li>{h}<ul>{''.join(f'<li>{hour}</li>' for hour in t)}</ul></li>" for h, t in sections)
    return f"<h2>Msze święte</h2><ul>{inner}</ul>"


def _definitions(sections: Sequence[Section]) -> str:
    return f"<h2>Msze święte</h2><dl>{''.join(f'<dt>{h}</dt>' + ''.join(f'<dd>{x}</dd>' for x in t) for h, t in sections)}</dl>"


def _table_rows(sections: Sequence[Section]) -> str:
    rows = "".join(f"<tr><td>{h}</td><td>{_joined(t)}</td></tr>" for h, t in sections)
    return f"<h2>Msze święte</h2><table><tbody>{rows}</tbody></table>"


def _table_rows_titled(sections: Sequence[Section]) -> str:
    rows = "".join(f"<tr><td>{h}</td><td>{_joined(t)}</td></tr>" for h, t in sections)
    return f"<table><caption>Msze święte</caption><thead><tr><th>Dzień</th><th>Godziny Mszy</th></tr></thead>{rows}</table>"


def _table_row_per_hour(sections: Sequence[Section]) -> str:
    rows = "".join(
        f"<tr><td rowspan={len(t)}>{h}</td>" + "</tr><tr>".join(f"<td>{hour}</td>" for hour in t) + "</tr>" for h, t in sections
    )
    return f"<h2>Msze święte</h2><table>{rows}</table>"


def _table_spanning_headings(sections: Sequence[Section]) -> str:
    rows = "".join(
        f"<tr><td colspan=2>{h}</td></tr>" + "".join(f"<tr><td>{hour}</td><td>Msza św.</td></tr>" for hour in t)
        for h, t in sections
    )
    return f"<h2>Msze święte</h2><table>{rows}</table>"


def _table_columns(sections: Sequence[Section]) -> str:
    longest = max(len(t) for _, t in sections)
    head = "".join(f"<th>{h}</th>" for h, _ in sections)
    rows = "".join(
        "<tr>" + "".join(f"<td>{t[i] if i < len(t) else '&nbsp;'}</td>" for _, t in sections) + "</tr>" for i in range(longest)
    )
    return f"<h2>Msze święte</h2><table><tr>{head}</tr>{rows}</table>"


def _table_column_cells(sections: Sequence[Section]) -> str:
    head = "".join(f"<td><b>{h}</b></td>" for h, _ in sections)
    cells = "".join(f"<td>{'<br>'.join(t)}</td>" for _, t in sections)
    return f"<h2>Msze święte</h2><table><tr>{head}</tr><tr>{cells}</tr></table>"


def _layout_table(sections: Sequence[Section]) -> str:
    menu = "<br>".join(("Strona główna", "Historia parafii", "Galeria", "Kontakt"))
    body = "".join(f"<p><b>{h}</b></p><p>{_joined(t)}</p>" for h, t in sections)
    text = "<p>Serdecznie witamy na stronie naszej parafii. Zapraszamy do wspólnej modlitwy.</p>"
    return f"<table width=100%><tr><td width=150>{menu}</td><td>{text}<h2>Msze święte</h2>{body}</td></tr></table>"


def _columns_of_divs(sections: Sequence[Section]) -> str:
    inner = "".join(f"<div class='col-md-4'><h4>{h}</h4><div>{_joined(t)}</div></div>" for h, t in sections)
    return f"<section><h2>Msze święte</h2><div class='row'>{inner}</div></section>"


def _day_and_time_divs(sections: Sequence[Section]) -> str:
    inner = "".join(
        f"<div class='item'><div class='day'>{h}</div><div class='time'>{' · '.join(t)}</div></div>" for h, t in sections
    )
    return f"<div class='masses'><h2>Msze święte</h2>{inner}</div>"


def _spans(sections: Sequence[Section]) -> str:
    inner = "".join(
        f"<div><span class='label'>{h}</span>{''.join(f'<span class=hour>{hour}</span>' for hour in t)}</div>"
        for h, t in sections
    )
    return f"<h2>Msze święte</h2>{inner}"


def _badges(sections: Sequence[Section]) -> str:
    inner = "".join(f"<h4>{h}</h4><div>{''.join(f'<div><span>{hour}</span></div>' for hour in t)}</div>" for h, t in sections)
    return f"<div class='card'><h3>Godziny Mszy Świętych</h3>{inner}</div>"


def _accordion(sections: Sequence[Section]) -> str:
    inner = "".join(
        f"<button aria-expanded=false>{h}</button><div class='accordion-panel' style='display:none'><p>{_joined(t)}</p></div>"
        for h, t in sections
    )
    return f"<h2>Msze święte</h2>{inner}"


def _details(sections: Sequence[Section]) -> str:
    return "<h2>Msze święte</h2>" + "".join(f"<details><summary>{h}</summary><p>{_joined(t)}</p></details>" for h, t in sections)


def _word_processor(sections: Sequence[Section]) -> str:
    style = "class=MsoNormal style='margin-bottom:0cm;text-align:center'"
    span = "<span lang=PL style='font-size:14.0pt;font-family:\"Times New Roman\"'>"
    parts = [f"<p {style}><b>{span}Msze święte</span></b></p>"]
    for heading, hours in sections:
        torn = f"{heading[:3]}</span>{span}{heading[3:]}"
        parts.append(f"<p {style}><b>{span}{torn}<o:p></o:p></span></b></p>")
        raised = ", ".join(re.sub(r"\.(\d\d)", r"<sup>\1</sup>", hour) for hour in hours)
        parts.append(f"<p {style}>{span}{raised}&nbsp;</span></p>")
    return "".join(parts)


def _old_fonts(sections: Sequence[Section]) -> str:
    inner = "<br>".join(f"<font color=red><b>{h}:</b></font> <font size=4>{'&nbsp; '.join(t)}</font>" for h, t in sections)
    return f"<center><font size=6 color=blue>M S Z E &nbsp; Ś W I Ę T E</font><br><br>{inner}</center>"


def _preformatted(sections: Sequence[Section]) -> str:
    return "<pre>\nMSZE ŚWIĘTE\n\n" + "\n".join(f"{h:30}{'  '.join(t)}" for h, t in sections) + "\n</pre>"


def _one_line(sections: Sequence[Section]) -> str:
    return f"<p>Msze święte: {'; '.join(f'{h[:1].lower()}{h[1:]} – {_joined(t)}' for h, t in sections)}.</p>"


def _hour_words(sections: Sequence[Section]) -> str:
    return "<h2>Msze święte</h2>" + "".join(
        f"<div>{h}</div><div>{' '.join(f'godz. {hour},' for hour in t).rstrip(',')}</div>" for h, t in sections
    )


def _mass_in_every_line(sections: Sequence[Section]) -> str:
    return "<h2>Porządek nabożeństw</h2>" + "".join(
        f"<h3>{h}</h3><ul>{''.join(f'<li>{hour} – Msza św.</li>' for hour in t)}</ul>" for h, t in sections
    )


def _sidebar(sections: Sequence[Section]) -> str:
    news = "<article><h2>Aktualności</h2><p>W niedzielę 14 czerwca o godz. 15.00 festyn parafialny.</p></article>"
    inner = "".join(f"<p>{h}<br>{_joined(t)}</p>" for h, t in sections)
    return f"{news}<div class='widget'><h4 class='widget-title'>Msze Święte</h4><div class='textwidget'>{inner}</div></div>"


def _with_office(sections: Sequence[Section]) -> str:
    office = "<h3>Kancelaria parafialna</h3><p>wtorek 16.00–17.00<br>piątek 9.00–10.00</p>"
    return f"{_headings(sections)}{office}<h3>Spowiedź</h3><p>pół godziny przed Mszą</p>"


LAYOUTS: Mapping[str, Layout] = {
    function.__name__.strip("_").replace("_", " "): function
    for function in (
        _paragraphs,
        _bold_and_breaks,
        _one_hour_per_break,
        _headings,
        _headings_with_hours,
        _lists,
        _nested_lists,
        _definitions,
        _table_rows,
        _table_rows_titled,
        _table_row_per_hour,
        _table_spanning_headings,
        _table_columns,
        _table_column_cells,
        _layout_table,
        _columns_of_divs,
        _day_and_time_divs,
        _spans,
        _badges,
        _accordion,
        _details,
        _word_processor,
        _old_fonts,
        _preformatted,
        _one_line,
        _hour_words,
        _mass_in_every_line,
        _sidebar,
        _with_office,
    )
}


def page(layout: Layout, wanted: Schedule) -> str:
    """A whole page with the schedule in one layout, between a menu and a footer."""
    links = (("/", "Start"), ("/msze", "Msze święte"), ("/kontakt", "Kontakt"))
    menu = f"<nav><ul>{''.join(f'<li><a href={address}>{text}</a></li>' for address, text in links)}</ul></nav>"
    footer = "<footer>Parafia św. Anny, ul. Polna 2, 62-080 Zawadka, tel. 61 000 18 30</footer>"
    return (
        f"<!DOCTYPE html><html lang=pl><head><meta charset=utf-8><title>Parafia św. Anny w Zawadce</title></head><body>{menu}"
        f"<main>{layout(wanted.sections)}</main>{footer}</body></html>"
    )
