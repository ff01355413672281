"""What a file of code imports and what it gives to other files."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from mass_pipeline.extraction.code.syntax import inner, text_of, unescape_string

ALL = "*"


def imports_of(statement: Node) -> Iterator[tuple[str, str]]:
    """(local name, name in the other file) of an import statement; `*` is all that the file gives."""
    clause = next((one for one in inner(statement) if one.type == "import_clause"), None)
    for one in inner(clause) if clause is not None else []:
        if one.type == "identifier":
            yield text_of(one), "default"
        elif one.type == "namespace_import":
            yield text_of(inner(one)[0]), ALL
        elif one.type == "named_imports":
            for specifier in inner(one):
                yield _renamed(specifier)


def _renamed(specifier: Node) -> tuple[str, str]:
    """(name here, name there) of `a as b`."""
    name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
    there = text_of(name) if name is not None else ""
    return text_of(alias) if alias is not None else there, there


def source_of(statement: Node) -> str | None:
    """The file or package that an import or export statement names."""
    source = statement.child_by_field_name("source")
    return unescape_string(text_of(source)[1:-1]) if source is not None else None


def declared_names(declaration: Node) -> Iterator[str]:
    """Names that `export const a = 1, b = 2` or `export function f` declares."""
    name = declaration.child_by_field_name("name")
    if name is not None:
        yield text_of(name)
    for declarator in inner(declaration) if declaration.type in ("lexical_declaration", "variable_declaration") else []:
        one = declarator.child_by_field_name("name")
        if one is not None and one.type == "identifier":
            yield text_of(one)


def exported(root: Node) -> Iterator[tuple[str, str, Node | None, str | None]]:
    """Everything that a file gives.

    Yields:
        Its name outside, its name inside, its value when it has no name there, the other file that it is taken from.
    """
    for statement in inner(root):
        if statement.type == "expression_statement":
            yield from _of_commonjs(statement)
        if statement.type != "export_statement":
            continue
        source, clause = source_of(statement), next((one for one in inner(statement) if one.type == "export_clause"), None)
        if clause is not None:
            for specifier in inner(clause):
                outside, inside = _renamed(specifier)
                yield outside, inside, None, source
        elif source is not None:
            yield ALL, ALL, None, source
        else:
            yield from _declared(statement)


def _declared(statement: Node) -> Iterator[tuple[str, str, Node | None, str | None]]:
    is_default = any(child.type == "default" for child in statement.children)
    value = statement.child_by_field_name("value") or statement.child_by_field_name("declaration")
    if value is None:
        return
    if is_default:
        yield "default", "", value, None
    for name in declared_names(value):
        yield name, name, None, None


def _of_commonjs(statement: Node) -> Iterator[tuple[str, str, Node | None, str | None]]:
    """`module.exports = value`."""
    node = inner(statement)[0] if inner(statement) else None
    left = node.child_by_field_name("left") if node is not None and node.type == "assignment_expression" else None
    if node is not None and left is not None and text_of(left) == "module.exports":
        yield "default", "", node.child_by_field_name("right"), None
