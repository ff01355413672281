"""Build the written pages that are no order of the parish of today, and those that only look so, in seven designs.

Belongs: the form of `unknown_pages.txt` and `own_pages.txt`, the parishes on whose sites they stand, the designs.
Not here: how the pages are read and what is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mass_pipeline_tests.evaluation.written import written_masses

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Parish:
    """A parish of these pages: town in the nominative and after "w", patron in the genitive."""

    town: str
    in_town: str
    patron: str


PARISHES: Final = tuple(
    Parish(*words)
    for words in (
        ("Olszanka", "Olszance", "św. Wojciecha"),
        ("Nowa Wola", "Nowej Woli", "Narodzenia NMP"),
        ("Grabówko", "Grabówku", "Podwyższenia Krzyża Świętego"),
        ("Kępice", "Kępicach", "św. Marii Magdaleny"),
        ("Stary Dwór", "Starym Dworze", "św. Apostołów Piotra i Pawła"),
        ("Rzeczyca", "Rzeczycy", "św. Katarzyny"),
        ("Wiśniowa Góra", "Wiśniowej Górze", "MB Nieustającej Pomocy"),
        ("Brody", "Brodach", "św. Izydora"),
        ("Jeziorany", "Jezioranach", "św. Bartłomieja"),
        ("Podlesie", "Podlesiu", "Chrystusa Króla"),
    )
)


@dataclass(frozen=True)
class WrittenPage:
    """A page before it is laid out; `masses` is the label, empty for "unknown"."""

    name: str
    kind: str
    title: str
    body: tuple[str, ...]
    masses: tuple[dict[str, Any], ...] = ()


def written_pages(name: str) -> list[WrittenPage]:
    """Pages of a file, in its order.

    Those of `unknown_pages*` state no order of the parish of today, those of `own_pages*` do. The first of each were there before
    the mechanism; sixth, seventh, ninth and third judge alone: no weight is fitted on them.
    """
    _, *chunks = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n== ")
    return list(map(_page, chunks))


def _page(chunk: str) -> WrittenPage:
    head, _, rest = chunk.partition("\n")
    name, kind, title = (part.strip() for part in head.split("|"))
    text, _, label = rest.partition("\n--\n")
    masses = tuple(mass for line in label.splitlines() if line.strip() for mass in written_masses(line))
    return WrittenPage(name, kind, title, tuple(line for line in text.splitlines() if line.strip()), masses)


def html_of(page: WrittenPage, parish: Parish, design: int) -> str:
    """The page on the site of a parish; designs 0 to 5 name the parish somewhere, 6 nowhere."""
    body = _filled(_markup(page.body), parish)
    return _DESIGNS[design](_filled(page.title, parish), body, parish)


def _filled(text: str, parish: Parish) -> str:
    return text.replace("{town}", parish.town).replace("{in_town}", parish.in_town).replace("{patron}", parish.patron)


def _markup(lines: Sequence[str]) -> str:
    """Lines of the body as markup."""
    out: list[str] = []
    for kind, group in _grouped(lines):
        if kind == "|":
            rows = ("".join(f"<td>{cell.strip()}</td>" for cell in line.split("|")[1:]) for line in group)
            out.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        elif kind == "-":
            out.append("<ul>" + "".join(f"<li>{line[2:]}</li>" for line in group) + "</ul>")
        else:
            out.extend(_block(kind, line) for line in group)
    return "\n".join(out)


def _block(kind: str, line: str) -> str:
    return {"#": f"<h1>{line[2:]}</h1>", "##": f"<h2>{line[3:]}</h2>", "!": line[2:]}.get(kind, f"<p>{line}</p>")


def _grouped(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Neighbouring lines of one kind together."""
    group: list[str] = []
    current = ""
    for line in lines:
        first = line.split(" ", 1)[0]
        kind = first if first in ("#", "##", "-", "|", "!") else ""
        if group and kind != current:
            yield current, group
            group = []
        current = kind
        group.append(line)
    yield current, group


def _boxes(title: str, body: str, parish: Parish) -> str:
    return (
        f'<!doctype html><html lang="pl"><head><meta charset="utf-8"><title>{title}</title></head><body>'
        f'<div id="header"><a href="/">Parafia pw. {parish.patron} w {parish.in_town}</a></div>'
        '<ul class="menu"><li><a href="/">Start</a></li><li><a href="/historia">Historia</a></li></ul>'
        f'<div id="content">{body}</div>'
        f'<div id="footer">© Parafia {parish.patron}, {parish.town}, ul. Polna 1</div></body></html>'
    )


def _landmarks(title: str, body: str, parish: Parish) -> str:
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8">'
        f"<title>{title} - Parafia {parish.patron} w {parish.in_town}</title></head>"
        f"<body><header><p>PARAFIA RZYMSKOKATOLICKA</p><p>pw. {parish.patron} w {parish.in_town}</p></header>"
        '<nav><a href="/">Aktualności</a> <a href="/k">Kontakt</a></nav>'
        f"<main><article>{body}</article></main><footer><p>Wszelkie prawa zastrzeżone</p></footer></body></html>"
    )


def _old_tables(title: str, body: str, parish: Parish) -> str:
    return (
        f'<html><head><meta charset="utf-8"><title>{title}</title></head><body bgcolor=white><center>'
        f"<font size=5>Rzymskokatolicka Parafia {parish.patron}</font><br><font size=4>{parish.town}</font></center>"
        '<table width=760><tr><td width=150><a href="index.html">Strona główna</a><br><a href="galeria.html">Galeria</a></td>'
        f"<td>{body}</td></tr></table></body></html>"
    )


def _blog(title: str, body: str, parish: Parish) -> str:
    return (
        '<!doctype html><html lang="pl-PL"><head><meta charset="UTF-8">'
        f'<title>{title} &#8211; Parafia w {parish.in_town}</title></head><body class="page"><div class="site-branding">'
        f'<p class="site-title"><a href="/" rel="home">Parafia w {parish.in_town}</a></p>'
        f'<p class="site-description">pod wezwaniem {parish.patron}</p></div>'
        f'<div id="primary"><div class="entry-content">{body}</div></div>'
        '<div class="site-info">Dumnie wspierane przez WordPressa</div></body></html>'
    )


def _address_below(title: str, body: str, parish: Parish) -> str:
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body><div class="wrap">{body}</div>'
        f"<hr><address>Parafia Rzymskokatolicka pw. {parish.patron}<br>{parish.town} 12<br>21-345 {parish.town}<br>"
        "tel. 81 000 00 00</address></body></html>"
    )


def _title_alone(title: str, body: str, parish: Parish) -> str:
    return (
        f'<html><head><meta charset="utf-8"><title>Parafia {parish.patron} {parish.town} | {title}</title></head>'
        f'<body><div class="col-md-8">{body}</div></body></html>'
    )


def _nameless(title: str, body: str, parish: Parish) -> str:
    return f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body>{body}</body></html>'


_DESIGNS: Final[tuple[Callable[[str, str, Parish], str], ...]] = (
    _boxes,
    _landmarks,
    _old_tables,
    _blog,
    _address_below,
    _title_alone,
    _nameless,
)
NAMING: Final = len(_DESIGNS) - 1  # designs that name the parish
