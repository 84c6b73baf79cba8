"""All facts about a diff."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import Maybe
from stithy_pulls.code.touching import TouchedCode, TouchedDefinition
from stithy_pulls.diffs.names import classify_file
from stithy_pulls.diffs.records import ChangedFile
from stithy_pulls.facts.in_dependencies import find_dependency_facts
from stithy_pulls.facts.in_files import find_file_facts
from stithy_pulls.facts.in_lines import find_line_facts
from stithy_pulls.facts.records import Fact
from stithy_pulls.facts.secrets import mask_secrets

UNTESTED = 20
"""From how many lines on code that changes without any test is worth a word."""
NOT_READ = ("lock", "generated", "vendored")
"""Nobody wrote what stands in these: only that they change says something."""


def collect_facts(changes: Sequence[ChangedFile], code: Maybe[TouchedCode]) -> dict[str, list[Fact]]:
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


def _facts(change: ChangedFile, paths: frozenset[str]) -> Iterator[Fact]:
    yield from find_dependency_facts(change, paths)
    if classify_file(change.path) not in NOT_READ:
        yield from find_file_facts(change, paths)
        yield from find_line_facts(change)


def _api(code: Maybe[TouchedCode]) -> Iterator[Fact]:
    for touched in code.touched if isinstance(code, TouchedCode) else ():
        if touched.breaks and classify_file(touched.path) == "source":
            text, points = describe_break(touched)
            line = None if touched.what == "removed" else touched.symbol.first
            kind = "public name removed" if touched.what == "removed" else "public signature"
            yield Fact(kind=kind, focus="api", path=touched.path, line=line, text=text, points=points)


def describe_break(touched: TouchedDefinition) -> tuple[str, int]:
    """Say what became of a definition that others may use, and what that weighs."""
    if touched.what == "removed":
        return f"{touched.symbol.kind} {touched.symbol.name} is gone", 2
    was, now = (mask_secrets(text)[:160] for text in (touched.before, touched.symbol.signature))
    return f"{touched.symbol.name} was `{was}`, is `{now}`", 1


def _untested(changes: Sequence[ChangedFile]) -> Iterator[Fact]:
    roles = [(classify_file(change.path), change) for change in changes]
    lines = sum(change.size for role, change in roles if role == "source")
    if lines >= UNTESTED and not any(role == "test" for role, _ in roles):
        text = f"{lines:,} lines of source changed, and no test file"
        yield Fact(kind="untested", focus="tests", path="", text=text, points=1)
