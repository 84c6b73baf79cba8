"""What a merge does to the pull requests that are stacked on this one."""

from collections.abc import Iterator, Sequence

from stithy_core.spi import PullRequest, Unknown
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names


def list_known_children(facts: MergeFacts) -> Sequence[PullRequest]:
    """Return the open pull requests into this one's branch; none if they are unknown."""
    return () if isinstance(facts.children, Unknown) else facts.children


def describe_children(facts: MergeFacts) -> Iterator[str]:
    """Yield what happens to the pull requests that stand on this one, and what to do about it."""
    if isinstance(facts.children, Unknown):
        yield f"Whether other pull requests are stacked on this one is unknown: {facts.children.reason}"
        return
    if not facts.children:
        return
    names, pull = join_names([child.ref.short for child in facts.children]), facts.pull
    verb = "target" if len(facts.children) > 1 else "targets"
    yield (
        f"{names} {verb} the branch {pull.head.branch}: deleting it closes them, unless the forge changes their base"
        f" itself. Change their base to {pull.base.branch} before the branch is deleted."
    )
    yield (
        f"Merging by squash or rebase leaves the old commits in {names}: rebase them afterwards, by the commands of"
        f" manage_stacked_prs with base_pr={pull.ref}."
    )
