"""Whatever happens to a list between two pages: what stays is seen, what ends early says so."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from stithy_comments.conversation_handlers import read_newest
from stithy_core.spi import ForgeConfig, IssueRef, Listing, RepositoryRef
from stithy_sandbox.sandbox_forge import Sandbox

pytestmark = pytest.mark.anyio

ANVIL = RepositoryRef("smith", "anvil")
FORGE = Sandbox(ForgeConfig(alias="play", kind="sandbox", url="http://sandbox.invalid"), None)
ISSUE = FORGE.world.conversation(IssueRef(ANVIL, 1)).subject


def issues(numbers):
    return [evolve(ISSUE, ref=IssueRef(ANVIL, number)) for number in sorted(numbers, reverse=True)]


def reading(numbers, asked, gives_up_after=None):
    """Return a function that lists these numbers as a forge does and records the requested counts."""
    whole = issues(numbers)

    async def read(most):
        asked.append(most)
        most = min(most, gives_up_after or most)
        cut = f"only the first {most:,} were read" if len(whole) > most else ""
        return Listing(tuple(whole[:most]), total=None, cut=cut)

    return read


def next_of(part, limit):
    shown = [item.ref.number for item in part.items[:limit]]
    return shown, (part.key(shown[-1]) if len(part.items) > limit else None)


NUMBERS = st.sets(st.integers(1, 60), max_size=40)


@given(NUMBERS, st.integers(1, 7), st.lists(st.tuples(NUMBERS, st.integers(0, 40)), max_size=6))
async def test_remaining_items_are_seen_once(begun, limit, changes):
    """Between pages, some are closed and many are opened, at the front as lists grow."""
    there, stayed, seen, after, last = set(begun), set(begun), [], None, 1_000
    while True:
        part = await read_newest(reading(there, []), after, limit)
        shown, after = next_of(part, limit)
        seen += shown
        if after is None:
            break
        gone, opened = changes.pop() if changes else (set(), 0)
        there = there - gone | set(range(last, last + opened))
        stayed, last = stayed - gone, last + opened
    assert len(seen) == len(set(seen))
    assert stayed <= set(seen)


async def test_no_more_is_asked_for_than_was_seen_and_one_page():
    asked, after = [], None
    for _ in range(4):
        part = await read_newest(reading(range(1, 1_000), asked), after, 15)
        _, after = next_of(part, 15)
    assert asked == [16, 31, 46, 61]


async def test_a_forge_that_gives_up_gets_no_further_request_and_its_reason_is_reported():
    """GitHub has no list of issues alone, and so many pull requests may stand before one that looking on ends."""
    asked, read = [], []
    for after in (None, "94.6"):
        part = await read_newest(reading(range(1, 100), asked, gives_up_after=8), after, 6)
        read.append(([item.ref.number for item in part.items], part.incomplete))
    assert read == [([99, 98, 97, 96, 95, 94, 93], None), ([93, 92], "only the first 8 were read")]
    assert asked == [7, 13]


async def test_transferred_items_are_not_skipped():
    """An issue that was moved here keeps its age and gets a new number."""
    order = issues([9, 8, 3, 2, 1])
    order.insert(3, evolve(ISSUE, ref=IssueRef(ANVIL, 10)))

    async def read(most):
        return Listing(tuple(order[:most]), total=len(order))

    part = await read_newest(read, "7.3", 9)
    assert [item.ref.number for item in part.items] == [3, 10, 2, 1]
