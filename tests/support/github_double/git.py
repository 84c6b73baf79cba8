"""As much of git as a pull request needs: snapshots, histories, and diffs as git writes them."""

import difflib
import hashlib

from attrs import frozen

WORDS = {"added": "new file mode 100644", "removed": "deleted file mode 100644"}


@frozen(kw_only=True)
class Change:
    """One file that changed; `patch` is None for a pure rename and for what is no text."""

    path: str
    status: str
    additions: int
    deletions: int
    patch: str | None
    blob: str
    previous: str = ""


def sha_of(*parts):
    """Give 40 digits that depend on what they name, so that each world has the same."""
    return hashlib.sha1("\0".join(map(str, parts)).encode()).hexdigest()


def ancestors(commits, sha):
    """Give a commit and all before it, by id."""
    found, waiting = {}, [sha]
    while waiting:
        commit = commits[waiting.pop()]
        if commit.sha not in found:
            found[commit.sha] = commit
            waiting += commit.parents
    return found


def between(commits, base, head):
    """Give the commits of `head` that `base` has not, oldest first."""
    known = ancestors(commits, base)
    return sorted((c for c in ancestors(commits, head).values() if c.sha not in known), key=lambda commit: commit.at)


def merge_base(commits, base, head):
    """Find where two histories parted: the youngest commit they share."""
    known = ancestors(commits, base)
    shared = [commit for sha, commit in ancestors(commits, head).items() if sha in known]
    return max(shared, key=lambda commit: commit.at) if shared else None


def changes(old, new):
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


def _change(path, previous, old, new):
    status = "renamed" if previous else "added" if old is None else "removed" if new is None else "modified"
    patch = None if bytes in map(type, (old, new)) or old == new else patch_of(old or "", new or "")
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


def patch_of(old, new):
    """Write the hunks of a diff, without the names of the files."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm=""))
    return "\n".join(lines[2:])


def whole_diff(found):
    """Write a diff as git does."""
    return "".join(f"{line}\n" for change in found for line in _diff_lines(change))


def _diff_lines(change):
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


def hunk_to(patch, line, side):
    """Cut the hunk that a comment stands in at its line; None where that line is not in the diff.

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
