"""Surefire's names of tests, and its filters."""

import re
from collections.abc import Sequence

QUALIFIED = re.compile(r"((?:[\w$]+\.)*[A-Z][\w$]*)\.(.+)")
WHOLE_CLASS = re.compile(r"(?:[\w$]+\.)*[A-Z][\w$]*")
OLD = re.compile(r"(.*)\(([\w$.]+)\)")
FEATURE = re.compile(r"((?=[^.(]+? [^.(])[^.(]++)\.([^\W\d].*)")
CASE = re.compile(r"(?<=[^\s(])[(\[{]")
LOWER_CASE = re.compile(r"((?:[\w$]+\.)+[\w$]+)\.([\w$]+(?:[(\[{].*)?)")


def split_header(head: str, known: str) -> tuple[str, str]:
    """Split the header of a block into class and method; of a whole class the method is empty.

    Args:
        head: `pkg.Class.method(int)[1]`, `method(pkg.Class)`, `method{int}[1]`, or a display name.
        known: The class that was named before; empty where the log begins behind it.
    """
    if head == known:
        return known, ""
    if known and head.startswith(f"{known}."):
        return known, head[len(known) + 1 :]
    old = OLD.fullmatch(head)
    alone = old and not known and "." not in bare(old[1]) and WHOLE_CLASS.fullmatch(old[2])
    if old and (old[2] == known or "." in old[2] or alone):
        return (old[2], old[1]) if old[1] != old[2] else (old[2], "")
    if looks := _by_looks(head):
        return looks
    feature = FEATURE.fullmatch(head)
    return (feature[1], feature[2]) if feature else (known, head) if known else (head, "")


def _by_looks(head: str) -> tuple[str, str] | None:
    if WHOLE_CLASS.fullmatch(head) and "." in head:
        return head, ""
    found = QUALIFIED.fullmatch(head) or LOWER_CASE.fullmatch(head)
    return (found[1], found[2]) if found else None


def bare(method: str) -> str:
    """Return a method without its arguments."""
    return method if method.isidentifier() else CASE.split(method, maxsplit=1)[0]


def pattern(method: str, ran: Sequence[str] = ()) -> str:
    """Return the filter of a method, with all its cases, since not all versions can select one.

    Empty if nothing selects it: for display names of cases, and where a star does not match a slash.

    Args:
        method: The method as the log names it.
        ran: The methods of its class in the trace.
    """
    if method.isascii() and method.isidentifier():  # most of them
        return method
    plain = bare(method)
    if " " in plain and plain not in ran:
        plain = method = next((one for one in ran if " " in one), "")
    if "/" in method:
        return ""
    if method.startswith(f"{plain}[") and plain and not method.endswith(")"):
        both = re.fullmatch(
            r".*\[\d+\]", method
        )  # a test of JUnit 4 that only its parameters name, or one that JUnit 5 generated
        return f"{plain}+{plain}[*]" if both else f"{plain}[*]"
    return re.sub(r"[^\w$ .-]", "?", plain or method)
