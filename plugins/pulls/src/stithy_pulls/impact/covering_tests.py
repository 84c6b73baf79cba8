"""Match tests to source files by name: `horn.py` and `test_horn.py`."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from attrs import frozen

from stithy_pulls.code.source_trees import ENDINGS
from stithy_pulls.diffs.file_roles import classify_file, is_test_file

AFFIX = re.compile(r"^tests?[_.-]|[_.-](?:tests?|spec|specs|it)$", re.IGNORECASE)
CAMEL = re.compile(r"^Test(?=[A-Z])|(?<=[a-z0-9])(?:Tests?|IT|Spec)$")
CODE = {*ENDINGS, ".c", ".cc", ".cpp", ".dart", ".ex", ".kt", ".lua", ".pl", ".sh"}
MOST = 5


@frozen(kw_only=True)
class CoveringTests:
    """The tests of a changed file, by name. Other tests may cover it, too."""

    path: str
    tests: tuple[str, ...]


def find_covering_tests(changed: Iterable[str], paths: Sequence[str]) -> list[CoveringTests]:
    """Return the tests of each changed source file, the nearest ones first.

    Args:
        changed: The paths of the changed files.
        paths: The paths of all files.
    """
    tests: dict[str, list[str]] = {}
    for path in paths:
        if is_test_file(path) and (subject := get_test_subject(path)):
            tests.setdefault(subject, []).append(path)
    sources = [
        path for path in changed if classify_file(path) == "source" and PurePosixPath(path).suffix.lower() in CODE
    ]
    return [
        CoveringTests(path=path, tests=tuple(_sort_by_distance(path, tests.get(_get_stem(path), []))))
        for path in sources
    ]


def get_test_subject(test: str) -> str:
    """Return the stem of the file that a test is named after; empty without one."""
    stem = PurePosixPath(test).name.rpartition(".")[0]
    for form in (AFFIX, CAMEL):
        bare = form.sub("", stem)
        if bare != stem:
            return bare.lower().strip("_")
    return ""


def _get_stem(path: str) -> str:
    return PurePosixPath(path).name.rpartition(".")[0].lower().strip("_")


def _sort_by_distance(path: str, tests: Sequence[str]) -> list[str]:
    folders = PurePosixPath(path).parts[:-1]

    def distance(test: str) -> tuple[int, str]:
        shared = sum(one == other for one, other in zip(folders, PurePosixPath(test).parts, strict=False))
        return -shared, test

    same = PurePosixPath(path).suffix
    return sorted((test for test in tests if PurePosixPath(test).suffix == same), key=distance)[:MOST]
