"""Whether code elsewhere may use a definition, as far as each language says so at the definition itself."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

Rule = Callable[["SgNode", str, bool | None], bool]

MARKS = ("modifiers", "modifier", "visibility_modifier", "accessibility_modifier")


def is_exposed(node: "SgNode", name: str, language: str, *, outer: bool | None) -> bool:
    """Say whether others may use it; of a language without a rule nothing is.

    Args:
        node: The definition.
        name: Its own name.
        language: As ast-grep calls it.
        outer: Whether others may use what it stands in; None where it stands in nothing.
    """
    rule = RULES.get(language)
    return rule is not None and outer is not False and rule(node, name, outer)


def _words(node: "SgNode") -> set[str]:
    return {word for child in node.children() if child.kind() in MARKS for word in child.text().split()}


def _python(_: "SgNode", name: str, __: bool | None) -> bool:  # noqa: FBT001 -- one shape for all rules
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _script(node: "SgNode", name: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    if outer:
        return not name.startswith("#") and not _words(node) & {"private", "protected"}
    above = node.parent()
    if above is not None and above.kind() == "lexical_declaration":
        above = above.parent()
    return above is not None and above.kind() == "export_statement"


def _go(_: "SgNode", name: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    return name[:1].isupper()


def _rust(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    if node.kind() in ("impl_item", "mod_item"):
        return node.kind() == "impl_item" or "pub" in _words(node)
    is_required = node.kind() == "function_signature_item"
    return "pub" in _words(node) or (is_required and outer is True)


def _java(node: "SgNode", _: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    above = node.parent()
    return "public" in _words(node) or (above is not None and above.kind() == "interface_body")


def _csharp(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    return "public" in _words(node) or (outer is True and _stands_in(node, "interface_declaration"))


def _swift(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    return bool(_words(node) & {"public", "open"}) or (outer is True and _stands_in(node, "protocol_declaration"))


def _stands_in(node: "SgNode", kind: str) -> bool:
    """Return whether a definition is a member of something that has no other than public ones."""
    above = node.parent()
    above = above.parent() if above is not None else None
    return above is not None and above.kind() == kind


def _php(node: "SgNode", _: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    return not _words(node) & {"private", "protected"}


RULES: dict[str, Rule] = {
    "python": _python,
    **dict.fromkeys(("javascript", "typescript", "tsx"), _script),
    "go": _go,
    "rust": _rust,
    "java": _java,
    "csharp": _csharp,
    "php": _php,
    "swift": _swift,
}
