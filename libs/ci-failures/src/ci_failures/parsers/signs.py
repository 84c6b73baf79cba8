"""Failures that one line tells: a literal that finds it, a form that must fit, and the lines after it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind, Line, Parser
from ci_failures.parsers.common import cut, unmarked

AFTER = r"^(?:##\[error\]|::error[^:]{0,200}::|Error: |error: )?"
"""What a runner may put before a message of its own."""
RUNNER = ("##[", "::", "exitcode '", "Process completed with exit code")
"""How lines begin in which a runner speaks itself, GitHub's and Gitea's."""


def _form(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    return pattern if isinstance(pattern, re.Pattern) else re.compile(pattern)


@frozen(kw_only=True)
class Sign:
    """One way in which one kind of failure is told.

    Args:
        wakes: The literal.
        form: What the line must match; the group `what` says what could not be had, or what was ended.
        kind: What failed.
        tool: Who says it.
        rule: What its name begins with.
        confidence: Of the kind: a killed process may have another cause than memory.
        more: How many lines after it, and of which form, belong to the message.
        follows: The form of these.
    """

    wakes: str
    form: re.Pattern[str] = field(converter=_form)
    kind: Kind
    tool: str = "runner"
    rule: str
    confidence: Confidence = "high"
    more: int = 0
    follows: re.Pattern[str] = field(default=r"\S", converter=_form)

    def name(self, found: re.Match[str]) -> str:
        """Give the name of what failed: the rule, and what it befell."""
        groups: Mapping[str, Any] = found.groupdict()
        what = str(groups.get("what") or "").strip(" .")
        return f"{self.rule} {what}".strip()


def literals(signs: Sequence[Sign]) -> tuple[str, ...]:
    """Give what wakes a parser of signs; what must stand at the beginning of a line wakes it only there."""
    return tuple(dict.fromkeys(f"\n{sign.wakes}" if _begins(sign) else sign.wakes for sign in signs))


def _begins(sign: Sign) -> bool:
    """Say whether the form has the literal at the beginning of a line."""
    return sign.form.pattern.startswith(f"^{re.escape(sign.wakes)}".replace("\\ ", " "))


class SignParser(Parser):
    """Looks for signs; those who derive from it say which."""

    signs: ClassVar[Sequence[Sign]] = ()

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._name = ""
        self._sign: Sign | None = None
        self._lines: list[str] = []

    def read(self, line: Line) -> bool:
        """See whether a line fits a sign, or belongs to the one before."""
        for sign in self.signs:
            found = sign.form.search(line.text) if sign.wakes in line.text else None
            if found:
                self._close()
                self._begin(sign, sign.name(found), line)
                return bool(sign.more)
        if self._sign is None:
            return False
        belongs = self._sign.follows.search(line.text) and not line.text.startswith(RUNNER)
        if len(self._lines) <= self._sign.more and belongs:
            self._lines.append(line.text)
            return True
        self._close()
        return False

    def finish(self) -> Iterable[Failure]:
        """Give each once."""
        self._close()
        return list(self._found.values())

    def _begin(self, sign: Sign, name: str, line: Line) -> None:
        if name in self._found or len(self._found) >= MOST_FAILURES:
            return
        self._found[name] = Failure(
            tool=sign.tool, kind=sign.kind, name=name, log_line=line.number, confidence=sign.confidence
        )
        self._name, self._sign, self._lines = name, sign, [line.text]

    def _close(self) -> None:
        if self._sign is not None:
            self._found[self._name] = evolve(self._found[self._name], message=cut(map(unmarked, self._lines)))
        self._sign, self._lines = None, []
