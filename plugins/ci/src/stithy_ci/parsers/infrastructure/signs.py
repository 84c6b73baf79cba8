"""How failures of what is around the tests are told: a literal that finds the line, and a form that must fit it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from stithy_ci.spi import Confidence, Kind

AFTER = r"^(?:##\[error\]|::error[^:]{0,200}::|Error: |error: )?"
"""What a runner may put before a message of its own."""


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
    """Give what wakes a parser of signs."""
    return tuple(dict.fromkeys(sign.wakes for sign in signs))
