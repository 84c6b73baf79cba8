"""Messages to `/mcp` that are JSON, but not valid JSON-RPC requests."""

import json

import pytest

from stithy_testing import browse

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (b'{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}', 5),
        (b'{"jsonrpc":"1.0","id":"a","method":"tools/list"}', "a"),
        (b'{"jsonrpc":"2.0","id":5}', 5),
        (b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}', None),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"tools/list"}', None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]', None),
    ],
)
@pytest.mark.parametrize("version", [None, "2026-07-28"])
async def test_a_request_of_a_wrong_shape_is_refused_under_its_id(serve, body, number, version):
    """As over standard input and output."""
    headers = JSON | ({"MCP-Protocol-Version": version} if version else {})
    async with browse(serve()) as ask:
        answer = await ask("POST", "/mcp", headers=headers, body=body)
    found = json.loads(answer.body)
    assert (answer.status, found["id"], found["error"]["code"]) == (400, number, -32600)


@pytest.mark.parametrize(("body", "status"), [(b'{"jsonrpc":"2.0","method":"notifications/x"}', 202), (b"{", 400)])
async def test_the_sdk_answers_everything_else(serve, body, status):
    async with browse(serve()) as ask:
        assert (await ask("POST", "/mcp", headers=JSON, body=body)).status == status
