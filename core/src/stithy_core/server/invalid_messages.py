"""Error answers to invalid requests, which the SDK drops: their clients would wait for ever.

The SDK drops lines that its JSON parser refuses. Other parsers accept some of them: half of a surrogate pair (which
JavaScript writes), a number of thousands of digits, two hundred nested lists. JSON-RPC 2.0, section 5, requires -32700
for them. It also drops JSON that is not a message, and takes a request whose id has a wrong type for a notification:
-32600.
"""

import re
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from typing import Any, Self

import mcp_types as types
from anyio import EndOfStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import from_json

TOKENS = re.compile(r'"((?:[^"\\]++|\\.)*+)"\s*(:)?|([\[{])|([\]}])|(-?\d+)', re.DOTALL)
LONGEST_ID = 100


class RefusingStream:
    """The SDK's stream of received messages, without invalid requests, which it answers with an error.

    Args:
        read: The SDK's stream of received messages.
        write: The SDK's stream of messages to the client.
        lines: The lines of the received messages, in the same order.
    """

    def __init__(self, read: Any, write: Any, lines: deque[str]) -> None:
        self._read = read
        self._write = write
        self._lines = lines

    @property
    def last_context(self) -> Any:
        """The context of the last message; the SDK reads it."""
        return self._read.last_context

    async def receive(self) -> SessionMessage | Exception:
        """Return the next valid message.

        Raises:
            EndOfStream: The client has closed its output.
        """
        while True:
            item: SessionMessage | Exception = await self._read.receive()
            errors = refuse_line(self._lines.popleft(), item)
            if not errors:
                return item
            for error in errors:
                await self._write.send(SessionMessage(error))

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


class RecordedLines:
    """Received lines, kept until their message is handled: the SDK passes on one message for each line.

    Args:
        lines: The lines that the client sends.

    Attributes:
        unhandled: The lines whose message is not handled yet.
    """

    def __init__(self, lines: AsyncIterable[str]) -> None:
        self._lines = lines
        self.unhandled: deque[str] = deque()

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            self.unhandled.append(line)
            yield line


def refuse_line(line: str, item: SessionMessage | Exception) -> list[types.JSONRPCError]:
    """Return the errors that answer a line; none for a valid message, or if the client expects no answer.

    Args:
        line: The line that the client sent.
        item: The SDK's result of parsing it.
    """
    if isinstance(item, ValidationError):
        first = item.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            number = read_message_id(line)
            return [] if number is None else [_error(types.PARSE_ERROR, number, str(first["msg"]))]
    elif not isinstance(item, SessionMessage) or not isinstance(item.message, types.JSONRPCNotification):
        return []
    elif '"id"' not in line and "\\u" not in line:
        return []  # a notification; most lines need no second parser
    return refuse_message(from_json(line))


def refuse_message(message: object) -> list[types.JSONRPCError]:
    """Return the errors that answer a decoded message, one for each request of a batch; none for a valid message.

    Notifications and responses are never answered, whatever their shape.
    """
    if not isinstance(message, list):
        return [_error(types.INVALID_REQUEST, _read_id(message), wrong)] if (wrong := _find_mistake(message)) else []
    batch = "batches are not supported; send each message by itself"
    if not message or not all(isinstance(each, dict) for each in message):
        return [_error(types.INVALID_REQUEST, None, batch)]
    return [_error(types.INVALID_REQUEST, _read_id(each), batch) for each in message if _is_request(each)]


def _is_request(message: object) -> bool:
    return (
        isinstance(message, dict)
        and "id" in message
        and ("method" in message or not ("result" in message or "error" in message))
    )


def _find_mistake(message: object) -> str:
    """Return what is wrong with a request; empty for a valid request and for any other message."""
    if not isinstance(message, dict) or not _is_request(message):
        return ""
    if _read_id(message) is None:
        return "'id' must be a string or an integer"
    if message.get("jsonrpc") != "2.0":
        return "'jsonrpc' must be \"2.0\""
    if not isinstance(message.get("method"), str):
        return "'method' must be a string"
    if not isinstance(message.get("params"), dict | None):
        return "'params' must be an object"
    return ""


def _read_id(message: object) -> int | str | None:
    number = message.get("id") if isinstance(message, dict) else None
    return number if isinstance(number, int | str) and not isinstance(number, bool) else None


def _error(code: int, number: int | str | None, text: str) -> types.JSONRPCError:
    prefix = "invalid request: " if code == types.INVALID_REQUEST else ""
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=f"{prefix}{text}"))


def read_message_id(line: str) -> int | str | None:
    """Return the id of a request in a line that is not valid JSON; None if it cannot be determined."""
    named = False
    for depth, key, text, number in _tokens(line):
        if depth == 1 and named:
            if len(number or text) > LONGEST_ID or not text.isascii() or "\\" in text:
                return None
            return int(number) if number else text or None
        named = depth == 1 and key == "id"
    return None


def _tokens(line: str) -> Iterator[tuple[int, str, str, str]]:
    """Iterate over JSON tokens as (depth, key, text, integer), of which at most one of the last three is not empty."""
    depth = 0
    for token in TOKENS.finditer(line):
        text, colon, opens, closes, number = token.groups(default="")
        depth += bool(opens) - bool(closes)
        yield depth, text if colon else "", "" if colon else text, number
