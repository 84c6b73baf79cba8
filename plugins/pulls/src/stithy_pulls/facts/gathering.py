"""All facts about a diff."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import Maybe
from stithy_pulls.code.touching import Code, Touched
from stithy_pulls.diffs.names import role_of
from stithy_pulls.diffs.records import Change
from stithy_pulls.facts.in_dependencies import facts_in_dependencies
from stithy_pulls.facts.in_files import facts_in_file
from stithy_pulls.facts.in_lines import facts_in_lines
from stithy_pulls.facts.records import Fact
from stithy_pulls.facts.secrets import masked

UNTESTED = 20
"""From how many lines on code that changes without any test is worth a word."""
NOT_READ = ("lock", "generated", "vendored")
"""Nobody wrote what stands in these: only that they change says something."""


def facts_of(changes: Sequence[Change], code: Maybe[Code]) -> dict[str, list[Fact]]:
    """Find the facts, by path, and under an empty one those about all; it keeps a CPU busy, so do it in a thread.

    Args:
        changes: The files.
        code: Which definitions they touch, if that is known.
    """
    paths = frozenset(change.path.lower() for change in changes)
    found: dict[str, list[Fact]] = {}
    for change in changes:
        for fact in _facts(change, paths):
            found.setdefault(fact.path, []).append(fact)
    for fact in (*_api(code), *_untested(changes)):
        found.setdefault(fact.path, []).append(fact)
    return found


def _facts(change: Change, paths: frozenset[str]) -> Iterator[Fact]:
    yield from facts_in_dependencies(change, paths)
    if role_of(change.path) not in NOT_READ:
        yield from facts_in_file(change, paths)
        yield from facts_in_lines(change)


def _api(code: Maybe[Code]) -> Iterator[Fact]:
    for touched in code.touched if isinstance(code, Code) else ():
        if touched.breaks and role_of(touched.path) == "source":
            text, points = said_of(touched)
            line = None if touched.what == "removed" else touched.symbol.first
            kind = "public name removed" if touched.what == "removed" else "public signature"
            yield Fact(kind=kind, focus="api", path=touched.path, line=line, text=text, points=points)


def said_of(touched: Touched) -> tuple[str, int]:
    """Say what became of a definition that others may use, and what that weighs."""
    if touched.what == "removed":
        return f"{touched.symbol.kind} {touched.symbol.name} is gone", 2
    was, now = (masked(text)[:160] for text in (touched.before, touched.symbol.signature))
    return f"{touched.symbol.name} was `{was}`, is `{now}`", 1


def _untested(changes: Sequence[Change]) -> Iterator[Fact]:
    roles = [(role_of(change.path), change) for change in changes]
    lines = sum(change.size for role, change in roles if role == "source")
    if lines >= UNTESTED and not any(role == "test" for role, _ in roles):
        text = f"{lines:,} lines of source changed, and no test file"
        yield Fact(kind="untested", focus="tests", path="", text=text, points=1)
