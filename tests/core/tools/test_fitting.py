"""Whether a result is what its class promises."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from attrs import frozen

from stithy_core.spi import Maybe, Meta, Page, Unknown
from stithy_core.tools.validation import build_result_check


class Metal(Enum):
    IRON = "iron"


@frozen
class Nail:
    length: int


@frozen
class Hook:
    bent: bool


@frozen
class Bent(Nail):
    pass


def page(*items):
    return Page(list(items), key=str)


NAIL = Nail(1)
UNKNOWN = Unknown("nobody measured it", "measure it")
FITS = [
    (str, "text"),
    (int, 3),
    (float, 3),
    (float, 0.5),
    (bool, True),
    (Any, {1}),
    (object, None),
    (datetime, datetime(2026, 1, 1, tzinfo=UTC)),
    (Literal["a", 3], 3),
    (Metal, Metal.IRON),
    (Metal, "iron"),
    (Nail, NAIL),
    (Nail, Bent(1)),
    (int | str, "text"),
    (int | None, None),
    (Annotated[int | None, Meta("How long")], None),
    (Maybe[int], UNKNOWN),
    (int, Unknown("it grows", "", shown=3)),
    (list[int], [1, 2]),
    (Sequence[Nail], (NAIL,)),
    (tuple[Nail, ...], [NAIL]),
    (Page[Nail], page(NAIL)),
    (Mapping[str, Nail], {"a": NAIL}),
    (Nail | Hook, Hook(bent=True)),
]
MISFITS = [
    (str, 3, " is int, not str"),
    (int, "3", " is str, not int"),
    (int, True, " is bool, not int"),
    (float, True, " is bool, not float"),
    (bool, 1, " is int, not bool"),
    (int, None, " is NoneType, not int"),
    (int, UNKNOWN, " is Unknown, not int"),
    (datetime, "2026-01-01", " is str, not datetime"),
    (Literal["a"], "b", " is str, not one of those allowed"),
    (Metal, "tin", " is str, not one of those allowed"),
    (Nail, {"length": 1}, " is dict, not Nail"),
    (Nail, Nail("1"), ".length is str, not int"),
    (Maybe[int], "3", " is str, not int"),
    (int | str, 0.5, " is float, not int"),
    (list[int], "12", " is str, not Sequence"),
    (list[int], [1, "2"], "[1] is str, not int"),
    (Page[Nail], page(NAIL, Nail(None)), "[1].length is NoneType, not int"),
    (Mapping[str, int], {"another's word": "1"}, "[…] is str, not int"),
    (Mapping[str, int], [], " is list, not dict"),
    (Nail | Hook, 3, " is int, not Nail"),
]


@pytest.mark.parametrize(("hint", "value"), FITS)
def test_a_matching_result_passes(hint, value):
    assert build_result_check(hint)(value) == ""


@pytest.mark.parametrize(("hint", "value", "said"), MISFITS)
def test_a_mismatch_is_named_by_place_and_types(hint, value, said):
    assert build_result_check(hint)(value) == said
