"""A request that cannot be read is refused under its own id; other messages are ignored."""

import json
import math

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from stithy_core.server.invalid_messages import RecordedLines, RefusingStream, read_message_id, refuse_line

REQUEST = '{{"method":"tools/call","params":{{"id":7,"id ":[{{"id":8}}],"x":{}}},"jsonrpc":"2.0","id":{}}}'
UNREADABLE = [r'"\ud800"', "1" * 5_000, "[" * 300 + "]" * 300, r'{"\udfff":0}', '"\x00"', '"unended', "{]"]


def find_refusal(line):
    errors = refusals(line)
    assert len(errors) <= 1
    return errors[0] if errors else None


def refusals(line):
    try:
        item = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        item = error
    return refuse_line(line, item)


@pytest.mark.parametrize("value", UNREADABLE[:5])
@pytest.mark.parametrize("number", [5, "five"])
def test_it_is_refused_under_its_own_id(value, number):
    found = find_refusal(REQUEST.format(value, json.dumps(number)))
    assert (found.id, found.error.code) == (number, -32700)
    assert found.error.message.startswith("Invalid JSON: ")


@pytest.mark.parametrize("value", UNREADABLE)
def test_the_id_is_found_when_it_comes_first(value):
    assert read_message_id(f'{{"id" : 5, "x": {value}') == 5


@pytest.mark.parametrize("line", ["", "\n", "no json", '{"method":"notifications/x","params":{"id":1}', '["id", 1'])
def test_other_messages_than_requests_are_not_answered(line):
    assert find_refusal(line) is None


@pytest.mark.parametrize("number", ["null", "true", '"' + "5" * 200 + '"', "5" * 5_000, r'"\ud800"', '"é"', '""'])
def test_an_id_that_cannot_be_sent_back_is_none(number):
    assert read_message_id(f'{{"id":{number},"method":"x","params":[') is None


@pytest.mark.parametrize(
    ("message", "number", "mistake"),
    [
        ('{"jsonrpc":"2.0","id":5}', 5, "'method'"),
        ('{"jsonrpc":"2.0","id":5,"method":7}', 5, "'method'"),
        ('{"jsonrpc":"2.0","id":"a","method":"x","params":[1]}', "a", "'params'"),
        ('{"jsonrpc":"2.0","id":5,"method":"x","params":"text"}', 5, "'params'"),
        ('{"jsonrpc":"2.0","id":5,"method":"x","params":0}', 5, "'params'"),
        ('{"jsonrpc":"2.0","id":5,"method":"x","params":false}', 5, "'params'"),
        ('{"id":5,"method":"x"}', 5, "'jsonrpc'"),
        ('{"jsonrpc":"1.0","id":5,"method":"x"}', 5, "'jsonrpc'"),
        ('{"jsonrpc":2.0,"id":5,"method":"x"}', 5, "'jsonrpc'"),
        ('{"jsonrpc":"2.0","id":1.5,"method":"x"}', None, "'id'"),
        ('{"jsonrpc":"2.0","id":true,"method":"x"}', None, "'id'"),
        ('{"jsonrpc":"2.0","id":null,"method":"x"}', None, "'id'"),
        ('{"jsonrpc":"2.0","id":NaN,"method":"x"}', None, "'id'"),
        ('{"jsonrpc":"2.0","id":{},"method":"x"}', None, "'id'"),
        ('{"jsonrpc":"2.0","\\u0069d":null,"method":"x"}', None, "'id'"),
        ('[{"jsonrpc":"2.0","id":5,"method":"x"}]', 5, "batch"),
        ("[]", None, "batch"),
        ("[1]", None, "batch"),
    ],
)
def test_a_request_of_a_wrong_shape_is_refused_under_its_id(message, number, mistake):
    found = find_refusal(message)
    assert (found.id, found.error.code) == (number, -32600)
    assert mistake in found.error.message
    assert '"id":' in found.model_dump_json(by_alias=True, exclude_unset=True)


def test_each_request_of_a_batch_is_refused():
    batch = [{"id": 1, "method": "x"}, {"method": "notifications/x"}, {"id": "b"}, {"id": 3, "result": {}}]
    assert [error.id for error in refusals(json.dumps(batch))] == [1, "b"]


@pytest.mark.parametrize(
    "message",
    [
        '{"jsonrpc":"2.0","method":"x","params":{"id":null}}',
        '{"jsonrpc":"1.0","method":"x"}',
        '{"method":"x","params":[]}',
        '{"jsonrpc":"2.0","id":5,"result":7}',
        '{"jsonrpc":"2.0","id":5,"error":"none"}',
        '[{"jsonrpc":"2.0","method":"x"}]',
        "{}",
        "5",
        "null",
        '"text"',
    ],
)
def test_invalid_notifications_are_not_answered(message):
    assert refusals(message) == []


def test_a_long_line_without_an_end_is_looked_through_once():
    assert read_message_id('{"id":3,"x":"' + 'a\\"' * 1_000_000) == 3


@pytest.mark.anyio
async def test_valid_messages_pass_and_invalid_ones_are_answered():
    lines = ['{"id":1,"x":"\\ud800"}', '{"jsonrpc":"2.0","method":"x"}', '{"id":2,"method":"x"}', "odd"]
    send, receive = anyio.create_memory_object_stream(math.inf)
    answers, answered = anyio.create_memory_object_stream(math.inf)
    recorded = RecordedLines(each(lines))
    async for line in recorded:
        try:
            send.send_nowait(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
        except ValidationError as error:
            send.send_nowait(error)
    send.close()
    with answers, answered:
        async with RefusingStream(receive, answers, recorded.unhandled) as reading:
            assert [type(item) async for item in reading] == [SessionMessage, ValidationError]
        assert [answered.receive_nowait().message.id for _ in range(2)] == [1, 2]
    assert not recorded.unhandled


async def each(lines):
    for line in lines:
        yield line
