"""Every error that stithy raises on purpose, as one tree.

::

    StithyError
    ├── UserError               the caller can correct it                     category "user"
    │   ├── InvalidArguments    an argument does not fit                      code -32602
    │   ├── ToolNotFound        no tool has that name                         code -32001
    │   ├── Refused             read-only mode, an allow-list or a toolset
    │   └── ConfigError         stithy.toml or a variable is wrong
    ├── ForgeError              the forge refused, failed or did not answer   category "api"
    │   ├── NotFound            absent, or hidden from this token
    │   ├── Moved               the repository has another name now
    │   ├── Unauthorized        the token is missing, expired or wrong
    │   ├── Forbidden           the token may not do this
    │   │   └── Locked          the conversation is locked
    │   ├── Archived            the repository is archived
    │   ├── Conflict            the state of the target does not allow it
    │   ├── Rejected            the forge finds the request invalid
    │   ├── RateLimited         too many requests: wait `retry_after` seconds
    │   ├── Unavailable         no answer, or a server error: nothing was changed
    │   ├── TooLarge            the response exceeds a limit
    │   ├── NotTheApi           something else answered, such as a proxy's page
    │   └── Unclear             a write was sent and its answer was lost
    ├── LogicalError            valid, but it cannot be done                  category "logical"
    │   ├── Unsupported         the forge or its version lacks the operation
    │   ├── ToolTimeout         the tool took too long                        code -32003
    │   └── InvalidSpec         a plugin's tool cannot be served              code -32004
    └── InternalError           a fault of stithy or of a plugin, masked      code -32603

The codes are those of ARCH-13. They stand in the structured error of a result and never on the JSON-RPC wire,
where the MCP specification has codes of its own. Whatever has no code of its own is -32002, "tool execution failed".
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

Category = Literal["user", "api", "logical"]


class StithyError(Exception):
    """The root of all errors: a message for people, and fields for programs.

    Args:
        message: What happened, and where.
        suggestion: What to do next, in one sentence.
        retry_after: Seconds after which the same call may succeed.
        details: Facts for programs, such as the forge's own `status` and `message`.
    """

    code: ClassVar[int] = -32002
    category: ClassVar[Category] = "logical"

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
    """An argument does not fit; `details["errors"]` lists each with path, given and allowed."""

    code = -32602


class ToolNotFound(UserError):
    """No tool has that name."""

    code = -32001


class Refused(UserError):
    """A setting forbids it: read-only mode or an allow-list."""


class ConfigError(UserError):
    """stithy.toml, or a variable that stands for it, is wrong; `details` has file, line and key."""


class ForgeError(StithyError):
    """The forge said no, or said nothing."""

    category = "api"


class NotFound(ForgeError):
    """Absent, or hidden from this token: forges do not tell the two apart."""


class Moved(ForgeError):
    """The repository has another name now; nothing was sent there."""


class Unauthorized(ForgeError):
    """The token is missing, expired or wrong."""


class Forbidden(ForgeError):
    """The token is known but may not do this."""


class Locked(Forbidden):
    """The conversation is locked for this token's user."""


class Archived(ForgeError):
    """The repository is archived and takes no writes."""


class Conflict(ForgeError):
    """The state of the target does not allow it."""


class Rejected(ForgeError):
    """The forge finds the request invalid."""


class RateLimited(ForgeError):
    """Too many requests; `retry_after` says how many seconds to wait."""


class Unavailable(ForgeError):
    """No answer, or a server error, and nothing was changed."""


class TooLarge(ForgeError):
    """There is more than we take in: the rest was not read."""


class NotTheApi(ForgeError):
    """Something else answered in the forge's place, such as a proxy's log-in page."""


class Unclear(ForgeError):
    """A write was sent and its answer was lost: it may or may not have been carried out."""


class LogicalError(StithyError):
    """Well-formed and allowed, yet it cannot be done."""


class Unsupported(LogicalError):
    """The forge or its version lacks the operation; `details` has forge, version and operation."""


class ToolTimeout(LogicalError):
    """The tool took longer than its duration class allows."""

    code = -32003


class InvalidSpec(LogicalError):
    """A plugin's tool cannot be served as it is declared."""

    code = -32004


class InternalError(StithyError):
    """A fault inside stithy or a plugin; its own text is masked and stands in the log only."""

    code = -32603
