"""Which pull request is stacked on which, by branch names. Branches of forks are different branches."""

from collections.abc import Iterable, Sequence

from stithy_core.spi import PullRequest


def is_stacked_on(child: PullRequest, parent: PullRequest) -> bool:
    """Return whether the base branch of one pull request is the head branch of the other, in one repository.

    A fork's branch of the same name is a different branch. If the fork was deleted, nothing can target its branch.
    """
    if child.ref == parent.ref or parent.head.repository is None:
        return False
    return child.base.branch == parent.head.branch and _get_base_repository(child) == parent.head.repository


def get_own_branch(pull: PullRequest) -> str:
    """Return the branch of the repository that a pull request comes from; empty for a fork's, or if it has none."""
    return "" if pull.from_fork or pull.head.branch.startswith("refs/") else pull.head.branch


def have_same_branch(pull: PullRequest, other: PullRequest) -> bool:
    """Return whether two pull requests come from one branch, so that a push changes both."""
    known = pull.head.repository is not None and not pull.head.branch.startswith("refs/")
    return known and (pull.head.repository, pull.head.branch) == (other.head.repository, other.head.branch)


def was_stacked_on(parent: PullRequest, bases: Iterable[str]) -> bool:
    """Return whether a former base branch is the head branch of a pull request from the same repository."""
    return not parent.from_fork and parent.head.branch in set(bases)


def find_parent_by_name(
    child: PullRequest, pulls: Iterable[PullRequest], line: Iterable[str] = ()
) -> PullRequest | None:
    """Return the pull request below, by branch names. Branch names are reused, so several may match.

    Args:
        child: The upper pull request.
        pulls: All known pull requests.
        line: The SHAs of the child's own commits: of several closed parents, one whose head is among them wins.
    """
    found = [pull for pull in pulls if is_stacked_on(child, pull)]
    commits = set(line)
    ranked = sorted(found, key=lambda pull: (pull.state == "open", pull.head.commit in commits, pull.ref.number))
    return ranked[-1] if ranked else None


def find_parent_by_stack(child: PullRequest, pulls: Iterable[PullRequest]) -> PullRequest | None:
    """Return the nearest open pull request below in the same stack, where the forge keeps stacks.

    Closed ones do not count: when one was merged, the forge has moved those above by itself.
    """
    place = child.stack
    if place is None:
        return None
    below = [
        pull
        for pull in pulls
        if pull.state == "open"
        and pull.stack is not None
        and pull.stack.number == place.number
        and pull.stack.position < place.position
    ]
    return max(below, key=lambda pull: pull.stack.position if pull.stack else 0, default=None)


def list_children(parent: PullRequest, pulls: Iterable[PullRequest]) -> list[PullRequest]:
    """Return the open pull requests that are stacked on a pull request, by number."""
    found = [pull for pull in pulls if pull.state == "open" and is_stacked_on(pull, parent)]
    return sorted(found, key=lambda pull: pull.ref.number)


def is_circle(path: Sequence[PullRequest], parent: PullRequest | None) -> bool:
    """Return whether the next parent is already on the path."""
    return parent is not None and any(pull.ref == parent.ref for pull in path)


def _get_base_repository(pull: PullRequest) -> object:
    return pull.base.repository or pull.ref.repository
