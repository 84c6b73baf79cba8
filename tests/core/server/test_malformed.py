"""A request that cannot be read is refused under its own id; what is no request is passed over."""

import json
import math

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from stithy_core.server.malformed import Answering, identity, refusal

REQUEST = '{{"method":"tools/call","params":{{"id":7,"id ":[{{"id":8}}],"x":{}}},"jsonrpc":"2.0","id":{}}}'
UNREADABLE = [r'"\ud800"', "1" * 5_000, "[" * 300 + "]" * 300, r'{"\udfff":0}', '"\x00"', '"unended', "{]"]


def refused(line):
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        return refusal(error)
    raise AssertionError(f"{line[:50]} can be read")


@pytest.mark.parametrize("value", UNREADABLE[:5])
@pytest.mark.parametrize("number", [5, "five"])
def test_it_is_refused_under_its_own_id(value, number):
    found = refused(REQUEST.format(value, json.dumps(number)))
    assert (found.id, found.error.code) == (number, -32700)
    assert found.error.message.startswith("Invalid JSON: ")


@pytest.mark.parametrize("value", UNREADABLE)
def test_the_id_is_found_when_it_comes_first(value):
    assert identity(f'{{"id" : 5, "x": {value}') == 5


@pytest.mark.parametrize("line", ["", "\n", "no json", '{"method":"notifications/x","params":{"id":1}', '["id", 1'])
def test_what_is_no_request_is_not_answered(line):
    assert refused(line) is None


@pytest.mark.parametrize("number", ["null", "true", '"' + "5" * 200 + '"', "5" * 5_000, r'"\ud800"', '"é"', '""'])
def test_an_id_that_cannot_be_sent_back_is_none(number):
    assert identity(f'{{"id":{number},"method":"x","params":[') is None


def test_a_message_of_another_shape_is_left_to_the_sdk():
    assert refused('{"jsonrpc":"2.0","id":5}') is None


def test_a_long_line_without_an_end_is_looked_through_once():
    assert identity('{"id":3,"x":"' + 'a\\"' * 1_000_000) == 3


@pytest.mark.anyio
async def test_what_can_be_read_passes_and_the_rest_is_answered():
    send, receive = anyio.create_memory_object_stream(math.inf)
    answers, answered = anyio.create_memory_object_stream(math.inf)
    good = SessionMessage(jsonrpc_message_adapter.validate_json('{"jsonrpc":"2.0","method":"x"}', by_name=False))
    with pytest.raises(ValidationError) as bad:
        jsonrpc_message_adapter.validate_json('{"id":1,"x":"\\ud800"}')
    for item in (bad.value, good, ValueError("odd")):
        send.send_nowait(item)
    send.close()
    with answers, answered:
        async with Answering(receive, answers) as reading:
            assert [type(item) async for item in reading] == [SessionMessage, ValueError]
        assert answered.receive_nowait().message.id == 1
