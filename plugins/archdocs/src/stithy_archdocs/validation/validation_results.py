"""Results of `validate-against-pattern` (ARCH-4), with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Hint, Meta, Page, excerpt

Verdict: TypeAlias = Literal["compliant", "violations", "not_checkable"]


@frozen(kw_only=True)
class Violation:
    """A violation of a rule; `applies_to` has the rule's globs if the path of the code is unknown."""

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
class ExcusedHit:
    """A hit that does not count: it is in the baseline, or a comment allows it with a reason."""

    rule: str
    file: str | None = None
    line: int
    reason: str


@frozen(kw_only=True)
class UnparsedCode:
    """A position at which the code cannot be parsed."""

    file: str | None = None
    line: int
    column: int
    text: str


@frozen(kw_only=True)
class UncheckedItem:
    """A file, rule or comment that was not checked, and why."""

    what: str
    reason: str


@frozen(kw_only=True)
class Requirement:
    """A requirement of the document that no rule checks; a person or agent has to."""

    section: str
    text: str
    line: int
    checked: bool = False


@frozen(kw_only=True)
class ValidationResult:
    """The verdict with its evidence."""

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
    baselined: tuple[ExcusedHit, ...] | None = None
    suppressed: tuple[ExcusedHit, ...] | None = None
    parse_errors: tuple[UnparsedCode, ...] | None = None
    not_checked: tuple[UncheckedItem, ...] | None = None
    checklist: tuple[Requirement, ...] | None = None

    def render(self) -> Iterator[str]:
        """Return the verdict, the violations and the remaining points."""
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
            yield f"{excused} in the baseline or suppressed"
        for point in self.checklist or ():
            yield f"- [ ] {excerpt(point.text)}"
        for suggestion in self.suggestions:
            yield f"Suggestion: {suggestion}"
