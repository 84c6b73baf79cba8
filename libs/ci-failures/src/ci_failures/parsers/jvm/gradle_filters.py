"""The filters of Gradle's `--tests`: `Class.method`, with or without the package; the star matches any text.

A single case of a parameterised test cannot be selected, and neither can tests of Kotest and Cucumber: then the whole
method or class is.
"""

import re
from collections.abc import Sequence

from ci_failures.parsers.jvm.exception_trace import LIBRARIES, Frame, Trace
from ci_failures.parsers.jvm.gradle_names import Test

SETS_UP = {"classMethod", "initializationError", "executionError"}
CALLED = re.compile(r"(.*[^()\[\]\s])(\([^()]*\))?(\[.*\])?(\(.*\))?")
PLAIN = re.compile(r"[\w$]+")
TEST_SOURCE = re.compile(r"(?:Test\w*|\w+(?:Tests?|TestCase|Spec|IT))\.\w+")
WITHOUT_METHODS = ("io.kotest.", "io.cucumber.")
COROUTINE = {"invokeSuspend", "invoke"}
"""The methods of a lambda of Kotlin, which is all that frames show of a test of Kotest."""


def pattern(test: Test, trace: Trace, source: str) -> str:
    """Return the filter; empty if the log shows neither class nor method.

    Args:
        test: The name that the line has.
        trace: The exception below it.
        source: The file that the short form names.
    """
    if test.in_words:
        return _in_words(test, trace, source)
    own = [one for one in trace.frames_with(test.outer) if one.outer.endswith(test.outer)]
    of = test.of if "." in test.of or not own else own[0].of.rpartition(".")[0] + "." + test.of
    of = of.removeprefix(".")
    first = test.parts[0]
    titled = not first.endswith(")") and _is_lambda(own, source)
    whole = test.prepares or test.method in SETS_UP or trace.sets_up or titled or _unselectable(test, trace)
    if whole:
        return of
    methods = _bare(test.parts)
    ran = next((one for one in own if one.method in methods), None)
    if ran and not first.endswith("]") and PLAIN.fullmatch(ran.method):
        return f"{ran.of if ran.of.startswith(of) else of}.{ran.method}"
    if len(test.parts) > 1 and test.parts[-1].endswith("()") and not first.endswith(")"):
        return f"{ran.of}.{ran.method}" if ran else of  # the display name of a nested class does not name it
    if not own and " " in first and "." not in test.of and not source.endswith(".groovy") and not first.endswith(")"):
        return of  # the display name of a test does not show its method
    displayed = next((one.method for one in own if "$" not in one.method), "")
    return f"{of}.{_method(first, displayed)}"


def _in_words(test: Test, trace: Trace, source: str) -> str:
    frames, methods = trace.frames, _bare(test.parts)
    ran = next((one for one in frames if one.method in methods), None)
    if ran:
        return f"{ran.of}.{ran.method}"
    outermost = next((one for one in reversed(frames) if not LIBRARIES.match(one.of)), None)
    if outermost:
        return outermost.of
    return source.partition(".")[0] if TEST_SOURCE.fullmatch(source) else ""


def _unselectable(test: Test, trace: Trace) -> bool:
    """Check whether the engine selects classes only.

    Kotest is recognized by its names, its frames or its exceptions.
    """
    several = "." in test.of and len(test.parts) > 1
    return (
        several
        or trace.message.startswith(WITHOUT_METHODS)
        or any(one.of.startswith(engine) for engine in WITHOUT_METHODS for one in trace.frames_with(engine))
    )


def _is_lambda(own: Sequence[Frame], source: str) -> bool:
    """Check whether a test has a title and no method: by its frames, or in the short form by Kotlin's source."""
    return {one.method for one in own} <= COROUTINE if own else source.endswith(".kt")


def _bare(parts: Sequence[str]) -> Sequence[str]:
    """Return parts of a name without arguments."""
    return [
        part.removesuffix("()") if part.endswith("()") else found[1] if (found := CALLED.fullmatch(part)) else part
        for part in parts
    ]


def _method(first: str, displayed: str) -> str:
    """Return the filter of a method by its name, with all its cases."""
    if first.endswith("()"):
        return first.removesuffix("()")
    found = CALLED.fullmatch(first)
    if not found or (" " in found[1] and not found[2]):
        return displayed or first
    return f"{found[1]}*" if found[3] and not found[2] else found[1]
