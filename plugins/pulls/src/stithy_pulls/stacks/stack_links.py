"""Which pull request stands on which, as far as their branches say it; forks are told apart."""

from collections.abc import Iterable, Sequence

from stithy_core.spi import PullRequest


def is_stacked_on(child: PullRequest, parent: PullRequest) -> bool:
    """Say whether one goes into the branch that the other comes from, in one repository.

    A fork's branch of the same name is another branch; where a fork is gone, nothing can go into its branch.
    """
    if child.ref == parent.ref or parent.head.repository is None:
        return False
    return child.base.branch == parent.head.branch and _home(child) == parent.head.repository


def was_stacked_on(parent: PullRequest, bases: Iterable[str]) -> bool:
    """Say whether a branch that something went into before is that of a pull request from the same repository."""
    return not parent.from_fork and parent.head.branch in set(bases)


def find_parent_by_name(
    child: PullRequest, pulls: Iterable[PullRequest], line: Iterable[str] = ()
) -> PullRequest | None:
    """Find what a pull request stands on; names of branches are used again, so that several may fit.

    Args:
        child: The later one.
        pulls: All that are known.
        line: The child's own commits: of several ended ones, it is that whose head is among them.
    """
    found = [pull for pull in pulls if is_stacked_on(child, pull)]
    commits = set(line)
    ranked = sorted(found, key=lambda pull: (pull.state == "open", pull.head.commit in commits, pull.ref.number))
    return ranked[-1] if ranked else None


def list_children(parent: PullRequest, pulls: Iterable[PullRequest]) -> list[PullRequest]:
    """List the open ones that stand on a pull request, by number."""
    found = [pull for pull in pulls if pull.state == "open" and is_stacked_on(pull, parent)]
    return sorted(found, key=lambda pull: pull.ref.number)


def is_circle(path: Sequence[PullRequest], parent: PullRequest | None) -> bool:
    """Say whether going on to a parent leads back to where one was."""
    return parent is not None and any(pull.ref == parent.ref for pull in path)


def _home(pull: PullRequest) -> object:
    return pull.base.repository or pull.ref.repository
