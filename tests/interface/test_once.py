"""What a forge remembers: asked once for each token, bounded, and never another token's."""

import pytest
from attrs import define

from stithy_core.errors import Unavailable
from stithy_core.http import ForgeHttp
from stithy_core.spi import Forge, ForgeConfig, Token, Version
from stithy_core.spi.forge import MOST_ANSWERS

pytestmark = pytest.mark.anyio

LINK = ForgeConfig(alias="work", kind="pond", url="https://pond.example")


@define
class Held:
    """A token that may be replaced by another."""

    value: str | None = "ada"

    async def current(self):
        return Token(value=self.value, source="the test") if self.value else None

    async def report_refusal(self, token):
        return False


class Pond(Forge):
    """A forge that says whose token asked it."""

    def __init__(self, held):
        super().__init__(LINK, ForgeHttp(LINK, tokens=held))
        self.held, self.asked = held, []

    async def identify(self):
        self.asked.append("version")
        return Version("pond", "1.0")

    async def me(self):
        self.asked.append(self.held.value)
        return self.held.value


@pytest.fixture
def pond():
    return Pond(Held())


async def test_each_token_has_an_answer_of_its_own(pond):
    """Two tokens in turn: each is asked once and gets its own answer (FIX-1)."""
    answers = []
    for token in ("ada", "bob", "ada", None, "bob"):
        pond.held.value = token
        answers.append(await pond.once("me", pond.me))
    assert answers == ["ada", "bob", "ada", None, "bob"]
    assert pond.asked == ["ada", "bob", None]


async def test_a_renewed_token_asks_again(pond):
    """The server's own token was renewed, to that of another account: the old answer is not given (FIX-1)."""
    assert await pond.once("me", pond.me) == "ada"
    pond.held.value = "renewed"
    assert await pond.once("me", pond.me) == "renewed"


async def test_an_answer_to_a_token_that_was_replaced_meanwhile_is_not_kept(pond):
    """The token was refused while it asked, so the answer is its successor's (FIX-1)."""

    async def replace():
        pond.held.value = "bob"
        return await pond.me()

    assert await pond.once("me", replace) == "bob"
    pond.held.value = "ada"
    assert await pond.once("me", pond.me) == "ada"


async def test_token_independent_answers_are_requested_once(pond):
    """The version depends on no token (FIX-1)."""
    for token in ("ada", "bob"):
        pond.held.value = token
        await pond.version()
    assert pond.asked == ["version"]


async def test_the_longest_unused_answer_is_evicted(pond):
    """Memory is bounded for any number of tokens, and answers in use stay (FIX-1)."""
    await pond.version()
    for number in range(MOST_ANSWERS + 5):
        pond.held.value = f"token {number}"
        await pond.once("me", pond.me)
        await pond.version()
    assert pond.asked.count("version") == 1
    assert len(pond._answers) == MOST_ANSWERS
    assert not pond._asking


async def test_a_failure_is_not_kept(pond):
    async def fail():
        raise Unavailable("down")

    with pytest.raises(Unavailable):
        await pond.once("me", fail)
    assert await pond.once("me", pond.me) == "ada"
