"""Where the file of code owners is, and what it says."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

import regex
from attrs import Factory, frozen

from stithy_core.spi import OwnersFile
from stithy_pulls.diffs.path_patterns import PathPattern, parse_glob
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_objects_at

SECONDS = 10
"""How long owners are looked up: a file of 2,000 lines takes that for some thousand paths."""


@frozen
class OwnerRule:
    """One line.

    Args:
        number: Which, from 1 on.
        fit: For which paths it is.
        owners: Accounts and teams without `@`, mail addresses as they are; none takes ownership away.
    """

    number: int
    fit: PathPattern
    owners: tuple[str, ...]


@frozen
class CodeOwners:
    """A file of code owners.

    Args:
        path: Where it is; empty where there is none.
        rules: Its lines that count.
        errors: What is wrong with others, which count for nothing.
        add_up: Whether all lines that fit count, or the last one alone.
    """

    path: str = ""
    rules: tuple[OwnerRule, ...] = ()
    errors: tuple[str, ...] = ()
    add_up: bool = False

    def find_owners(self, path: str, check: Callable[[], None] = lambda: None) -> Mapping[str, int]:
        """Give the owners of a file, each with the line that says so; `check` is called before each line."""
        fitting = self._fitting(path, check)
        if self.add_up:
            return {owner: rule.number for rule in fitting for owner in rule.owners}
        last = next(fitting, None)
        return dict.fromkeys(last.owners, last.number) if last else {}

    def _fitting(self, path: str, check: Callable[[], None]) -> Iterator[OwnerRule]:
        for rule in self.rules if self.add_up else reversed(self.rules):
            check()
            if rule.fit.matches(path):
                yield rule


@frozen
class FileOwnership:
    """Who owns which of some files.

    Args:
        owners: The file that says so.
        files: By path, its owners, each with the line that says so.
        unread: How many files were not looked up, since there are too many for so many lines.
    """

    owners: CodeOwners
    files: Mapping[str, Mapping[str, int]] = Factory(dict)
    unread: int = 0

    @property
    def unowned(self) -> tuple[str, ...]:
        """The files that nobody owns, where there is a file of code owners at all."""
        return tuple(path for path, owners in self.files.items() if not owners) if self.owners.path else ()

    @property
    def timed_out_lines(self) -> tuple[int, ...]:
        """The lines whose patterns took too long: files may have owners by these, or have none."""
        return tuple(rule.number for rule in self.owners.rules if rule.fit.timed_out)


def resolve_ownership(
    owners: CodeOwners, paths: Iterable[str], clock: Callable[[], float] = time.monotonic
) -> FileOwnership:
    """Look up the owners of files, within some seconds; it keeps a CPU busy, so do it in a thread.

    Args:
        owners: The file that says so.
        paths: The files. One that is not through all lines in time counts as unread.
        clock: Seconds.
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


MOST = 500
"""Each may take a while, if a stranger wants it."""


def parse_expression_rules(path: str, text: str) -> CodeOwners:
    """Read the lines, each for itself; `!` is for every file that does not fit.

    Args:
        path: Where the file is.
        text: What it says.
    """
    rules: list[OwnerRule] = []
    errors: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = _words(line)
        if not words:
            continue
        if len(rules) == MOST:
            errors.append(f"line {number} and those behind it: only {MOST} expressions are tried")
            break
        try:
            fit = _rule(words)
        except (ValueError, regex.error) as error:
            errors.append(f"line {number}: {error}")
        else:
            rules.append(OwnerRule(number, fit, tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors), add_up=True)


def _rule(words: list[str]) -> PathPattern:
    if len(words) == 1:
        raise ValueError("no owner is named")
    return PathPattern(words[0].removeprefix("!"), negated=words[0].startswith("!"))


def _words(line: str) -> list[str]:
    """Split a line as the servers do: a backslash takes the meaning from what follows, and goes itself."""
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
            words, word = [*words, word], ""
        else:
            word += char
    return [one for one in (*words, word) if one]


WORD = re.compile(r"(?:\\.|[^\s\\])+")
OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)?|[^\s@]+@[^\s@]+")
COMMENT = re.compile(r"(?:^|\s)#.*")


def parse_glob_rules(path: str, text: str) -> CodeOwners:
    """Read the lines, each for itself: one that is wrong leaves the others as they are.

    Args:
        path: Where the file is.
        text: What it says.
    """
    rules, errors = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = WORD.findall(COMMENT.sub("", line))
        if not words:
            continue
        wrong = next(_faults(words), "")
        if wrong:
            errors.append(f"line {number}: {wrong}")
        else:
            rules.append(OwnerRule(number, parse_glob(words[0]), tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors))


def _faults(words: list[str]) -> Iterator[str]:
    if words[0].startswith("!"):
        yield "patterns cannot be negated"
    if words[0].startswith("\\#"):
        yield "a pattern cannot begin with #"
    for word in words[1:]:
        if not OWNER.fullmatch(word):
            yield f"{word[:80]} is no owner"


MOST_BYTES = 3_000_000
"""GitHub does not read a larger one."""


async def read_code_owners(repository: GitRepository, file: OwnersFile, commit: str) -> CodeOwners:
    """Read the first file of code owners that is there.

    Args:
        repository: Which has the commit.
        file: Where the forge looks for it, and how it reads it.
        commit: Where it is looked for.
    """
    objects = await list_objects_at(repository, commit, file.places)
    path = next((place for place in file.places if place in objects), "")
    content = (await repository.read_objects([objects[path]])).get(objects[path]) if path else b""
    if content is None:
        return CodeOwners(path, errors=("the file could not be read",))
    if len(content) > MOST_BYTES:
        return CodeOwners(path, errors=(f"it has more than {MOST_BYTES:,} bytes, and counts for nothing",))
    read = parse_expression_rules if file.expressions else parse_glob_rules
    return read(path, content.decode(errors="replace"))
