"""The part of git that pull requests need: snapshots, histories, and diffs in git's format."""

import difflib
import hashlib
from collections.abc import Iterable, Iterator

from attrs import frozen

from github_double.records import Commit

WORDS = {"added": "new file mode 100644", "removed": "deleted file mode 100644"}


@frozen(kw_only=True)
class Change:
    """A changed file; `patch` is None for a pure rename and for binary content."""

    path: str
    status: str
    additions: int
    deletions: int
    patch: str | None
    blob: str
    previous: str = ""


def sha_of(*parts: object) -> str:
    """Return 40 hexadecimal digits derived from the parts, so that each world has the same."""
    return hashlib.sha1("\0".join(map(str, parts)).encode()).hexdigest()


def list_ancestors(commits: dict[str, Commit], sha: str) -> dict[str, Commit]:
    """Return a commit and all its ancestors, by id."""
    found, waiting = {}, [sha]
    while waiting:
        commit = commits[waiting.pop()]
        if commit.sha not in found:
            found[commit.sha] = commit
            waiting += commit.parents
    return found


def list_between(commits: dict[str, Commit], base: str, head: str) -> list[Commit]:
    """Return the commits of `head` that `base` lacks, oldest first."""
    known = list_ancestors(commits, base)
    own = (commit for sha, commit in list_ancestors(commits, head).items() if sha not in known)
    return sorted(own, key=lambda commit: commit.at)


def find_merge_base(commits: dict[str, Commit], base: str, head: str) -> Commit | None:
    """Return the youngest commit that two histories share; None without one."""
    known = list_ancestors(commits, base)
    shared = [commit for sha, commit in list_ancestors(commits, head).items() if sha in known]
    return max(shared, key=lambda commit: commit.at) if shared else None


def compare_trees(old: dict[str, str | bytes], new: dict[str, str | bytes]) -> list[Change]:
    """Compare two trees, by path; a file that moved unchanged is a rename."""
    gone = {path for path in old if path not in new}
    found = []
    for path in sorted(new):
        if path in old and old[path] == new[path]:
            continue
        previous = "" if path in old else next((name for name in sorted(gone) if old[name] == new[path]), "")
        gone.discard(previous)
        found.append(_change(path, previous, old.get(path if path in old else previous), new[path]))
    found += [_change(path, "", old[path], None) for path in gone]
    return sorted(found, key=lambda change: change.path)


def _change(path: str, previous: str, old: str | bytes | None, new: str | bytes | None) -> Change:
    status = "renamed" if previous else "added" if old is None else "removed" if new is None else "modified"
    patch = None
    if not isinstance(old, bytes) and not isinstance(new, bytes) and old != new:
        patch = format_patch(old or "", new or "")
    signs = [line[:1] for line in (patch or "").split("\n")]
    blob = sha_of("blob", old if new is None else new)
    return Change(
        path=path,
        status=status,
        additions=signs.count("+"),
        deletions=signs.count("-"),
        patch=patch,
        blob=blob,
        previous=previous,
    )


def format_patch(old: str, new: str) -> str:
    """Format the hunks of a diff, without the names of the files."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm=""))
    return "\n".join(lines[2:])


def format_diff(found: Iterable[Change]) -> str:
    """Format a diff as git does."""
    return "".join(f"{line}\n" for change in found for line in _diff_lines(change))


def _diff_lines(change: Change) -> Iterator[str]:
    previous = change.previous or change.path
    yield f"diff --git a/{previous} b/{change.path}"
    if change.status in WORDS:
        yield WORDS[change.status]
    if change.status == "renamed":
        yield from ("similarity index 100%", f"rename from {previous}", f"rename to {change.path}")
    elif change.patch is None:
        yield f"Binary files a/{previous} and b/{change.path} differ"
    if change.patch is not None:
        yield "--- /dev/null" if change.status == "added" else f"--- a/{previous}"
        yield "+++ /dev/null" if change.status == "removed" else f"+++ b/{change.path}"
        yield from change.patch.split("\n")


def cut_hunk(patch: str | None, line: int | None, side: str) -> tuple[str, int] | None:
    """Return the hunk up to a comment's line; None where that line is not in the diff.

    Returns:
        The text, and the offset from the first hunk's header that GitHub calls `position`.
    """
    hunk, old, new = [], 0, 0
    for position, text in enumerate((patch or "").split("\n")):
        if text.startswith("@@"):
            start = text.split()
            old, new = (int(part[1:].split(",")[0]) for part in start[1:3])
            hunk = [text]
            continue
        hunk.append(text)
        at, wanted = (old, " -") if side == "LEFT" else (new, " +")
        if text[:1] in tuple(wanted) and at == line:
            return "\n".join(hunk), position
        old += text[:1] != "+"
        new += text[:1] != "-"
    return None
