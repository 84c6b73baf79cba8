"""What became of each plugin, as data; and the containment of faults in its code."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Literal

from attrs import frozen

from stithy_core.redaction import redact
from stithy_core.spi.faults import ends_caller
from stithy_core.spi.runtime import Contribution

LONGEST_ERROR = 300
LONGEST_VALUE = 80


class PluginError(Exception):
    """A fault of a plugin, with its remedy."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


@contextmanager
def contain_faults(action: str, remedy: str) -> Iterator[None]:
    """Turn every error of a plugin's code into a `PluginError`; only what ends the caller passes, such as Ctrl-C.

    Args:
        action: The beginning of the cause: "stithy_tools raised".
        remedy: The remedy.

    Raises:
        PluginError: The code raised an error.
    """
    try:
        yield
    except PluginError:
        raise
    except BaseException as error:  # SystemExit is one, and a third party may derive others
        if isinstance(error, KeyboardInterrupt) and ends_caller(error):
            raise
        raise PluginError(f"{action} {describe_error(error)}".strip(), remedy) from error


def describe_error(error: BaseException) -> str:
    """Return an error as one line, with its class and without secrets."""
    return _join_lines(f"{type(error).__name__}: {_format_safely(error)}")[:LONGEST_ERROR]


def format_value(value: object) -> str:
    """Return a plugin's value as one short line without secrets."""
    return _join_lines(_format_safely(value, repr))[:LONGEST_VALUE]


def _format_safely(value: object, write: Callable[[object], str] = str) -> str:
    try:
        return write(value)
    except Exception as error:  # noqa: BLE001 -- the object of a third party may raise even in its repr
        return f"(a {type(value).__name__} that raises {type(error).__name__} when it is formatted)"


def _join_lines(text: str) -> str:
    # Before the text is cut: half a token would not be recognized.
    return " ".join(redact(text).split())


Stage = Literal["discovery", "import", "interface", "hooks", "offers", "call", "run"]


def display_name(origin: Contribution) -> str:
    """Return the name of a plugin in lists; of a built-in one with its entry point, which makes it unique."""
    return f"{origin} ({origin.entry_point})" if origin.distribution == "stithy-core" else str(origin)


@frozen(kw_only=True)
class Loaded:
    """A plugin that works.

    Args:
        origin: The plugin.
        module: The object that its entry point names.
        seconds: How long its import took.
        notes: Notes for its user, such as a hook that waits for a package.
    """

    origin: Contribution
    module: ModuleType | Any
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class Blocked:
    """A plugin that a setting excludes; it was not imported."""

    origin: Contribution


@frozen(kw_only=True)
class Failed:
    """A plugin, or one of its offers, that cannot be used.

    Args:
        origin: The plugin.
        stage: The stage at which it failed.
        cause: The cause, on one line.
        remedy: The remedy.
        offer: The offer that failed, such as "tool pr_list"; empty where the whole plugin did.
    """

    origin: Contribution
    stage: Stage
    cause: str
    remedy: str
    offer: str = ""

    @property
    def subject(self) -> str:
        """The plugin, and the offer that failed."""
        return f"{self.origin}: {self.offer}" if self.offer else str(self.origin)

    def __str__(self) -> str:
        return f"{self.subject} failed at {self.stage}: {self.cause}. {self.remedy}"
