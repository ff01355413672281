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


def _declared_again(size: int) -> bytes:
    return repeated("<meta charset=windows-125{h}>")(size) + _HOURS.encode()


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
    "deep styled": nested("<span style='font-weight:bold'>", "Niedziela 8.00"),
    "deep hidden": nested("<div style='display:none' id=x{i}>", "Niedziela 8.00"),
    "hidden by style sheets": repeated("<style>.c{i} p.x{w}{display:none}</style><p class=x{w}>8.00"),
    "shown by style sheets": repeated(".c{i}{display:none} .a .c{i} .b{display:block} ", "<style>", "</style><p class=c1>8.00"),
    "style sheets never closed": repeated("<style>.a{display:none}/*"),
    "hidden one by one": repeated("<div style='display:none' id=x{i}>Niedziela 8.00</div>"),
    "struck out": repeated("<s>8.00"),
    "struck out and ended": repeated("<s>8.00</s> 9.00 "),
    "end tags alone": repeated("</p></div></b></table>", _HOURS),
    "ends of another": halves("<span>", "</i>", _HOURS),
    "spans and ends of blocks": halves("<div><span style='font-weight:bold'>", "</b></div>", _HOURS),
    "attributes": repeated(" a{i}='{w}'", f"{_HOURS}<p", ">"),
    "elements with attributes": repeated("<p class='a b c' style='color:red;margin:0 {i}px' title=\"{w}\">8.00"),
    "quotation mark never closed": repeated('<a href="x>8.00</a>'),
    "quotation marks": repeated("<a b='\" c=\"'>"),
    "less-than signs": repeated("<"),
    "greater-than signs": repeated(">", "<p"),
    "bangs": repeated("<!"),
    "comments": repeated("<!-- x -->8.00"),
    "comments never closed": repeated("<!-- "),
    "titles": repeated("<title>x"),
    "scripts never closed": repeated("<script>var a='8.00';"),
    "areas of text": repeated("<textarea>8.00</textarea>"),
    "ampersands": repeated("&"),
    "entities": repeated("&nbsp;&oacute;&#243;8.00 "),
    "entities of nothing": repeated("&abcdefgh{w};"),
    "entities of long numbers": repeated("&#x0000000000{i};"),
    "pictures": repeated("<img src=msze{i}.jpg alt='Msze święte w niedziele 8.00'>"),
    "frames": repeated("<iframe src=msze{i}.html></iframe>"),
    "links to papers": repeated("<a href=porzadek-mszy-{i}.pdf>porządek Mszy św.</a> "),
    "links never closed": repeated("<a href=msze{i}.pdf>Msze św. 8.00 "),
    "raised minutes": repeated("8<sup>{m}</sup>, "),
    "breaks": repeated("<br>8.00"),
    "rules": repeated("<hr>8.00"),
    "inline blocks": repeated("<span style='display:block'>8.00</span>"),
    "JSON of nothing": repeated("[", "<script type='application/ld+json'>", "</script>8.00"),
    "JSON of many": repeated('<script type=\'application/ld+json\'>{"@type":"Church","name":"{w}"}</script>'),
    "JSON of hours": repeated(
        '{"@type":"Event","name":"Msza {i}","startDate":"2026-11-22T{h}:00"},',
        "<script type='application/ld+json'>[",
        "{}]</script>",
    ),
    "spaces": repeated(" ", _HOURS),
    "lines of nothing": repeated("\n", "Niedziela 8.00"),
    "zeros": repeated("\x00", _HOURS),
    "marks of Markdown": repeated("**[("),
    "Markdown": repeated("# Msze\n\n| niedziela | **8.00** |\n|---|---|\n* [8.00](a)\n> _9.00_ `10.00`\n"),
    "Markdown links never closed": repeated("[8.00](", "# Msze\n\n# Msze\n\n# Msze\n\n"),
    "Markdown of quotes": repeated(">", "# Msze\n# Msze\n# Msze\n"),
    "Markdown of fences": repeated("```\n", "# Msze\n# Msze\n# Msze\n"),
    "UTF-16": _utf16,
    "decoded twice": _twice_encoded,
    "bytes of no charset": _bytes_of_no_charset,
    "declared again and again": _declared_again,
    "surrogates": repeated("\ud83d 8.00 "),
    "lists in lists": repeated("<ul><li>niedziela<ul><li>8.00</ul>"),
    "tables in cells": nested("<table><tr><td>niedziela<td>", "8.00"),
    "foster children": repeated("<b a={i}>8.00<tr>", "<table>"),
}

