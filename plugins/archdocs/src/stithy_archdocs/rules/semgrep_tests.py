"""Hold translated rules of semgrep against the tests that lie beside them.

By semgrep's convention (https://semgrep.dev/docs/writing-rules/testing-rules) the tests of `name.yaml` are `name.py` or
another ending in the same folder. A comment `ruleid: a, b` stands above a line that the rules hit, `ok: a` above one
that they do not, and `todoruleid:` and `todook:` above those that nobody demands. `name.fixed.py` is what a fix writes.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from stithy_archdocs.rules.languages import find_language_of_path
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.project_models import TextCheck
from stithy_archdocs.rules.project_rules import find_text_hits
from stithy_archdocs.rules.rule_matching import find_hits
from stithy_archdocs.rules.rule_models import Rule
from stithy_archdocs.rules.syntax_trees import NotCheckable, parse_code

_NOTE = re.compile(r"(?P<todo>todo)?(?P<kind>ruleid|ok)\s*:\s*(?P<names>[\w.-]+(?:\s*,\s*[\w.-]+)*)")
_MOST_NAMED = 5
"""Lines that an explanation names."""


@frozen
class _ExpectedLines:
    """The lines of a test that a rule must hit, and those that it may hit."""

    wanted: set[int] = field(factory=set)
    free: set[int] = field(factory=set)


def find_test_faults(files: ProjectFiles, path: str, rules: Sequence[Rule]) -> dict[str, str]:
    """Return why rules fail the tests beside their file, by the id of the rule.

    Args:
        files: The project.
        path: The file of the rules.
        rules: Its rules.
    """
    faults: dict[str, str] = {}
    for test in _list_tests(files, path):
        language = find_language_of_path(test)
        code = files.read(test)
        expected = _read_notes(code)
        for rule in rules:
            if rule.config is not None and rule.language == language and rule.id in expected:
                fault = _check_rule(rule, code, test, expected[rule.id])
                faults |= {rule.id: fault} if fault else {}
        faults |= _check_texts(rules, code, test, expected)
    return faults


def _check_texts(
    rules: Sequence[Rule], code: str, test: str, expected: Mapping[str, _ExpectedLines]
) -> Iterator[tuple[str, str]]:
    """Iterate over rules about texts that fail a test, each with the reason; those with the same id are one rule."""
    hits: dict[str, set[int]] = defaultdict(set)
    for rule in rules:
        if isinstance(rule.project, TextCheck) and rule.id in expected:
            hits[rule.id] |= {hit.line for hit in find_text_hits(rule.project, rule, test, code)}
    for name, lines in hits.items():
        if fault := _compare_lines(lines, expected[name], test):
            yield name, fault


def _list_tests(files: ProjectFiles, path: str) -> Iterator[str]:
    folder, name = posixpath.split(path)
    stem = name.partition(".")[0]
    for one in files.list_folder(folder) if folder else files.paths:
        of, test = posixpath.split(one)
        if one != path and of == folder and ".fixed." not in test and test.partition(".")[0] == stem:
            yield one


def _read_notes(code: str) -> dict[str, _ExpectedLines]:
    """Return what the comments of a test demand of each rule; a comment is about the next line without one."""
    found: dict[str, _ExpectedLines] = defaultdict(_ExpectedLines)
    waiting: list[re.Match[str]] = []
    for number, line in enumerate(code.split("\n"), 1):
        notes = list(_NOTE.finditer(line))
        waiting += notes
        if notes:
            continue
        for note in waiting:
            for name in re.split(r"\s*,\s*", note["names"]):
                lines = found[name.rpartition(".")[2]]
                if note["todo"]:
                    lines.free.add(number)
                elif note["kind"] == "ruleid":
                    lines.wanted.add(number)
        waiting = []
    return found


def _check_rule(rule: Rule, code: str, test: str, expected: _ExpectedLines) -> str:
    """Return why a rule fails a test; empty if it does not."""
    try:
        hits = {hit.line for hit in find_hits(rule, parse_code(code, rule.language), test)}
    except NotCheckable as error:
        return f"its test {test} cannot be parsed: {error}"
    return _compare_lines(hits, expected, test)


def _compare_lines(hits: set[int], expected: _ExpectedLines, test: str) -> str:
    """Return how hits differ from what a test demands; empty if they do not."""
    missed, wrong = sorted(expected.wanted - hits), sorted(hits - expected.wanted - expected.free)
    said = [
        f"{what} {', '.join(map(str, lines[:_MOST_NAMED]))}{', …' if len(lines) > _MOST_NAMED else ''}"
        for what, lines in (("it misses lines", missed), ("it hits lines", wrong))
        if lines
    ]
    return f"its test {test} fails: {' and '.join(said)}" if said else ""
