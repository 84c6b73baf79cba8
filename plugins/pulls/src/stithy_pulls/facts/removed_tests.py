"""Facts about tests that a diff removes or disables, as far as they are not elsewhere in it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.code.touched_definitions import TouchedCode
from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import TESTS, classify_file, is_test_file
from stithy_pulls.facts.api_facts import get_own_name, list_kept_names
from stithy_pulls.facts.code_lines import (
    DiffTexts,
    count_growth,
    is_code_file,
    is_comment,
    is_product_code,
    iterate_code,
)
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import LONGEST, mask_secrets

TEST = re.compile(
    r"^(?:(?: {0,4}|\t)(?:async )?def (?P<python>test\w*)"
    r"|\s+(?:(?:override|public|open|internal|final|async) )*func (?P<swift>test(?![a-z])\w*)\(\s*\)(?!.*->)"
    r"|\s*public function (?P<php>test\w+)\(|func (?P<go>Test(?!Main\b)\w+)\("
    r"|\s*t\.Run\(\s*(?P<mark>[\"`])(?P<part>(?:\\.|(?!(?P=mark))[^\\])+)"
    r"|\s*(?:await\s+)?(?:t\.)?x?(?:it|test|specify|scenario)(?:\.\w+)*\s*+\(?\s*+"
    r"(?P<quote>[\"'`])(?P<script>(?:\\.|(?!(?P=quote))[^\\])+)"
    r"|\s*(?:(?:@[\w.]++(?:\([^()]*+\))?+|\[[^\]]*+\])\s*+)*+"
    r"(?:(?:public|private|internal|protected|static|async|final|pub) )*(?:void|Task|fun|fn|function)\s+"
    r"(?:`(?P<phrase>[^`]+)`|(?P<method>\w+))\s*(?:<[^>]*>)?\()"
)
NAMES = ("python", "swift", "php", "go", "part", "script", "phrase", "method")
"""The groups of `TEST` that are names."""
METHODS = ("phrase", "method")
"""Those of names that are a test only below a mark."""
MARKED = re.compile(
    r"^\s*(?:@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b|#\[(?:\w+::)?test"
    r"|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|#\[\\?(?:\w+\\)*Test\b|/?\*+\s*@test\b)"
)
"""What stands above a test in Java, Kotlin, Rust, C# and PHP."""
CASES = re.compile(
    r"^\s*(?:#\[(?:case|values|test_case|TestWith|DataProvider)\b|@(?:pytest\.mark\.)?parametrize\b|\*\s*@(?:testWith|dataProvider)\b"
    r"|@(?:Value|Csv|CsvFile|Enum|Method|Arguments)Source\b|\[(?:InlineData|DataRow|MemberData|TestCase|TestCaseSource)\b)"
    r"|^\s*(?:it|test|describe)(?:\.\w+)*\.each\b|@Test\([^)]*\barguments:"
)
"""What gives a test several cases."""
BETWEEN = 6
"""Lines between a mark and its test."""
SKIP = re.compile(
    r"@(?:pytest\.mark\.skip\b|pytest\.mark\.xfail\b|unittest\.skip\b|Disabled\b|Ignore\b)"
    r"|^\s*(?:it|test|describe|context)\.skip\(|^\s*x(?:it|describe|test|context|specify|scenario)\s*[(\"'`]|#\[ignore\b|\[Ignore\b|[(,]\s*Skip\s*=\s*\""
)
EXPECTED = re.compile(r"\bxfail\b")
CONDITION = re.compile(r"\s*#\s*(?:if|else|elif|elseif|endif)\b")
CONDITIONAL = re.compile(
    r"(?:xfail|\.skip)\(\s*(?!(?:reason|raises|strict|run|allow_module_level)\b|[\"'`)]|[fbr]+[\"'])\S", re.IGNORECASE
)
"""A call that disables a test only where its first argument, if it is not a text, is true."""
FUNCTION = re.compile(r"\s*(?:async )?def ")
CUSTOM = 5
"""Disabled tests of a file from which on a further one is nothing new."""
MOST_ARGUMENTS = 5
"""Lines of such a call that are read."""
GO_SKIP = re.compile(r"^\s*t\.Skip(?:f|Now)?\(")
GO_TEST = re.compile(r"^func Test\w+\(|\bt\.Run\(.*func\(")
SHOWN = 3
FIXTURES = {"fixtures", "fixture", "testdata", "__fixtures__", "_fixtures", "_fixture", "_files"}
WORD, NAME = re.compile(r"\w"), re.compile(r"\w+")
LEAST_NAME = 4
"""Letters of the name of a definition that tests are found by."""
SPOKEN = [re.compile(rf"{quote}([^{quote}\n]*){quote}") for quote in "\"'`"] + [re.compile(r"\w+")]
"""What may be the name of a test: quoted texts, by quote, and words."""
AFFIX = re.compile(r"(?i:^tests?[_.-]|[_.-](?:tests?|spec|specs|it)$)|(?<=[a-z0-9])(?:Tests?|IT|Spec)$|^Test(?=[A-Z])")


