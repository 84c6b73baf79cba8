"""From checked JSON to the class a handler is given; what passes the check always gets there."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import Factory, field, frozen, make_class
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from stithy_core.errors import InvalidArguments
from stithy_core.redaction import in_texts
from stithy_core.sanitize import clean
from stithy_core.spi import Meta
from stithy_core.tools.answer import Budget, PageCut, render
from stithy_core.tools.executor import build_error_answer
from stithy_core.tools.schema import NOTES, error_texts, input_schema
from stithy_core.tools.validation import Validator, drop_nulls, structure


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@frozen
class ByName:
    name: str
    limit: int = 0


@frozen
class ByAge:
    age: Annotated[int, Meta(ge=0)]


@frozen(kw_only=True)
class Cat:
    kind: Annotated[Literal["cat"], Meta("What it is", name="type")]
    name: str = "cat"


@frozen(kw_only=True)
class Dog:
    kind: Annotated[Literal["dog"], Meta("What it is", name="type")]
    name: str = "dog"


@frozen(kw_only=True)
class Fire:
    kind: Literal["fire"] = "fire"
    heat: int


@frozen(kw_only=True)
class Water:
    kind: Literal["water"] = "water"
    depth: int


def structure_arguments(arguments, cls):
    """Check and structure arguments as the executor does."""
    kept = drop_nulls(arguments)
    Validator(input_schema(cls), error_texts(cls)).check(kept)
    return structure(kept, cls)


def one(hint, value, default=attrs.NOTHING):
    return structure_arguments({"x": value}, make_class("One", {"x": field(type=hint, default=default)})).x


@pytest.mark.parametrize(
    ("hint", "value", "made"),
    [
        (Color, "red", Color.RED),
        (list[Color], ["red", "blue"], [Color.RED, Color.BLUE]),
        (tuple[int, ...], [1, 2], (1, 2)),
        (Sequence[str], ["a"], ("a",)),
        (Mapping[str, int], {"a": 1}, {"a": 1}),
        (int, 3.0, 3),
        (float, 3, 3.0),
        (Any, {"a": [1, {}]}, {"a": [1, {}]}),
        (object, {"a": [1, {}]}, {"a": [1, {}]}),
        (list[ByAge], [{"age": 1}], [ByAge(1)]),
        (datetime, "2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (datetime, "2026-01-31T12:00:00+02:00", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        (datetime, "2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
    ],
)
def test_a_value_becomes_what_its_field_says(hint, value, made):
    structured = one(hint, value)
    assert structured == made
    assert type(structured) is type(made)


def test_a_time_is_given_in_utc():
    assert one(datetime, "2026-01-31T12:00:00+02:00").tzinfo is UTC


@pytest.mark.parametrize(
    ("hint", "value", "made"),
    [
        (ByName | ByAge, {"age": 3}, ByAge(3)),
        (list[ByName | ByAge], [{"age": 3}, {"name": "a"}], [ByAge(3), ByName("a")]),
        (Annotated[ByName | ByAge | None, Meta("Whom")], {"name": "a"}, ByName("a")),
        (Cat | Dog, {"type": "dog"}, Dog(kind="dog")),
        (Fire | Water, {"depth": 3}, Water(depth=3)),
        (int | str, "5", "5"),
        (int | str, 5, 5),
        (datetime | str, "soon", "soon"),
        (list[str] | str, ["a"], ["a"]),
        (ByAge | str | None, "a", "a"),
        (Annotated[int, Meta(le=9)] | float, 10, 10.0),
    ],
)
def test_a_union_becomes_the_one_that_its_value_fits(hint, value, made):
    assert one(hint, value, default=None) == made


def test_the_wire_name_is_read_into_the_field():
    @frozen
    class Reactions:
        plus: Annotated[int, Meta(name="+1")]
        minus: Annotated[int | None, Meta(name="-1")] = None

    assert structure_arguments({"+1": 3, "-1": None}, Reactions) == Reactions(3, None)


def test_missing_and_null_arguments_have_their_default():
    cls = make_class("D", {"a": field(type=int, default=7), "b": field(type=list[int], default=Factory(list))})
    assert structure_arguments({"a": None}, cls) == cls(7, [])


# Classes and values that fit them


class Said:
    """Lets the server's own encoder write arguments back."""

    def render(self):
        return []


def render_value(value):
    return render(value, PageCut(Budget(10**9), lambda _: 0, None)).structured


def numbers(draw, kind, values):
    low, high = sorted(draw(st.tuples(values, values)))
    return Annotated[kind, Meta("A number", ge=low, le=high)], values.filter(lambda number: low <= number <= high)


def draw_sized(draw, hint, make):
    least, more = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    return Annotated[hint, Meta(min_length=least, max_length=least + more)], make(min_size=least, max_size=least + more)


WHOLE = st.integers(-(10**12), 10**12)
REAL = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(  # noqa: DTZ001 -- UTC is added
    lambda time: time.replace(microsecond=0).isoformat() + "Z"
)
PLAIN = [
    (str, st.text()),
    (int, WHOLE),
    (float, REAL),
    (bool, st.booleans()),
    (datetime, TIMES),
    (Color, st.sampled_from(["red", "blue"])),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal[1, 2], st.sampled_from([1, 2])),
    (Annotated[str, Meta(pattern="^[a-c]+$", examples=("abc",))], st.from_regex("[a-c]+", fullmatch=True)),
    (ByName | ByAge, st.fixed_dictionaries({"age": st.integers(0, 9)})),
    (Cat | Dog, st.fixed_dictionaries({"type": st.sampled_from(["cat", "dog"]), "name": st.text()})),
]


