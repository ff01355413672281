"""What a page shows whose templates stand in its own HTML: directives of Vue, petite-vue, Alpine and AngularJS carried out.

Belongs: loops, conditions, texts, components of the page. Not here: what the scripts say (`applications`), which names a template
sees (`component_scopes`). Every element that is shown counts, so the time is bounded whatever the templates say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from lxml.etree import _Element as Element

from mass_pipeline.extraction.chosen_panes import CLICKS
from mass_pipeline.extraction.chosen_panes import CONDITIONS as PANES
from mass_pipeline.extraction.code.angular import without_pipes
from mass_pipeline.extraction.code.applications import Applications, plain_name
from mass_pipeline.extraction.code.component_scopes import scope_of_controller, scope_of_data, scope_of_options
from mass_pipeline.extraction.code.custom_elements import CustomElements
from mass_pipeline.extraction.code.evaluating import Evaluator
from mass_pipeline.extraction.code.operators import steady
from mass_pipeline.extraction.code.page_elements import (
    CONDITIONS,
    LOOPS,
    VOID,
    TooMuch,
    bare_value,
    directives_of,
    fill_slot,
    is_bare,
    is_never,
    scope_children,
    template_elements,
)
from mass_pipeline.extraction.code.showing import expression
from mass_pipeline.extraction.code.syntax import inner
from mass_pipeline.extraction.code.template_lists import listed, shown_of
from mass_pipeline.extraction.code.values import UNKNOWN, Function, Markup, Scope, Value, is_false, is_true, markup_of

_MOST_ELEMENTS: Final = 30_000  # shown on one page, those of loops each time
_DEEPEST: Final = 120  # elements within each other
_LONGEST: Final = 1_000_000  # characters of a page that is shown
_MOST_OPENED: Final = 400  # components
_TEXTS: Final = ("v-text", "x-text", "ng-bind")
_MARKUPS: Final = ("v-html", "x-html", "ng-bind-html")
_ROOTS: Final = ("x-data", "v-scope", "ng-controller", "ng-app")
_LEFT: Final = ("v-pre", "x-ignore", "ng-non-bindable")
_DIRECTIVE: Final = re.compile(r"[:@#]|(?:v|x|ng)-")
_INTERPOLATION: Final = re.compile(r"\{\{((?:[^{}]|\{(?!\{)|\}(?!\})){0,500})\}\}")
_BOUND: Final = (":{}", "v-bind:{}", "x-bind:{}", "ng-attr-{}")
_CELLS: Final = ("colspan", "rowspan")
_PATTERN: Final = re.compile(r"^[\s(]*+(.{0,200}?)\)?\s+(?:in|of)\s++(.{1,300})$", re.S)
_ALIAS: Final = re.compile(r"^\s*([\w.$]+)\s+as\s+(\w+)\s*$")
_CALL: Final = re.compile(r"\s*([A-Za-z_$][\w$.]{0,60})\((.{1,300})\)\s*;?\s*$", re.S)
_ASKS: Final = re.compile(r"\s*([A-Za-z_$][\w$.]{0,60})\s*={2,3}(.{1,300})$", re.S)
_HIDES: Final = re.compile(r"display\s*:\s*none\s*(?:!important)?;?", re.I)
_SET: Final = re.compile(r"\s*([A-Za-z_$][\w$.]{0,60})\s*=(?![=>])(.{1,100000})$", re.S)


class Page:
    """Shows one page.

    Args:
        evaluator: of its scripts.
        scope: of their names.
        applications: what the scripts tell.
        custom: elements that the page defines itself.
        changed: names that a visitor changes.

    Attributes:
        roots: elements that an application of Vue fills, with its scope and its template, if it has one of its own.
        every: names that petite-vue gives to all elements that it marks.
        is_filled: whether a text of a template was shown.
    """

    def __init__(
        self, evaluator: Evaluator, scope: Scope, applications: Applications, custom: CustomElements, changed: set[str]
    ) -> None:
        self._evaluator = evaluator
        self._scope = scope
        self.applications = applications
        self._custom = custom
        self._changed = changed
        self._left = _MOST_ELEMENTS
        self._opened = 0
        self._passed: list[str] = []
        self._written: list[str] = []
        self._length = 0
        self._trees: dict[str, object] = {}
        self.roots: dict[Element, tuple[Scope, Sequence[Element] | None]] = {}
        self.is_filled = False
        self.every: Scope | None = None

    def shown(self, tree: Element) -> str:
        """Markup of the page as a visitor sees it.

        Raises:
            TooMuch: when it has no end.
        """
        self._element(tree, self._scope, "", 0)
        return "".join(self._written)

    def _write(self, text: str) -> None:
        self._length += len(text)
        if self._length > _LONGEST:
            raise TooMuch
        self._written.append(text)

    def _text(self, text: str | None, scope: Scope, kind: str) -> None:
        if not text:
            return
        if kind not in ("vue", "ng") or "{{" not in text:
            self._write(escape(text, quote=False))
            return
        at = 0
        for match in _INTERPOLATION.finditer(text):
            self._write(escape(text[at : match.start()], quote=False))
            self._write(markup_of(self._value(without_pipes(match[1]), scope)))
            self.is_filled = True
            at = match.end()
        self._write(escape(text[at:], quote=False))

    # expressions ----------------------------------------------------------------------------------------------------

    def _tree(self, text: str) -> object:
        if text not in self._trees:
            self._trees[text] = expression(text)
        return self._trees[text]

    def _value(self, text: str, scope: Scope) -> Value:
        return self._evaluator.value(self._tree(text), scope)  # type: ignore[arg-type]

    def _condition(self, text: str, scope: Scope) -> Value:
        return steady(self._evaluator, self._tree(text), scope)  # type: ignore[arg-type]

    # elements -------------------------------------------------------------------------------------------------------

    def _element(self, node: Element, scope: Scope, kind: str, depth: int) -> None:
        """An element with all its directives; its tail is not its own."""
        if not isinstance(node.tag, str) or depth > _DEEPEST:
            return
        told = directives_of(node)
        scope, kind, own = self._entered(node, told, scope, kind)
        loop = next((told[name] for name in LOOPS if name in told), None) if kind else None
        if loop is None:
            self._once(node, told, scope, kind, depth, own)
            return
        for inside in self._rounds(loop, scope, is_angular="ng-repeat" in told):
            self._once(node, told, inside, kind, depth, own)

    def _entered(
        self, node: Element, told: Mapping[str, str], scope: Scope, kind: str
    ) -> tuple[Scope, str, Sequence[Element] | None]:
        """The names and the framework inside of an element that an application begins with, and its own template."""
        if node in self.roots:
            inside, template = self.roots[node]
            return inside, "vue", template
        if any(name in told for name in _LEFT):
            return scope, "", None
        mark = next((name for name in _ROOTS if name in told), "")
        if mark == "x-data":
            return self._alpine(told, scope), "alpine", None
        if mark == "v-scope":
            data = self._value(told[mark], self.every or scope) if told[mark].strip() else UNKNOWN
            return scope_of_data(self._evaluator, data, self.every or scope, self._changed), "vue", None
        if mark:
            return self._angular(told, scope), "ng", None
        return scope, kind, None

    def _alpine(self, told: Mapping[str, str], scope: Scope) -> Scope:
        written = told["x-data"].strip()
        name = written.partition("(")[0].strip()
        data = self.applications.data.get(name, UNKNOWN)
        if isinstance(data, Function):
            data = self._evaluator.call(data, self._arguments(written, scope))
        elif data is UNKNOWN and written:
            data = self._value(written, scope)
            data = self._evaluator.call(data, []) if isinstance(data, Function) else data
        inside = scope_of_data(self._evaluator, data, scope, self._changed)
        inside.names["$store"] = dict(self.applications.stores)
        if told.get("x-init"):
            self._begin(told["x-init"], inside)
        return inside

    def _arguments(self, written: str, scope: Scope) -> list[Value]:
        """What stands in the brackets of `msze('zima')`."""
        given = written.partition("(")[2].rpartition(")")[0]
        found = self._value(f"[{given}]", scope) if given.strip() else []
        return found if isinstance(found, list) else []

    def _angular(self, told: Mapping[str, str], scope: Scope) -> Scope:
        written = told.get("ng-controller", "")
        match = _ALIAS.match(written)
        name, alias = (match[1], match[2]) if match else (written.strip(), "")
        function = self.applications.controllers.get(name, UNKNOWN)
        if function is UNKNOWN and name and scope.holder(name) is not None:
            function = self._evaluator.name(name, scope)
        inside = scope_of_controller(self._evaluator, function, scope, self._changed, alias)
        if told.get("ng-init"):
            self._begin(told["ng-init"], inside)
        return inside

    def _begin(self, written: str, scope: Scope) -> None:
        """`x-init="msze = [...]"`."""
        match = _SET.match(written.rstrip("; \n"))
        value = self._value(match[2] if match else written, scope)
        if match and isinstance(value, (str, list, dict)):
            scope.names[match[1]] = value

    def _rounds(self, loop: str, scope: Scope, *, is_angular: bool) -> Iterator[Scope]:
        match = _PATTERN.match(loop)
        if match is None:
            return
        names, items = match[1], match[2]
        found, items = shown_of(items, lambda text: self._value(text, scope), is_angular=is_angular)
        taker = self._value(f"(({names}) => 0)", scope)
        if not isinstance(taker, Function):
            return
        targets = inner(taker.node.child_by_field_name("parameters") or taker.node)
        for pair in listed(found, is_angular=is_angular and len(targets) > 1):
            inside = Scope(scope, changing=set())
            for target, value in zip(targets, pair, strict=False):
                self._evaluator.bind(target, value, inside)
            yield inside

    def _once(
        self, node: Element, told: Mapping[str, str], scope: Scope, kind: str, depth: int, own: Sequence[Element] | None
    ) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooMuch
        if kind and not self._is_seen(told, scope):
            return
        if (kind == "vue" and self._is_replaced(node, scope, depth)) or self._is_custom(node, scope, kind, depth):
            return
        tag, is_whole = str(node.tag), not is_bare(node, told, kind)
        if is_never(node, kind) and is_whole:
            return
        written = self._attributes(node, scope, kind) if is_whole else self._choice(told, scope)
        if not is_whole:
            self.is_filled = True
            tag, is_whole = "div", bool(written)  # a pane has a box of its own
        self._write(f"<{tag}{written}>" if is_whole else "")
        if tag in ("style", "script"):
            self._write(node.text or "")
        elif tag not in VOID:
            self._content(node, told, scope, kind, depth, own)
        self._write(f"</{tag}>" if is_whole and tag not in VOID else "")

    def _is_replaced(self, node: Element, scope: Scope, depth: int) -> bool:
        """Whether something else was shown in place of an element: a component, or what was given to one."""
        given = scope_children(scope) if node.tag == "slot" else UNKNOWN
        if isinstance(given, Markup):
            self._write(given.text)
            return True
        component = self._component(str(node.tag))
        if component is not None:
            self._open(component, node, scope, depth)
        return component is not None

    def _is_seen(self, told: Mapping[str, str], scope: Scope) -> bool:
        for name in CONDITIONS:
            if name in told and is_false(self._condition(told[name], scope)):
                return False
        return not ("ng-hide" in told and is_true(self._condition(told["ng-hide"], scope)))

    def _content(
        self, node: Element, told: Mapping[str, str], scope: Scope, kind: str, depth: int, own: Sequence[Element] | None
    ) -> None:
        for names, is_text in ((_TEXTS, True), (_MARKUPS, False)):
            given = next((told[name] for name in names if name in told), None) if kind else None
            if given is not None:
                value = self._value(without_pipes(given), scope)
                self._write(value if isinstance(value, str) and not is_text else markup_of(value))
                self.is_filled = True
                return
        if own is None:
            self._text(node.text, scope, kind)
        self._children(list(node) if own is None else own, scope, kind, depth)

    def _children(self, nodes: Sequence[Element], scope: Scope, kind: str, depth: int) -> None:
        passed: list[str] = []  # conditions under which no branch before is shown
        is_taken = False  # whether the branch that was last shown leaves no other one
        for node in nodes:
            told = directives_of(node)
            is_other = "v-else" in told or "v-else-if" in told
            passed = passed if is_other else []
            if not (is_taken and is_other) and not ("v-else-if" in told and is_false(self._condition(told["v-else-if"], scope))):
                condition = told.get("v-if", told.get("v-else-if"))
                is_taken = kind == "vue" and condition is not None and is_true(self._condition(condition, scope))
                before, self._passed = self._passed, passed
                self._element(node, scope, kind, depth + 1)
                self._passed = before
                match = _ASKS.match(condition or "")
                value = self._value(match[2], scope) if match else UNKNOWN
                if match and isinstance(value, str):
                    passed.append(f"{match[1]} !== '{bare_value(value)}'")
            self._text(node.tail, scope, kind)

    def _attributes(self, node: Element, scope: Scope, kind: str) -> str:
        found = []
        told = directives_of(node)
        is_toggled = kind and any(name in told for name in ("x-show", "v-show", "ng-show", "x-cloak", "v-cloak", "ng-cloak"))
        for name, value in node.attrib.items():
            name, value = str(name), str(value)
            if _DIRECTIVE.match(name) and kind:
                continue
            if is_toggled and name == "style":
                value = _HIDES.sub("", value)
            if kind in ("vue", "ng") and "{{" in value:
                continue
            found.append(f' {name}="{escape(value)}"')
        found.append(self._choice(told, scope) if kind else "")
        for name in _CELLS if kind else ():
            written = next((told[form.format(name)] for form in _BOUND if form.format(name) in told), None)
            value_of = self._value(written, scope) if written else UNKNOWN
            if isinstance(value_of, str) and value_of.isdecimal():
                found.append(f' {name}="{value_of}"')
        return "".join(found)

    def _choice(self, told: Mapping[str, str], scope: Scope) -> str:
        """Attributes that tell which pane a click chooses, or that an element is such a pane, with their values worked out."""
        click = next((told[name] for name in CLICKS if name in told), "")
        if match := _SET.match(click.rstrip("; ")):
            form = f"{match[1]} = '{{}}'"
        elif match := _CALL.match(click):
            form = f"{match[1]}('{{}}')"
        pieces = []
        if match and isinstance(value := self._value(match[2], scope), str):
            pieces.append(f' @click="{escape(form.format(bare_value(value)))}"')
        asked = next((told[name] for name in PANES if name in told), "")
        if "v-else" in told and self._passed:
            pieces.append(f""" x-show="{escape(" && ".join(self._passed))}\"""")
        match = _ASKS.match(asked)
        if match and isinstance(value := self._value(match[2], scope), str):
            pieces.append(f""" x-show="{escape(f"{match[1]} === '{bare_value(value)}'")}\"""")
        return "".join(pieces)

    # components of the page -----------------------------------------------------------------------------------------

    def _component(self, tag: str) -> Mapping[str, Value] | None:
        options = self.applications.components.get(plain_name(tag)) if "-" in tag or tag not in VOID else None
        return options if isinstance(options, dict) else None

    def _open(self, options: Mapping[str, Value], node: Element, scope: Scope, depth: int) -> None:
        self._opened += 1
        template = self.template(options)
        if template is None or self._opened > _MOST_OPENED:
            return
        self.applications.named(options.get("components", UNKNOWN))
        given: dict[str, Value] = {}
        for name, value in node.attrib.items():
            name, value = str(name), str(value)
            bound = name.removeprefix("v-bind").removeprefix(":") if name.startswith((":", "v-bind:")) else ""
            first, *others = (bound or name).split("-")
            key = first + "".join(one[:1].upper() + one[1:] for one in others)
            given[key] = self._value(value, scope) if bound else value
        held, before = self._written, self._length
        self._written = []
        self._text(node.text, scope, "vue")
        self._children(list(node), scope, "vue", depth)
        given["children"], self._written, self._length = Markup("".join(self._written)), held, before
        names = options.get("props", UNKNOWN)
        for name in names if isinstance(names, (list, dict)) else ():  # HTML writes attributes in small letters
            if isinstance(name, str) and name.lower() in given:
                given[name] = given[name.lower()]
        inside = scope_of_options(self._evaluator, options, self._scope, self._changed, given)
        self._write("<div>")
        self._children(template, inside, "vue", depth + 1)
        self._write("</div>")

    def _is_custom(self, node: Element, scope: Scope, kind: str, depth: int) -> bool:
        """Whether an element that the page defines itself was shown."""
        if "-" not in str(node.tag) or self._opened > _MOST_OPENED:
            return False
        attributes = {str(name): str(value) for name, value in node.attrib.items()}
        for name in [one for one in attributes if kind and one.startswith((":", "v-bind:", "x-bind:"))]:
            value = self._value(attributes[name], scope)
            attributes |= {name.rpartition(":")[2]: value} if isinstance(value, str) else {}
        found = self._custom.shown(str(node.tag), attributes)
        if found is None:
            return False
        self._opened += 1
        self.is_filled = True
        self._write(f"<div{self._attributes(node, scope, kind)}>")
        for piece in template_elements(found):
            for slot in list(piece.iter("slot")):
                fill_slot(slot, node)
            self._element(piece, scope, kind, depth + 1)
        self._write("</div>")
        return True

    def template(self, options: Mapping[str, Value]) -> list[Element] | None:
        """The elements of a component's own template, None without one."""
        written = options.get("template", UNKNOWN)
        if not isinstance(written, str) or not written.strip():
            return None
        return template_elements(written)
