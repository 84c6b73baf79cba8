"""What the JSON of a successful answer must be: a body that is empty, null or of another shape is a server's fault."""

from typing import Any, Protocol

import httpx
from attrs import frozen

from stithy_core.http.addresses import next_place
from stithy_core.http.bodies import to_json

CHECKED = "stithy.checked"
KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}


class ExpectedJson(Protocol):
    """What an endpoint answers where it is well. Its `repr` is part of what makes two requests the same."""

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body, as it follows "but its body"; "" where nothing is."""
        ...

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:
        """Check whether a 304, which vouches for the body alone, vouches for all that is read of the answer."""
        ...


@frozen
class Value:
    """One JSON value.

    Args:
        shape: `dict`, `list`, or `object` for any value but null.
        or_null: Whether null is a proper answer, too.
        headed: Whether it is a list whose headers are read as well, as they may tell of more rows.
    """

    shape: type = object
    or_null: bool = False
    headed: bool = False

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if body is None:
            return "" if self.or_null else "is null"
        if not isinstance(body, self.shape):
            return f"is {_kind_of(body)} where {_name_of(self.shape)} belongs"
        return ""

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:
        """Check that its headers tell of no more rows."""
        return not self.headed or _is_settled(len(body or ()), 0, response)


@frozen
class Anything:
    """Whatever there is, nothing included: the answer to a write that is not read."""

    def find_fault(self, body: Any) -> str:  # noqa: ARG002 -- see above
        """Return ""."""
        return ""

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:  # noqa: ARG002 -- a write is never kept
        """Return False."""
        return False


@frozen
class Rows:
    """One page of a list.

    Args:
        field: The field that holds the list, where it is wrapped in an object; a bare list will do there, too.
        size: How many rows a full page has; 0 where that is not known.
        or_null: Whether the server writes an empty list as null.
        linked: Whether only `Link` tells that there is a next page.
    """

    field: str = ""
    size: int = 0
    or_null: bool = False
    linked: bool = True

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if not self.field or isinstance(body, list):
            return Value(list, self.or_null).find_fault(body)
        if fault := Value(dict).find_fault(body):
            return fault
        if self.field not in body:
            return f"has no list {self.field!r}"
        rows = body[self.field]
        if isinstance(rows, list) or (rows is None and self.or_null):
            return ""
        return f"has {_kind_of(rows)} where the list {self.field!r} belongs"

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:
        """Check that the page is not the last one and full, and counts nothing beyond itself."""
        return _is_settled(len(self.rows_of(body)), self.size, response, linked=self.linked)

    def rows_of(self, body: Any) -> list[Any]:
        """Return the rows of a body that has no fault."""
        return (body[self.field] if isinstance(body, dict) else body) or []


@frozen
class GraphQLAnswer:
    """An answer of GraphQL: errors, or data that has something in it."""

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if fault := Value(dict).find_fault(body):
            return fault
        if body.get("errors"):
            return ""
        data = body.get("data")
        return "" if isinstance(data, dict) and data else "has neither data nor errors"

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:  # noqa: ARG002 -- a POST is never kept
        """Return False."""
        return False


def check_answer(response: httpx.Response, expected: ExpectedJson) -> tuple[Any, str]:
    """Parse an answer that was read, once for all policies that look at it.

    Returns:
        Its JSON, and what is wrong with it, as it follows "but its body"; "" where nothing is.
    """
    known: tuple[Any, str] | None = response.extensions.get(CHECKED)
    if known is None:
        body, malformed = to_json(response.content)
        known = (body, "is no JSON" if malformed else _find_fault(response, body, expected))
        response.extensions[CHECKED] = known
    return known


def _find_fault(response: httpx.Response, body: Any, expected: ExpectedJson) -> str:
    """Return what is wrong with a body. None at all is right for one value where 204 announces it, and never a list."""
    if response.content.strip() or isinstance(expected, Anything):
        return expected.find_fault(body)
    announced = response.status_code == httpx.codes.NO_CONTENT
    return "" if announced and isinstance(expected, Value) and expected.shape is not list else "is empty"


def take_answer(response: httpx.Response, expected: ExpectedJson) -> tuple[Any, str]:
    """Return what `check_answer` does, in JSON that no other caller has: callers that share an answer may change it."""
    known = check_answer(response, expected)
    del response.extensions[CHECKED]
    return known


def _is_settled(count: int, size: int, response: httpx.Response, *, linked: bool = True) -> bool:
    """Check that a row which is added behind a page would change its body, and so its validator.

    It would not where the page is full. Then the page may have become the last but one, and a count in a header may
    have grown, and a 304 brings neither: RFC 9110, 15.4.5 does not ask for them, and GitHub's 304 has no `Link`.
    """
    if count < (size or 1):
        return True
    return "x-total-count" not in response.headers and (not linked or bool(next_place(response)))


def _kind_of(body: Any) -> str:
    return "null" if body is None else KINDS.get(type(body), "something else")


def _name_of(shape: type) -> str:
    return KINDS.get(shape, "another value")
