"""Branch restrictions: what a merge requires, and who may merge. Without `enforce_merge_checks` they only warn."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import quote

from attrs import evolve

from stithy_bitbucket.bitbucket_mapping import Json, name_missing, pull_path, read_object, repository_path, to_user
from stithy_core import spi

FIELDS = {
    "require_no_changes_requested": "rejection_blocks",
    "require_passing_builds_to_merge": "all_checks",
    "reset_pullrequest_approvals_on_change": "dismisses_stale",
}
EVALUATED = {
    "require_tasks_to_be_completed": "all tasks are resolved",
    "require_default_reviewer_approvals_to_merge": "default reviewers approved: at least {}",
    "require_passing_builds_to_merge": "builds passed: at least {}",
}
HARMLESS = {"push", "force", "delete", "restrict_merges", "enforce_merge_checks", "require_approvals_to_merge"}


async def find_restrictions(forge: spi.Forge, repository: spi.RepositoryRef, branch: str) -> Sequence[Json]:
    """Return the restrictions that may apply to a branch; only administrators can read them."""
    with name_missing(f"repository {repository}"):
        rows = await forge.http.items(f"{repository_path(repository)}/branch-restrictions", rows="values", size=100)
    return [row for row in rows if row["branch_match_kind"] != "glob" or fnmatchcase(branch, row["pattern"])]


async def may_merge(forge: spi.Forge, pull: spi.PullRequest) -> spi.Maybe[bool]:
    """Return whether the token's user may merge a pull request."""
    home = pull.ref.repository
    path, query = f"/user/workspaces/{quote(home.namespace)}/permissions/repositories", f'repository.full_name="{home}"'
    if not any(row["permission"] in {"write", "admin"} for row in await forge.http.items(path, rows="values", q=query)):
        return False
    restrictions, me = await find_restrictions(forge, home, pull.base.branch), await forge.identity.me()
    limits = [row for row in restrictions if row["kind"] == "restrict_merges"]
    if any(row["groups"] or row["branch_match_kind"] != "glob" for row in limits):
        return spi.Unknown("a branch restriction names groups or types of branches", "See the repository's settings.")
    return all(me.id in [to_user(user).id for user in row["users"]] for row in limits)


class BitbucketRules(spi.Rules):
    """The restrictions of a branch, with their results for a pull request."""

    async def get(
        self, repository: spi.RepositoryRef, branch: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.BranchRules:
        rows = await find_restrictions(self.forge, repository, branch)
        kinds = {row["kind"]: row["value"] or 0 for row in rows if row["branch_match_kind"] == "glob"}
        known = kinds.keys() & EVALUATED.keys() if pr else set()
        others = [kind for kind in kinds if kind not in {*HARMLESS, *FIELDS, *known}]
        others += [f"{row['kind']} for {row['branch_type']}" for row in rows if row["branch_match_kind"] != "glob"]
        fields: dict[str, Any] = {FIELDS[kind]: True for kind in kinds if kind in FIELDS}
        return evolve(
            spi.BranchRules.none(),
            protected=bool(rows),
            required_approvals=kinds.get("require_approvals_to_merge", 0),
            sources=tuple(f"branch restriction {kind}" for kind in kinds),
            evaluated=tuple([await self._evaluate(pr, kind, kinds[kind]) for kind in sorted(known) if pr]),
            others=tuple(others),
            **fields,
        )

    async def _evaluate(self, pr: spi.PullRequestRef, kind: str, least: int) -> spi.EvaluatedRule:
        raw, http = await read_object(self.forge, pr), self.forge.http
        if kind == "require_tasks_to_be_completed":
            met = raw["task_count"] == 0
        elif kind == "require_passing_builds_to_merge":
            builds = await http.items(f"{pull_path(pr)}/statuses", rows="values", size=100)
            met = sum(row["state"] == "SUCCESSFUL" for row in builds) >= least
        else:
            path = f"{repository_path(pr.repository)}/effective-default-reviewers"
            default = [row["user"]["uuid"] for row in await http.items(path, rows="values", size=100)]
            met = sum(row["approved"] and row["user"]["uuid"] in default for row in raw["participants"]) >= least
        return spi.EvaluatedRule(name=EVALUATED[kind].format(least), met=met)
