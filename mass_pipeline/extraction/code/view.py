"""What one file of a site shows, with what it takes from the others: components, constants, data, contents, translations."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mass_pipeline.extraction.code.classes import class_value
from mass_pipeline.extraction.code.dialects import astro_parts, svelte_parts, vue_parts
from mass_pipeline.extraction.code.exports import ALL, exported
from mass_pipeline.extraction.code.frameworks import Frameworks
from mass_pipeline.extraction.code.modules import assign_members, code_markup, component_markup
from mass_pipeline.extraction.code.rows import json_markup, rows_of
from mass_pipeline.extraction.code.showing import Shower
from mass_pipeline.extraction.code.site_files import COMPONENTS, SCRIPTS, SiteFiles, kind_of
from mass_pipeline.extraction.code.syntax import inner, parse_code
from mass_pipeline.extraction.code.values import (
    UNKNOWN,
    Function,
    Imported,
    Markup,
    Native,
    Scope,
    Value,
)

_MOST_OPENED: Final = 400  # components of other files on one page
_PARTS: Final = {"vue": vue_parts, "svelte": svelte_parts, "astro": astro_parts}


class View:
    """Works out one file of a site.

    Attributes:
        used: the other files that it takes something from.
    """

    def __init__(self, site: SiteFiles) -> None:
        self.site = site
        self.used: set[str] = set()
        self.shower = Shower(self)
        self._frameworks = Frameworks(self)
        self._modules: dict[str, tuple[Scope, Node]] = {}
        self._opened = 0

    def markup(self, path: str) -> str:
        """Markup that a visitor sees of a file; "" for code nested deeper than it can be followed."""
        try:
            return self._markup(path)
        except RecursionError:
            return ""

    def _markup(self, path: str) -> str:
        kind, text = kind_of(path), self.site.texts[path]
        if kind in COMPONENTS:
            return component_markup(self.shower, text, kind, Scope(file=path), self._frameworks.given_to(path))
        if kind in SCRIPTS:
            return code_markup(self.shower, text, Scope(file=path))
        if kind == "html":
            return ""  # a template of the component that names it
        return json_markup(text) if kind == "json" else rows_of(self.site.data(path))

    # what the evaluator asks for --------------------------------------------------------------------------------------

    def file_of(self, origin: str, specifier: str) -> str | None:
        """The file that an import in another one means."""
        return self.site.imported(origin, specifier)

    def imported(self, what: Imported) -> Value:
        """What a file gives by a name."""
        self.used.add(what.file)
        kind = kind_of(what.file)
        if kind in COMPONENTS and what.name == "default":
            return self.opening(what.file)
        if kind in COMPONENTS or kind in SCRIPTS:
            return self._exported(what)
        data = self.site.data(what.file)
        if what.name == "default":
            return data
        fields = data if isinstance(data, dict) else {}
        return {**fields, "default": data, "frontmatter": data} if what.name == ALL else fields.get(what.name, UNKNOWN)

    def template(self, origin: str, address: str) -> str | None:
        """The text of a template that a file names."""
        path = self.site.imported(origin, address)
        if path is None or kind_of(path) != "html":
            return None
        self.used.add(path)
        return self.site.texts[path]

    def known(self, name: str, scope: Scope) -> Value:
        """What frameworks give by a name."""
        return self._frameworks.known(name, scope)

    def component(self, name: str) -> Value:
        """A component that is found by its name alone."""
        path = self.site.component_named(name)
        if path is None:
            return UNKNOWN
        self.used.add(path)
        return self.opening(path)

    def called(self, function: Value, arguments: list[Value]) -> Value:
        """What a function returns; unknown for anything else."""
        return self.shower.evaluator.call(function, arguments) if isinstance(function, (Function, Native)) else UNKNOWN

    # other files ------------------------------------------------------------------------------------------------------

    def opening(self, path: str) -> Native:
        """The function that shows a component file with the properties it is given."""

        def opened(arguments: list[Value]) -> Value:
            self._opened += 1
            given = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
            if self._opened > _MOST_OPENED:
                return Markup("")
            return Markup(component_markup(self.shower, self.site.texts[path], kind_of(path), Scope(file=path), given))

        return Native(opened)

    def module(self, path: str) -> tuple[Scope, Node]:
        """Names of a file of code, and its syntax tree."""
        if path not in self._modules:
            parts, text = _PARTS.get(kind_of(path)), self.site.texts[path]
            root, scope = parse_code(parts(text).code if parts is not None else text), Scope(file=path)
            self._modules[path] = scope, root
            self.shower.evaluator.declare(inner(root), scope)
            assign_members(self.shower, inner(root), scope)
        return self._modules[path]

    def _exported(self, what: Imported, depth: int = 0) -> Value:
        _, root = self.module(what.file)
        found: dict[str, Value] = {}
        for outside, inside, value, source in exported(root):
            if what.name not in (outside, ALL) and outside != ALL:
                continue
            given = self._given(what.file, inside, value, source, what.name, depth)
            if outside == ALL and isinstance(given, dict):
                found |= given
            else:
                found[outside if outside != ALL else what.name] = given
        if what.name in (ALL, "default") or what.name in found:
            return found if what.name == ALL else found.get(what.name, UNKNOWN)
        held = self._exported(Imported(what.file, "default"), depth)  # `module.exports = {rows}`
        return held.get(what.name, UNKNOWN) if isinstance(held, dict) else UNKNOWN

    def _given(self, file: str, inside: str, value: Node | None, source: str | None, wanted: str, depth: int) -> Value:
        """One export: of another file, a value, or a name of this one."""
        scope, _ = self.module(file)
        if source is not None:
            other = self.file_of(file, source)
            is_open = other is not None and depth < 8  # files that export one another end somewhere
            name = wanted if inside == ALL else inside
            if other is None or not is_open:
                return UNKNOWN
            self.used.add(other)
            return (
                self._exported(Imported(other, name), depth + 1)
                if kind_of(other) in SCRIPTS
                else self.imported(Imported(other, name))
            )
        if value is None:
            return self.shower.evaluator.name(inside, scope)
        if value.type in ("function_declaration", "generator_function_declaration"):
            return Function(value, scope)
        if value.type == "class_declaration":
            return class_value(self.shower.evaluator, value, scope)
        return self.shower.evaluator.value(value, scope)