LINKS: Final[dict[str, Maker]] = {
    "formatting never closed": halves("<b a={i}>", "<p>x", "</p>", "<p>"),
    "formatting, few and often": repeated("<p>x", "<p>" + "".join(f"<i a={i}>" for i in range(500))),
    "formatting closed by others": halves("<b a={i}></i>", "<p>x"),
    "formatting in cells": repeated("<td></b></b><p>x", "<table>" + "".join(f"<b a={i}>" for i in range(700)) + "<tr>"),
    "formatting in objects": halves("<font a={i}>", "<object></font></object><p>x"),
    "formatting crossed": repeated("<b a={i}><p></b>"),
    "fonts crossed": repeated("<font size={i}><div></font>"),
    "adopted": halves("<b><div>", "</b>"),
    "adopted anchors": repeated("<a href={i}><div>"),
    "anchors in objects": repeated("<a href={i}>x<object>"),
    "anchors in cells": repeated("<table><tr><td><a href={i}>x"),
    "anchors in templates": repeated("<a href={i}>x<template>"),
    "buttons": repeated("<a href={i}><button>x"),
    "anchors": repeated("<a href=/strona-{i}.html>strona {w}</a> "),
    "anchors without quotes": repeated("<a href=x?{i}&amp;a=b title='{w}'>"),
    "areas": repeated("<area href=x{i}>"),
    "frames of links": repeated("<iframe src=x{i}></iframe>"),
    "base again and again": repeated("<base href=/{i}/>"),
    "robots again and again": repeated("<meta name=robots content='{w},{w},{w}'>"),
    "refresh again and again": repeated("<meta http-equiv=refresh content='0;url=x{i}'>"),
    "deep divisions": nested("<div>", "<a href=x>y</a>"),
    "deep and closed": nested("<div>", "<a href=x>y</a>", "</div>"),
    "deep spans": halves("<span>", "</i>"),
    "deep lists": nested("<ul><li>", "<a href=x>y</a>"),
    "deep tables": nested("<table><tr><td>", "<a href=x>y</a>"),
    "deep definitions": nested("<dl><dd>", "<a href=x>y</a>"),
    "deep selections": repeated("<select><option><a href={i}>"),
    "deep drawings": nested("<svg><g>", "<a href=x>y</a>"),
    "deep formulas": nested("<math><mi>", "<a href=x>y</a>"),
    "deep forms": nested("<form><p>", "<a href=x>y</a>"),
    "many attributes": repeated(" a{i}=b", "<p", "><a href=x>y</a>"),
    "tag never ended": repeated("a='b' ", "<p "),
    "table of strays": repeated("<a href={i}>x<tr>", "<table>"),
    "framesets": nested("<frameset>", "<frame src=x>"),
    "headings in headings": repeated("<h1><h2><a href={i}>"),
    "paragraphs in buttons": repeated("<button><p>x</button>"),
    "options in list": repeated("<p><select><option>x"),
    "nothing but signs": repeated("<a "),
    "a line of text": repeated("x", "<a href=y>"),
}

NEWS: Final[dict[str, Maker]] = {
    "navigation in navigation": repeated("<nav>x ", "", "Ogłoszenia"),
    "most of the page in navigation": repeated("<nav>", "", "Ogłoszenia na niedzielę " * 20),
    "navigation in turn": repeated("<nav></nav>x"),
    "scripts in turn": repeated("<script></script>x"),
    "articles": repeated("<p>{i}.11.2026 <a href=/wpis-{i}>Ogłoszenia {w}</a></p>"),
    "articles behind links to nowhere": halves("<a href=#>x</a>", "<p><a href=/wpis-{i}>Ogłoszenia {w}</a></p>"),
    "one article again and again": repeated("<div><a href=/wpis>Ogłoszenia {w}</a></div>"),
    "one article in boxes": nested("<div><a href=/wpis>x</a>", "y", "</div>"),
    "articles in boxes": nested("<div><a href=/wpis-{i}>x</a>", "y", "</div>"),
    "pages of a list": repeated("<a href=/aktualnosci?page={i}>{i}</a> "),
    "dates of articles": repeated("<p>{i}.11.2026 r.</p>"),
    "announcements": repeated("<li>W niedzielę o {h}.{m} Msza za {w}</li>", "<h1>Ogłoszenia duszpasterskie 22.11.2026</h1><ol>"),
    "announcements, one line": repeated("{i}. W niedzielę o {h}.{m} Msza. ", "<h1>Ogłoszenia 22.11.2026</h1><p>"),
}
