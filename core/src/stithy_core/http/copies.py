"""An answer as it is kept, to be given again when the forge confirms it."""

import json

import httpx
from attrs import frozen

from stithy_core.http.expected_json import ExpectedJson, check_answer
from stithy_core.http.waits import timestamp

LARGEST = 4 * 1024 * 1024
# Within a second of a change its time proves nothing (RFC 9110, 8.8.2.2); whole seconds and two clocks make it three.
SETTLED = 3
# Of the connection, of its compression, or of one person: RFC 9111, 3.1 and 7.
UNKEPT = {"connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding"}
FRAMING = ("content-length", "transfer-encoding")


@frozen
class Copy:
    """What is kept of an answer.

    Args:
        headers: Names in lower case, and values.
        body: As it was before it was compressed.
    """

    headers: tuple[tuple[str, str], ...]
    body: bytes

    @classmethod
    def of(cls, response: httpx.Response, expected: ExpectedJson) -> "Copy | None":
        """Make a copy; None of what must not be kept: errors, web pages, parts, and what cannot be validated.

        Args:
            response: The answer.
            expected: What its JSON must be. A broken body is not kept, since it may bear the validator of the whole
                one, and a later 304 would confirm it. Nor is a page whose end a 304 does not confirm.
        """
        whole = response.status_code == httpx.codes.OK and len(response.content) <= LARGEST
        if not whole or not _may_be_kept(response.headers):
            return None
        headers = tuple((name, value) for name, value in response.headers.multi_items() if name not in UNKEPT)
        copy = cls(headers, response.content)
        if not copy.conditions:
            return None
        body, fault = check_answer(response, expected)
        return None if fault or not expected.is_confirmable(body, response) else copy

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask whether it still holds; none where it cannot be told."""
        headers = httpx.Headers(list(self.headers))
        asked = {"if-none-match": headers.get("etag", "")}
        modified, date = (timestamp(headers.get(name, "")) for name in ("last-modified", "date"))
        if modified is not None and date is not None and date - modified >= SETTLED:
            asked["if-modified-since"] = headers["last-modified"]
        return {name: value for name, value in asked.items() if value}

    def confirmed(self, response: httpx.Response) -> httpx.Response:
        """Give the answer again, with what the confirmation brought anew; what it left out, such as `Link`, stays.

        Args:
            response: The 304.
        """
        fresh = [
            (name, value)
            for name, value in response.headers.multi_items()
            if name not in UNKEPT and not name.startswith("content-")
        ]
        renewed = {name for name, _ in fresh}
        headers = [(name, value) for name, value in self.headers if name not in renewed] + fresh
        return httpx.Response(httpx.codes.OK, headers=headers, content=self.body)

    def pack(self) -> bytes:
        """Write it for a store: a line of JSON, then the body."""
        return json.dumps([len(self.body), self.headers]).encode() + b"\n" + self.body

    @classmethod
    def unpack(cls, raw: bytes) -> "Copy | None":
        """Read it from a store; None where it was damaged there."""
        head, _, body = raw.partition(b"\n")
        try:
            length, headers = json.loads(head)
            copy = cls(tuple((str(name), str(value)) for name, value in headers), body)
        except (ValueError, TypeError):
            return None
        return copy if length == len(body) else None


def _may_be_kept(headers: httpx.Headers) -> bool:
    """Rule out what is forbidden, what depends on more than we know, and what may be cut off unseen."""
    if "no-store" in headers.get("cache-control", "").lower() or "*" in headers.get("vary", ""):
        return False
    if "html" in headers.get("content-type", "").lower() or "content-range" in headers:
        return False
    return any(name in headers for name in FRAMING)
