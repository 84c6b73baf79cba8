"""Arguments that do not fit: each with its path, what was given and what is allowed."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import field, frozen, make_class

from stithy_core.errors import InvalidArguments
from stithy_core.spi import Meta
from stithy_core.tools.schema import error_texts, input_schema
from stithy_core.tools.validation import Validator, drop_nulls


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@frozen
class Item:
    size: Annotated[int, Meta(ge=1, message="Sizes begin at 1")]


@frozen
class ByName:
    name: str


@frozen
class ByAge:
    age: int


@frozen
class Given:
    title: Annotated[str, Meta(max_length=10, pattern="^[a-z]")]
    limit: Annotated[int, Meta(ge=1, le=100)] = 15
    color: Color = Color.RED
    items: Annotated[Sequence[Item], Meta(min_length=1, max_length=2)] = ()
    when: datetime | None = None
    how: ByName | ByAge | None = None
    counts: dict[str, int] | None = None


GOOD = {"title": "a"}


def errors(arguments, cls=Given):
    with pytest.raises(InvalidArguments) as caught:
        Validator(input_schema(cls), error_texts(cls)).check(arguments)
    assert caught.value.suggestion
    return caught.value.details["errors"]


def the_error(arguments, cls=Given):
    found = errors(arguments, cls)
    assert len(found) == 1
    return found[0]


def one_field(hint):
    return make_class("One", {"x": field(type=hint, default=attrs.NOTHING)})


def test_arguments_that_fit_pass():
    everything = {"limit": 1, "color": "blue", "items": [{"size": 1}], "when": "2026-01-31", "how": {"age": 3}}
    Validator(input_schema(Given), error_texts(Given)).check(GOOD | everything)


@pytest.mark.parametrize(
    ("arguments", "path", "given", "allowed"),
    [
        ({}, "title", "null", "a value"),
        ({"title": 5}, "title", "5", "a string"),
        ({"title": "a" * 11}, "title", '"aaaaaaaaaaa"', "at most 10 characters long"),
        ({"title": "1"}, "title", '"1"', "text that matches ^[a-z]"),
        (GOOD | {"limit": 0}, "limit", "0", "at least 1"),
        (GOOD | {"limit": 101}, "limit", "101", "at most 100"),
        (GOOD | {"limit": 1.5}, "limit", "1.5", "an integer"),
        (GOOD | {"limit": True}, "limit", "true", "an integer"),
        (GOOD | {"color": "green"}, "color", '"green"', "one of red, blue"),
        (GOOD | {"items": []}, "items", "[]", "a list of at least 1"),
        (GOOD | {"items": [{"size": 1}] * 3}, "items", str([{"size": 1}] * 3).replace("'", '"'), "a list of at most 2"),
        (GOOD | {"items": [{"size": 1}, {}]}, "items.1.size", "null", "a value"),
        (GOOD | {"items": {}}, "items", "{}", "an array"),
        (GOOD | {"when": "soon"}, "when", '"soon"', "a date and time such as 2026-01-31T12:00:00Z"),
        (GOOD | {"when": "0001-01-01T00:00:00+10:00"}, "when", '"0001-01-01T00:00:00+10:00"',
         "a date and time such as 2026-01-31T12:00:00Z"),
        (GOOD | {"how": {}}, "how", "{}", "name or age"),
        (GOOD | {"counts": {"a": "b"}}, "counts.a", '"b"', "an integer"),
        (GOOD | {"Limit": 1}, "Limit", "1", "color, counts, how, items, limit, title, when"),
    ],
)  # fmt: skip
def test_an_error_has_path_given_and_allowed(arguments, path, given, allowed):
    error = the_error(arguments)
    assert (error["path"], error["given"], error["allowed"]) == (path, given, allowed)
    assert error["message"].startswith(path)


def test_all_errors_are_listed_at_once_and_each_once():
    found = errors({"limit": 0, "color": "green", "extra": 1, "other": 2, "items": [{"sise": 1}]})
    paths = [error["path"] for error in found]
    assert sorted(paths) == ["color", "extra", "items.0.sise", "items.0.size", "limit", "other", "title"]


def test_every_missing_field_is_named_once():
    cls = make_class("Three", {name: field(type=int) for name in "abc"})
    assert [error["message"] for error in errors({}, cls)] == ["a is required", "b is required", "c is required"]


def test_only_what_is_missing_is_named():
    cls = make_class("Three", {name: field(type=int) for name in "abc"})
    assert the_error({"a": 1, "c": 1}, cls)["path"] == "b"


def test_the_message_says_five_errors_and_how_many_more():
    with pytest.raises(InvalidArguments, match=r"; and 3 more$") as caught:
        Validator(input_schema(Given), error_texts(Given)).check({f"x{n}": n for n in range(7)})
    assert len(caught.value.details["errors"]) == 8


def test_the_nearest_argument_is_proposed():
    assert the_error(GOOD | {"limt": 3})["message"] == "limt is not an argument; did you mean limit?"


def test_without_a_near_name_the_arguments_are_listed():
    assert the_error({"quantity": 3}, make_class("No", {}))["message"].endswith(" none")
    assert "the arguments are color, counts" in the_error(GOOD | {"xyz": 3})["message"]


def test_a_nested_argument_is_proposed_with_its_place():
    error = errors(GOOD | {"items": [{"sise": 1}]})[0]
    assert error["message"] == "items.0.sise is not an argument; did you mean size?"


def test_a_note_brings_its_own_message():
    assert the_error(GOOD | {"items": [{"size": 0}]})["message"] == "Sizes begin at 1"


def test_a_wrong_type_keeps_the_general_message():
    assert the_error(GOOD | {"items": [{"size": "x"}]})["message"] == 'items.0.size must be an integer, not "x"'


def test_two_items_with_one_message_are_two_errors():
    paths = [error["path"] for error in errors(GOOD | {"items": [{"size": 0}, {"size": 0}]})]
    assert paths == ["items.0.size", "items.1.size"]


def test_a_literal_is_shown_as_json():
    assert errors({"x": "no"}, one_field(Literal[True]))[-1]["allowed"] == "one of true"


def test_a_long_value_is_shortened():
    error = the_error({"title": "a" * 1_000})
    assert error["given"] == f'"{"a" * 99}… [1002 chars]'
    assert len(error["message"]) < 200


@pytest.mark.parametrize("cls", [Given, one_field(dict[str, int])])
def test_a_long_name_is_shortened_wherever_it_stands(cls):
    name = "n" * 1_000_000
    found = errors({name: 1, "x": {name: "no number"}}, cls)
    assert all(len(error["path"]) < 150 and len(error["message"]) < 400 for error in found)


@pytest.mark.parametrize("hint", [Any, int, float, Annotated[int, Meta(le=3)], Annotated[float, Meta(ge=3)]])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), -(10**5_000), 10**400], ids=lambda number: "number")
def test_a_number_that_json_readers_cannot_hold_is_refused(hint, number):
    error = the_error({"x": number}, one_field(hint))
    assert (error["path"], error["allowed"]) == ("x", "a finite number")


def test_a_number_that_cannot_be_held_is_found_at_its_place():
    assert the_error({"x": {"a": [1, float("nan")]}}, one_field(Any))["path"] == "x.a.1"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"a": None}, {}),
        ({"a": {"b": None, "c": 1}}, {"a": {"c": 1}}),
        ({"a": [{"b": None}]}, {"a": [{}]}),
        ({"a": 0, "b": "", "c": False, "d": []}, {"a": 0, "b": "", "c": False, "d": []}),
    ],
)
def test_only_nulls_are_dropped(given, kept):
    assert drop_nulls(given) == kept


def test_one_validator_checks_many_times():
    validator = Validator(input_schema(Given), error_texts(Given))
    for _ in range(2):
        with pytest.raises(InvalidArguments):
            validator.check({})
    validator.check(GOOD)
