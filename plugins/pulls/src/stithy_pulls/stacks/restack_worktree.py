"""The worktree and the refs of a rebase in a user's clone, each as lines for a POSIX shell.

A person or an agent runs the steps one by one, so no shell variable survives from one step to the next. Steps use
nothing that may have another name in another clone: no remote by its name, and no branch.
"""

import shlex
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_pulls.git.shell_remotes import ShellRemote, format_fetch_line, format_stop
from stithy_pulls.stacks.move_plan import PullMove, list_targets

CONFIGURED = (
    *("-c", "rebase.updateRefs=false"),  # otherwise every local branch in the range moves, including backups
    *("-c", "rebase.backend=merge"),  # the `apply` backend prints other messages, and detects fewer renames
    *("-c", "submodule.recurse=false"),  # the new worktree has no submodules to update
)
"""Settings that override the user's configuration."""

MERGE = (
    *("-c", "submodule.recurse=false"),
    *("merge", "-q", "-s", "ort", "--no-ff", "--no-commit", "--no-verify-signatures"),
)
"""A merge that nothing in the user's configuration changes or refuses."""

MERGE_HEAD = "m=$(git rev-parse --git-path MERGE_HEAD)"

THERE = 'w=$(git for-each-ref --format="%(refname):%(objectname):%(worktreepath)" "$b"); d=${w#"$b:$h:"}'
"""What a clone has of the branch `b`: its ref, SHA and worktree, separated by colons, which refs cannot contain.

It is empty if the branch does not exist. If branches exist below that name, it begins with another ref.
"""

FOLLOW = (
    f'{THERE}; case "$w" in "$b:$h:") git update-ref -m restack "$b" "$n" "$h" ;;'
    ' "$b:$h:"*) if git -C "$d" diff --quiet HEAD --; then git -C "$d" reset -q --keep "$n";'
    ' else echo "$d has uncommitted changes and was not updated. Later: git reset --keep $(git rev-parse "$n")"; fi ;;'
    ' "$b:"*) echo "$b has moved and was not updated." ;; esac'
)
"""Moves a branch from `h` to `n`; a checked-out branch only if no change is lost."""


