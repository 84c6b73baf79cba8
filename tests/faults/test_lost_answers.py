"""A write that was carried out and whose answer was lost: it is read back, and never sent again."""

import anyio
import pytest
from faulty.matrix import ALL, faults
from loopback import RESET

from stithy_core.spi import Unclear

pytestmark = pytest.mark.anyio

LOSSES = [row for row in faults("failures") if row.values[1].write.kind is Unclear]
EACH = pytest.mark.parametrize("flavour", ALL, ids=lambda flavour: flavour.name)


def lose_answer(server, flavour, instead):
    """Carry out the write, and answer as the fault does."""

    def answer(request):
        server.apply(request)
        return instead(request) if callable(instead) else instead

    server.answers[flavour.write] = answer


@pytest.mark.parametrize(("flavour", "fault"), LOSSES)
async def test_a_write_whose_answer_is_lost_is_found(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault, flavour.write, patience=2.0)
    lose_answer(server, flavour, server.answers[flavour.write])
    async with bounded_forge(flavour, server.url) as forge:
        comment = await forge.write()
    assert (comment.id, comment.author.login, comment.body) == ("1", "smith", "Only once.")
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)


@pytest.mark.parametrize(("flavour", "fault"), [row for row in LOSSES if not row.values[1].slow])
async def test_a_write_that_cannot_be_read_back_is_found_by_the_next_call(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault, flavour.write)
    well = server.answers[flavour.read]
    lose_answer(server, flavour, server.answers[flavour.write])
    server.answer(flavour.read, 403, {"message": "not now"})
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("write")
        server.answers[flavour.read] = well
        comment = await forge.write()
    assert type(error) is Unclear
    assert "could not be read back" in error.message
    assert comment.id == "1"
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)


@EACH
async def test_a_new_process_looks_for_the_first_attempt_before_it_posts(begin, agent, flavour):
    """The advice to repeat holds for `stithy call` and for a server that was restarted (FIX-10)."""
    server = await begin(flavour)
    well = server.answers[flavour.read]
    lose_answer(server, flavour, RESET)
    server.answer(flavour.read, 403, {"message": "not now"})
    async with agent(flavour, server.url) as call:
        unclear = await call("write")
    server.answers[flavour.read] = well
    async with agent(flavour, server.url) as call:
        found = await call("write")
    assert unclear.structured_content["suggestion"].startswith("Repeat the same call within a day: it looks for")
    assert found.structured_content["comment"]["id"] == 1
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)


@EACH
@pytest.mark.parametrize("twins", [2, 5])
async def test_one_of_any_number_of_identical_writes_is_sent(begin, agent, flavour, twins):
    """Also where some of them come to be sent when the first is done already (FIX-11)."""
    server = await begin(flavour)
    found = []

    async def ask(call):
        found.append((await call("write")).structured_content["comment"]["id"])

    async with agent(flavour, server.url) as call, anyio.create_task_group() as group:
        for _ in range(twins):
            group.start_soon(ask, call)
    assert found == [1] * twins
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)


@EACH
async def test_a_write_that_never_arrived_is_sent_by_the_next_call(begin, bounded_forge, flavour):
    server = await begin(flavour)
    well = server.answers[flavour.write]
    server.answers[flavour.write] = RESET
    async with bounded_forge(flavour, server.url) as forge:
        await forge.error("write")
        server.answers[flavour.write] = well
        await forge.write()
    assert (server.count(flavour.write), len(server.comments)) == (2, 1)


@EACH
async def test_a_lost_write_has_the_answer_of_any_write(begin, agent, flavour):
    server = await begin(flavour)
    lose_answer(server, flavour, RESET)
    async with agent(flavour, server.url) as call:
        result = await call("write")
    assert not result.is_error
    assert result.content[0].text.startswith("Pull request comment created successfully. ID: 1, Created: ")
    assert len(server.comments) == 1


@EACH
async def test_an_empty_success_of_a_write_is_looked_into(begin, bounded_forge, flavour):
    server = await begin(flavour)
    lose_answer(server, flavour, b"HTTP/1.1 201 -\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nnull")
    async with bounded_forge(flavour, server.url) as forge:
        assert (await forge.write()).id == "1"
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)
