"""What is not known is a value: neither true nor false, with its reason."""

import pytest

from stithy_core.errors import Archived, Forbidden, Locked, NotFound, Unauthorized, Unavailable, Unsupported
from stithy_core.spi import Support, Unknown, or_unknown

HIDDEN = Unknown("the forge hides it", "ask an owner")


@pytest.mark.parametrize("ask", [bool, lambda unknown: not unknown, lambda unknown: unknown or True])
def test_an_unknown_is_neither_true_nor_false(ask):
    with pytest.raises(TypeError, match="the forge hides it"):
        ask(HIDDEN)


def test_an_unknown_is_told_from_a_value_by_identity():
    assert HIDDEN is not True
    assert HIDDEN is not False


def test_equal_unknowns_are_equal():
    assert Unknown("the forge hides it", "ask an owner") == HIDDEN


def test_an_unknown_has_neither_remedy_nor_value_by_default():
    assert (Unknown("why").remedy, Unknown("why").shown) == ("", None)


@pytest.mark.anyio
async def test_a_value_that_is_known_is_itself():
    async def value():
        return 0

    assert await or_unknown(value()) == 0


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [Unsupported, Forbidden, Locked, NotFound])
async def test_forge_errors_become_unknown(kind):
    async def value():
        raise kind("the forge hides it", suggestion="ask an owner")

    assert await or_unknown(value()) == HIDDEN


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [Unavailable, Unauthorized, Archived, KeyError])
async def test_any_other_failure_stays_a_failure(kind):
    async def value():
        raise kind("down")

    with pytest.raises(kind):
        await or_unknown(value())


@pytest.mark.anyio
async def test_errors_named_by_the_caller_become_unknown():
    async def value():
        raise Unavailable("the forge hides it", suggestion="ask an owner")

    assert await or_unknown(value(), on=(Unavailable,)) == HIDDEN


def test_unsupported_becomes_unknown():
    assert Support(supported=False, reason="the forge hides it", remedy="ask an owner").as_unknown() == HIDDEN
