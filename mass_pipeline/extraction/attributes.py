"""What the attributes of an element say: hidden, bold, raised, which part of the page. Pure functions of attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mass_pipeline.model.document import Region

_NOT_SHOWN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{4,}"
    r"|clip\s*:\s*rect\(0|(?<![-\w])height\s*:\s*0(?:px)?\s*(?:;[^{}]*)?;?\s*overflow\s*:\s*hidden",
    re.I,
)
_NO_SIZE: Final = re.compile(r"font-size\s*:\s*0(?:px|em|pt|%)?\s*(?:;|!|$)", re.I)
_COLOUR: Final = re.compile(r"(?<![-\w])color\s*:\s*([#\w(),.]+)")
_GROUND: Final = re.compile(r"background(?:-color)?\s*:\s*([#\w(),.]+)")
_HIDING: Final = ("none", "hidden", "collapse", "clip")  # one of them, or `_FAR_AWAY`, stands wherever `_NOT_SHOWN` matches
_FAR_AWAY: Final = re.compile(r":\s*-\d{4}")
_STRUCK_OUT: Final = re.compile(r"text-decoration(?:-line)?\s*:[^;\"']*line-through", re.I)
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
    return not is_opened_by_click(" ".join(values.get(name, "") for name in ("class", "id", "role")))


def strikes_out(declarations: str) -> bool:
    """Whether style declarations cross the text out, which says that it holds no longer.

    >>> strikes_out("text-decoration: line-through"), strikes_out("text-decoration: underline")
    (True, False)
    """
    return "line-through" in declarations and _STRUCK_OUT.search(declarations) is not None


def hides(declarations: str) -> bool:
    """Whether style declarations keep an element out of sight: not displayed, off the screen, or without height.

    Transparency alone does not: pages fade in what they show.
    """
    lowered = declarations.lower()
    may_hide = any(word in lowered for word in _HIDING) or _FAR_AWAY.search(lowered) is not None
    return may_hide and _NOT_SHOWN.search(lowered) is not None


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


def is_opened_by_click(names: str) -> bool:
    """Whether class, id or role tell that a click shows the element."""
    return _OPENED_BY_CLICK.search(names) is not None


def is_bold(style: str) -> bool:
    """Whether style makes the text bold."""
    return "font-weight" in style and _BOLD.search(style) is not None


def is_raised(style: str) -> bool:
    """Whether style writes the text as superscript."""
    return "vertical-align" in style and _RAISED.search(style) is not None


def is_block(style: str) -> bool:
    """Whether style makes an inline element break the line."""
    return "display" in style and _BLOCK.search(style) is not None


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