def find_removed_tests(
    changes: Sequence[ChangedFile], texts: DiffTexts, paths: Maybe[Sequence[str]], code: Maybe[TouchedCode]
) -> Iterator[Fact]:
    """Yield deleted test files, removed tests and disabled ones.

    A test counts as removed if no added line of a test names it, if its code does not stay under another name, and if
    the code that its file is named after, and each definition that it calls, still exists. As many tests as the file
    or new files have under new names may have been renamed, and a test that gets cases may have all of a file. Whole
    files of tests go with the code that becomes less.

    Args:
        changes: The files.
        texts: The texts of the diff.
        paths: The paths of all files of the head, if known.
        code: The changed definitions, if known.
    """
    tests = [change for change in changes if _is_test_code(change.path)]
    before, after = ({one.path: list_tests(one, kind) for one in tests} for kind in (LineKind.REMOVED, LineKind.ADDED))
    lost = {name for found in before.values() for name, _ in found}
    new = {path: [name for name, _ in found if not {name, f"Test{name}"} & lost] for path, found in after.items()}
    created = {change.path: len(new[change.path]) for change in tests if change.status == "added"}
    given = _list_added_names(tests)
    blobs = {} if isinstance(code, Unknown) else code.blobs
    named = _list_named_tests(tests, blobs) if lost else frozenset[str]()
    is_any_added = any(after.values())
    subjects = _TestedCode(changes, paths)
    deleted = _list_deleted_names(changes, code) if lost else frozenset[str]()
    for change in tests:
        rewritten = {name for name, _ in after[change.path]}
        unknown = [(name, line) for name, line in before[change.path] if name not in rewritten and name not in given]
        kept = _list_kept_tests(change, texts)
        gone = [(name, line) for name, line in unknown if line.old not in kept and name not in named]
        bound = _list_bound_tests(change, deleted)
        gone = [] if bound and subjects.shrinks else [(name, line) for name, line in gone if line.old not in bound]
        elsewhere = sum(created.values()) - created.get(change.path, 0)
        come = max(len(new[change.path]) + elsewhere - (len(unknown) - len(gone)), 0)
        is_with_code = subjects.is_deleted(change.path) or (change.status == "deleted" and subjects.shrinks)
        if len(gone) > come and not (is_with_code or _gains_cases(change) or _is_rewritten(change, tests)):
            yield _create_fact(change, gone, is_any_added=is_any_added)
        yield from _find_skips(change, texts, blobs.get(change.old, b""))


def _list_deleted_names(changes: Sequence[ChangedFile], code: Maybe[TouchedCode]) -> frozenset[str]:
    """Return the names of definitions that are nowhere in the diff now, and whose files have fewer than before.

    What a language without definitions calls a setting or an option is a word that a shorter file has no longer.
    """
    touched = () if isinstance(code, Unknown) else code.touched
    counts = Counter[str]()
    for one in touched:
        counts[one.path] += {"removed": 1, "added": -1}.get(one.what, 0)
    names = {
        get_own_name(one)
        for one in touched
        if one.what == "removed" and not one.before and counts[one.path] > 0 and is_product_code(one.path)
    }
    lost = {word for change in changes for word in _list_lost_words(change, code)}
    return frozenset(name for name in names | lost if len(name) >= LEAST_NAME) - list_kept_names(changes)


