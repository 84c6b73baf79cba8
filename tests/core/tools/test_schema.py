"""From attrs classes to JSON Schema: what is described, what is added, and what is refused with its place."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, Optional, TypeAlias

import attrs
import pytest
from attrs import Factory, field, frozen, make_class
from jsonschema import Draft202012Validator

from stithy_core.errors import InvalidSpec
from stithy_core.spi import CursorArg, Maybe, Meta, Page, Unknown
from stithy_core.tools.schema import input_schema, output_schema


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Tone(StrEnum):
    LOW = "low"


class Mixed(Enum):
    ONE = 1
    TWO = "two"


class Pair(Enum):
    BOTH = (1, 2)


@frozen
class Inner:
    number: int


@frozen
class Left:
    left: int
    same: int = 0


@frozen
class Right:
    right: int
    same: int = 0


@frozen
class Blurred:
    left: int


@frozen
class ByName:
    by: Literal["name"]
    value: str


@frozen
class ByAge:
    by: Literal["age", "years"]
    value: str


@frozen
class ByYears:
    by: Literal["years", "decades"]
    value: str


@frozen
class Loop:
    again: "Loop"


Limit: TypeAlias = Annotated[int, Meta("How many", ge=1, le=100)]


def a_class(hint, default=attrs.NOTHING):
    return make_class("Given", {"x": field(type=hint, default=default)}, frozen=True)


def describe_field(hint, default=attrs.NOTHING):
    schema = input_schema(a_class(hint, default))
    Draft202012Validator.check_schema(schema)
    return schema["properties"]["x"]


def refusal(hint, default=attrs.NOTHING):
    with pytest.raises(InvalidSpec) as caught:
        input_schema(a_class(hint, default))
    assert caught.value.suggestion
    return caught.value.message


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (Any, {}),
        (object, {}),
        (Color, {"type": "string", "enum": ["red", "blue"]}),
        (Tone, {"type": "string", "enum": ["low"]}),
        (Mixed, {"enum": [1, "two"]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    ],
)
def test_each_supported_type_has_its_schema(hint, schema):
    assert describe_field(hint) == schema


@pytest.mark.parametrize("hint", [int | None, Optional[int], Maybe[int], int | Unknown | None])  # noqa: UP045 -- both spellings
def test_an_optional_is_of_a_single_type_and_not_required(hint):
    schema = input_schema(a_class(hint, None))
    assert schema["properties"]["x"] == {"type": "integer"}
    assert "required" not in schema


def test_the_root_is_a_closed_object_that_lists_what_it_needs():
    schema = input_schema(Left)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert schema["required"] == ["left"]


def test_a_class_without_fields_is_an_object_that_takes_nothing():
    schema = input_schema(make_class("Nothing", {}))
    assert schema == {"type": "object", "properties": {}, "additionalProperties": False}


def test_a_nested_class_is_a_closed_object_too():
    nested = describe_field(list[Inner])["items"]
    assert nested == input_schema(Inner)


def test_one_class_may_stand_in_two_places():
    schema = input_schema(make_class("Twice", {"a": field(type=Inner), "b": field(type=Inner)}))
    assert schema["properties"]["a"] == schema["properties"]["b"]


def test_numbers_have_their_limits():
    assert describe_field(Annotated[float, Meta(ge=-1, le=2.5)]) == {"type": "number", "minimum": -1, "maximum": 2.5}


def test_a_limit_of_zero_is_a_limit():
    assert describe_field(Annotated[int, Meta(ge=0, le=0)]) == {"type": "integer", "minimum": 0, "maximum": 0}


def test_the_length_of_a_string_is_in_characters():
    schema = describe_field(Annotated[str, Meta(min_length=0, max_length=9)])
    assert (schema["minLength"], schema["maxLength"]) == (0, 9)


def test_the_length_of_a_list_is_in_items():
    schema = describe_field(Annotated[list[str] | None, Meta(min_length=1, max_length=9)], None)
    assert (schema["minItems"], schema["maxItems"]) == (1, 9)
    assert "minLength" not in schema


def test_the_items_of_a_list_have_limits_of_their_own():
    schema = describe_field(Annotated[list[Annotated[str, Meta("A name", max_length=3)]], Meta("Names", max_length=2)])
    assert schema["items"] == {"type": "string", "description": "A name", "maxLength": 3}
    assert (schema["description"], schema["maxItems"]) == ("Names", 2)


def test_pattern_description_and_examples_are_said():
    schema = describe_field(Annotated[str, Meta("A word", pattern="^[a-z]+$", examples=("fire", "coal"))])
    assert schema["pattern"] == "^[a-z]+$"
    assert (schema["description"], schema["examples"]) == ("A word", ["fire", "coal"])


def test_an_alias_carries_its_note_and_may_be_noted_further():
    schema = describe_field(Annotated[Limit, Meta(le=10)])
    assert schema == {"type": "integer", "description": "How many", "minimum": 1, "maximum": 10}


NOTED = [
    Annotated[int | None, Meta("N", ge=1)],
    Annotated[int, Meta("N", ge=1)] | None,
    Annotated[Annotated[int, Meta(ge=1)] | None, Meta("N")],
]


@pytest.mark.parametrize("hint", NOTED)
def test_the_note_of_an_optional_stands_inside_or_outside(hint):
    assert describe_field(hint, None) == {"type": "integer", "description": "N", "minimum": 1}


@pytest.mark.parametrize(
    ("hint", "default", "shown"),
    [(int, 0, 0), (bool, False, False), (str, "a", "a"), (Color, Color.BLUE, "blue"), (float, 1.5, 1.5)],
)
def test_a_default_is_shown(hint, default, shown):
    assert describe_field(hint, default)["default"] == shown


SILENT = [(int | None, None), (str, ""), (list[int], Factory(list)), (list[int], ())]


@pytest.mark.parametrize(("hint", "default"), SILENT)
def test_a_default_that_says_nothing_is_not_shown(hint, default):
    schema = input_schema(a_class(hint, default))
    assert "default" not in schema["properties"]["x"]
    assert "required" not in schema


def test_meta_names_a_field_on_the_wire():
    schema = input_schema(a_class(Annotated[int, Meta(name="+1")]))
    assert list(schema["properties"]) == schema["required"] == ["+1"]


def test_the_cursor_alias_is_a_string_that_may_be_left_out():
    assert describe_field(CursorArg, None)["type"] == "string"


def test_a_module_with_postponed_annotations_is_described(install_plugin):
    source = """
        from __future__ import annotations
        from typing import Annotated
        from attrs import frozen
        from stithy_core.spi import Meta

        @frozen
        class Item:
            size: Annotated[int, Meta("How big", ge=1)]

        @frozen
        class Given:
            items: list[Item]
    """
    install_plugin("stithy-later", source)
    import stithy_later

    size = input_schema(stithy_later.Given)["properties"]["items"]["items"]["properties"]["size"]
    assert size == {"type": "integer", "description": "How big", "minimum": 1}


def test_classes_of_a_union_are_told_apart_by_a_required_field():
    assert describe_field(Left | Right)["anyOf"] == [input_schema(Left), input_schema(Right)]


def test_classes_of_a_union_are_told_apart_by_a_literal():
    assert len(describe_field(ByName | ByAge)["anyOf"]) == 2


@pytest.mark.parametrize("hint", [Left | Blurred, list[Left | Blurred], Left | Blurred | None, ByAge | ByYears])
def test_a_union_whose_classes_cannot_be_told_apart_is_refused(hint):
    assert "told apart" in refusal(hint, attrs.NOTHING if hint != Left | Blurred | None else None)


@pytest.mark.parametrize(
    "hint",
    [
        list, set[int], bytes, complex, tuple[int, str], dict[int, str], dict, Iterable[int], Page[int], type,
        Literal[Color.RED], Literal[b"x"], Literal[2.5, b"x"], Pair,
    ],
)  # fmt: skip
def test_a_type_without_schema_is_refused_by_its_place(hint):
    assert refusal(hint).startswith("x: ")


def test_a_field_that_can_only_be_unknown_is_refused():
    assert refusal(None | Unknown, None).startswith("x: ")


def test_the_place_of_a_refused_type_is_a_path():
    deep = make_class("Deep", {"deep": field(type=a_class(set[int]))})
    assert refusal(list[deep]).startswith("x.deep.x: ")


@pytest.mark.parametrize("thing", ["text", None, 5, int, Color, object()])
def test_only_attrs_classes_are_described(thing):
    with pytest.raises(InvalidSpec, match="not an attrs class"):
        input_schema(thing)


def test_a_class_that_contains_itself_is_refused():
    with pytest.raises(InvalidSpec, match=r"again: Loop contains itself"):
        input_schema(Loop)


@pytest.mark.parametrize("pattern", ["(", "[a", "*", "(?P<n"])
def test_a_malformed_pattern_is_refused(pattern):
    assert "malformed" in refusal(Annotated[str, Meta(pattern=pattern)])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"description": b"x"}, "description of its Meta is b'x'"),
        ({"ge": "1"}, "ge of its Meta is '1'"),
        ({"le": True}, "le of its Meta is True"),
        ({"pattern": 5}, "pattern of its Meta is 5"),
        ({"min_length": 1.5}, "min_length of its Meta is 1.5"),
        ({"max_length": -1}, "max_length of its Meta is -1"),
        ({"examples": "abc"}, "examples of its Meta is 'abc'"),
    ],
)
def test_a_note_whose_schema_would_not_be_valid_is_refused(given, text):
    assert refusal(Annotated[str, Meta(**given)]) == f"x: {text}"


@pytest.mark.parametrize("hint", [int | None, Annotated[int | None, Meta("N")]])
def test_an_optional_without_default_is_refused(hint):
    assert "no default" in refusal(hint)


@pytest.mark.parametrize("hint", ["Missing", "no.such", "list[", "1 + 'a'"])
def test_an_annotation_that_cannot_be_read_is_refused_and_the_class_named(hint):
    assert refusal(hint).startswith("Given: ")


def test_a_field_without_type_is_refused():
    with pytest.raises(InvalidSpec, match="Untyped: x has no type"):
        input_schema(make_class("Untyped", ["x"]))


def test_two_fields_of_one_wire_name_are_refused():
    twin = make_class("Twins", {"a": field(type=int), "b": field(type=Annotated[int, Meta(name="a")])})
    with pytest.raises(InvalidSpec, match="a: two fields"):
        input_schema(twin)


def test_an_output_says_what_the_server_adds():
    schema = output_schema(make_class("Paged", {"rows": field(type=Page[Inner])}))
    assert schema["properties"]["rows"] == {"type": "array", "items": input_schema(Inner)}
    assert schema["properties"]["nextCursor"] == {"type": "string"}
    assert schema["properties"]["unknown"]["items"]["required"] == ["field", "reason"]


def test_an_output_without_page_has_no_cursor():
    assert "nextCursor" not in output_schema(Inner)["properties"]


def test_an_output_requires_what_can_be_neither_none_nor_unknown():
    hints = {"a": int, "b": Maybe[int], "c": int | None}
    fields = {name: field(type=hint, default=1) for name, hint in hints.items()}
    assert output_schema(make_class("Out", fields))["required"] == ["a"]


def test_an_output_may_have_classes_that_look_alike():
    """The server writes it, so nothing has to tell them apart."""
    assert len(output_schema(a_class(Left | Blurred))["properties"]["x"]["anyOf"]) == 2


def test_an_output_shows_no_defaults():
    assert "default" not in output_schema(a_class(int, 3))["properties"]["x"]
