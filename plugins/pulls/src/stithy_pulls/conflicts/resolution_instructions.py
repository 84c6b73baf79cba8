"""Commands that show the conflict in a clone, and end it."""

import shlex

from attrs import frozen

from stithy_core.spi import Forge, Maybe, PullRequest, Unknown
from stithy_pulls.git.ref_fetching import branch_ref, get_open_heads, pull_ref
from stithy_pulls.git.shell_remotes import ShellRemote, find_remote, format_fetch_line

UNTIMED = Unknown("nothing tells how long people take to resolve a conflict", shown="unknown")


@frozen(kw_only=True)
class ResolutionInstructions:
    """What to do: each step is a line for a shell, with a remark behind `#`."""

    resolution_steps: tuple[str, ...]
    estimated_time: Maybe[str]


async def build_instructions(forge: Forge, pull: PullRequest, target: str) -> ResolutionInstructions:
    """Return the steps for a clone, whatever its remotes are called.

    They fetch by the pull request's own ref, so that forks and deleted branches are no matter, and work on no branch.
    Of an open one they go to the commit that the API names: the push would drop it, if its ref still had the former.

    Args:
        forge: The forge.
        pull: The pull request.
        target: The branch it is to be merged into.
    """
    home = await find_remote(forge, pull.ref.repository)
    fork = await find_remote(forge, pull.head.repository) if pull.from_fork and pull.head.repository else home
    number = pull.ref.number
    base, head = f"refs/stithy/base-{number}", f"refs/stithy/pull-{number}"
    fetched = [f"+{branch_ref(target)}:{base}", f"+{pull_ref(number)}:{head}"]
    commits = list(get_open_heads([pull]).values())
    return ResolutionInstructions(
        resolution_steps=(
            f"{format_fetch_line(home, fetched, commits)}  # from {pull.ref.repository}",
            _step("git", "switch", "--detach", *(commits or [head]), remark="the head of the pull request"),
            _step("git", "merge", "--no-edit", base, remark="git stops at the conflicts; git merge --abort ends it"),
            _step(
                "git", "diff", "--name-only", "--diff-filter=U", remark="the files in conflict: resolve, then git add"
            ),
            _step("git", "commit", "--no-edit", remark="once nothing is left unmerged"),
            _push(pull, fork),
        ),
        estimated_time=UNTIMED,
    )


def _push(pull: PullRequest, remote: ShellRemote) -> str:
    if pull.head.repository is None or pull.head.branch.startswith("refs/"):
        return "# Its branch is gone, so that nothing can be pushed there: open another pull request."
    branch = f"refs/heads/{pull.head.branch}"
    lease = shlex.quote(f"--force-with-lease={branch}:{pull.head.commit}")
    remark = "the fork, if it lets maintainers edit" if pull.from_fork else "nobody pushed meanwhile, or it is refused"
    return f"git push {lease} {remote.to_shell()} {shlex.quote(f'HEAD:{branch}')}  # {remark}"


def _step(*words: str, remark: str) -> str:
    return f"{shlex.join(words)}  # {remark}"
