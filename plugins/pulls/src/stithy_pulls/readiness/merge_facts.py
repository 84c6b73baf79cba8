"""All that is known about one merge, as the questions about it want it."""

from typing import Any

from attrs import fields, frozen

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRules,
    FileChange,
    Issue,
    Listing,
    Maybe,
    PullRequest,
    Readiness,
    Unknown,
    excerpt,
)

MOST_NAMES = 4
"""Names in a sentence."""


@frozen
class MergeFacts:
    """What was read.

    Args:
        whole: From the forge.
        rules: What the base demands; where nobody lets us read it, all of it unknown.
        conflicts: Whether the two conflict, from the forge or from git.
        waits_for: What must be closed before.
        files: What it changes, where a rule is about files.
    """

    whole: Readiness
    rules: BranchRules
    conflicts: Maybe[bool]
    waits_for: Maybe[Listing[Issue]]
    files: Maybe[Listing[FileChange]]

    @property
    def pull(self) -> PullRequest:
        """The pull request."""
        return self.whole.pull_request

    @property
    def base(self) -> str:
        """The name of what it is merged into, for sentences."""
        return excerpt(self.pull.base.branch, 80)

    @property
    def settled(self) -> bool:
        """Whether the forge says that no rule is unmet."""
        return self.pull.blocked is False


def get_rules(whole: Readiness) -> BranchRules:
    """Give what the base demands."""
    if not isinstance(whole.rules, Unknown):
        return whole.rules
    unknown: dict[str, Any] = {one.name: whole.rules for one in fields(BranchRules) if one.default is NOT_REPORTED}
    return BranchRules(**unknown)


def join_names(names: tuple[str, ...] | list[str]) -> str:
    """Write names into a sentence: the first, and how many more there are."""
    shown = ", ".join(excerpt(name, 60) for name in names[:MOST_NAMES])
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown
