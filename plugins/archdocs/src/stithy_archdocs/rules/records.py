"""Blocks of code, rules, and what they hit: frozen records."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen


@frozen(kw_only=True)
class Block:
    """One block of code.

    Args:
        words: What its first line says: `yaml ast-grep`, in lower case.
        text: What is in it.
        line: The first line of its text.
        headings: The headings above it.
        before: The last line of prose above it, in its section.
    """

    words: tuple[str, ...]
    text: str
    line: int
    headings: tuple[str, ...]
    before: str = ""


@frozen(kw_only=True)
class Sample:
    """Code that a rule must pass, or must hit.

    Args:
        code: The code.
        path: Where it stands, for rules of imports; empty for anywhere.
        language: Where it is another than the rule's.
    """

    code: str
    path: str = ""
    language: str = ""


@frozen(kw_only=True)
class Imports:
    """What may not be imported.

    Args:
        disallow: Names of modules; each means all below it, too, and may have `*`.
        allow: Exceptions.
        prefer: What to import instead, by what is disallowed; under the empty name for all.
    """

    disallow: tuple[str, ...]
    allow: tuple[str, ...] = ()
    prefer: Mapping[str, str]


@frozen(kw_only=True, eq=False)
class Rule:
    """One rule of a document.

    Args:
        id: Its name, unique in the document.
        language: Which code it is for; empty for every language that has imports.
        severity: error or warning.
        message: What is wrong with what it hits.
        note: What to do, in words.
        fix: What to write instead, with ast-grep's `$NAMES`.
        config: What ast-grep matches; None for a policy.
        imports: What a policy forbids; None for a rule of syntax.
        files: Globs of the files it is for; empty for all.
        ignores: Globs of the files it is not for.
        valid: What it must not hit.
        invalid: What it must hit.
        line: Where it stands in its document.
    """

    id: str
    language: str
    severity: str
    message: str
    note: str = ""
    fix: str = ""
    config: Mapping[str, Any] | None = None
    imports: Imports | None = None
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    valid: tuple[Sample, ...] = ()
    invalid: tuple[Sample, ...] = ()
    line: int


@frozen(kw_only=True)
class Hit:
    """A place in code that breaks a rule. Lines and columns count from 1; the text is the matched code."""

    rule: Rule
    description: str
    text: str
    line: int
    column: int
    last: int
    fix: str = ""


@frozen(kw_only=True)
class UnreadRule:
    """A rule, or a block of them, that cannot be read or that is beyond the limit.

    Args:
        what: Its id where that is known, and its line.
        reason: Why it is not used.
        line: Where it stands in its document.
        language: Which code it is for, as it is written; empty where that is not known.
        files: Globs of the files it is for; empty for all.
        ignores: Globs of the files it is not for.
    """

    what: str
    reason: str
    line: int
    language: str = ""
    files: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
