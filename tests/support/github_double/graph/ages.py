"""How an older server answers a question that has fields it does not know."""

from github_double.graph.schema import load


def unknown_fields(document, lacks):
    """Return an error in GitHub's words for each field of a document that the server lacks."""
    from graphql import TypeInfo, TypeInfoVisitor, Visitor, visit

    types, found = TypeInfo(load()), []

    class Finder(Visitor):
        def enter_field(self, node, *_):
            kind, name = types.get_parent_type(), node.name.value
            if name in lacks:
                said = {"code": "undefinedField", "typeName": kind.name, "fieldName": name}
                found.append({"message": f"Field '{name}' doesn't exist on type '{kind.name}'", "extensions": said})

    if lacks:
        visit(document, TypeInfoVisitor(types, Finder()))
    return found
