"""What an element does to visible text: breaks lines, opens a container, hides its content, heads what follows.

Source: WHATWG HTML, section 15 (Rendering), with the elements that old parish pages use. Of style sheets it is read
what they hide or strike out: classes and ids that no rule, link or script shows again; linked sheets are never fetched. When in
doubt an element is shown: a menu, a tab, a dialogue is part of the page for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mass_pipeline.model.document import Region
from mass_pipeline.reading.text.tabs import CLICKS, CONDITIONS, label_of, pane_of


class Role(IntEnum):
    """What the reader does when it meets the element."""

    INLINE = 0
    CONTAINER = 1  # opens a block container: lines inside share an ordinal
    PARAGRAPH = 2  # breaks the line, opens no container
    HEADING = 3
    LIST = 4
    ITEM = 5
    TERM = 6
    DESCRIPTION = 7
    TABLE = 8
    ROW_GROUP = 9
    ROW = 10
    CELL = 11
    BREAK = 12
    RULE = 13
    IMAGE = 14
    SKIPPED = 15  # the content is never shown
    STRONG = 16
    RAISED = 17  # superscript or underlined: may hold minutes
    LINK = 18
    FRAME = 19
    ROOT = 20  # html and body: never hidden
    PREFORMATTED = 21
    VERBATIM = 22  # the content is text as it is written
    TITLE = 23
    SCRIPT = 24


def _roles() -> dict[str, Role]:
    groups: dict[Role, str] = {
        Role.CONTAINER: "div section article main nav aside header footer form fieldset center blockquote figure address dl "
        "details dialog hgroup search noscript frameset object button marquee",
        Role.PARAGRAPH: "p legend figcaption optgroup",
        Role.HEADING: "h1 h2 h3 h4 h5 h6 caption summary",
        Role.LIST: "ul ol menu dir",
        Role.ITEM: "li",
        Role.TERM: "dt",
        Role.DESCRIPTION: "dd",
        Role.TABLE: "table",
        Role.ROW_GROUP: "thead tbody tfoot",
        Role.ROW: "tr",
        Role.CELL: "td th",
        Role.BREAK: "br",
        Role.RULE: "hr",
        Role.IMAGE: "img",
        Role.SKIPPED: "template select datalist svg math canvas audio video map style noembed noframes rt rp",
        Role.STRONG: "b strong big",
        Role.RAISED: "sup u",
        Role.LINK: "a",
        Role.FRAME: "frame iframe embed",
        Role.ROOT: "html body head",
        Role.PREFORMATTED: "pre listing",
        Role.VERBATIM: "textarea xmp plaintext",
        Role.TITLE: "title",
        Role.SCRIPT: "script",
    }
    return {name: role for role, names in groups.items() for name in names.split()}


_ROLES: Final = _roles()
_BLOCKS: Final = frozenset(range(Role.CONTAINER, Role.BREAK)) | {Role.PREFORMATTED}
_CONTAINERS: Final = frozenset({Role.CONTAINER, Role.LIST, Role.CELL, Role.TABLE})
_ALWAYS_SHOWN: Final = frozenset({Role.ROOT, Role.BREAK, Role.RULE, Role.IMAGE, Role.FRAME})
_LABELS: Final = frozenset({Role.LINK, Role.CONTAINER, Role.ITEM})
_STRUCK_OUT: Final = frozenset({"s", "strike", "del"})  # said to hold no longer: "<s>7:00</s> 7:30"
_VOID: Final = frozenset({"input", "wbr"})
_TEXTS: Final = frozenset({"p", "span", "font", "a", "small", "li", "h1", "h2", "h3", "h4", "h5", "h6"})  # not boxes
_MAX_SPAN: Final = 200  # columns or rows of one cell; WHATWG allows 1000 and 65534, no schedule needs them
# Attributes that say what an element does to text, beside those of its address.
_MEANT: Final = frozenset({
    "class", "id", "role", "style", "hidden", "rowspan", "colspan", "aria-controls", "aria-selected", "aria-labelledby",
    "data-target", "data-bs-target", "data-state", "shadowrootmode", *CLICKS, *CONDITIONS,
})  # fmt: skip
_LONGEST_KEPT: Final = 1_000  # characters of all attributes; an element with more hardly repeats
_MOST_KEPT: Final = 8192  # elements; of a site there are a few hundred kinds, and its addresses


class Element:
    """An element by its name and attributes.

    Attributes:
        name: lower case.
        values: the attributes that say so, by lower-case name; of addresses those within the page.
        level: of a heading, 7 where its name holds none.
        breaks_line, is_block: ends the line before and after it; and changes how what is inside is read.
        is_container: its lines share a block.
        is_void: an inline element without content.
        is_hidden: its text is not shown, unless a link names it.
        is_struck_out: its text is crossed out.
        is_bold, is_raised: by itself or by its style.
        is_title: a box or cell that is a heading by its class.
        row_span, column_span: rows and columns that a cell covers.
        pane, pane_label: names of the pane of tabs that it is, or of the one that it labels.
        region: what it says about its part of the page.
    """

    __slots__ = (
        "breaks_line", "column_span", "is_block", "is_bold", "is_container", "is_hidden", "is_raised", "is_struck_out",
        "is_title", "is_void", "level", "name", "pane", "pane_label", "region", "role", "row_span", "values",
    )  # fmt: skip

    def __init__(self, name: str, values: dict[str, str]) -> None:
        self.name = name
        self.values = values
        self.role = role = _ROLES.get(name, Role.INLINE)
        self.is_block = role in _BLOCKS and role is not Role.PARAGRAPH
        self.is_container = role in _CONTAINERS
        self.is_void = name in _VOID
        self.breaks_line = role in _BLOCKS
        self.level = int(name[1]) if role is Role.HEADING and name[1].isdigit() else 7
        style = values["style"].lower() if "style" in values else ""
        self.is_struck_out = name in _STRUCK_OUT or _LINE_THROUGH.search(style) is not None
        self.is_hidden = role is Role.SKIPPED or (role not in _ALWAYS_SHOWN and self._is_hidden(style))
        self.is_bold = name == "th" or role is Role.STRONG or _BOLD.search(style) is not None
        self.is_raised = role is Role.RAISED or _RAISED.search(style) is not None
        if style and role is Role.INLINE:
            self.breaks_line = _BLOCK.search(style) is not None
        self.row_span, self.column_span = _span(values.get("rowspan", "")), _span(values.get("colspan", ""))
        boxed = self.is_container
        self.pane_label = label_of(values) if role in _LABELS else ()
        self.pane = pane_of(values, is_box=role is Role.CONTAINER) if boxed else ()
        self.region = region_hint(name, values) if boxed else None
        self.is_title = boxed and is_title(values)

    def _is_hidden(self, style: str) -> bool:
        if self.is_struck_out:
            return True
        if not style and "hidden" not in self.values:
            return False
        return is_hidden(self.values, style) or (self.name in _TEXTS and is_unseen(style))

    @property
    def holds_shadow(self) -> bool:
        """A template with a shadow root is shown (WHATWG HTML 4.12.3); any other waits for a script."""
        return "shadowrootmode" in self.values


_known: Final[dict[tuple[object, ...], Element]] = {}  # by name and all attributes as written; elements of a site repeat


def element_of(node: LexborNode) -> Element:
    """What an element of a tree does."""
    name, values = node.tag or "", node.attributes
    if name == "a" and "href" in values and (values["href"] or "")[:1] != "#":
        values["href"] = ""
    elif name == "img":
        values.pop("src", None)
        values.pop("alt", None)
    written = (name, *values.items())
    known = _known.get(written)
    if known is not None:
        return known
    meant = {key: value or "" for key, value in values.items() if key in _MEANT or key[:8] == "data-tab"}
    if name == "a" and "href" in values:
        meant["href"] = values["href"] or ""
    element = Element(name, meant)
    if sum(len(value or "") for value in values.values()) <= _LONGEST_KEPT:
        if len(_known) >= _MOST_KEPT:
            _known.clear()
        _known[written] = element
    return element


def attributes_of(node: LexborNode) -> dict[str, str]:
    """All attributes of an element of a tree by lower-case name, "" for those without a value."""
    return {key: value or "" for key, value in node.attributes.items()}


def _span(written: str) -> int:
    return max(1, min(_MAX_SPAN, int(written))) if written.isdecimal() and len(written) < 6 else 1


_NOT_SHOWN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{4,}"
    r"|clip\s*:\s*rect\(0|(?<![-\w])height\s*:\s*0(?:px)?\s*(?:;[^{}]*)?;?\s*overflow\s*:\s*hidden",
    re.I,
)
_NO_SIZE: Final = re.compile(r"font-size\s*:\s*0(?:px|em|pt|%)?\s*(?:;|!|$)", re.I)
_COLOUR: Final = re.compile(r"(?<![-\w])color\s*:\s*([#\w(),.]+)")
_GROUND: Final = re.compile(r"background(?:-color)?\s*:\s*([#\w(),.]+)")
_LINE_THROUGH: Final = re.compile(r"text-decoration(?:-line)?\s*:[^;\"']*line-through", re.I)
_BOLD: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
_RAISED: Final = re.compile(r"vertical-align\s*:\s*(?:super|text-top)", re.I)
_BLOCK: Final = re.compile(r"display\s*:\s*(?:block|flex|grid|table-row|list-item)", re.I)
# A pane that a click opens is part of the page for people; only what no click shows is dropped.
_OPENED_BY_CLICK: Final = re.compile(
    r"tab|accord|collaps|panel|toggle|spoiler|slide|akordeon|zak[lł]adk|faq|rozwi|section|sekcja|\bpane|\bview\b|\bpage\b|\bstrona\b",
    re.I,
)
# Attributes by which scripts open an element, or by which it names the tab that does.
_TOGGLED: Final = re.compile(r"(?:[xv]|ng)-show|aria-labelledby|data-tab[\w-]*")
_TITLE: Final = re.compile(r"(?:^|\s)[\w-]*(?:title|heading)(?:$|\s)")  # "contentheading", "accordion-title"

_REGION_WORDS: Final[tuple[tuple[Region, re.Pattern[str]], ...]] = (
    (Region.FOOTER, re.compile(r"(?:^|[\s_-])(?:footer|stopka|foot|bottom|contentinfo|colophon|copyright)(?:$|[\s_\d-])", re.I)),
    (Region.NAV, re.compile(r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|topmenu|mainmenu|breadcrumbs?)(?:$|[\s_\d-])", re.I)),
    # Not "left" and "right": old layouts keep the page itself in such a column.
    # Elementor makes the page itself of widgets: "elementor-widget-text-editor".
    (
        Region.ASIDE,
        re.compile(r"(?:^|[\s_-])(?:aside|(?<!elementor-)widgets?|complementary)(?:$|[\s_\d-])|side-?bar", re.I),
    ),
    # The whole word: "section-header" and "card-header" head a box, not the page.
    (
        Region.HEADER,
        re.compile(r"(?:^|\s)(?:(?:site|page|main|top)?[_-]?(?:header|head)|naglowek|top-?bar|masthead|top)(?:$|\s)", re.I),
    ),
)
_LANDMARKS: Final = {
    "main": Region.MAIN,
    "nav": Region.NAV,
    "aside": Region.ASIDE,
    "footer": Region.FOOTER,
    "header": Region.HEADER,
}
_MAIN_WORDS: Final = frozenset({"main", "content", "tresc"})
_NAMING: Final = ("id", "class", "role")
_FRAMING: Final = frozenset({Region.NAV, Region.ASIDE, Region.FOOTER})


def is_hidden(values: Mapping[str, str], style: str) -> bool:
    """Whether an element with these attributes is not shown and no click opens it.

    Args:
        values: attributes by name.
        style: declarations of its `style`, in lower case.

    `aria-hidden` alone hides nothing from eyes: icons, sliders and doubled headings carry it.
    """
    hidden = "hidden" in values and values["hidden"].lower() != "until-found"
    if (not hidden and not hides(style)) or any(_TOGGLED.fullmatch(name) for name in values):
        return False
    return not _OPENED_BY_CLICK.search(" ".join(values.get(name, "") for name in ("class", "id", "role")))


def hides(declarations: str) -> bool:
    """Whether style declarations keep an element out of sight: not displayed, off the screen, or without height.

    Transparency alone does not: pages fade in what they show.
    """
    return _NOT_SHOWN.search(declarations) is not None


def is_unseen(style: str) -> bool:
    """Whether text is too small to be seen, or of the colour of its ground.

    Not for boxes: they are given no size to close the gaps in them.
    """
    if "font-size" not in style and "background" not in style:
        return False
    colour, ground = _COLOUR.search(style), _GROUND.search(style)
    is_seen = colour is None or ground is None or _same_colour(colour[1]) != _same_colour(ground[1])
    return _NO_SIZE.search(style) is not None or not is_seen


def _same_colour(written: str) -> str:
    """The six digits of a colour written in three, or black and white by name; others as they are."""
    written = {"white": "#ffffff", "black": "#000000"}.get(written, written)
    return "#" + "".join(digit * 2 for digit in written[1:]) if written[:1] == "#" and len(written) == 4 else written


def is_title(values: Mapping[str, str]) -> bool:
    """Whether class or role tell that a box or cell is the heading of what follows: page builders write few heading elements."""
    return values.get("role", "").lower() == "heading" or _TITLE.search(values.get("class", "").lower()) is not None


class RegionHint(NamedTuple):
    """What a container says about its part of the page.

    Attributes:
        region: the part.
        is_landmark: said by the element, not by a class name; landmarks count inside other parts too.
    """

    region: Region
    is_landmark: bool

    def inside(self, outer: Region) -> Region:
        """Region of a container with this hint inside another region."""
        if outer in _FRAMING:
            return self.region if self.is_landmark and self.region in _FRAMING else outer
        # <header> of an article or sidebar box heads that box, not the page.
        if self.region is Region.HEADER and outer is not Region.MAIN:
            return outer
        return self.region


def region_hint(name: str, values: Mapping[str, str]) -> RegionHint | None:
    """What element name, role, id and class say about the part of the page, None when nothing.

    Args:
        name: lower-case element name.
        values: attributes by name.
    """
    words = f"{values.get('id', '')} {values.get('class', '')}".lower().split()
    if name == "main" or values.get("role", "").lower() == "main" or not _MAIN_WORDS.isdisjoint(words):
        return RegionHint(Region.MAIN, False)
    if name in _LANDMARKS:
        return RegionHint(_LANDMARKS[name], True)
    named = " ".join(value for key, value in values.items() if key in _NAMING)
    for region, pattern in _REGION_WORDS if named else ():
        if pattern.search(named):
            return RegionHint(region, False)
    return None


_LONGEST_SHEET: Final = 200_000  # characters of all style sheets of a page that are looked at
_MOST_NAMES: Final = 100  # classes and ids; each is looked for in the page, and a page that hides more is left as it is
_SHEETS_REMEMBERED: Final = 16  # the pages of a site have one and the same; more of the longest would take megabytes
_BRACES: Final = re.compile(r"[{}]")
_SIMPLE: Final = re.compile(r"(?:[a-z][\w-]*)?([.#])([\w-]+)", re.I)
_SHOWS: Final = re.compile(
    r"display\s*:\s*(?!none)\w|text-decoration\s*:\s*none|visibility\s*:\s*visible|(?:height|opacity)\s*:\s*(?!0)\w", re.I
)


@dataclass(frozen=True, slots=True)
class HiddenByStyle:
    """Classes and ids that are never shown."""

    classes: frozenset[str]
    ids: frozenset[str]

    def hides(self, values: Mapping[str, str]) -> bool:
        """Whether an element with these attributes is hidden."""
        if not values:
            return False
        return values.get("id", "") in self.ids or not self.classes.isdisjoint(values.get("class", "").split())


def hidden_by_style(tree: LexborHTMLParser, source: str) -> HiddenByStyle | None:
    """What the style sheets of a page hide for good; None when that is nothing.

    Args:
        tree: the page.
        source: the same as written.

    >>> def hidden(sheet: str) -> list[str]:
    ...     page = f"<style>{sheet}</style>"
    ...     return sorted(hidden_by_style(LexborHTMLParser(page), page).classes)
    >>> hidden(".old, #x p.y {display:none} .tab{display:none} .a{color:red}")
    ['old', 'y']
    >>> hidden(".sr-only {height:1px; overflow:hidden; clip:rect(0,0,0,0)}")
    ['sr-only']
    """
    sheet = _without_comments(_contents(tree, "style"))[:_LONGEST_SHEET]
    hidden = _hidden_by_rules(sheet) if sheet else frozenset()
    if not hidden:
        return None
    scripts = _contents(tree, "script")
    kept = {name for name in hidden if not _is_shown_elsewhere(name, source, scripts)}
    if not kept:
        return None
    return HiddenByStyle(
        frozenset(name[1:] for name in kept if name[0] == "."), frozenset(name[1:] for name in kept if name[0] == "#")
    )


@lru_cache(maxsize=_SHEETS_REMEMBERED)
def _hidden_by_rules(sheet: str) -> frozenset[str]:
    """What the rules of a style sheet hide and none of them shows again; nothing where they hide too much."""
    rules = list(_rules(sheet))
    hidden: set[str] = set()
    for selectors, declarations, depth in rules:
        if depth == 0 and (hides(declarations) or _LINE_THROUGH.search(declarations)):
            hidden |= {name for selector in selectors.split(",") if (name := _last_name(selector))}
    if len(hidden) > _MOST_NAMES:
        return frozenset()
    for selectors, declarations, _ in rules if hidden else ():
        if _SHOWS.search(declarations) and not hides(declarations):  # of a height of 1px, and cut off
            hidden -= {name for name in hidden if name in selectors}
    return frozenset(hidden)


def _contents(tree: LexborHTMLParser, name: str) -> str:
    """What stands inside all elements of one name."""
    return " ".join([node.text() for node in tree.css(name)])


def _without_comments(sheet: str) -> str:
    kept: list[str] = []
    for part in sheet.split("/*"):
        kept.append(part.partition("*/")[2] if kept else part)
    return " ".join(kept).replace("<!--", " ").replace("-->", " ")


def _rules(sheet: str) -> Iterator[tuple[str, str, int]]:
    """Selectors, declarations and how many `@media` and the like stand around them."""
    depth, position, selectors = 0, 0, ""
    for brace in _BRACES.finditer(sheet):
        between, position = sheet[position : brace.start()], brace.end()
        if brace.group() == "{":
            depth, selectors = depth + 1, between.rpartition(";")[2]
        else:
            if selectors and not selectors.lstrip().startswith("@"):
                yield selectors, between, depth - 1
            depth, selectors = max(0, depth - 1), ""


def _last_name(selector: str) -> str:
    """The class or id that a selector ends with, `.name` or `#name`; "" for anything more than that, as states are."""
    parts = selector.split()
    match = _SIMPLE.fullmatch(parts[-1]) if parts else None
    return match[1] + match[2] if match and not any(mark in selector for mark in ":[>+~*") else ""


def _is_shown_elsewhere(name: str, source: str, scripts: str) -> bool:
    """Whether a click may show it, by its name or because a link or a script of the page names it."""
    bare = name[1:]
    if _OPENED_BY_CLICK.search(bare) or bare in scripts:
        return True
    return name[0] == "#" and any(f'{mark}{bare}"' in source for mark in ('href="#', 'data-target="#', 'for="', 'controls="'))
