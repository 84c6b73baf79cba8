"""Immutable models of code blocks, rules and their hits."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from stithy_archdocs.rules.project_models import ProjectCheck


@frozen(kw_only=True)
class CodeBlock:
    """A code block.

    Args:
        words: Words of its info string (`yaml ast-grep`), in lower case.
        text: Its content.
        line: First line of the content.
        headings: The headings above it, outermost first.
        before: The last line of prose above it in its section.
    """

    words: tuple[str, ...]
    text: str
    line: int
    headings: tuple[str, ...]
    before: str = ""


@frozen(kw_only=True)
class RuleSample:
    """Code that a rule must not hit, or must hit.

    Args:
        code: The code.
        path: Its path, for import rules; empty if irrelevant.
        language: Its language if it differs from the rule's.
        files: Texts by path, for rules about the whole project; None for others.
    """

    code: str
    path: str = ""
    language: str = ""
    files: Mapping[str, str] | None = None


@frozen(kw_only=True)
class ImportPolicy:
    """An import policy.

    Args:
        disallow: Names of modules; each includes everything below it, and may contain `*`.
        allow: Exceptions.
        prefer: What to import instead, by disallowed name; the empty name stands for all.
    """

    disallow: tuple[str, ...]
    allow: tuple[str, ...] = ()
    prefer: Mapping[str, str]


@frozen(kw_only=True, eq=False)
class Rule:
    """A rule of a document.

    Args:
        id: Its name, unique in the document.
        language: Language it applies to; empty for all languages with imports.
        severity: error or warning.
        message: Description of a violation.
        note: What to do about it.
        fix: Replacement text, with ast-grep's metavariables.
        config: The ast-grep rule; None for other rules.
        imports: The import policy; None for other rules.
        project: What the whole project must follow; None for rules about one file.
        files: Globs of files it applies to; empty for all.
        ignores: Globs of files it does not apply to.
        valid: Samples that it must not hit.
        invalid: Samples that it must hit.
        line: Its line in the document.
    """

    id: str
    language: str
    severity: str
    message: str
    note: str = ""
    fix: str = ""
    config: Mapping[str, Any] | None = None
    imports: ImportPolicy | None = None
    project: ProjectCheck | None = None
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    valid: tuple[RuleSample, ...] = ()
    invalid: tuple[RuleSample, ...] = ()
    line: int


@frozen(kw_only=True)
class RuleHit:
    """A position in code that violates a rule. Lines and columns count from 1; the text is the matched code."""

    rule: Rule
    description: str
    text: str
    line: int
    column: int
    last: int
    fix: str = ""


@frozen(kw_only=True)
class UnreadRule:
    """A rule, or a block of rules, that is unreadable or beyond the maximum.

    Args:
        what: Its id or its line.
        reason: Why it is not used.
        line: Its line in the document.
        language: Language it applies to, as written; empty if unknown.
        files: Globs of files it applies to; empty for all.
        ignores: Globs of files it does not apply to.
    """

    what: str
    reason: str
    line: int
    language: str = ""
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
