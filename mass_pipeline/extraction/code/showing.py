"""What JSX shows: elements as markup, components of the same file opened, the texts that others are given.

Directives of Vue and Angular are attributes here (`v-for`, `ng-for`, ...); `dialects` brings the templates of all frameworks into
this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from tree_sitter import Node

from mass_pipeline.extraction.code.angular import without_pipes
from mass_pipeline.extraction.code.choices import CLICKS, choice_of, click, pane
from mass_pipeline.extraction.code.evaluating import Evaluator, Outside
from mass_pipeline.extraction.code.operators import steady
from mass_pipeline.extraction.code.rows import Rows, is_technical
from mass_pipeline.extraction.code.syntax import inner, parse_code, text_of, unescape_string
from mass_pipeline.extraction.code.values import (
    UNKNOWN,
    Function,
    Many,
    Markup,
    Native,
    Number,
    Scope,
    Value,
    is_false,
    is_true,
    joined,
    markup_of,
    number,
)
from mass_pipeline.extraction.elements import ROLES
from mass_pipeline.extraction.wording import has_hour

_TEXTS: Final = (
    "span",
    "i",
    "em",
    "small",
    "mark",
    "label",
    "code",
    "time",
    "abbr",
    "cite",
    "q",
    "s",
    "del",
    "ins",
    "title",
    "textarea",
)
_HTML: Final = frozenset((*ROLES, *_TEXTS))
_ELEMENTS: Final = ("jsx_element", "jsx_self_closing_element", "jsx_fragment")
_VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "source"})
_NEVER: Final = frozenset(
    {"script", "style", "svg", "Head", "Helmet", "Seo", "SEO", "Script", "Metadata", "mat-icon", "v-icon", "q-icon", "ion-icon"}
)
_KEPT: Final = frozenset(
    {"className", "class", "id", "style", "hidden", "alt", "src", "rowSpan", "colSpan", "rowspan", "colspan", "role"}
)
_SHOWN_AS: Final = {
    "Table": "table", "TableBody": "tbody", "TableHeader": "thead", "TableRow": "tr", "TableCell": "td", "TableHead": "th",
    "CardTitle": "h3", "Heading": "h3", "Title": "h3", "SectionTitle": "h2", "SectionHeading": "h2",
    "AccordionTrigger": "h3", "DialogTitle": "h3", "Link": "a", "NavLink": "a", "NuxtLink": "a", "RouterLink": "a",
    "router-link": "a", "Image": "img", "Img": "img", "List": "ul", "ListItem": "li", "Paragraph": "p", "Typography": "p",
    "center": "div", "ng-container": "span",
}  # fmt: skip
_INLINE: Final = re.compile(r"(?:Text|Badge|Icon|Label|Span|Chip|Time|Strong|Bold|Trans)$")
_HEADINGS: Final = frozenset(
    {"title", "heading", "header", "headline", "tytul", "naglowek", "label", "day", "dzien", "name", "nazwa"}
)
_LOOP: Final = re.compile(r"^[\s(]*+(?:let\s++)?(.*?)\)?\s+(?:in|of)\s++(.*?)(?:;.*)?$", re.S)
_LONGEST_LOOP: Final = 300  # characters of a loop's directive
_SPREAD: Final = "..."  # `{...row}`: every property of a value is an attribute
# Words of design that components of libraries are given: `lg`, `6xl`, `pre-line`, `gray.500`. Hours have no letters.
_DESIGN: Final = re.compile(r"(?=[^a-z]*[a-z])[a-z0-9]+(?:[-._][a-z0-9]+)*|#[0-9a-fA-F]+|\d+(?:px|rem|em|%)?")
_WORD: Final = re.compile(r"[^\W\d_]{4}")
_TAG: Final = re.compile(r"<[^<>]*>")
_GIVEN: Final = ("v-html", "v-text", "set:html", "set:text", "dangerouslySetInnerHTML")
_EACH: Final = frozenset({"For", "Index"})
_TITLE: Final = re.compile(r"(?:[Tt]itle|[Hh]eading|[Nn]aglowek|[Tt]ytul)$")
_FRAME: Final = re.compile(r"(?:Layout|Base|Shell|Page|Seo|SEO|Meta|Provider)$")


class Shower:
    """Shows the elements of one page.

    Args:
        outside: the other files of the site and what frameworks give.
    """

    def __init__(self, outside: Outside) -> None:
        self.evaluator = Evaluator(self.element, self.created, outside)
        self.rows = Rows()
        self._opened: list[str] = []

    def element(self, node: Node, scope: Scope) -> Markup:
        """Markup of a JSX element or fragment."""
        opening = node.child_by_field_name("open_tag") or node
        name_node = opening.child_by_field_name("name")
        name = text_of(name_node) if name_node is not None else ""
        if (name in _NEVER and scope.holder(name) is None) or name.endswith(":head"):
            return Markup("")
        attributes = list(_attributes(opening))
        loop = next(((key, value) for key, value in attributes if key in ("v-for", "ng-for")), None)
        if loop is not None:
            return self._loop(loop[1], node, name, [one for one in attributes if one[0] != loop[0]], scope)
        return self._once(node, name, attributes, scope)

    def created(self, arguments: Sequence[Value]) -> Markup:
        """Markup of `createElement(tag, properties, ...children)`."""
        tag, shown = (arguments[0] if arguments else UNKNOWN), list(arguments[2:])
        properties = arguments[1] if len(arguments) > 1 else UNKNOWN
        if isinstance(properties, (list, str, Markup)):
            shown.insert(0, properties)
        elif isinstance(properties, dict) and "children" in properties:
            shown.append(properties["children"])
        body = joined([markup_of(one) for one in shown])
        if isinstance(tag, Function):
            found = self.evaluator.call(tag, [properties if isinstance(properties, dict) else {}])
            return Markup(markup_of(found))
        return Markup(f"<{tag}>{body}</{tag}>" if isinstance(tag, str) and tag in _HTML else f"<div>{body}</div>")

    def _loop(self, written: Node | None, node: Node, name: str, rest: list[tuple[str, Node | None]], scope: Scope) -> Markup:
        match = _LOOP.match(_plain(written)[:_LONGEST_LOOP])
        if match is None:
            return Markup("")
        items = self.evaluator.value(expression(without_pipes(match[2])), scope)
        keys = list(items) if isinstance(items, dict) else []
        if isinstance(items, dict):
            items = list(items.values())
        if not isinstance(items, list):
            return Markup("")
        taker = self.evaluator.value(expression(f"(({match[1]}) => 0)"), scope)
        pieces: list[str] = []
        for place, item in enumerate(items):
            inside = Scope(scope)
            if isinstance(taker, Function):
                parameters = inner(taker.node.child_by_field_name("parameters") or taker.node)
                for target, value in zip(parameters, (item, keys[place] if keys else str(place)), strict=False):
                    self.evaluator.bind(target, value, inside)
            pieces.append(self._once(node, name, rest, inside).text)
        return Markup(joined(pieces))

    def _once(self, node: Node, name: str, attributes: list[tuple[str, Node | None]], scope: Scope) -> Markup:
        told, short = dict(attributes), name.rpartition(".")[2]
        directed = self._directed(node, name, told, scope)
        if directed is not None:
            return Markup(directed)
        asked = next((told[key] for key in ("v-if", "v-show", "v-else-if", "ng-if") if key in told), None)
        if asked is not None:
            rest = [one for one in attributes if one[1] is not asked]
            shown = self._once(node, name, rest, scope)
            found = pane(self.evaluator, expression(_plain(asked)), shown, scope)
            return found if isinstance(found, Markup) else shown
        given = next((told[key] for key in _GIVEN if key in told), None)
        if given is not None:
            body = self._given(given, scope, is_text="v-text" in told or "set:text" in told)
        else:
            body = self._children(node, scope)
        component = self._component_named(name, scope)
        if isinstance(component, (Function, Native)):
            return self._component(name, component, attributes, body, scope)
        if name == "slot":
            given_body = self.evaluator.name("children", scope) if "name" not in told else UNKNOWN
            return given_body if isinstance(given_body, Markup) and given_body.text else Markup(body)
        if not name or name in ("Fragment", "template"):
            return Markup(body)
        return Markup(self._as_tag(short, attributes, body, scope))

    def _directed(self, node: Node, name: str, told: dict[str, Node | None], scope: Scope) -> str | None:
        """What is shown in place of an element by its directives or its kind; None where it is shown itself."""
        for key in ("v-if", "ng-if", "v-show", "v-else-if"):
            if key in told and is_false(self._condition(told[key], scope)):
                return ""
        if name in _EACH and "each" in told:
            return self._each(told["each"], node, scope)
        if name == "Show" and "when" in told and is_false(self._attribute(told["when"], scope)):
            return markup_of(self._attribute(told["fallback"], scope)) if "fallback" in told else ""
        return "" if name == "ng-template" and "ng-ref" in told else None  # shown instead of something else

    def _as_tag(self, short: str, attributes: list[tuple[str, Node | None]], body: str, scope: Scope) -> str:
        """An element, or a component of which nothing but its name is known."""
        tag = short if short in _HTML else _SHOWN_AS.get(short, "")
        if tag in _VOID:
            return f"<{tag}{self._kept(attributes, scope)}>"
        if tag:
            return f"<{tag}{self._kept(attributes, scope)}>{body}</{tag}>"
        if _FRAME.search(short):
            return f"<div>{body}</div>"
        if _TITLE.search(short) and body:
            return f"<h3>{body}</h3>"
        tag = "span" if _INLINE.search(short) else "div"
        body = self._told(attributes, scope) + body
        return f"<{tag}>{body}</{tag}>" if body else ""

    def _each(self, items: Node | None, node: Node, scope: Scope) -> str:
        """`<For each={rows}>{(row) => ...}</For>` of Solid."""
        found = self._attribute(items, scope)
        held = [inner(child) for child in node.children if child.type == "jsx_expression"]
        taker = self.evaluator.value(next((one[0] for one in held if one), None), scope)
        if not isinstance(found, list) or not isinstance(taker, Function):
            return ""
        return joined([markup_of(self.evaluator.call(taker, [item, number(place)])) for place, item in enumerate(found)])

    def _component_named(self, name: str, scope: Scope) -> Value:
        """The component that an element opens; templates of Vue may write `mass-order` for `MassOrder`."""
        if "." in name or name in _HTML:
            return UNKNOWN
        if "-" in name:
            name = "".join(part[:1].upper() + part[1:] for part in name.split("-"))
        if not name[:1].isupper():
            return UNKNOWN
        return self.evaluator.name(name, scope) if scope.holder(name) is not None else self.evaluator.outside.component(name)

    def _component(
        self, name: str, function: Function | Native, attributes: list[tuple[str, Node | None]], body: str, scope: Scope
    ) -> Markup:
        """A component of the site, with what it is given."""
        if self._opened.count(name) > 1:
            return Markup("")
        properties: dict[str, Value] = {}
        for key, value in attributes:
            if key in (_SPREAD, "v-bind"):
                given = self.evaluator.value(value, scope) if key == _SPREAD else self._directive(value, scope)
                properties.update(given if isinstance(given, dict) else {})
            elif key.startswith("v-bind-"):
                properties[_camel(key.removeprefix("v-bind-"))] = self._directive(value, scope)
            else:
                properties[_camel(key)] = self._attribute(value, scope)
        properties["children"] = Markup(body)
        self._opened.append(name)
        found = self.evaluator.call(function, [properties])
        self._opened.pop()
        return Markup(markup_of(found))

    def _children(self, node: Node, scope: Scope) -> str:
        pieces: list[str] = []
        passed: list[str] = []  # conditions under which no branch before is shown
        is_taken = False  # whether the branch that was last shown leaves no other one
        for child in node.children:
            if child.type in _ELEMENTS:
                told = dict(_attributes(child.child_by_field_name("open_tag") or child))
                if is_taken and ("v-else" in told or "v-else-if" in told):
                    continue
                asked = told.get("v-if", told.get("v-else-if"))
                is_taken = self._is_sure(asked, scope)
                passed = self._passed(passed if "v-else" in told or "v-else-if" in told else [], asked, scope)
                if "v-else" in told and passed:
                    pieces.append(f'<div x-show="{escape(" && ".join(passed))}">{self.evaluator_markup(child, scope)}</div>')
                    continue
            if child.type in ("jsx_text", "html_character_reference"):
                pieces.append(text_of(child))
            elif child.type == "jsx_expression":
                pieces.append(markup_of(self.evaluator.value(next(iter(inner(child)), None), scope)))
            elif child.type in _ELEMENTS:
                pieces.append(self.evaluator_markup(child, scope))
        return joined(pieces)

    def _passed(self, before: list[str], asked: Node | None, scope: Scope) -> list[str]:
        names = choice_of(self.evaluator, expression(_plain(asked)), scope) if asked is not None else ()
        return [*before, " !== ".join(names)] if names else before

    def evaluator_markup(self, node: Node, scope: Scope) -> str:
        """Markup of an element inside another, within the limits of the evaluator."""
        return markup_of(self.evaluator.value(node, scope))

    # attributes -----------------------------------------------------------------------------------------------------

    def _attribute(self, value: Node | None, scope: Scope) -> Value:
        if value is None:
            return True
        if value.type == "string":
            return unescape_string(text_of(value)[1:-1])
        if value.type == "jsx_expression":
            return self.evaluator.value(next(iter(inner(value)), None), scope)
        return self.evaluator.value(value, scope)

    def _directive(self, value: Node | None, scope: Scope) -> Value:
        return self.evaluator.value(expression(_plain(value)), scope) if value is not None else UNKNOWN

    def _is_sure(self, condition: Node | None, scope: Scope) -> bool:
        """Whether a condition holds and nobody changes that: its alternative is not seen."""
        return condition is not None and is_true(self._condition(condition, scope))

    def _condition(self, written: Node | None, scope: Scope) -> Value:
        return steady(self.evaluator, expression(_plain(written)), scope) if written is not None else UNKNOWN

    def _given(self, value: Node, scope: Scope, *, is_text: bool) -> str:
        found = self._directive(value, scope) if value.type == "string" else self._attribute(value, scope)
        if isinstance(found, dict):
            found = found.get("__html", UNKNOWN)
        if isinstance(found, str) and not is_text:
            return found
        return markup_of(found)

    def _kept(self, attributes: Sequence[tuple[str, Node | None]], scope: Scope) -> str:
        """The attributes that tell what is seen."""
        found = []
        for key, value in attributes:
            if key in CLICKS and value is not None:
                is_text = value.type == "string"
                handler = expression(_plain(value)) if is_text else next(iter(inner(value)), None)
                found.append(click(self.evaluator, handler, scope))
            if key in _KEPT:
                written = self._attribute(value, scope)
                if written is True or isinstance(written, str):
                    name = "class" if key == "className" else key.lower()
                    found.append(f' {name}="{escape(written if isinstance(written, str) else "")}"')
        return "".join(found)

    def _told(self, attributes: Sequence[tuple[str, Node | None]], scope: Scope) -> str:
        """The texts and rows that a component of another file is given; it shows them in some order."""
        pieces = []
        for key, written in attributes:
            name = key.removeprefix("v-bind-")
            if is_technical(name) and name not in _HEADINGS:
                continue
            value = self._directive(written, scope) if name != key else self._attribute(written, scope)
            if isinstance(value, (Markup, Many)):
                pieces.append(markup_of(value))
            elif isinstance(value, Number) or (isinstance(value, str) and _DESIGN.fullmatch(value) and name not in _HEADINGS):
                continue
            elif isinstance(value, str) and any(one.isalnum() for one in value):
                tag = "h3" if name in _HEADINGS else "p"
                pieces.append(f"<{tag}>{escape(value, quote=False)}</{tag}>")
            elif isinstance(value, (list, dict)):
                rows = self.rows.block(value)
                pieces.append(rows if _WORD.search(_TAG.sub(" ", rows)) or has_hour(rows) else "")
        return joined(pieces)


def _camel(name: str) -> str:
    """`mass-rows` of a template is `massRows` in the code."""
    first, *others = name.split("-")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def expression(text: str) -> Node | None:
    """The tree of one expression written in an attribute or a template."""
    statement = next(iter(inner(parse_code(f"({text})"))), None)
    return next(iter(inner(statement)), None) if statement is not None else None


def _plain(node: Node | None) -> str:
    """What stands between the quotation marks of an attribute."""
    return text_of(node)[1:-1] if node is not None else ""


def _attributes(opening: Node) -> Iterator[tuple[str, Node | None]]:
    """Names and value nodes of an element's attributes, in order; the first of equal names counts. Spread ones are `_SPREAD`."""
    seen: set[str] = set()
    for child in opening.named_children:
        if child.type != "jsx_attribute":
            spread = next((one for one in inner(child) if one.type == "spread_element"), None)
            if spread is not None:
                yield _SPREAD, next(iter(inner(spread)), None)
            continue
        parts = inner(child)
        name = text_of(parts[0]) if parts else ""
        if name and name not in seen:
            seen.add(name)
            yield name, parts[1] if len(parts) > 1 else None