def _list_lost_words(change: ChangedFile, code: Maybe[TouchedCode]) -> frozenset[str]:
    """Return the words that a file of the product has nowhere anymore, where it has less code than before."""
    content = b"" if isinstance(code, Unknown) else code.blobs.get(change.new, b"")
    if not content or not is_product_code(change.path) or count_growth(change) >= 0:
        return frozenset()
    removed = {word for line in iterate_code(change, LineKind.REMOVED) for word in NAME.findall(line.text)}
    return frozenset(removed.difference(NAME.findall(content.decode(errors="replace"))))


def _list_bound_tests(change: ChangedFile, deleted: AbstractSet[str]) -> frozenset[int | None]:
    """Return the former lines of the removed tests that name a deleted definition, up to the next test.

    Where code becomes less, the other removed tests of their file are about it as well.
    """
    bound: set[int | None] = set()
    for hunk in change.hunks if deleted and isinstance(change.hunks, tuple) else ():
        head: int | None = None
        for line in hunk.lines:
            if line.kind is not LineKind.ADDED and TEST.match(line.text):
                head = line.old
            if line.kind is LineKind.REMOVED and not deleted.isdisjoint(NAME.findall(line.text)):
                bound.add(head)
    return frozenset(bound - {None})


def _gains_cases(change: ChangedFile) -> bool:
    """Return whether more tests of a file have cases than before."""
    added, removed = (
        sum(1 for line in change.iterate_lines(kind) if CASES.search(line.text))
        for kind in (LineKind.ADDED, LineKind.REMOVED)
    )
    return added > removed


def _list_added_names(tests: Sequence[ChangedFile]) -> frozenset[str]:
    """Return words and quoted texts that the diff adds to tests: a removed one may go on there, as a case of a table.

    A test of Go may have become a part of another one, and one of XCTest a test of Swift Testing, without the prefix.
    """
    lines = (line.text for change in tests for line in change.iterate_lines(LineKind.ADDED))
    names = {name.strip() for text in lines for form in SPOKEN for name in form.findall(text)}
    return frozenset(names | {f"{prefix}{name[:1].upper()}{name[1:]}" for prefix in ("Test", "test") for name in names})


def _list_kept_tests(change: ChangedFile, texts: DiffTexts) -> frozenset[int | None]:
    """Return the former lines of the removed tests whose code mostly stays, here or elsewhere."""
    kept: set[int | None] = set()
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        lines = [line for line in hunk.lines if line.kind is not LineKind.ADDED and line.text.strip()]
        heads = [at for at, line in enumerate(lines) if line.kind is LineKind.REMOVED and TEST.match(line.text)]
        kept |= {lines[at].old for at in heads if _is_kept(lines, at, texts)}
    return frozenset(kept)


def _list_named_tests(tests: Sequence[ChangedFile], blobs: Mapping[str, bytes]) -> frozenset[str]:
    """Return the names of all tests that changed files still have: groups and files may have tests of one name."""
    texts = (blobs.get(change.new, b"").decode(errors="replace") for change in tests)
    found = (TEST.match(line[:LONGEST]) for text in texts for line in text.splitlines())
    return frozenset(_get_test_name(one) for one in found if one)


def _is_kept(lines: Sequence[DiffLine], at: int, texts: DiffTexts) -> bool:
    """Return whether most of the lines that are indented below one are unchanged, or moved."""
    below = (lines[place] for place in range(at + 1, len(lines)))
    inside = (line for line in below if line.text.strip() != "{")
    body = [*takewhile(lambda line: _get_indent(line) > _get_indent(lines[at]), inside)]
    words = [line for line in body if WORD.search(line.text)]
    count = sum(line.kind is LineKind.SAME or texts.is_moved(line) for line in words)
    return bool(words) and count * 2 >= len(words)


def _get_indent(line: DiffLine) -> int:
    return len(line.text) - len(line.text.lstrip())


def _is_rewritten(change: ChangedFile, tests: Sequence[ChangedFile]) -> bool:
    """Return whether a deleted file of tests may be a new one now: in its folder, or of its name."""
    places = {place for one in tests if one.status == "added" for place in _list_places(one.path)}
    return change.status == "deleted" and not places.isdisjoint(_list_places(change.path))


