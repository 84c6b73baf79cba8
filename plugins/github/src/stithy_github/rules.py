"""Branch rules: classic protection and rulesets together (docs/forge-behaviour/github.md#branch-rules).

Everybody who may read sees rulesets, and whether a branch is protected at all. What a classic protection demands is
for administrators, and a part of it, in GraphQL, for writers. What the token may not see is unknown, never "nothing".
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
    """A classic protection as GraphQL shows it: what is seen of it, and whether seeing nothing means that none is."""

    seen: BranchRules | None
    complete: bool
    queue: Maybe[bool]


class GitHubRules(Rules):
    """Protections and rulesets as one."""

    async def get(self, repository: RepositoryRef, branch: str) -> BranchRules:
        """Read what stands before a merge.

        Raises:
            NotFound: There is no such branch.
        """
        place = f"{repository_path(repository)}/branches/{quote(branch, safe='')}"
        shown, rulesets = await run_concurrently(
            lambda: self._read_branch(repository, branch, place), lambda: self._read_rulesets(repository, branch)
        )
        if shown.get("protected") is False:
            return combine_rules(NOTHING, rulesets)
        return combine_rules(await self._read_classic(repository, branch, shown, rulesets), rulesets)

    async def _read_branch(self, repository: RepositoryRef, branch: str, place: str) -> Any:
        try:
            return await self.forge.http.get(place, shape=dict)
        except NotFound as error:
            raise await missing_in_repository(
                self.forge, repository, f"branch {branch}", error, remedy="Check the name."
            ) from error

    async def _read_rulesets(self, repository: RepositoryRef, branch: str) -> Any:
        path = f"{repository_path(repository)}/rules/branches/{quote(branch, safe='')}"
        try:
            return from_rules(await self.forge.http.items(path, size=PAGE_SIZE))
        except (Forbidden, NotFound) as error:
            # Where the plan has no rulesets for private repositories, none is in force.
            return NOTHING if UPGRADE in error.message else unknown_rules(Unknown(error.message, error.suggestion))

    async def _read_classic(
        self, repository: RepositoryRef, branch: str, shown: Mapping[str, Any], rulesets: BranchRules
    ) -> BranchRules:
        administered, view = await run_concurrently(
            lambda: self._read_as_admin(repository, branch), lambda: self._read_as_viewer(repository, branch)
        )
        if administered is NOTHING or _is_by_rulesets_alone(view, administered, rulesets):
            return NOTHING
        told: Maybe[bool] = shown.get("protected", NOT_REPORTED)  # old answers do not say it
        read = evolve(HIDDEN, protected=told, merge_queue=view.queue, **_map_required_checks(shown))
        seen = administered or view.seen
        # Where rulesets explain that the branch is protected, nobody knows whether a classic protection is there, too.
        certain = seen is not None or (told is True and not rulesets.sources)
        sources = (f"branch protection {branch}",) if certain else ()
        pins = combine_rules(seen or read, read).pinned_checks  # GraphQL shows them to administrators only
        return evolve(fill_unknown(seen or read, read), pinned_checks=pins, sources=sources)

    async def _read_as_admin(self, repository: RepositoryRef, branch: str) -> BranchRules | None:
        """Read it as administrators do; None where the token may not.

        GitHub says 404 to both, and only those who may read it are told that there is none.
        """
        try:
            path = f"{repository_path(repository)}/branches/{quote(branch, safe='')}/protection"
            return from_protection(await self.forge.http.get(path, shape=dict))
        except NotFound as error:
            return NOTHING if NOT_PROTECTED in error.message else None
        except (Forbidden, Unauthorized):
            return None

    async def _read_as_viewer(self, repository: RepositoryRef, branch: str) -> ProtectionView:
        place = {"owner": repository.namespace, "name": repository.name}
        complete = True
        try:
            data = await execute_graphql(
                self.forge, PROTECTION, place | {"branch": branch, "ref": f"refs/heads/{branch}"}
            )
        except RateLimited:
            raise
        except ForgeError as error:
            data, complete = error.details.get("data"), False
        found = (data or {}).get("repository") or {}
        writing = complete and found.get("viewerPermission") in WRITERS
        queue = found.get("mergeQueue") is not None if complete else QUEUE
        return ProtectionView(from_ref(found.get("ref") or {}), writing, queue)


def _is_by_rulesets_alone(view: ProtectionView, administered: BranchRules | None, rulesets: BranchRules) -> bool:
    """Say whether a branch is protected by rulesets alone, as far as a writer may know."""
    return administered is None and view.seen is None and view.complete and bool(rulesets.sources)


def _map_required_checks(shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read which checks a classic protection requires, as a branch shows them to every reader."""
    checks = (shown.get("protection") or {}).get("required_status_checks")
    if checks is None:
        return {"required_checks": ADMINS_ONLY}
    if checks.get("enforcement_level") == OFF:
        return {"required_checks": ()}
    return {"required_checks": list_contexts(checks), "pinned_checks": list_pinned_checks(checks)}
