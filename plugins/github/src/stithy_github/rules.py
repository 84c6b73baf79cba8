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
from stithy_github.absence import absent_in
from stithy_github.asking import ask
from stithy_github.counting import PAGE
from stithy_github.gathering import at_once
from stithy_github.mapping import path_of
from stithy_github.readiness_mapping import WRITERS
from stithy_github.rules_mapping import HIDDEN, QUEUE, UNTOLD, contexts_of, from_protection, from_ref, pins_of
from stithy_github.rules_queries import PROTECTION
from stithy_github.rulesets_mapping import from_rules
from stithy_github.strictness import NOTHING, completed, strictest, unseen

NONE_THERE = "Branch not protected"
UPGRADE = "Upgrade to GitHub"
OFF = "off"


@frozen
class View:
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
        place = f"{path_of(repository)}/branches/{quote(branch, safe='')}"
        shown, rulesets = await at_once(
            lambda: self._branch(repository, branch, place), lambda: self._rulesets(repository, branch)
        )
        if shown.get("protected") is False:
            return strictest(NOTHING, rulesets)
        return strictest(await self._classic(repository, branch, shown, rulesets), rulesets)

    async def _branch(self, repository: RepositoryRef, branch: str, place: str) -> Any:
        try:
            return await self.forge.http.get(place, shape=dict)
        except NotFound as error:
            raise await absent_in(
                self.forge, repository, f"branch {branch}", error, remedy="Check the name."
            ) from error

    async def _rulesets(self, repository: RepositoryRef, branch: str) -> Any:
        path = f"{path_of(repository)}/rules/branches/{quote(branch, safe='')}"
        try:
            return from_rules(await self.forge.http.items(path, size=PAGE))
        except (Forbidden, NotFound) as error:
            # Where the plan has no rulesets for private repositories, none is in force.
            return NOTHING if UPGRADE in error.message else unseen(Unknown(error.message, error.suggestion))

    async def _classic(
        self, repository: RepositoryRef, branch: str, shown: Mapping[str, Any], rulesets: BranchRules
    ) -> BranchRules:
        administered, view = await at_once(
            lambda: self._administered(repository, branch), lambda: self._viewed(repository, branch)
        )
        if administered is NOTHING or _explained(view, administered, rulesets):
            return NOTHING
        told: Maybe[bool] = shown.get("protected", NOT_REPORTED)  # old answers do not say it
        read = evolve(HIDDEN, protected=told, merge_queue=view.queue, **_demanded_checks(shown))
        seen = administered or view.seen
        # Where rulesets explain that the branch is protected, nobody knows whether a classic protection is there, too.
        certain = seen is not None or (told is True and not rulesets.sources)
        sources = (f"branch protection {branch}",) if certain else ()
        pins = strictest(seen or read, read).pinned_checks  # GraphQL shows them to administrators only
        return evolve(completed(seen or read, read), pinned_checks=pins, sources=sources)

    async def _administered(self, repository: RepositoryRef, branch: str) -> BranchRules | None:
        """Read it as administrators do; None where the token may not.

        GitHub says 404 to both, and only those who may read it are told that there is none.
        """
        try:
            path = f"{path_of(repository)}/branches/{quote(branch, safe='')}/protection"
            return from_protection(await self.forge.http.get(path, shape=dict))
        except NotFound as error:
            return NOTHING if NONE_THERE in error.message else None
        except (Forbidden, Unauthorized):
            return None

    async def _viewed(self, repository: RepositoryRef, branch: str) -> View:
        place = {"owner": repository.namespace, "name": repository.name}
        complete = True
        try:
            data = await ask(self.forge, PROTECTION, place | {"branch": branch, "ref": f"refs/heads/{branch}"})
        except RateLimited:
            raise
        except ForgeError as error:
            data, complete = error.details.get("data"), False
        found = (data or {}).get("repository") or {}
        writing = complete and found.get("viewerPermission") in WRITERS
        queue = found.get("mergeQueue") is not None if complete else QUEUE
        return View(from_ref(found.get("ref") or {}), writing, queue)


def _explained(view: View, administered: BranchRules | None, rulesets: BranchRules) -> bool:
    """Say whether a branch is protected by rulesets alone, as far as a writer may know."""
    return administered is None and view.seen is None and view.complete and bool(rulesets.sources)


def _demanded_checks(shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read which checks a classic protection requires, as a branch shows them to every reader."""
    checks = (shown.get("protection") or {}).get("required_status_checks")
    if checks is None:
        return {"required_checks": UNTOLD}
    if checks.get("enforcement_level") == OFF:
        return {"required_checks": ()}
    return {"required_checks": contexts_of(checks), "pinned_checks": pins_of(checks)}
