"""Branch protection rules (docs/forge-behaviour/gitea.md#branch-rules)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from stithy_core.spi import (
    BranchRules,
    Forbidden,
    Maybe,
    NotFound,
    PullRequestRef,
    RepositoryRef,
    Rules,
    Unauthorized,
    Unknown,
)
from stithy_gitea.subjects import path_of, read_repository

if TYPE_CHECKING:
    from stithy_core.spi import Forge

EVERY_STATUS = "*"
SIGNING = "the server must be able to sign the commit that it merges with"
"""The second condition of a rule on signed commits; the API does not report whether the server can sign."""
HIDDEN = Unknown(
    "the server shows the whole rule to administrators of the repository only",
    "Use a token of an administrator of the repository, with the scope read:repository.",
)


class GiteaRules(Rules):
    """Branch protection. One rule counts for a branch; its name may be a glob pattern."""

    async def get(
        self,
        repository: RepositoryRef,
        branch: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- rules belong to branches
    ) -> BranchRules:
        """Return the rules for merging into a branch: readers see approvals and checks, administrators everything.

        Raises:
            NotFound: The branch or the repository does not exist; the message says which.
        """
        raw = await read_branch(self.forge, repository, branch)
        if raw.get("protected") is False:
            return BranchRules.none()
        name = raw.get("effective_branch_protection_name") or ""
        return to_rules(raw, await self._rule(repository, name) if name else None)

    async def _rule(self, repository: RepositoryRef, name: str) -> Mapping[str, Any] | None:
        """Return a rule by name, from the list of all: not every version serves a pattern in the path."""
        try:
            rows = await self.forge.http.get(f"{path_of(repository)}/branch_protections", shape=list)
        except (Forbidden, NotFound, Unauthorized):
            return None
        return next((row for row in rows if name in (row.get("rule_name"), row.get("branch_name"))), None)


async def read_branch(forge: "Forge", repository: RepositoryRef, branch: str) -> Mapping[str, Any]:
    """Return a branch's JSON.

    Raises:
        NotFound: The branch or the repository does not exist; the message says which.
    """
    try:
        raw: Mapping[str, Any] = await forge.http.get(
            f"{path_of(repository)}/branches/{quote(branch, safe='/')}", shape=dict
        )
    except NotFound as error:
        await read_repository(forge, repository)
        text = f"{repository} has no branch {branch}"
        raise NotFound(text, suggestion="Check its name.", details=error.details) from error
    return raw


def to_rules(branch: Mapping[str, Any], rule: Mapping[str, Any] | None) -> BranchRules:
    """Map the rules of a protected branch.

    Args:
        branch: The branch, as all readers see it.
        rule: The rule that applies to it; None if the token cannot see it.
    """
    whole = rule or {}
    stale = [whole.get(field) for field in ("dismiss_stale_approvals", "ignore_stale_approvals") if field in whole]
    binds = whole.get("block_admin_merge_override", whole.get("apply_to_admins", HIDDEN))
    return BranchRules(
        protected=True,
        required_approvals=branch.get("required_approvals") or 0,
        required_checks=_checks(branch),
        patterns=True,
        all_checks=False,
        up_to_date=whole.get("block_on_outdated_branch", HIDDEN),
        dismisses_stale=any(stale) if stale else HIDDEN,
        rejection_blocks=whole.get("block_on_rejected_reviews", HIDDEN),
        requests_block=whole.get("block_on_official_review_requests", HIDDEN),
        signed=whole.get("require_signed_commits", HIDDEN),
        binds_admins=binds,
        locked=False,
        protected_files=_list_protected_files(rule),
        code_owners=False,
        last_push=False,
        resolved_threads=False,
        linear=False,
        merge_queue=False,
        sources=(f"branch protection {branch.get('effective_branch_protection_name') or ''}".strip(),),
        others=(SIGNING,) if whole.get("require_signed_commits") else (),
    )


def _list_protected_files(rule: Mapping[str, Any] | None) -> Maybe[tuple[str, ...]]:
    """Return the patterns of protected files, which are separated by semicolons."""
    if rule is None:
        return HIDDEN
    found = str(rule.get("protected_file_patterns") or "").lower().split(";")
    return tuple(pattern.strip() for pattern in found if pattern.strip())


def _checks(branch: Mapping[str, Any]) -> Maybe[tuple[str, ...]]:
    """Return the patterns of required checks; `*` if checks are required and none is named."""
    if not branch.get("enable_status_check"):
        return ()
    return tuple(branch.get("status_check_contexts") or ()) or (EVERY_STATUS,)