def _list_places(path: str) -> tuple[str, str]:
    pure = PurePosixPath(path)
    return f"{pure.parent}/", _get_stem(AFFIX.sub("", pure.name.partition(".")[0]))


def _is_test_code(path: str) -> bool:
    """Return whether a file is code of tests, and not of what they test, such as a fixture of a test runner."""
    return is_test_file(path) and is_code_file(path) and FIXTURES.isdisjoint(PurePosixPath(path.lower()).parts)


def _create_fact(change: ChangedFile, gone: Sequence[tuple[str, DiffLine]], *, is_any_added: bool) -> Fact:
    """Return the fact. How many tests there are is not told, since one may be the data of another.

    Args:
        change: The file.
        gone: The names of the removed tests, with their lines.
        is_any_added: Whether the diff adds tests: one of them may do what several did, or what another did.
    """
    names = tuple(name for name, _ in gone)
    named = ", ".join(excerpt(name, 60) for name in names[:SHOWN]) + (" and others" if names[SHOWN:] else "")
    if change.status == "deleted":
        text = f"a file of tests was deleted: {named}"
        return Fact(kind="test deleted", focus="tests", path=change.path, text=text, points=2, names=names)
    removed = "removed, renamed or merged" if is_any_added else "removed"
    text = f"{'a test was' if len(names) == 1 else 'tests were'} {removed}: {named}"
    return Fact(kind="test removed", focus="tests", path=change.path, text=text, points=1, names=names)


class _TestedCode:
    """The deleted source files, and those of the same names that still exist."""

    def __init__(self, changes: Sequence[ChangedFile], paths: Maybe[Sequence[str]]) -> None:
        sources = [change for change in changes if classify_file(change.path) == "source"]
        self._deleted: dict[str, list[str]] = {}
        for change in sources:
            if change.status == "deleted":
                self._deleted.setdefault(_get_stem(change.path), []).append(change.path)
        self._gone = {_get_module(change.path) for change in sources if change.status == "deleted"} - {""}
        self._gone -= set() if isinstance(paths, Unknown) else {*map(_get_module, paths)}
        self._growth = sum(count_growth(change) for change in sources if is_product_code(change.path))
        changed = [change.path for change in sources if change.status != "deleted"]
        kept = changed if isinstance(paths, Unknown) else paths
        self._kept: dict[str, list[str]] = {}
        for path in kept if self._deleted else ():
            if (stem := _get_stem(path)) in self._deleted and classify_file(path) == "source":
                self._kept.setdefault(stem, []).append(path)

    def is_deleted(self, test: str) -> bool:
        """Return whether the code that a test file is named after was deleted, the nearest one, or its whole module."""
        if _get_module(test) in self._gone:
            return True
        stem = _get_stem(AFFIX.sub("", PurePosixPath(test).name.partition(".")[0]))
        near = {part.lower() for part in PurePosixPath(test).parts[:-1]} - TESTS
        deleted, kept = (
            max((len(near & set(_list_folders(path))) for path in found.get(stem, ())), default=-1)
            for found in (self._deleted, self._kept)
        )
        return deleted >= 0 and deleted >= kept

    @property
    def shrinks(self) -> bool:
        """Whether the diff removes more code than it adds: its tests go with it."""
        return self._growth < 0


def _get_module(path: str) -> str:
    """Return the folder that has a folder of code or of tests, such as a module of Maven; empty for the topmost one."""
    parts = PurePosixPath(path).parts[:-1]
    place = next((place for place, part in enumerate(parts) if part.lower() in {"src", "lib", *TESTS}), 0)
    return "/".join(parts[:place])


def _list_folders(path: str) -> list[str]:
    return [part.lower() for part in PurePosixPath(path).parts[:-1]]


def _get_stem(path: str) -> str:
    return PurePosixPath(path).name.partition(".")[0].lower().strip("_")


