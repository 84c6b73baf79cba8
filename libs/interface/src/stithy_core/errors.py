"""Every error that stithy raises on purpose, as one tree of classes.

The classes are the one table of errors: their attributes are what the tools, the HTTP service, the client of forges and
the tests of the documentation read. A new error is a class here and a name in `stithy_core.spi`. Three branches say who
can act: a `UserError` is the caller's, a `ForgeError` the forge's, a `LogicalError` neither's; an `InternalError` is a
fault of stithy or of a plugin.

The codes are those of ARCH-13. They are in the structured error of a result and never on the JSON-RPC wire, where the
MCP specification has codes of its own.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, NoReturn, TypeVar

Category = Literal["user", "api", "logical"]

E = TypeVar("E", bound="StithyError")


class StithyError(Exception):
    """The root of all errors: a message for people, and fields for programs.

    Args:
        message: What happened, and where.
        suggestion: What to do next, in one sentence.
        retry_after: Seconds after which the same call may succeed.
        details: Facts for programs, such as the forge's own `status` and `message`.
    """

    code: ClassVar[int] = -32002
    """The number of the class in structured errors; -32002 is "tool execution failed"."""
    category: ClassVar[Category] = "logical"
    """Whose error it is: the caller's, the forge's, or neither's."""
    http_status: ClassVar[int] = 500
    """The status with which the HTTP service answers."""
    forge_statuses: ClassVar[tuple[int, ...]] = ()
    """The statuses of a forge that mean this very class, and none below it, unless its dialect maps them."""
    remedy: ClassVar[str] = ""
    """The suggestion for a failure of a forge that has none of its own."""

    def __init__(
        self,
        message: str,
        *,
        suggestion: str = "",
        retry_after: float | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.retry_after = retry_after
        self.details = dict(details or {})

    def as_dict(self) -> dict[str, Any]:
        """Return the structured error (PULL-3) without empty fields."""
        whole = {
            "error": self.message,
            "code": self.code,
            "category": self.category,
            "details": self.details,
            "suggestion": self.suggestion,
            "retry_after": self.retry_after,
        }
        return {key: value for key, value in whole.items() if value not in ("", None, {})}


class UserError(StithyError):
    """The caller can correct it."""

    category = "user"


class InvalidArguments(UserError):
    """An argument is not valid; `details["errors"]` lists each with path, value and what is allowed."""

    code = -32602
    http_status = 400


class ToolNotFound(UserError):
    """No tool has that name."""

    code = -32001
    http_status = 404


class Refused(UserError):
    """A setting forbids it: read-only mode, an allow-list or a toolset."""

    http_status = 403


class ConfigError(UserError):
    """stithy.toml, or a variable in its place, is not valid; `details` has file, line and key."""


class ForgeError(StithyError):
    """The forge refused, or did not answer usefully."""

    category = "api"
    http_status = 502


class NotFound(ForgeError):
    """Absent, or hidden from this token: forges do not tell the two apart."""

    http_status = 404
    forge_statuses = (404, 410)
    remedy = "Check the name; a private repository looks absent to a token that cannot read it."


class Moved(ForgeError):
    """The repository has another name now; nothing was sent there."""

    http_status = 404
    remedy = "Nothing was sent there. Use the current name of the repository, or the forge's own URL."


class Unauthorized(ForgeError):
    """The token is missing, expired or wrong."""

    # The server's own token is at fault: 401 would make a client look for another one of its own.
    http_status = 502
    forge_statuses = (401,)
    remedy = "Check the token of this forge: `stithy doctor` shows where it is read from."


class Forbidden(ForgeError):
    """The token is valid, and lacks a permission."""

    http_status = 403
    forge_statuses = (403,)
    remedy = "The token needs a scope or a role that it does not have."


class Locked(Forbidden):
    """The conversation is locked for the token's user."""


class Archived(ForgeError):
    """The repository is archived and takes no writes."""

    http_status = 403


class Conflict(ForgeError):
    """The state of the target does not allow it."""

    http_status = 409
    forge_statuses = (409, 412, 423)
    remedy = "Read the target again: it has changed, or its state does not allow this."


class Rejected(ForgeError):
    """The forge finds the request invalid."""

    http_status = 422
    forge_statuses = (400, 405, 413, 422)
    remedy = "Correct what the message names."


class RateLimited(ForgeError):
    """Too many requests; `retry_after` has the seconds to wait."""

    http_status = 429
    forge_statuses = (429,)
    remedy = "Wait as long as retry_after says; an earlier request makes it longer."


class Unavailable(ForgeError):
    """No answer, or a server error, and nothing was changed."""

    http_status = 503
    remedy = "Nothing was changed; try again later."


class TooLarge(ForgeError):
    """The answer is larger than the limit; the rest was not read."""

    remedy = "Ask for less at once."


class NotTheApi(ForgeError):
    """Something else answered in the forge's place, such as a proxy's log-in page."""

    remedy = "Check the forge's URL, and whether a proxy or a log-in page answers in its place."


class Unclear(ForgeError):
    """A write was sent and its answer was lost: it may or may not have been carried out."""

    remedy = "Read the target before you repeat the write: it may have been carried out."


class LogicalError(StithyError):
    """Well-formed and allowed, yet it cannot be done."""


class Unsupported(LogicalError):
    """The forge or its version lacks the operation; `details` has forge, version and operation."""

    http_status = 501


class ToolTimeout(LogicalError):
    """The tool took longer than its duration class allows."""

    code = -32003
    http_status = 504


class InvalidSpec(LogicalError):
    """A plugin's tool cannot be served as it is declared."""

    code = -32004


class InternalError(StithyError):
    """A fault of stithy or of a plugin; its own text is masked, and only in the log."""

    code = -32603


def raise_explained(explained: Exception, error: Exception) -> NoReturn:
    """Raise what explains an error, caused by it.

    An explanation may be the error itself, where nothing more is known. It then keeps the cause that it has: an error
    that is its own cause sends whoever follows causes in a circle.

    Args:
        explained: What explains the error.
        error: The error.

    Raises:
        Exception: `explained`, always.
    """
    raise explained from (error.__cause__ if explained is error else error)


def iterate_errors(kind: type[E]) -> Iterator[type[E]]:
    """Iterate a class of errors and all below it."""
    yield kind
    for below in kind.__subclasses__():
        yield from iterate_errors(below)
