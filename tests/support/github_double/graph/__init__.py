"""The GraphQL API: executed on the published schema, with resolvers on the same world as REST."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from github_double.graph.ages import unknown_fields
from github_double.graph.core import FAULT, View
from github_double.graph.mutations import Mutation
from github_double.graph.query import Query
from github_double.graph.schema import load

if TYPE_CHECKING:
    from graphql import GraphQLError


SNAKE = re.compile(r"(?<=[a-z0-9])([A-Z])")


def execute(view: View, request: dict[str, Any], faults: list[str], *, lacks: Sequence[str] = ()) -> dict[str, Any]:
    """Answer a request of GraphQL; what GitHub's schema does not know, or the double does not, is a fault.

    Args:
        view: Who looks at which world.
        request: Its JSON: `query` and `variables`.
        faults: Where faults are added.
        lacks: Fields that the server is too old for.
    """
    from graphql import execute_sync, parse, validate
    from graphql.error import GraphQLError

    try:
        document = parse(request["query"])
    except GraphQLError as error:
        faults.append(f"GraphQL: {error.message}")
        return {"errors": [format_error(error)]}
    if lacking := list(unknown_fields(document, lacks)):
        return {"errors": lacking}
    if wrong := validate(load(), document):
        faults += [f"GraphQL: {error.message}" for error in wrong]
        return {"errors": [format_error(error) for error in wrong]}
    result = execute_sync(
        load(),
        document,
        {"query": Query(view), "mutation": Mutation(view)},
        variable_values=request.get("variables") or {},
        field_resolver=resolve,
        type_resolver=lambda value, *_: value.typename,
    )
    # What the double raised on purpose has a type; all else is its own mistake.
    faults += [f"GraphQL: {error.message}" for error in result.errors or () if "type" not in (error.extensions or {})]
    errors = {"errors": [format_error(error) for error in result.errors]} if result.errors else {}
    return {"data": result.data} | errors


def resolve(source: Any, info: Any, **arguments: Any) -> Any:
    """Find a field on an object of the double, under the name it has in Python."""
    if info.path.prev is None:
        source = source[info.operation.operation.value]
    name = snake(info.field_name)
    found = source.get(name, FAULT) if isinstance(source, dict) else getattr(source, name, FAULT)
    if found is FAULT:
        raise LookupError(f"the double does not know {info.parent_type.name}.{info.field_name}")
    given = {snake(key): value for key, value in arguments.items()}
    return found(**given) if callable(found) else found


def snake(name: str) -> str:
    return SNAKE.sub(r"_\1", name).lower()


def format_error(error: GraphQLError) -> dict[str, Any]:
    """Format an error as GitHub does, with its type beside its message."""
    said: dict[str, Any] = {"message": error.message}
    if error.extensions and "type" in error.extensions:
        said["type"] = error.extensions["type"]
    if error.path:
        said["path"] = error.path
    return said | {"locations": [{"line": place.line, "column": place.column} for place in error.locations or ()]}