def has_distinct_names(table):
    """Names that differ by hidden characters alone are one name: only the first is sent."""
    return len({clean(name) for name in table}) == len(table)


@st.composite
def fields_and_values(draw, depth=2):
    """Draw a field's type and a strategy of the values that fit it."""
    inside = depth and draw(st.sampled_from(["", "", "list", "tuple", "dict", "class"]))
    if inside == "class":
        return draw(classes_and_values(depth=depth - 1))
    if inside:
        hint, values = draw(fields_and_values(depth=depth - 1))
        if inside == "dict":
            distinct = st.dictionaries(st.text(), values, max_size=3).filter(has_distinct_names)
            return dict[str, hint], distinct
        kind = list[hint] if inside == "list" else tuple[hint, ...]
        return draw_sized(draw, kind, lambda **sizes: st.lists(values, **sizes))
    limited = [
        lambda: numbers(draw, int, WHOLE),
        lambda: numbers(draw, float, REAL),
        lambda: draw_sized(draw, str, st.text),
    ]
    return draw(st.one_of(st.sampled_from(PLAIN), st.sampled_from(limited).map(lambda make: make())))


@st.composite
def classes_and_values(draw, depth=2):
    """Draw an attrs class and a strategy of the arguments that fit it."""
    names = draw(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), unique=True, max_size=4))
    fields, needed, optional = {}, {}, {}
    for name in names:
        hint, values = draw(fields_and_values(depth=depth))
        wire = draw(st.sampled_from([name, f"+{name}"]))
        if draw(st.booleans()):
            fields[name], optional[wire] = field(type=Annotated[hint | None, Meta(name=wire)], default=None), values
        else:
            fields[name], needed[wire] = field(type=Annotated[hint, Meta(name=wire)]), values
    cls = make_class("Drawn", fields, bases=(Said,), frozen=True, kw_only=True)
    return cls, st.fixed_dictionaries(needed, optional=optional)


@given(classes_and_values(), st.data())
def test_whatever_fits_a_drawn_class_is_structured_and_written_back_the_same(drawn, data):
    cls, values = drawn
    Draft202012Validator.check_schema(input_schema(cls))
    arguments = data.draw(values)
    back = render_value(structure_arguments(arguments, cls))
    assert {name: back[name] for name in back if name not in NOTES} == in_texts(arguments, clean)


# Anything at all


@frozen(kw_only=True)
class Everything:
    text: Annotated[str, Meta(pattern="^[^x]*$", max_length=2_000_000)]
    whole: Annotated[int, Meta(le=10**9)] = 0
    free: int = 0
    real: float = 0.0
    flag: bool = False
    time: datetime | None = None
    color: Color = Color.RED
    names: list[Annotated[str, Meta(min_length=1)]] = Factory(list)
    table: dict[str, float] = Factory(dict)
    whom: ByName | ByAge | None = None
    either: int | str | None = None
    open: Any = None


def nest(depth):
    value = 1
    for _ in range(depth):
        value = [{"a": value}]
    return value


odd_text = st.text(st.characters() | st.sampled_from("\ud800\udfff\0\x1b\u202e"))
odd_times = st.datetimes(timezones=st.sampled_from([None, UTC]) | st.just(UTC)).map(datetime.isoformat)
names = st.sampled_from([attribute.name for attribute in attrs.fields(Everything)] + ["name", "age", "a"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | odd_text | odd_times | st.sampled_from(["red", 10**400]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | odd_text, inner, max_size=6),
)


arguments = st.dictionaries(names | odd_text, anything, max_size=8)


@given(arguments | st.fixed_dictionaries({"text": odd_text, "open": anything}))
@example({"text": "", "free": 10**5_000})
@example({"text": "", "real": -(10**5_000)})
@example({"text": "", "whole": 10**5_000, "either": 10**5_000})
@example({"text": "", "real": float("nan"), "open": float("inf")})
@example({"text": "", "real": 10**400})
@example({"text": "", "open": nest(100), "names": nest(100)})
@example({"text": nest(100), "x": nest(100)})
@example({"text": "a" * 1_000_000, "color": "b" * 1_000_000, "c" * 1_000_000: 1, "either": "d" * 1_000_000})
@example({"text": "\0\ud800", "time": "\ud800", "color": "\0", "\udfff": "\ud800", "table": {"\ud800": "\0"}})
@example({"text": "", "time": "0001-01-01T00:00:00+23:59"})
@example({"text": "", "time": "9999-12-31T23:59:59-23:59"})
@example({"text": None, "names": [None], "either": [None]})
def test_any_json_either_becomes_arguments_or_is_an_error_that_can_be_sent(arguments):
    try:
        assert isinstance(structure_arguments(arguments, Everything), Everything)
    except InvalidArguments as error:
        answer = build_error_answer(error)
        sent = json.dumps([answer.structured, answer.text], ensure_ascii=False, allow_nan=False).encode()
        assert 0 < len(sent) < 200_000


@given(st.datetimes(), st.integers(-86_399, 86_399).map(lambda seconds: timedelta(seconds=seconds)))
def test_a_time_is_refused_or_given_in_utc(time, offset):
    sign, offset = ("-" if offset < timedelta() else "+"), abs(offset)
    text = f"{time.isoformat()}{sign}{(datetime(1, 1, 1, tzinfo=UTC) + offset).time().isoformat()}"
    try:
        assert one(datetime, text).tzinfo is UTC
    except InvalidArguments as error:
        assert time.year in (1, 9999), error  # noqa: PT017 -- the error is only right at the ends of the calendar
