"""Failures that a single line shows: a literal that finds it, a pattern that must match, and the lines after it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind, Line, Parser
from ci_failures.parsers.text_helpers import join_message, strip_mark

AFTER = r"^(?:##\[error\]|::error[^:]{0,200}::|Error: |error: )?"
"""What a runner may print before its own messages."""
RUNNER = ("##[", "::", "exitcode '", "Process completed with exit code")
"""Prefixes of lines that the runner itself prints, GitHub's and Gitea's."""


def _form(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    return pattern if isinstance(pattern, re.Pattern) else re.compile(pattern)


@frozen(kw_only=True)
class Sign:
    """One pattern by which one kind of failure is recognized.

    Args:
        wakes: The literal.
        form: The pattern of the line; its group `what` is what could not be installed, or what was killed.
        kind: What failed.
        tool: The tool that prints it.
        rule: The beginning of the failure's name.
        confidence: How sure the kind is: a killed process may have another cause than memory.
        more: How many of the following lines may belong to the message.
        follows: The pattern of these lines.
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
        """Return the name of the failure: the rule, and the subject that the line names."""
        groups: Mapping[str, Any] = found.groupdict()
        what = str(groups.get("what") or "").strip(" .")
        return f"{self.rule} {what}".strip()


def literals(signs: Sequence[Sign]) -> tuple[str, ...]:
    """Return the literals that wake a parser of signs; one with which a line has to begin wakes it only there."""
    return tuple(dict.fromkeys(f"\n{sign.wakes}" if _begins(sign) else sign.wakes for sign in signs))


def _begins(sign: Sign) -> bool:
    """Check whether the pattern has the literal at the beginning of a line."""
    return sign.form.pattern.startswith(f"^{re.escape(sign.wakes)}".replace("\\ ", " "))


class SignParser(Parser):
    """Parser of single-line failures; subclasses list their signs."""

    signs: ClassVar[Sequence[Sign]] = ()

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._name = ""
        self._sign: Sign | None = None
        self._lines: list[str] = []

    def read(self, line: Line) -> bool:
        """Check whether a line matches a sign, or continues the message of the one before."""
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
        """Return each failure once."""
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
            self._found[self._name] = evolve(
                self._found[self._name], message=join_message(map(strip_mark, self._lines))
            )
        self._sign, self._lines = None, []
