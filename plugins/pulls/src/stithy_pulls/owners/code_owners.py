"""Code owners: parse the file in the dialect of the forge, and find the owners of paths."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

import regex
from attrs import Factory, frozen

from stithy_pulls.diffs.path_patterns import PathPattern, parse_glob

SECONDS = 10
"""Seconds for finding owners. A file of 2,000 lines takes that for some thousand paths."""


@frozen
class OwnerRule:
    """One line of the file.

    Args:
        number: The line number, from 1.
        fit: The pattern.
        owners: Accounts and teams without `@`, and mail addresses; empty to remove ownership.
        section: The section that it is in, in lower case; empty outside of sections.
        excludes: Whether no line of its section is for the matching files.
    """

    number: int
    fit: PathPattern
    owners: tuple[str, ...]
    section: str = ""
    excludes: bool = False


@frozen
class OwnerSection:
    """A section of the file.

    Args:
        name: Its name, as it is written first.
        optional: Whether no approval of its owners is required.
        approvals: How many approvals of its owners are required, unless it is optional.
    """

    name: str
    optional: bool = False
    approvals: int = 1

    def __str__(self) -> str:
        """Return its name with what it requires, unless that is one approval."""
        return f"{self.name} (optional)" if self.optional else self._with_count()

    def _with_count(self) -> str:
        return f"{self.name} ({self.approvals} approvals)" if self.approvals > 1 else self.name


@frozen
class CodeOwners:
    """A file of code owners.

    Args:
        path: Its path; empty without such a file.
        rules: Its valid lines.
        errors: The errors of the other lines, which are ignored.
        add_up: Whether all matching lines count, or only the last one.
        sections: Its sections, by name in lower case: in each, the last matching line counts. None if the file has no
            such form.
    """

    path: str = ""
    rules: tuple[OwnerRule, ...] = ()
    errors: tuple[str, ...] = ()
    add_up: bool = False
    sections: Mapping[str, OwnerSection] | None = None

    def find_owners(self, path: str, check: Callable[[], None] = lambda: None) -> Mapping[str, int]:
        """Return the owners of a file, each with its line number; `check` is called before each line."""
        fitting = self._match_rules(path, check)
        if self.sections is not None:
            return _combine_sections(fitting)
        if self.add_up:
            return {owner: rule.number for rule in fitting for owner in rule.owners}
        last = next(fitting, None)
        return dict.fromkeys(last.owners, last.number) if last else {}

    def _match_rules(self, path: str, check: Callable[[], None]) -> Iterator[OwnerRule]:
        for rule in self.rules if self.add_up else reversed(self.rules):
            check()
            if rule.fit.matches(path):
                yield rule


def _combine_sections(fitting: Iterable[OwnerRule]) -> Mapping[str, int]:
    """Return the owners by all sections, of the matching lines from the last to the first."""
    rules = list(fitting)
    excluded = {rule.section for rule in rules if rule.excludes}
    last: dict[str, OwnerRule] = {}
    for rule in rules:
        if rule.section not in excluded:
            last.setdefault(rule.section, rule)
    return {owner: rule.number for rule in last.values() for owner in rule.owners}


@frozen
class FileOwnership:
    """The owners of some files.

    Args:
        owners: The file of code owners.
        files: By path, its owners, each with its line number.
        unread: How many files were not evaluated, because there are too many for the number of lines.
    """

    owners: CodeOwners
    files: Mapping[str, Mapping[str, int]] = Factory(dict)
    unread: int = 0

    @property
    def unowned(self) -> tuple[str, ...]:
        """The files without an owner; empty without a file of code owners."""
        return tuple(path for path, owners in self.files.items() if not owners) if self.owners.path else ()

    @property
    def sections(self) -> tuple[OwnerSection, ...]:
        """The sections by which somebody owns one of the files, in the order of the file."""
        lines = {line for owners in self.files.values() for line in owners.values()}
        names = {rule.section for rule in self.owners.rules if rule.number in lines}
        return tuple(section for name, section in (self.owners.sections or {}).items() if name in names)

    @property
    def timed_out_lines(self) -> tuple[int, ...]:
        """The lines whose patterns timed out. Who owns files by them is unknown."""
        return tuple(rule.number for rule in self.owners.rules if rule.fit.timed_out)


def resolve_ownership(
    owners: CodeOwners, paths: Iterable[str], clock: Callable[[], float] = time.monotonic
) -> FileOwnership:
    """Find the owners of files within `SECONDS`. It uses a CPU, so call it in a thread.

    Args:
        owners: The file of code owners.
        paths: The files. A file that is not compared with all lines in time counts as unread.
        clock: Returns seconds.
    """
    found: dict[str, Mapping[str, int]] = {}
    waiting, end = list(paths), clock() + SECONDS

    def check() -> None:
        if clock() > end:
            raise TimeoutError

    with suppress(TimeoutError):
        for path in waiting:
            found[path] = owners.find_owners(path, check)
    return FileOwnership(owners, found, len(waiting) - len(found))


QUANTIFIER = regex.compile(r"\\.|\[\^?\]?[^\]]*\]|(?P<possessive>(?:[*+?]|\{\d+(?:,\d*)?\})\+)")
"""A character that is escaped or in brackets, or a quantifier that gives nothing back."""
MOST = 500
"""Expressions that are evaluated: each may use its whole time limit."""


def parse_expression_rules(path: str, text: str) -> CodeOwners:
    """Parse code owners of Gitea and Forgejo: regular expressions, all of which count.

    Each line is parsed for itself; `!` inverts an expression (docs/forge-behaviour/gitea.md#code).

    Args:
        path: The path of the file.
        text: Its content.
    """
    rules: list[OwnerRule] = []
    errors: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = _split_words(line)
        if not words:
            continue
        if len(rules) == MOST:
            errors.append(f"line {number} and following: only {MOST} expressions are evaluated")
            break
        try:
            fit = _parse_expression(words)
        except (ValueError, regex.error) as error:
            errors.append(f"line {number}: {error}")
        except RecursionError:
            errors.append(f"line {number}: the expression is nested too deeply")
        else:
            rules.append(OwnerRule(number, fit, tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors), add_up=True)


def _parse_expression(words: list[str]) -> PathPattern:
    if len(words) == 1:
        raise ValueError("missing owner")
    expression = words[0].removeprefix("!").removeprefix("/")  # paths have no slash at their start
    if any(found["possessive"] for found in QUANTIFIER.finditer(expression)):
        raise ValueError("nested quantifier")  # which the servers' expressions have none of, unlike Python's
    return PathPattern(expression, negated=words[0].startswith("!"), anchors=True)


def _split_words(line: str) -> list[str]:
    """Split a line as the servers do: a backslash escapes the next character, and is removed."""
    words: list[str] = []
    word, escaped = "", False
    for char in line.strip().replace("\t", " "):
        if escaped:
            word, escaped = word + char, False
        elif char == "\\":
            escaped = True
        elif char == "#":
            break
        elif char == " ":
            words.append(word)
            word = ""
        else:
            word += char
    return [one for one in (*words, word) if one]


WORD = re.compile(r"(?:\\.|[^\s\\])+")
OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)?|[^\s@]+@[^\s@]+")
COMMENT = re.compile(r"(?:^|\s)#.*")


def parse_glob_rules(path: str, text: str) -> CodeOwners:
    """Parse code owners of GitHub; an invalid line leaves the others valid (docs/forge-behaviour/github.md#code).

    Args:
        path: The path of the file.
        text: Its content.
    """
    rules, errors = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = WORD.findall(COMMENT.sub("", line))
        if not words:
            continue
        wrong = next(_find_errors(words), "")
        if wrong:
            errors.append(f"line {number}: {wrong}")
        else:
            rules.append(OwnerRule(number, parse_glob(words[0]), tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors))


def _find_errors(words: list[str]) -> Iterator[str]:
    if words[0].startswith("!"):
        yield "patterns cannot be negated"
    if words[0].startswith("\\#"):
        yield "a pattern cannot begin with #"
    for word in words[1:]:
        if not OWNER.fullmatch(word):
            yield f"invalid owner {word[:80]!r}"
