"""Arguments as nobody should send them: as text, since not everything that is sent is JSON."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

LENGTHS = [10_000] * 30 + [1_000_000] * 5 + [10_000_000]
PIECES = ["a", "é", "\U0001f600", "../", "\\u0000", '\\"']
DEPTHS = [50, 190, 250, 20_000]
BRACKETS = ["[]", '{"a":}']
NUMBERS = ["NaN", "-Infinity", "1e999", "-0", "0.1", "1" * 400, "-" + "9" * 5_000]
TEXTS = ['"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u202e"', '"\\uFEFF"', '""']
NAMES = ["", "__class__", "repository ", "Repository", "\\ud83d", "\\u0000", "constructor", "cursor", "_meta"]

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=6
)
long = st.builds(
    lambda length, piece: f'"{piece * (length // len(piece))}"', st.sampled_from(LENGTHS), st.sampled_from(PIECES)
)
deep = st.builds(
    lambda depth, pair: f"{pair[:-1] * depth}0{pair[-1] * depth}", st.sampled_from(DEPTHS), st.sampled_from(BRACKETS)
)
odd = st.sampled_from(NUMBERS + TEXTS)
hostile = st.one_of(values.map(json.dumps), values.map(json.dumps), odd, long | deep)


def fitting(schema: dict[str, Any]) -> SearchStrategy[str]:
    """Write a value that a schema takes, as JSON, or one that nearly fits."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"]).map(json.dumps)
    if "anyOf" in schema:
        return st.one_of([fitting(one) for one in schema["anyOf"]])
    kinds: dict[str | None, SearchStrategy[Any]] = {
        "integer": st.integers(schema.get("minimum", -5), schema.get("maximum", 5_000)),
        "number": st.floats(0, 1),
        "boolean": st.booleans(),
        "string": st.sampled_from(["smithy/anvil", "2026-01-31T12:00:00Z", "a text", "forge:smithy/anvil"]),
    }
    if schema.get("type") == "array":
        return st.lists(fitting(schema["items"]), max_size=3).map(lambda rows: f"[{','.join(rows)}]")
    if schema.get("type") == "object":
        return objects(schema)
    return kinds.get(schema.get("type"), values).map(json.dumps)


def objects(schema: dict[str, Any]) -> SearchStrategy[str]:
    """Write an object of which most fields fit, some do not, some are left out, and some are not in the schema."""
    known = {name: fitting(one) | fitting(one) | hostile for name, one in schema.get("properties", {}).items()}
    extra = st.dictionaries(st.sampled_from(NAMES), hostile, max_size=1)
    given = st.fixed_dictionaries({}, optional=known)
    return st.builds(lambda fields, more: _format_object({**fields, **more}), given, extra)


def _format_object(fields: dict[str, str]) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"
