"""Where a restack is done in a clone: a worktree and refs of its own, each as words of a POSIX shell.

Steps are run one by one, by a person or an agent, so that no variable of a shell is left from one to the next. Nothing
of the clone is used that may be called otherwise elsewhere: no remote by its name, and no branch.
"""

import shlex
from collections.abc import Sequence
from hashlib import blake2b

from attrs import frozen

from stithy_pulls.git.shell_remotes import ShellRemote, format_fetch_line, format_stop
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget

CONFIGURED = (
    *("-c", "rebase.updateRefs=false"),  # else every local branch in the range moves, backups included
    *("-c", "rebase.backend=merge"),  # `apply` stops otherwise, and knows less of renames
    *("-c", "submodule.recurse=false"),  # in the new worktree no submodule is there to be updated
)
"""What a user's configuration must not decide."""

THERE = 'w=$(git for-each-ref --format="%(refname):%(objectname):%(worktreepath)" "$b"); d=${w#"$b:$h:"}'
"""What a clone has of the branch `b`, parted by colons, which no ref may hold, and where it is checked out.

It is empty where there is no such branch; where there is one in a folder of that name, it begins with another ref.
"""

FOLLOW = (
    f'{THERE}; case "$w" in "$b:$h:") git update-ref -m restack "$b" "$n" "$h" ;;'
    ' "$b:$h:"*) if git -C "$d" diff --quiet HEAD --; then git -C "$d" reset -q --keep "$n";'
    ' else echo "$d has changes that are not committed: it stays. Later: git reset --keep $(git rev-parse "$n")"; fi ;;'
    ' "$b:"*) echo "$b is not where it was: it stays as it is." ;; esac'
)
"""Moves a branch that is at `h` to `n`; one that is checked out only if no change is lost."""


