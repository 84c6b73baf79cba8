"""What the forge and git know of one merge, as the requirements need it."""

from collections.abc import Sequence
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
        whole: The forge's answer.
        rules: The rules of the base branch; all unknown if the token cannot read them.
        conflicts: Whether the pull request conflicts, by the forge or by git.
        waits_for: What must be closed first.
        files: The changed files, if a rule is about files.
        children: The open pull requests into the branch of this one.
    """

    whole: Readiness
    rules: BranchRules
    conflicts: Maybe[bool]
    waits_for: Maybe[Listing[Issue]]
    files: Maybe[Listing[FileChange]]
    children: Maybe[Sequence[PullRequest]] = ()

    @property
    def pull(self) -> PullRequest:
        """The pull request."""
        return self.whole.pull_request

    @property
    def base(self) -> str:
        """The name of the base branch, shortened for sentences."""
        return excerpt(self.pull.base.branch, 80)

    @property
    def settled(self) -> bool:
        """Whether the forge says that all rules are met."""
        return self.pull.blocked is False


def get_rules(whole: Readiness) -> BranchRules:
    """Return the rules of the base branch; each is unknown if the token cannot read them."""
    if not isinstance(whole.rules, Unknown):
        return whole.rules
    unknown: dict[str, Any] = {one.name: whole.rules for one in fields(BranchRules) if one.default is NOT_REPORTED}
    return BranchRules(**unknown)


def join_names(names: tuple[str, ...] | list[str]) -> str:
    """Join the first names for a sentence, with the number of the rest."""
    shown = ", ".join(excerpt(name, 60) for name in names[:MOST_NAMES])
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown
