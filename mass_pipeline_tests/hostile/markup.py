"""Markup that is dear to repair, to hide, to decode or to walk through."""

from __future__ import annotations

from typing import Final

from mass_pipeline_tests.hostile.repeated import Maker, halves, nested, repeated

_HOURS: Final = "<p>Msze św. w niedziele: 8.00, 10.00</p>"


def _utf16(size: int) -> bytes:
    return repeated("<p>Niedziela 8.00, 10.00</p>")(size // 2).decode().encode("utf-16")


def _twice_encoded(size: int) -> bytes:
    return (
        repeated("<p>Święta i niedziele: 8.00, msza święta, żłóbek</p>")(size)
        .decode()
        .encode("utf-8")
        .decode("cp1252", "replace")
        .encode()
    )


def _bytes_of_no_charset(size: int) -> bytes:
    return b"<p>Niedziela 8.00 " + bytes(range(128, 256)) * (size // 128)


_ELEMENTS: Final = (
    "div",
    "b",
    "font",
    "a",
    "span",
    "ul><li",
    "table><tr><td",
    "blockquote",
    "svg",
    "object",
    "template",
    "select",
    "form",
    "button",
    "dl><dd",
)

PAGES: Final[dict[str, Maker]] = {
    **{f"deep {name}": nested(f"<{name}>", "Niedziela 8.00, 10.00") for name in _ELEMENTS},
    "deep with other attributes": nested("<b a={i}>", "Niedziela 8.00"),
    "deep hidden": nested("<div style='display:none' id=x{i}>", "Niedziela 8.00"),
    "hidden by style sheets": repeated("<style>.c{i} p.x{w}{display:none}</style><p class=x{w}>8.00"),
    "shown by style sheets": repeated(".c{i}{display:none} .a .c{i} .b{display:block} ", "<style>", "</style><p class=c1>8.00"),
    "struck out and ended": repeated("<s>8.00</s> 9.00 "),
    "end tags alone": repeated("</p></div></b></table>", _HOURS),
    "spans and ends of blocks": halves("<div><span style='font-weight:bold'>", "</b></div>", _HOURS),
    "attributes": repeated(" a{i}='{w}'", f"{_HOURS}<p", ">"),
    "quotation marks": repeated("<a b='\" c=\"'>"),
    "bangs": repeated("<!"),
    "comments never closed": repeated("<!-- "),
    "entities of nothing": repeated("&abcdefgh{w};"),
    "links to papers": repeated("<a href=porzadek-mszy-{i}.pdf>porządek Mszy św.</a> "),
    "raised minutes": repeated("8<sup>{m}</sup>, "),
    "JSON of nothing": repeated("[", "<script type='application/ld+json'>", "</script>8.00"),
    "JSON of hours": repeated(
        '{"@type":"Event","name":"Msza {i}","startDate":"2026-11-22T{h}:00"},',
        "<script type='application/ld+json'>[",
        "{}]</script>",
    ),
    "zeros": repeated("\x00", _HOURS),
    "Markdown": repeated("# Msze\n\n| niedziela | **8.00** |\n|---|---|\n* [8.00](a)\n> _9.00_ `10.00`\n"),
    "Markdown links never closed": repeated("[8.00](", "# Msze\n\n# Msze\n\n# Msze\n\n"),
    "Markdown of fences": repeated("```\n", "# Msze\n# Msze\n# Msze\n"),
    "UTF-16": _utf16,
    "decoded twice": _twice_encoded,
    "bytes of no charset": _bytes_of_no_charset,
    "surrogates": repeated("\ud83d 8.00 "),
    "foster children": repeated("<b a={i}>8.00<tr>", "<table>"),
}

LINKS: Final[dict[str, Maker]] = {
    "formatting never closed": halves("<b a={i}>", "<p>x", "</p>", "<p>"),
    "formatting in cells": repeated("<td></b></b><p>x", "<table>" + "".join(f"<b a={i}>" for i in range(700)) + "<tr>"),
    "fonts crossed": repeated("<font size={i}><div></font>"),
    "adopted": halves("<b><div>", "</b>"),
    "anchors in objects": repeated("<a href={i}>x<object>"),
    "anchors without quotes": repeated("<a href=x?{i}&amp;a=b title='{w}'>"),
    "base again and again": repeated("<base href=/{i}/>"),
    "deep divisions": nested("<div>", "<a href=x>y</a>"),
    "deep selections": repeated("<select><option><a href={i}>"),
    "deep drawings": nested("<svg><g>", "<a href=x>y</a>"),
    "many attributes": repeated(" a{i}=b", "<p", "><a href=x>y</a>"),
    "tag never ended": repeated("a='b' ", "<p "),
    "table of strays": repeated("<a href={i}>x<tr>", "<table>"),
    "framesets": nested("<frameset>", "<frame src=x>"),
    "nothing but signs": repeated("<a "),
}

NEWS: Final[dict[str, Maker]] = {
    "navigation in navigation": repeated("<nav>x ", "", "Ogłoszenia"),
    "articles behind links to nowhere": halves("<a href=#>x</a>", "<p><a href=/wpis-{i}>Ogłoszenia {w}</a></p>"),
    "articles in boxes": nested("<div><a href=/wpis-{i}>x</a>", "y", "</div>"),
    "pages of a list": repeated("<a href=/aktualnosci?page={i}>{i}</a> "),
    "announcements, one line": repeated("{i}. W niedzielę o {h}.{m} Msza. ", "<h1>Ogłoszenia 22.11.2026</h1><p>"),
}
