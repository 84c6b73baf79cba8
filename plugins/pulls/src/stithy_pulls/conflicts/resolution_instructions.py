"""Shell commands that show the conflict in a clone and resolve it."""

import shlex

from attrs import frozen

from stithy_core.spi import Forge, Maybe, PullRequest, Unknown
from stithy_pulls.git.fetch_sources import create_branch_source, find_head_source
from stithy_pulls.git.shell_remotes import PushTarget, find_push_target, find_remote, format_fetch_line

UNTIMED = Unknown("the time to resolve a conflict by hand cannot be predicted", shown="unknown")


@frozen(kw_only=True)
class ResolutionInstructions:
    """The steps, each a line for a POSIX shell with a comment after `#`."""

    resolution_steps: tuple[str, ...]
    estimated_time: Maybe[str]


async def build_instructions(forge: Forge, pull: PullRequest, target: str) -> ResolutionInstructions | None:
    """Return the steps for a clone, whatever its remotes are called; None if there is nothing to fetch the head from.

    The steps fetch the forge's own ref of the pull request if it keeps one, so forks and deleted branches make no
    difference, and they work on a detached head. If the API names the head, they check out that commit: with an older
    commit of the ref, the push would drop the newest commits.

    Args:
        forge: The forge.
        pull: The pull request.
        target: The branch to merge into.
    """
    source, number = find_head_source(forge, pull), pull.ref.number
    if not source.target:
        return None
    base_remote = await find_remote(forge, pull.ref.repository)
    fork_remote = (
        await find_remote(forge, pull.head.repository) if pull.from_fork and pull.head.repository else base_remote
    )
    base, head = f"refs/stithy/base-{number}", f"refs/stithy/pull-{number}"
    fetches = {base_remote: [f"+{create_branch_source(target).ref}:{base}"]}
    fetches.setdefault(fork_remote if source.repository else base_remote, []).append(f"+{source.target}:{head}")
    commits = [source.commit] if source.commit else []
    place = await find_push_target(forge, pull)
    return ResolutionInstructions(
        resolution_steps=(
            f"{format_fetch_line(fetches, commits)}  # from {' and '.join(remote.repository for remote in fetches)}",
            _format_step("git", "switch", "--detach", *(commits or [head]), remark="the head of the pull request"),
            *(_list_merge_steps(base) if place is None or place.is_branch else _list_rebase_steps(base)),
            _format_push(pull, place),
        ),
        estimated_time=UNTIMED,
    )


def _list_merge_steps(base: str) -> list[str]:
    stops = "git stops at the conflicts; git merge --abort cancels the merge"
    return [
        _format_step("git", "merge", "--no-edit", base, remark=stops),
        LIST_UNMERGED,
        _format_step("git", "commit", "--no-edit", remark="when no path is unmerged"),
    ]


def _list_rebase_steps(base: str) -> list[str]:
    """Return the steps for a forge on which each commit is a pull request, which its message names."""
    stops = "git stops at the conflicts of each commit; git rebase --abort cancels the rebase"
    kept = "when no path is unmerged; it keeps the message, which names the pull request"
    return [
        _format_step("git", "rebase", base, remark=stops),
        LIST_UNMERGED,
        _format_step("git", "-c", "core.editor=true", "rebase", "--continue", remark=kept),
    ]


def _format_push(pull: PullRequest, place: PushTarget | None) -> str:
    if place is None:
        return "# The pull request has no branch to push to, for example because it was deleted: open a new one."
    remote, branch = place.remote, place.ref
    if not place.is_branch:
        return f"git push {remote.to_shell()} {shlex.quote(f'HEAD:{branch}')}  # as a new version of the pull request"
    lease = shlex.quote(f"--force-with-lease={branch}:{pull.head.commit}")
    remark = (
        "to the fork, which must allow edits by maintainers"
        if pull.from_fork
        else "refused if somebody pushed meanwhile"
    )
    return f"git push {lease} {remote.to_shell()} {shlex.quote(f'HEAD:{branch}')}  # {remark}"


def _format_step(*words: str, remark: str) -> str:
    return f"{shlex.join(words)}  # {remark}"


LIST_UNMERGED = _format_step(
    "git", "diff", "--name-only", "--diff-filter=U", remark="the files in conflict: resolve each, then git add it"
)
