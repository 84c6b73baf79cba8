"""How an older server answers a question that has fields it does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from github_double.graph.schema import load

if TYPE_CHECKING:
    from graphql import DocumentNode, FieldNode


def unknown_fields(document: DocumentNode, lacks: Sequence[str]) -> list[dict[str, Any]]:
    """Return an error in GitHub's words for each field of a document that the server lacks."""
    from graphql import TypeInfo, TypeInfoVisitor, Visitor, visit

    types = TypeInfo(load())
    found: list[dict[str, Any]] = []

    class Finder(Visitor):  # type: ignore[misc] # the package is not always installed
        def enter_field(self, node: FieldNode, *_: Any) -> None:
            kind, name = types.get_parent_type(), node.name.value
            if name in lacks:
                said = {"code": "undefinedField", "typeName": kind.name, "fieldName": name}
                found.append({"message": f"Field '{name}' doesn't exist on type '{kind.name}'", "extensions": said})

    if lacks:
        visit(document, TypeInfoVisitor(types, Finder()))
    return found