@frozen
class RestackWorktree:
    """A worktree and refs for one rebase.

    Args:
        name: Unique for the moved commits: an earlier rebase of other commits may have work that was not pushed.
        numbers: The pull requests that are moved.
    """

    name: str
    numbers: frozenset[int]

    @property
    def folder(self) -> str:
        """The path of the worktree, as a shell word that works anywhere in the clone."""
        return f'"$(git rev-parse --git-common-dir)/stithy-{self.name}"'

    def result(self, move: PullMove) -> str:
        """Return the ref of a pull request's new head."""
        return self._get_ref(move.pull.ref.number)

    def base_of(self, move: PullMove) -> str:
        """Return what a pull request is rebased onto: the new head below, or a SHA."""
        return self._get_ref(move.below) if move.below in self.numbers else move.target.sha

    def _get_ref(self, number: int) -> str:
        return f"refs/stithy/{self.name}/{number}"

    def check(self, moves: Sequence[PullMove]) -> str:
        """Return a line that fails, with what to do, if the other steps would not work in this clone."""
        running = "An earlier run of these steps is unfinished: continue it, or cancel it as recovery says."
        dirty = "has uncommitted changes: run git stash there, or commit and push them, then request the steps again."
        apart = "differs from the pull request and is not changed."
        loop = (
            f'{THERE}; case "$w" in "$b:$h:") ;; "$b:$h:"*) git -C "$d" diff --quiet HEAD --'
            f' || {{ echo "$d {dirty}" >&2; exit 1; }} ;; "$b:"*) echo "$b {apart}" ;; esac'
        )
        branches = [move for move in moves if not move.pull.head.branch.startswith("refs/")]
        return (
            f"([ ! -e {self.folder} ] || {format_stop(running)}"
            f"{f'; {self._each_branch(branches)} {loop}; done' if branches else ''})"
        )

    def begin(self, moves: Sequence[PullMove], fetches: Mapping[ShellRemote, Sequence[str]]) -> str:
        """Return a line that fetches the commits, checks that they exist, and creates the worktree.

        A shallow clone gets the whole history, since a rebase in it would have false conflicts.
        """
        options = ("--no-recurse-submodules", "--no-write-fetch-head", "--refmap=")
        heads = [*(target.sha for target in list_targets(moves)), *(move.head for move in moves)]
        fetched = format_fetch_line(fetches, heads, *options, deepen=True)
        return f"{fetched} && git worktree add --detach {self.folder} {moves[0].head}"

    def rebase(self, head: str, *words: str) -> str:
        """Return a line that rebases a commit."""
        return self._within(format_switch(head), f"git {shlex.join((*CONFIGURED, 'rebase', *words))}")

    def pick(self, base: str, shas: Sequence[str]) -> str:
        """Return a line that cherry-picks commits onto a base; commits that were empty from the start are kept."""
        return self._within(format_switch(base), *([f"git cherry-pick --allow-empty {' '.join(shas)}"] if shas else []))

    def merge(self, move: PullMove, joined: str, message: str) -> str:
        """Return a line that merges the new base into a pull request's head, without committing it.

        With a joined commit, git merges a commit that descends from it and from the base, and has the content of the
        base; what it records is a merge of the base.

        Args:
            move: The pull request.
            joined: The commit that the base is joined with; empty for none.
            message: The message of the merge.
        """
        base = self.base_of(move)
        theirs = f'"$(git commit-tree {base}^{{tree}} -p {base} -p {joined} -m {joined})"' if joined else base
        merge = shlex.join(("git", *MERGE, "-m", message))
        record = f'{MERGE_HEAD}; [ ! -e "$m" ] || git rev-parse {base} > "$m"; ' if joined else ""
        return self._within(format_switch(move.head), f"{{ {merge} {theirs}; s=$?; {record}exit $s; }}")

    def keep_merge(self, move: PullMove) -> str:
        """Return a line that commits the merge, if nobody did, stores the new head and lists what is new in it."""
        new, base = self.result(move), self.base_of(move)
        missing = format_stop("its new base is not merged: merge first")
        return self._within(
            f'{{ {MERGE_HEAD}; [ ! -e "$m" ] || git commit -q --no-edit --no-verify; }}',
            f"{{ git merge-base --is-ancestor {base} HEAD || {missing}; }}",
            f"git update-ref {new} HEAD ''",
            f"git log --oneline --no-decorate --first-parent {move.head}..{new}",
        )

    def keep(self, move: PullMove) -> str:
        """Return a line that stores the new head and compares both versions. It fails during an unfinished rebase."""
        new, base = self.result(move), self.base_of(move)
        moved = f"git merge-base --is-ancestor {base} HEAD || {format_stop('not on its new base: rebase first')}"
        kept = [
            format_switch(),
            f"{{ {moved}; }}",
            f"git update-ref {new} HEAD ''",
        ]  # '': fails if an earlier run stored a head
        if not move.fork_point.own or not move.fork_point.upstream:
            return self._within(*kept)
        compare = f"git range-diff {move.fork_point.upstream}..{move.head} {base}..{new}"
        none_left = (
            "echo 'no commit is left: a push would make the pull request empty'"  # git range-diff fails on empty ranges
        )
        return self._within(*kept, f"{{ {compare} 2>/dev/null || {none_left}; }}")

    def follow(self, moves: Sequence[PullMove]) -> str:
        """Return a line that moves the author's own branches to the new heads, if they are unchanged."""
        return f"{self._each_branch(moves)} n=$r; {FOLLOW}; done"

    def go_back(self, moves: Sequence[PullMove]) -> str:
        """Return a line that moves the author's own branches back."""
        return f"{self._each_branch(moves)} n=$h; h=$(git rev-parse $r); {FOLLOW}; done"

    def clean(self, moves: Sequence[PullMove], *, force: bool = False) -> str:
        """Return a line that removes the worktree, and the refs of the named pull requests.

        git removes a worktree with submodules only if forced, so the line itself checks that the worktree is clean.
        """
        status = f"git -C {self.folder} status --porcelain --untracked-files=normal --ignore-submodules=all"
        left = format_stop("The worktree has uncommitted files: remove it by hand.")
        check = "" if force else f'([ -z "$({status})" ] || {left}) && '
        numbers = " ".join(str(move.pull.ref.number) for move in moves)
        refs = f"for n in {numbers}; do git update-ref -d refs/stithy/{self.name}/$n; done"
        return f"{check}git worktree remove --force {self.folder} && {refs}"

    def _each_branch(self, moves: Sequence[PullMove]) -> str:
        """Return the head of a shell loop over branches: `b` is the ref, `h` the old head, `r` the ref of the new head.

        `w` is what the clone has, once it is read: see `THERE`.
        """
        rows = (f"{move.pull.head.branch}:{move.head}:{move.pull.ref.number}" for move in moves)
        return (
            f"for p in {shlex.join(rows)}; do b=refs/heads/${{p%%:*}}; r=refs/stithy/{self.name}/${{p##*:}};"
            " h=${p#*:}; h=${h%:*};"
        )

    def _within(self, *lines: str) -> str:
        return f"(cd {self.folder} && {' && '.join(lines)})"


def plan_worktree(moves: Sequence[PullMove]) -> RestackWorktree:
    """Return the worktree of a rebase. The same commits have the same one, so a second run finds the first."""
    targets, numbers = list_targets(moves), [move.pull.ref.number for move in moves]
    identity = "\0".join((*(one.sha for one in targets), *(f"{move.pull.ref.number} {move.head}" for move in moves)))
    name = f"{numbers[-1]}-{blake2b(identity.encode(), digest_size=4).hexdigest()}"
    return RestackWorktree(name, frozenset(numbers))


def format_switch(commit: str = "") -> str:
    """Return a command that checks out a commit, or the current one. git refuses it during an unfinished rebase."""
    return f"git -c submodule.recurse=false switch -q --detach {commit}".rstrip()