def list_tests(change: ChangedFile, kind: LineKind) -> list[tuple[str, DiffLine]]:
    """Return the tests that lines of one kind define, name and line, without those in functions and empty ones."""
    found: list[tuple[str, DiffLine]] = []
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        marked: int | None = None
        lines = [line for line in hunk.lines if line.kind in (kind, LineKind.SAME)]
        for place, (line, outer) in enumerate(zip(lines, _list_outer(lines), strict=True)):
            marked = place if MARKED.match(line.text) else marked
            test = TEST.match(line.text)
            if test is None or (test["python"] and (FUNCTION.match(outer) or _is_empty(lines, place))):
                continue
            if any(test[name] for name in METHODS):
                if marked is None or place - marked - 1 > BETWEEN:
                    continue
                marked = None
            if line.kind is kind:
                found.append((_get_test_name(test), line))
    return found


def _get_test_name(test: re.Match[str]) -> str:
    """Return the name in a match of `TEST`."""
    return next(test[name] for name in NAMES if test[name]).strip()


def _list_outer(lines: Sequence[DiffLine]) -> Iterator[str]:
    """Yield, for each line, the nearest one above it with less indentation; empty without one, and for a blank line."""
    outer: list[DiffLine] = []
    for line in lines:
        if not line.text.strip():
            yield ""
            continue
        while outer and _get_indent(outer[-1]) >= _get_indent(line):
            outer.pop()
        yield outer[-1].text if outer else ""
        outer.append(line)


def _is_empty(lines: Sequence[DiffLine], place: int) -> bool:
    """Return whether a function of Python does nothing: it replaces that of a base."""
    below = (one for one in (lines[at] for at in range(place + 1, len(lines))) if one.text.strip())
    body = takewhile(lambda one: _get_indent(one) > _get_indent(lines[place]), below)
    return [one.text.strip() for one in islice(body, 2)] in (["pass"], ["..."])


def _find_skips(change: ChangedFile, texts: DiffTexts, old: bytes) -> Iterator[Fact]:
    """Yield one fact about the tests of a file that are disabled, unless as many were before, or it is a custom.

    Args:
        change: The file.
        texts: The texts of the diff.
        old: The former content.
    """
    added = [line for line in _iterate_skips(change, LineKind.REMOVED) if line.kind is LineKind.ADDED]
    removed = [line for line in _iterate_skips(change, LineKind.ADDED) if line.kind is LineKind.REMOVED]
    new = [line for line in added if not texts.is_moved(line)] if len(added) > len(removed) else []
    if new and not _is_custom(old):
        kinds = {"expected to fail" if EXPECTED.search(line.text) else "disabled" for line in new}
        how = " or ".join(sorted(kinds))
        begin = f"a test is {how}:" if len(new) == 1 else f"tests are {how}, the first by:"
        text = f"{begin} {excerpt(mask_secrets(new[0].text.strip(), change.path), 100)}"
        yield Fact(kind="test skipped", focus="tests", path=change.path, line=new[0].new, text=text, points=1)


def _is_custom(content: bytes) -> bool:
    """Return whether many tests of a file are disabled: the mark may select those that need something."""
    lines = content.decode(errors="replace").splitlines()
    return sum(SKIP.search(line[:LONGEST]) is not None for line in lines) >= CUSTOM


def _iterate_skips(change: ChangedFile, other: LineKind) -> Iterator[DiffLine]:
    """Iterate over the lines that disable a test, on one side of the diff."""
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        lines = [line for line in hunk.lines if line.kind is not other]
        if any(CONDITION.match(line.text) for line in lines):
            continue  # only one of several builds omits the test
        for place, line in enumerate(lines):
            above = lines[place - 1].text if place else ""
            is_skip = SKIP.search(line.text) or (GO_SKIP.search(line.text) and GO_TEST.search(above))
            if is_skip and not _is_conditional(lines, place) and not is_comment(line.text, change.path):
                yield line


def _is_conditional(lines: Sequence[DiffLine], place: int) -> bool:
    """Return whether the first call that begins in a line disables a test under a condition."""
    text = "\n".join(one.text for one in lines[place : place + MOST_ARGUMENTS])
    begins = text.find("(")
    found = CONDITIONAL.search(text)
    return found is not None and text.find("(", found.start()) == begins
