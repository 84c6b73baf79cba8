"""What went wrong inside plugins while they were called, for whoever asks what failed."""

from attrs import frozen

from stithy_core.containment import locate
from stithy_core.errors import InternalError, StithyError
from stithy_core.redaction import redact
from stithy_core.spi import Contribution
from stithy_core.tools.registry import Tool


@frozen(kw_only=True)
class Fault:
    """How the last call of a tool failed by the fault of its plugin, or of what its plugin waited for."""

    origin: Contribution
    tool: str
    cause: str
    remedy: str


def fault_of(tool: Tool, error: StithyError) -> Fault:
    """Describe how a call failed."""
    remedy = error.suggestion or "report it to its author"
    return Fault(origin=tool.origin, tool=tool.spec.name, cause=_cause(error), remedy=remedy)


def _cause(error: StithyError) -> str:
    masked = error.__cause__
    return f"it raised {locate(masked)}" if isinstance(error, InternalError) and masked else redact(error.message)
