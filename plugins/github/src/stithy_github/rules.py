"""Branch rules: classic protection and rulesets together (docs/forge-behaviour/github.md#branch-rules).

Every reader sees rulesets, and whether a branch is protected at all. The rules of a classic protection are shown to
administrators, and some of them, by GraphQL, to writers. A rule that the token may not see is unknown, never off.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from attrs import evolve, frozen

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRules,
    Forbidden,
    ForgeError,
    Maybe,
    NotFound,
    PullRequestRef,
    RateLimited,
    RepositoryRef,
    Rules,
    Unauthorized,
    Unknown,
)
from stithy_github.concurrent_requests import run_concurrently
from stithy_github.graphql_client import execute_graphql
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import repository_path
from stithy_github.not_found_errors import missing_in_repository
from stithy_github.readiness_mapping import WRITERS
from stithy_github.rule_combination import NOTHING, combine_rules, fill_unknown, unknown_rules
from stithy_github.rules_mapping import (
    ADMINS_ONLY,
    HIDDEN,
    QUEUE,
    from_protection,
    from_ref,
    list_contexts,
    list_pinned_checks,
)
from stithy_github.rules_queries import PROTECTION
from stithy_github.rulesets_mapping import from_rules

NOT_PROTECTED = "Branch not protected"
UPGRADE = "Upgrade to GitHub"
OFF = "off"


@frozen
class ProtectionView:
    """A classic protection as GraphQL shows it to this token.

    Args:
        rules: The visible rules; None if GraphQL shows no protection.
        complete: Whether None means that the branch has no classic protection.
        queue: Whether the branch has a merge queue.
    """

    rules: BranchRules | None
    complete: bool
    queue: Maybe[bool]


class GitHubRules(Rules):
    """Classic protections and rulesets, combined."""

    async def get(
        self,
        repository: RepositoryRef,
        branch: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- rules belong to branches
    ) -> BranchRules:
        """Return the rules of a branch, which apply to every pull request into it.

        Raises:
            NotFound: There is no such branch.
        """
        path = f"{repository_path(repository)}/branches/{quote(branch, safe='')}"
        raw, rulesets = await run_concurrently(
            lambda: self._read_branch(repository, branch, path), lambda: self._read_rulesets(repository, branch)
        )
        if raw.get("protected") is False:
            return combine_rules(NOTHING, rulesets)
        return combine_rules(await self._read_classic(repository, branch, raw, rulesets), rulesets)

    async def _read_branch(self, repository: RepositoryRef, branch: str, path: str) -> Any:
        try:
            return await self.forge.http.get(path, shape=dict)
        except NotFound as error:
            raise await missing_in_repository(
                self.forge, repository, f"branch {branch}", error, remedy="Check the name."
            ) from error

    async def _read_rulesets(self, repository: RepositoryRef, branch: str) -> Any:
        path = f"{repository_path(repository)}/rules/branches/{quote(branch, safe='')}"
        try:
            return from_rules(await self.forge.http.items(path, size=PAGE_SIZE))
        except (Forbidden, NotFound) as error:
            # A plan without rulesets for private repositories enforces none.
            return NOTHING if UPGRADE in error.message else unknown_rules(Unknown(error.message, error.suggestion))

    async def _read_classic(
        self, repository: RepositoryRef, branch: str, raw: Mapping[str, Any], rulesets: BranchRules
    ) -> BranchRules:
        admin_rules, view = await run_concurrently(
            lambda: self._read_as_admin(repository, branch), lambda: self._read_as_viewer(repository, branch)
        )
        if admin_rules is NOTHING or _is_by_rulesets_alone(view, admin_rules, rulesets):
            return NOTHING
        protected: Maybe[bool] = raw.get("protected", NOT_REPORTED)  # old answers leave it out
        public = evolve(HIDDEN, protected=protected, merge_queue=view.queue, **_map_required_checks(raw))
        rules = admin_rules or view.rules
        # If rulesets explain that the branch is protected, it is unknown whether it has a classic protection as well.
        certain = rules is not None or (protected is True and not rulesets.sources)
        sources = (f"branch protection {branch}",) if certain else ()
        pins = combine_rules(rules or public, public).pinned_checks  # GraphQL shows them to administrators only
        return evolve(fill_unknown(rules or public, public), pinned_checks=pins, sources=sources)

    async def _read_as_admin(self, repository: RepositoryRef, branch: str) -> BranchRules | None:
        """Return a classic protection as administrators see it; None if the token may not read it.

        GitHub answers 404 for a missing protection as well, and says so to administrators only.
        """
        try:
            path = f"{repository_path(repository)}/branches/{quote(branch, safe='')}/protection"
            return from_protection(await self.forge.http.get(path, shape=dict))
        except NotFound as error:
            return NOTHING if NOT_PROTECTED in error.message else None
        except (Forbidden, Unauthorized):
            return None

    async def _read_as_viewer(self, repository: RepositoryRef, branch: str) -> ProtectionView:
        names = {"owner": repository.namespace, "name": repository.name}
        complete = True
        try:
            variables = names | {"branch": branch, "ref": f"refs/heads/{branch}"}
            data = await execute_graphql(self.forge, PROTECTION, variables)
        except RateLimited:
            raise
        except ForgeError as error:
            data, complete = error.details.get("data"), False
        raw = (data or {}).get("repository") or {}
        is_writer = complete and raw.get("viewerPermission") in WRITERS
        queue = raw.get("mergeQueue") is not None if complete else QUEUE
        return ProtectionView(from_ref(raw.get("ref") or {}), is_writer, queue)


def _is_by_rulesets_alone(view: ProtectionView, admin_rules: BranchRules | None, rulesets: BranchRules) -> bool:
    """Return whether a branch is protected by rulesets alone, as far as a writer may know."""
    return admin_rules is None and view.rules is None and view.complete and bool(rulesets.sources)


def _map_required_checks(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Map the required checks of a classic protection, as a branch shows them to every reader."""
    checks = (raw.get("protection") or {}).get("required_status_checks")
    if checks is None:
        return {"required_checks": ADMINS_ONLY}
    if checks.get("enforcement_level") == OFF:
        return {"required_checks": ()}
    return {"required_checks": list_contexts(checks), "pinned_checks": list_pinned_checks(checks)}
