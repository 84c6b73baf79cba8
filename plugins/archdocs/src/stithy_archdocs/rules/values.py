"""YAML of strangers as plain values, and the fields of rules in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

LARGEST = 64 * 1024
"""Characters of one block."""
_DEEPEST = 40


class InvalidRule(Exception):
    """A rule cannot be used; the message says why."""


class _Loader(yaml.SafeLoader):
    """Plain values: no dates, since `valid: 2024-01-02` is code."""

    yaml_implicit_resolvers = {  # noqa: RUF012 -- PyYAML's own name
        first: [(tag, expression) for tag, expression in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def documents_of(text: str) -> Iterator[tuple[Any, int]]:
    """Read the YAML documents of a block, each with its first line from 0.

    Raises:
        InvalidRule: It is no YAML, too large, or has aliases, with which a few lines can mean millions of values.
    """
    if len(text) > LARGEST:
        raise InvalidRule(f"the block has more than {LARGEST} characters: part it")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_Loader)):
            raise InvalidRule("it has aliases (*name): write the value where it is used")
        for node in yaml.compose_all(text, Loader=_Loader):
            if node is not None:
                value = _Loader("").construct_document(node)
                _check_depth(value, 0)
                yield value, node.start_mark.line
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidRule(f"line {line} of the block is no YAML: {error.problem}") from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise InvalidRule(f"it is no YAML that can be read: {str(error)[:200]}") from error


def _check_depth(value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise InvalidRule("it is nested too deeply")
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple | set) else ()
    for one in inner:
        _check_depth(one, depth + 1)


def texts(value: object) -> tuple[str, ...]:
    """Read one text or a list of them; nothing is none."""
    if value is None or value == "":
        return ()
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else (str(value),)


def text_of(value: object) -> str:
    """Read a text; nothing is empty."""
    return "" if value is None else str(value).strip()


def mappings(value: object, what: str) -> Sequence[Mapping[str, Any]]:
    """Read one mapping or a list of them.

    Raises:
        InvalidRule: It is something else.
    """
    found: list[Any] = value if isinstance(value, list) else [value]
    if not all(isinstance(one, Mapping) for one in found):
        raise InvalidRule(f"{what} is no mapping")
    return found