@frozen
class RestackWorktree:
    """A worktree and refs for one restack.

    Args:
        name: Unlike that of any other restack: an earlier one, of other commits, may have work that nobody pushed.
    """

    name: str

    @property
    def folder(self) -> str:
        """Return the path of the worktree, as a word of a shell that is run anywhere in the clone."""
        return f'"$(git rev-parse --git-common-dir)/stithy-{self.name}"'

    def result(self, move: PullMove) -> str:
        """Return the ref that keeps the new head of a pull request."""
        return f"refs/stithy/{self.name}/{move.pull.ref.number}"

    def base_of(self, moves: Sequence[PullMove], at: int, foot: RebaseTarget) -> str:
        """Return what a level is put onto."""
        return self.result(moves[at - 1]) if at else foot.sha

    def check(self, moves: Sequence[PullMove]) -> str:
        """Return a line that fails, and says what to do, where the other steps would go wrong in this clone."""
        shallow = "This clone is shallow or none: in a clone, run git fetch --unshallow, then begin again."
        running = "An earlier run of these steps has not ended: go on with it, or end it as recovery says."
        dirty = "has changes that are not committed: run git stash there, or commit and push them and ask again."
        apart = "is not where the pull request is: it stays as it is."
        loop = (
            f'{THERE}; case "$w" in "$b:$h:") ;; "$b:$h:"*) git -C "$d" diff --quiet HEAD --'
            f' || {{ echo "$d {dirty}" >&2; exit 1; }} ;; "$b:"*) echo "$b {apart}" ;; esac'
        )
        return (
            f'([ "$(git rev-parse --is-shallow-repository)" = false ] || {format_stop(shallow)};'
            f" [ ! -e {self.folder} ] || {format_stop(running)};"
            f" {self._each_branch(moves)} {loop}; done)"
        )

    def begin(self, moves: Sequence[PullMove], foot: RebaseTarget, remote: ShellRemote) -> str:
        """Return a line that fetches the commits, checks that they are there, and makes the worktree."""
        refs = [foot.ref, *(f"refs/pull/{move.pull.ref.number}/head" for move in moves)]
        options = ("--no-recurse-submodules", "--no-write-fetch-head", "--refmap=")
        heads = [foot.sha, *(move.head for move in moves)]
        fetched = format_fetch_line(remote, refs, heads, *options)
        return f"{fetched} && git worktree add --detach {self.folder} {moves[0].head}"

    def rebase(self, head: str, *words: str) -> str:
        """Return a line that rebases a commit."""
        return self._within(format_switch(head), f"git {shlex.join((*CONFIGURED, 'rebase', *words))}")

    def pick(self, base: str, shas: Sequence[str]) -> str:
        """Return a line that picks commits onto a base; those that were empty from the beginning stay."""
        return self._within(format_switch(base), *([f"git cherry-pick --allow-empty {' '.join(shas)}"] if shas else []))

    def keep(self, move: PullMove, base: str) -> str:
        """Return a line that keeps the new head, and compares both versions; it fails while a rebase has not ended."""
        new = self.result(move)
        moved = f"git merge-base --is-ancestor {base} HEAD || {format_stop('not on its new base: rebase first')}"
        kept = [
            format_switch(),
            f"{{ {moved}; }}",
            f"git update-ref {new} HEAD ''",
        ]  # '': never over what an earlier run kept
        if not move.fork_point.own or not move.fork_point.upstream:
            return self._within(*kept)
        compare = f"git range-diff {move.fork_point.upstream}..{move.head} {base}..{new}"
        none_left = "echo 'no commit is left: a push empties the pull request'"  # git compares no empty ranges
        return self._within(*kept, f"{{ {compare} 2>/dev/null || {none_left}; }}")

    def follow(self, moves: Sequence[PullMove]) -> str:
        """Return a line that takes the author's own branches along, if they are where they were."""
        return f"{self._each_branch(moves)} n=$r; {FOLLOW}; done"

    def go_back(self, moves: Sequence[PullMove]) -> str:
        """Return a line that takes the author's own branches back."""
        return f"{self._each_branch(moves)} n=$h; h=$(git rev-parse $r); {FOLLOW}; done"

    def clean(self, moves: Sequence[PullMove], *, force: bool = False) -> str:
        """Return a line that removes the worktree, and the refs of the pull requests named.

        git removes no worktree with submodules unless it is forced to, so that the line itself checks that it is clean.
        """
        status = f"git -C {self.folder} status --porcelain --untracked-files=normal --ignore-submodules=all"
        left = format_stop("The worktree has files that are in no commit: remove it by hand.")
        check = "" if force else f'([ -z "$({status})" ] || {left}) && '
        numbers = " ".join(str(move.pull.ref.number) for move in moves)
        refs = f"for n in {numbers}; do git update-ref -d refs/stithy/{self.name}/$n; done"
        return f"{check}git worktree remove --force {self.folder} && {refs}"

    def _each_branch(self, moves: Sequence[PullMove]) -> str:
        """Return the head of a loop over branches: `b` is the ref, `h` the old head, `r` the ref of the new one.

        `w` is what the clone has, once it is asked: see `THERE`.
        """
        rows = (f"{move.pull.head.branch}:{move.head}:{move.pull.ref.number}" for move in moves)
        return (
            f"for p in {shlex.join(rows)}; do b=refs/heads/${{p%%:*}}; r=refs/stithy/{self.name}/${{p##*:}};"
            " h=${p#*:}; h=${h%:*};"
        )

    def _within(self, *lines: str) -> str:
        return f"(cd {self.folder} && {' && '.join(lines)})"


def plan_worktree(moves: Sequence[PullMove], foot: RebaseTarget) -> RestackWorktree:
    """Return the place for a restack: the same for the same commits, so that a second run finds the first."""
    told = "\0".join((foot.sha, *(f"{move.pull.ref.number} {move.head}" for move in moves)))
    return RestackWorktree(f"{moves[-1].pull.ref.number}-{blake2b(told.encode(), digest_size=4).hexdigest()}")


def format_switch(commit: str = "") -> str:
    """Return a line that goes to a commit, or stays; git refuses it while a rebase or a pick has not ended."""
    return f"git -c submodule.recurse=false switch -q --detach {commit}".rstrip()


def get_branch_ref(move: PullMove) -> str:
    """Return the branch that a pull request comes from, as its whole ref."""
    return f"refs/heads/{move.pull.head.branch}"
