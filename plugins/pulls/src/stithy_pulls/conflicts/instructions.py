"""Commands that show the conflict in a clone, and end it."""

import shlex

from attrs import frozen

from stithy_core.spi import Maybe, PullRequest, Unknown

UNTIMED = Unknown("nothing tells how long people take to resolve a conflict", shown="unknown")


@frozen(kw_only=True)
class Instructions:
    """What to do: each step is a line for a shell, with a remark behind `#`."""

    resolution_steps: tuple[str, ...]
    estimated_time: Maybe[str]


def instruct(pull: PullRequest, target: str) -> Instructions:
    """Give the steps for a clone whose `origin` is the pull request's repository.

    They fetch by the pull request's own ref, so that forks and deleted branches are no matter, and work on no branch.

    Args:
        pull: The pull request.
        target: The branch it is to be merged into.
    """
    number = pull.ref.number
    base, head = f"refs/stithy/base-{number}", f"refs/stithy/pull-{number}"
    fetched = [f"+refs/heads/{target}:{base}", f"+refs/pull/{number}/head:{head}"]
    return Instructions(
        resolution_steps=(
            _step("git", "fetch", "--no-tags", "origin", *fetched, remark=f"origin is {pull.ref.repository}"),
            _step("git", "switch", "--detach", head, remark="the head of the pull request"),
            _step("git", "merge", "--no-edit", base, remark="git stops at the conflicts; git merge --abort ends it"),
            _step(
                "git", "diff", "--name-only", "--diff-filter=U", remark="the files in conflict: resolve, then git add"
            ),
            _step("git", "commit", "--no-edit", remark="once nothing is left unmerged"),
            _push(pull),
        ),
        estimated_time=UNTIMED,
    )


def _push(pull: PullRequest) -> str:
    lease = f"--force-with-lease={pull.head.branch}:{pull.head.commit}"
    words = ("git", "push", lease, "origin", f"HEAD:refs/heads/{pull.head.branch}")
    if pull.head.repository is None or pull.head.branch.startswith("refs/"):
        return "# Its branch is gone, so that nothing can be pushed there: open another pull request."
    if pull.from_fork:
        return _step(*words[:3], f"<{pull.head.repository}>", words[4], remark="the fork, if it lets maintainers edit")
    return _step(*words, remark="nobody pushed meanwhile, or it is refused")


def _step(*words: str, remark: str) -> str:
    return f"{shlex.join(words)}  # {remark}"
