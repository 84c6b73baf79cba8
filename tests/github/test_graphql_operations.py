"""Every GraphQL document of the plugin is valid for GitHub's published schema, and is executed on it."""

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest
from github_double.asking import Asking
from github_double.sample import sample
from github_double.server import running

import stithy_github
from stithy_github.listings import PAGE_SIZE

pytestmark = pytest.mark.contract

OPERATION = re.compile(r"^(?:query|mutation) (\w+)", re.MULTILINE)
MODULES = [import_module(f"stithy_github.{found.name}") for found in iter_modules(stithy_github.__path__)]
TEXTS = {text for module in MODULES for text in vars(module).values() if isinstance(text, str)}
OPERATIONS = {found[1]: text for text in TEXTS if (found := OPERATION.search(text))}
PLACE = {"owner": "forge", "name": "anvil"}


@pytest.fixture
def schema():
    from github_double.graph.schema import load

    return load()


def create_variables(example):
    """Return the variables of each operation."""
    thread = {"thread": f"PRRT_kwDO{example.thread.id:010x}"}
    pull = PLACE | {"number": example.pull.number}
    return {
        "Viewer": {},
        "Threads": pull | {"first": PAGE_SIZE},
        "ThreadsAgain": pull | {"first": PAGE_SIZE},
        "SomeThreads": {"threads": [thread["thread"]]},
        "MoreRemarks": thread,
        "MoreMarks": thread,
        "OneThread": pull | thread,
        "Root": pull | thread,
        "Folded": pull | {"comments": True, "reviews": True},
        "Conversation": pull | {"first": PAGE_SIZE, "comments": True, "threads": True, "reviews": True},
        "ConversationAgain": pull | {"first": PAGE_SIZE, "comments": True, "threads": True, "reviews": True},
        "Earlier": pull,
        "Roots": pull,
        "Resolve": thread,
        "Unresolve": thread,
        "Readiness": pull,
        "Checks": pull,
        "Behind": PLACE | {"base": "refs/heads/main", "head": "harden"},
        "Protection": PLACE | {"branch": "main", "ref": "refs/heads/main"},
    }


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_each_operation_is_valid_for_the_published_schema(schema, name):
    from graphql import parse, validate

    assert validate(schema, parse(OPERATIONS[name])) == []


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_each_operation_is_answered_in_full(name):
    example = sample()
    example.anvil.permissions["smith"] = "admin"
    with running(example.world) as double:
        answer = Asking(double).graph(OPERATIONS[name], **create_variables(example)[name]).json()
    assert "errors" not in answer
    assert None not in answer["data"].values()


def test_all_operations_are_found():
    example = sample()
    assert set(OPERATIONS) == set(create_variables(example))


def get_size(value):
    """Return the requested number of nodes; a variable is at most a page."""
    return int(value.value) if value.kind == "int_value" else PAGE_SIZE


def count_nodes(selected, fragments, above=1):
    """Count the nodes that a selection may return: those of a connection, for each node above it."""
    count = 0
    for one in selected.selection_set.selections if selected.selection_set else ():
        inner = fragments[one.name.value] if one.kind == "fragment_spread" else one
        given = getattr(one, "arguments", None) or ()
        size = next((get_size(argument.value) for argument in given if argument.name.value in ("first", "last")), 0)
        count += above * size + count_nodes(inner, fragments, above * (size or 1))
    return count


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_each_operation_is_far_below_githubs_limit_of_500000_nodes(name):
    from graphql import parse

    definitions = parse(OPERATIONS[name]).definitions
    fragments = {one.name.value: one for one in definitions if one.kind == "fragment_definition"}
    assert count_nodes(definitions[0], fragments) < 50_000
