"""GitHub's published schema of GraphQL, as npm's @octokit/graphql-schema carries it."""

import functools
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphql import GraphQLSchema


SCHEMA = Path(__file__).parents[4] / ".contract/node_modules/@octokit/graphql-schema/schema.graphql"


def is_installed() -> bool:
    """Return whether the schema and its executor are installed."""
    return importlib.util.find_spec("graphql") is not None and SCHEMA.exists()


@functools.cache
def load() -> "GraphQLSchema":
    """Read the schema. Its database ids exceed 32 bits, the limit of GraphQL's Int."""
    from graphql import GraphQLScalarType, build_ast_schema, parse

    made = build_ast_schema(parse(SCHEMA.read_text(encoding="utf-8"), no_location=True), assume_valid=True)
    wide = GraphQLScalarType("WideInt")
    for kind in made.type_map.values():
        if "databaseId" in (fields := getattr(kind, "fields", {})):
            fields["databaseId"].type = wide
    return made
