"""Running strangers' code: whatever it does ends as an error that says what to do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stithy_core.redaction import redact
from stithy_core.spi.faults import ends_caller

LONGEST = 300
SHORTEST = 80


class PluginError(Exception):
    """A plugin's own fault, with the remedy beside it."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


@contextmanager
def contained(deed: str, remedy: str) -> Iterator[None]:
    """Turn whatever is raised inside into a `PluginError`; only what ends the caller itself passes, such as Ctrl-C.

    Args:
        deed: What begins the cause: "stithy_tools raised".
        remedy: What to do about it.

    Raises:
        PluginError: Something was raised.
    """
    try:
        yield
    except PluginError:
        raise
    except BaseException as error:  # SystemExit is one, and a third party may derive others
        if isinstance(error, KeyboardInterrupt) and ends_caller(error):
            raise
        raise PluginError(f"{deed} {said(error)}".strip(), remedy) from error


def said(error: BaseException) -> str:
    """Return an error as one line, with its class and without secrets."""
    return _line(f"{type(error).__name__}: {_written(error)}")[:LONGEST]


def shown(value: object) -> str:
    """Show a value that a plugin gave, shortened and without secrets."""
    return _line(_written(value, repr))[:SHORTEST]


def _written(value: object, write: Callable[[object], str] = str) -> str:
    try:
        return write(value)
    except Exception as error:  # noqa: BLE001 -- a stranger's object may not even be able to write itself
        return f"(a {type(value).__name__} that raises {type(error).__name__} when it is written)"


def _line(text: str) -> str:
    # Before it is cut: half a token is not recognised.
    return " ".join(redact(text).split())
