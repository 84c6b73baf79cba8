"""What a file defines: functions, methods, classes and types, with their lines and whether others may use them."""

from typing import TYPE_CHECKING

from attrs import frozen

from stithy_pulls.code.exposure import is_exposed
from stithy_pulls.code.trees import root_of, walked

if TYPE_CHECKING:
    from ast_grep_py import SgNode

FUNCTIONS = {
    **dict.fromkeys(("function_definition", "function_declaration", "function_item"), "function"),
    **dict.fromkeys(("function_signature_item", "generator_function_declaration"), "function"),
    **dict.fromkeys(("method_definition", "method_declaration", "method", "singleton_method"), "method"),
    **dict.fromkeys(("constructor_declaration", "method_signature"), "method"),
}
TYPES = {
    **dict.fromkeys(("class_definition", "class_declaration", "class", "object_definition"), "class"),
    **dict.fromkeys(("interface_declaration", "trait_item", "trait_definition", "protocol_declaration"), "interface"),
    **dict.fromkeys(("struct_item", "enum_item", "struct_declaration", "enum_declaration"), "type"),
    **dict.fromkeys(("type_spec", "type_alias_declaration", "type_item", "record_declaration"), "type"),
    **dict.fromkeys(("module", "namespace_declaration", "mod_item", "impl_item"), "module"),
}
ARROWS = ("arrow_function", "function_expression")
SHOWN = 300


@frozen
class Symbol:
    """A definition.

    Args:
        name: With the names of what it stands in, and dots between.
        kind: function, method, class, interface or type.
        first: Its first line, from 1 on.
        last: Its last one.
        signature: What stands before its body, in one line.
        exposed: Whether code elsewhere may use it.
    """

    name: str
    kind: str
    first: int
    last: int
    signature: str
    exposed: bool


def symbols_of(code: str, language: str) -> list[Symbol]:
    """Give the definitions of a file, in order; those within functions are left out.

    Raises:
        Unparsed: ast-grep could not read it.
    """
    found: list[Symbol] = []
    holders: list[tuple[int, Symbol]] = []  # what the present node stands in, with its depth
    for node, depth in walked(root_of(code, language), _is_function):
        while holders and holders[-1][0] >= depth:
            holders.pop()
        if not (kind := _kind(node)) or not (name := _name(node)):
            continue
        holder = holders[-1][1] if holders else None
        made = _symbol(node, kind, name, holder, language)
        holders.append((depth, made))
        if kind != "module":
            found.append(made)
    return found


def _symbol(node: "SgNode", kind: str, name: str, holder: Symbol | None, language: str) -> Symbol:
    place = node.range()
    return Symbol(
        name=f"{holder.name}.{name}" if holder else name,
        kind="method" if kind == "function" and holder and holder.kind == "class" else kind,
        first=place.start.line + 1,
        last=place.end.line + 1,
        signature=_signature(node),
        exposed=is_exposed(node, name, language, outer=holder.exposed if holder else None),
    )


def _kind(node: "SgNode") -> str:
    kind = node.kind()
    if kind == "variable_declarator":
        value = node.field("value")
        return "function" if value is not None and value.kind() in ARROWS else ""
    if kind == "module" and node.field("name") is None:  # the root of a Python file
        return ""
    return FUNCTIONS.get(kind) or TYPES.get(kind, "")


def _is_function(node: "SgNode") -> bool:
    return _kind(node) in ("function", "method")


def _name(node: "SgNode") -> str:
    named = node.field("type" if node.kind() == "impl_item" else "name")
    return " ".join(named.text().split())[:SHOWN] if named is not None else ""


def _signature(node: "SgNode") -> str:
    """Give what stands before the body; of a type without one, what stands before its members."""
    value = node.field("value") if node.kind() == "variable_declarator" else None
    body = (value or node).field("body")
    end = body.range().start.index - node.range().start.index if body is not None else None
    text = node.text()[:end]
    if body is None:
        text = text.partition("{" if node.kind() in TYPES else "\n")[0]
    return " ".join(text.split()).rstrip(" {:=>;")
