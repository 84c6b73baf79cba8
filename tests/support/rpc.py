"""MCP over HTTP as curl sends it: each request stands alone, with headers of its own."""

import json
from collections.abc import Mapping
from typing import Any

from stithy_testing import Browser

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


async def call_rpc(
    ask: Browser, method: str, params: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Any:
    """Send one request to a server that `browse` runs; return its result, or its error under "error"."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}).encode()
    answer = await ask("POST", "/mcp", headers={**HEADERS, **(headers or {})}, body=body)
    text = answer.body.decode()
    lines = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")] or [text]
    messages = [json.loads(line) for line in lines if line.strip()]
    found = next(one for one in messages if one.get("id") == 1 or "error" in one)
    return found.get("result", found)


async def call_tool(
    ask: Browser, name: str, arguments: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Any:
    """Call a tool; return the result of `tools/call`."""
    return await call_rpc(ask, "tools/call", {"name": name, "arguments": arguments}, headers)
