"""The file of the repository that a path of another machine means."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import evolve

from ci_failures.model import Failure
from ci_failures.results.dialects.case import outside


class Tree:
    """The files of a repository.

    Args:
        files: Their paths.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._named: dict[str, list[str]] = defaultdict(list)
        for file in files:
            self._named[file.rpartition("/")[2]].append(file)

    def __bool__(self) -> bool:
        return bool(self._named)

    def matching(self, path: str) -> Sequence[str]:
        """Return the files that a path may mean: those with the longest end in common with it.

        One has to be the end of the other: `/ci/build/src/a.py` is `src/a.py`, and `com/x/T.java` is
        `src/test/java/com/x/T.java`.
        """
        whole = path.replace("\\", "/")
        if outside(whole):
            return ()
        named = self._named.get(whole.rpartition("/")[2], ())
        if whole in named:
            return (whole,)
        inner = [file for file in named if whole.endswith(f"/{file}")]
        if inner:
            return (max(inner, key=len),)
        return [file for file in named if file.endswith(f"/{whole.lstrip('/')}")]

    def mapped(self, failure: Failure) -> tuple[Failure, str]:
        """Return a failure with its file relative to the repository, and a sentence if several files are possible."""
        found = self.matching(failure.file) if self and failure.file else ()
        if len(found) > 1:
            return failure, f"{failure.file} may be {' or '.join(found[:3])}"
        if not found or found[0] == failure.file:
            return failure, ""
        return evolve(failure, file=found[0]), ""
