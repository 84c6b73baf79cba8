"""Requests that cannot be read are answered, so that whoever sent them does not wait for ever.

The SDK drops a line that is no JSON to its parser. Some are JSON to others: half of a surrogate pair (JavaScript writes
it), a number of thousands of digits, two hundred lists in one another. JSON-RPC 2.0, section 5, wants -32700 for them.
"""

import re
from collections.abc import Iterator
from typing import Any, Self

import mcp_types as types
from anyio import EndOfStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

TOKENS = re.compile(r'"((?:[^"\\]++|\\.)*+)"\s*(:)?|([\[{])|([\]}])|(-?\d+)', re.DOTALL)
LONGEST_ID = 100


class Answering:
    """The SDK's stream of what a client sends, from which unreadable requests are taken and refused.

    Args:
        read: What the client sends.
        write: What it reads.
    """

    def __init__(self, read: Any, write: Any) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> Any:
        """The context that the last message was sent in; the SDK looks for it."""
        return self._read.last_context

    async def receive(self) -> SessionMessage | Exception:
        """Give the next message that can be read.

        Raises:
            EndOfStream: The client has closed its end.
        """
        while True:
            item: SessionMessage | Exception = await self._read.receive()
            refused = refusal(item) if isinstance(item, ValidationError) else None
            if refused is None:
                return item
            await self._write.send(SessionMessage(refused))

    async def aclose(self) -> None:
        """Close the stream."""
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def refusal(error: ValidationError) -> types.JSONRPCError | None:
    """Answer what could not be read; what has no id was no request, or nobody waits for its answer."""
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        return None
    number = identity(str(first["input"]))
    if number is None:
        return None
    return types.JSONRPCError(
        jsonrpc="2.0", id=number, error=types.ErrorData(code=types.PARSE_ERROR, message=str(first["msg"]))
    )


def identity(line: str) -> int | str | None:
    """Find a request's own id in a line that no parser takes, without reading anything else of it."""
    named = False
    for depth, key, text, number in _tokens(line):
        if depth == 1 and named:
            if len(number or text) > LONGEST_ID or not text.isascii() or "\\" in text:
                return None
            return int(number) if number else text or None
        named = depth == 1 and key == "id"
    return None


def _tokens(line: str) -> Iterator[tuple[int, str, str, str]]:
    """Give each word of JSON with its depth: a key, a text or a whole number, of which two are empty."""
    depth = 0
    for word in TOKENS.finditer(line):
        text, colon, opens, closes, number = word.groups(default="")
        depth += bool(opens) - bool(closes)
        yield depth, text if colon else "", "" if colon else text, number
