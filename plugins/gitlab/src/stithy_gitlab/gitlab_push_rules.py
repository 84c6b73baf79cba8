"""The push rule of a project, and which of its demands a merge is held to (tier Premium).

GitLab compares a merge with the push rule before it begins (ee/app/services/ee/merge_requests/merge_base_service.rb),
and as a push of the commits that it creates (ee/lib/ee/gitlab/checks/push_rules). No merge check reports either.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from stithy_core.spi import BranchRules, EvaluatedRule, Maybe, RepositoryRef, Unknown
from stithy_gitlab.gitlab_mapping import Json
from stithy_gitlab.gitlab_projects import project_path, read_if_allowed

if TYPE_CHECKING:
    from stithy_core.spi import Forge

LICENSED_FIELDS = ("approvals_before_merge", "issues_template", "merge_requests_template")
"""Fields of a project that GitLab shows to everybody who is signed in, and only where the licence has their features
(ee/lib/ee/api/entities/project.rb). Their plans have push rules: ee/app/models/gitlab_subscriptions/features.rb."""
FAST_FORWARD, NO_SQUASH = "ff", "never"
COMPARED = "GitLab compares it when it merges, and refuses the merge otherwise"
AT_MERGE = Unknown(COMPARED, "Merge with a message that fits.")
BEFORE_MERGE = Unknown(COMPARED, "Compare it before you merge.")
HIDDEN = Unknown("GitLab shows push rules to maintainers only", "Use a token of a maintainer.")
ANY_RULE = "no push rule refuses the merge"
MESSAGE_RULES = {
    "commit_message_regex": "the message of the {commit} matches {value!r} (push rule)",
    "commit_message_negative_regex": "the message of the {commit} does not match {value!r} (push rule)",
    "reject_non_dco_commits": "the message of the {commit} has a sign-off (push rule)",
}
AUTHOR_RULES = {"author_email_regex": "the commit email of whoever merges matches {value!r} (push rule)"}
SQUASHED_COMMIT_RULES = {
    "file_name_regex": "no new file has a name that matches {value!r} (push rule)",
    "prevent_secrets": "no new file has the name of a file with secrets (push rule)",
    "commit_committer_check": "the email of the squashed commit's author belongs to whoever merges (push rule)",
}
"""What GitLab also compares of a squashed commit. It has all files of the branch, which no push rule saw in a fork, and
the author of the merge request."""
BRANCH_RULES = {"branch_name_regex": "the name of the target branch matches {value!r} (push rule)"}
"""The default branch is exempt."""


@frozen(kw_only=True)
class MergePush:
    """What a merge would push.

    Args:
        project: The project's JSON, which may be limited by the reader's role.
        branch: The target branch.
        squash: Whether the merge request is set to be squashed; None if that is not known.
    """

    project: Json
    branch: str
    squash: bool | None = None

    @property
    def may_squash(self) -> bool:
        """Whether the merge may create a squashed commit."""
        return self.project.get("squash_option") != NO_SQUASH if self.squash is None else self.squash

    @property
    def compared_rules(self) -> Mapping[str, str]:
        """What GitLab compares with the push rule, by the names of its fields; a fast-forward creates no commit."""
        has_commit = self.may_squash or self.project.get("merge_method") != FAST_FORWARD
        return {
            **(MESSAGE_RULES | AUTHOR_RULES if has_commit else {}),
            **(SQUASHED_COMMIT_RULES if self.may_squash else {}),
            **(BRANCH_RULES if self.branch != self.project.get("default_branch") else {}),
        }


async def read_push_rule(forge: "Forge", repository: RepositoryRef) -> Maybe[Json | None]:
    """Read the push rule; None if none is set, unknown where the tier has none or the role is not shown it."""
    return await read_if_allowed(forge.http.get(f"{project_path(repository)}/push_rule", shape=dict, or_null=True))


def is_licensed_for_push_rules(project: Json, enterprise: Maybe[bool]) -> Maybe[bool]:
    """Return whether a project may have a push rule; unknown if its JSON is limited and the edition does not tell."""
    if enterprise is False:
        return False
    if any(name in project for name in LICENSED_FIELDS):
        return True
    return False if "merge_method" in project else HIDDEN  # readers who are not signed in get neither


def find_signature_rule(rule: Maybe[Json | None], licensed: Maybe[bool]) -> Maybe[bool]:
    """Return whether pushed commits must be signed."""
    if isinstance(rule, Unknown):
        return False if licensed is False else HIDDEN
    return (rule or {}).get("reject_unsigned_commits") is True


def evaluate_push_rule(rule: Maybe[Json | None], licensed: Maybe[bool], push: MergePush) -> tuple[EvaluatedRule, ...]:
    """Return what a push rule demands of a merge; where it is hidden, whether it refuses the merge is unknown.

    A pattern is not evaluated here: it is of another syntax (RE2), and a bad one could take forever.
    """
    compared = push.compared_rules
    if isinstance(rule, Unknown):
        is_hidden = compared and licensed is not False
        return (EvaluatedRule(name=ANY_RULE, met=HIDDEN, at_merge=True),) if is_hidden else ()
    commit = "merge commit" if push.project.get("merge_method") != FAST_FORWARD else "squashed commit"
    return tuple(
        EvaluatedRule(
            name=text.format(commit=commit, value=rule[name]),
            met=AT_MERGE if name in MESSAGE_RULES else BEFORE_MERGE,
            at_merge=True,
        )
        for name, text in compared.items()
        if rule and rule.get(name)
    )


def drop_hidden_signature_rule(rules: BranchRules) -> BranchRules:
    """Leave out a hidden rule for signatures, which refuses no merge: GitLab compares it with pushes by git only."""
    return evolve(rules, signed=False) if isinstance(rules.signed, Unknown) else rules
