"""How long a token is kept, and when another one is looked for."""

from datetime import UTC, datetime, timedelta

import anyio
import pytest
import time_machine

from stithy_core.app.forge_tokens import KeptToken
from stithy_core.errors import Unavailable
from stithy_core.spi import Token

pytestmark = pytest.mark.anyio

START = datetime(2026, 1, 1, tzinfo=UTC)


class Place:
    """Where tokens are: each look gives the next one, numbered, as long as there are any."""

    def __init__(self, *, life=None, kept=True, same=False):
        self.life, self.kept, self.same = life, kept, same
        self.looks = 0
        self.broken = self.empty = False

    async def look(self):
        await anyio.lowlevel.checkpoint()
        self.looks += 1
        if self.broken:
            raise Unavailable("the forge is down")
        if self.empty:
            return None
        number = 1 if self.same else self.looks
        ends = datetime.now(UTC) + self.life if self.life else None
        return Token(value=f"secret-token-{number}", source="the pond", expires_at=ends, kept=self.kept)


def tokens_of(place, *, skew=timedelta(0)):
    return KeptToken(place.look, lambda: datetime.now(UTC) + skew)


async def read_value(tokens):
    token = await tokens.current()
    return token.value if token else None


@pytest.fixture
def clock():
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


async def test_a_token_without_an_end_is_looked_for_once(clock):
    tokens = tokens_of(place := Place())
    assert await read_value(tokens) == "secret-token-1"
    clock.shift(timedelta(days=30))
    assert (await read_value(tokens), place.looks) == ("secret-token-1", 1)


async def test_a_hundred_callers_make_one_look():
    tokens, found = tokens_of(place := Place()), []

    async def call():
        found.append(await read_value(tokens))

    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(call)
    assert (set(found), len(found), place.looks) == ({"secret-token-1"}, 100, 1)


async def test_an_uncached_token_is_read_each_time():
    tokens = tokens_of(Place(kept=False))
    assert [await read_value(tokens) for _ in range(3)] == ["secret-token-1", "secret-token-2", "secret-token-3"]


async def test_a_token_is_renewed_some_minutes_before_its_end(clock):
    tokens = tokens_of(Place(life=timedelta(hours=1)))
    await tokens.current()
    clock.shift(timedelta(minutes=54))
    assert await read_value(tokens) == "secret-token-1"
    clock.shift(timedelta(minutes=2))
    assert await read_value(tokens) == "secret-token-2"


async def test_the_end_is_meant_by_the_clock_of_the_forge(clock):
    tokens = tokens_of(Place(life=timedelta(hours=1)), skew=timedelta(minutes=56))
    await tokens.current()
    clock.shift(timedelta(minutes=2))
    assert await read_value(tokens) == "secret-token-2"


async def test_a_hundred_callers_renew_once(clock):
    tokens = tokens_of(place := Place(life=timedelta(hours=1)))
    await tokens.current()
    clock.shift(timedelta(minutes=56))
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(tokens.current)
    assert place.looks == 2


async def test_a_token_that_cannot_be_renewed_is_used_while_it_lasts(clock, caplog):
    tokens = tokens_of(place := Place(life=timedelta(hours=1)))
    await tokens.current()
    place.broken = True
    clock.shift(timedelta(minutes=56))
    assert [await read_value(tokens), await read_value(tokens)] == ["secret-token-1"] * 2
    assert place.looks == 2
    assert "the token of the pond could not be renewed yet: the forge is down" in caplog.text
    clock.shift(timedelta(minutes=4))
    with pytest.raises(Unavailable):
        await tokens.current()


async def test_a_place_that_gives_an_ended_token_is_not_asked_for_every_request(clock):
    """A clock that goes wrong may make a fresh token look like one that has ended."""
    tokens = tokens_of(place := Place(life=timedelta(hours=-1)))
    assert [await read_value(tokens) for _ in range(100)] == ["secret-token-1"] * 100
    clock.shift(61)
    await tokens.current()
    assert place.looks == 2


async def test_a_missing_token_is_searched_again_after_a_while(clock):
    tokens = tokens_of(place := Place())
    place.empty = True
    assert [await read_value(tokens), await read_value(tokens), place.looks] == [None, None, 1]
    place.empty = False
    clock.shift(61)
    assert await read_value(tokens) == "secret-token-2"


async def test_a_clock_that_is_set_back_does_not_stop_the_looking(clock):
    tokens = tokens_of(place := Place())
    place.empty = True
    await tokens.current()
    place.empty = False
    clock.shift(timedelta(days=-1))
    assert await read_value(tokens) == "secret-token-2"


async def test_a_failure_is_not_kept():
    tokens = tokens_of(place := Place())
    place.broken = True
    with pytest.raises(Unavailable):
        await tokens.current()
    place.broken = False
    assert await read_value(tokens) == "secret-token-2"


async def test_a_refused_token_is_looked_for_at_once():
    tokens = tokens_of(Place())
    assert await tokens.report_refusal(await tokens.current())
    assert await read_value(tokens) == "secret-token-2"


async def test_a_refused_token_that_is_found_again_is_all_there_is():
    tokens = tokens_of(Place(same=True))
    assert not await tokens.report_refusal(await tokens.current())
    assert await read_value(tokens) == "secret-token-1"


async def test_a_hundred_callers_that_were_refused_look_once():
    tokens, answers = tokens_of(place := Place()), []
    token = await tokens.current()

    async def report():
        answers.append(await tokens.report_refusal(token))

    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(report)
    assert (answers, place.looks) == ([True] * 100, 2)


async def test_a_forge_that_refuses_everything_does_not_make_every_request_a_look(clock):
    tokens = tokens_of(place := Place())
    assert [await tokens.report_refusal(await tokens.current()) for _ in range(5)] == [True, False, False, False, False]
    assert place.looks == 2
    clock.shift(61)
    assert await tokens.report_refusal(await tokens.current())


async def test_a_token_that_is_gone_after_its_refusal_leaves_public_data():
    tokens = tokens_of(place := Place())
    token = await tokens.current()
    place.empty = True
    assert not await tokens.report_refusal(token)
    assert await read_value(tokens) is None


async def test_a_caller_that_is_cancelled_leaves_the_look_to_the_next():
    tokens = tokens_of(Place())
    with anyio.CancelScope() as scope:
        scope.cancel()
        await tokens.current()
    assert await read_value(tokens) == "secret-token-1"


async def test_no_representation_shows_the_token():
    tokens = tokens_of(Place())
    token = await tokens.current()
    assert "secret-token" not in repr(tokens) + str(tokens) + repr(token)
