"""The result of `validate-against-pattern` (ARCH-4), with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Hint, Meta, Page, excerpt

Verdict: TypeAlias = Literal["compliant", "violations", "not_checkable"]


@frozen(kw_only=True)
class Violation:
    """A place that breaks a rule; `applies_to` says for which files the rule is, where that was not checked."""

    rule: Annotated[str, Meta(cut=False)]
    description: str
    severity: Literal["error", "warning"]
    file: Annotated[str | None, Meta(cut=False)] = None
    line: int
    column: int
    last_line: int
    code: Annotated[str, Meta(cut=True)]
    fix: str | None = None
    applies_to: tuple[str, ...] | None = None


@frozen(kw_only=True)
class Excused:
    """A hit that is no violation: it is in the baseline, or a comment allows it for a reason."""

    rule: str
    file: str | None = None
    line: int
    reason: str


@frozen(kw_only=True)
class Unparsed:
    """A place that cannot be parsed."""

    file: str | None = None
    line: int
    column: int
    text: str


@frozen(kw_only=True)
class NotChecked:
    """What was not checked, and why: a file, a rule or a comment."""

    what: str
    reason: str


@frozen(kw_only=True)
class Point:
    """A point of the document that no rule checks; somebody has to read it."""

    section: str
    text: str
    line: int
    checked: bool = False


@frozen(kw_only=True)
class Validation:
    """The verdict, and all that it rests on."""

    compliant: bool
    verdict: Verdict
    pattern: Annotated[str, Meta(cut=False)]
    uri: Annotated[str, Meta(cut=False)]
    why: str | None = None
    language: str | None = None
    rules_checked: tuple[str, ...]
    files_checked: int
    violations: Page[Violation]
    suggestions: tuple[str, ...]
    baselined: tuple[Excused, ...] | None = None
    suppressed: tuple[Excused, ...] | None = None
    parse_errors: tuple[Unparsed, ...] | None = None
    not_checked: tuple[NotChecked, ...] | None = None
    checklist: tuple[Point, ...] | None = None

    def render(self) -> Iterator[str]:
        """Say the verdict, the violations and what is left to do."""
        yield f"{self.pattern}: {self.verdict}" + (f" ({self.why})" if self.why else "")
        count = f"{len(self.rules_checked)} rules checked, {self.violations.total} violations"
        yield Hint(count) if len(list(self.violations)) != self.violations.total else count
        for one in self.violations:
            place = f"{one.file}:{one.line}" if one.file else f"line {one.line}"
            fix = f"; fix: {excerpt(one.fix)}" if one.fix else ""
            yield f"- {place} {one.severity} {one.rule}: {excerpt(one.description)}{fix}"
        for unparsed in self.parse_errors or ():
            yield f"- cannot be parsed: {unparsed.file or 'code'}:{unparsed.line}:{unparsed.column}"
        for left in self.not_checked or ():
            yield f"- not checked: {left.what}: {excerpt(left.reason)}"
        excused = len(self.baselined or ()) + len(self.suppressed or ())
        if excused:
            yield f"{excused} known or allowed"
        for point in self.checklist or ():
            yield f"- [ ] {excerpt(point.text)}"
        for suggestion in self.suggestions:
            yield f"Suggestion: {suggestion}"
