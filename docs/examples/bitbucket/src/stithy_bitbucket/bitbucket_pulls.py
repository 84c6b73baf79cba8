"""Pull requests, their verdicts and their repositories."""

import json
from typing import Any
from urllib.parse import quote

from attrs import evolve

from stithy_bitbucket.bitbucket_mapping import (
    Json,
    name_missing,
    read_object,
    repository_path,
    to_pull_request,
    to_repository_ref,
    to_user,
)
from stithy_bitbucket.bitbucket_restrictions import may_merge
from stithy_core import spi

STATES = {"open": ("OPEN",), "closed": ("MERGED", "DECLINED", "SUPERSEDED")}


class BitbucketPullRequests(spi.PullRequests):
    """Pull requests. `get` reads the commits for their SHAs; `list` does not, since each costs a request."""

    async def get(self, pr: spi.PullRequestRef) -> spi.PullRequest:
        raw = await read_object(self.forge, pr)
        ends = {"source": raw["source"], "destination": raw["destination"]}
        if raw["merge_commit"]:
            ends["merge_commit"] = {**raw["destination"], "commit": raw["merge_commit"]}
        read = await spi.map_concurrently(ends.values(), self._read_commit)
        commits = {name: commit for name, commit in zip(ends, read, strict=True) if commit}
        return to_pull_request(raw, self.forge.names, commits)

    async def _read_commit(self, end: Json) -> Json | None:
        """Read the commit of an end; None if its repository was deleted, or the token may not see it."""
        if not end["repository"]:
            return None
        path = f"{repository_path(to_repository_ref(end['repository']))}/commit/{quote(end['commit']['hash'])}"
        raw = await self.forge.once(path, lambda: spi.or_unknown(self.forge.http.get(path, shape=dict)))
        return None if isinstance(raw, spi.Unknown) else raw

    async def list(
        self, repository: spi.RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> spi.Listing[spi.PullRequest]:
        states = STATES.get(state) or (*STATES["open"], *STATES["closed"])
        owner, _, branch = head.rpartition(":")
        fields = {"destination.branch.name": base, "source.branch.name": branch}
        fields["source.repository.workspace.slug"] = owner
        q = " AND ".join(f"{name} = {json.dumps(value)}" for name, value in fields.items() if value)
        path = f"{repository_path(repository)}/pullrequests?{'&'.join(f'state={one}' for one in states)}"
        with name_missing(f"repository {repository}"):
            found = await self.forge.http.items(path, rows="values", size=50, most=most, q=q, sort="-created_on")
        return found.map(lambda raw: to_pull_request(raw, self.forge.names, {}))

    async def readiness(self, pr: spi.PullRequestRef) -> spi.Readiness:
        whole = await spi.composed_readiness(self.forge, pr)
        may = await spi.or_unknown(may_merge(self.forge, whole.pull_request))
        is_queued = (await read_object(self.forge, pr))["queued"]
        queued = spi.Queued(position=spi.NOT_REPORTED, state="queued") if is_queued else None
        return evolve(whole, may_merge=may, queued=queued, doubt="Bitbucket reports no conflicts of a pull request")

    async def dependencies(self, pr: spi.PullRequestRef) -> spi.Listing[spi.Issue]:
        return spi.Listing()


class BitbucketReviews(spi.Reviews):
    """The current verdicts of participants. Bitbucket itself takes outdated ones away."""

    async def list(self, pr: spi.PullRequestRef) -> spi.Listing[spi.Review]:
        rows = [row for row in (await read_object(self.forge, pr))["participants"] if row["state"]]
        fields: dict[str, Any] = {"id": "", "body": "", "submitted_at": None, "url": "", "official": True}
        return spi.Listing(tuple(spi.Review(author=to_user(row["user"]), state=row["state"], **fields) for row in rows))


class BitbucketChanges(spi.Changes):
    """Repositories, and access to them by git."""

    async def repository(self, repository: spi.RepositoryRef) -> spi.Repository:
        raw = await read_object(self.forge, repository)
        return spi.Repository(
            ref=to_repository_ref(raw),
            url=raw["links"]["html"]["href"],
            default_branch=(raw["mainbranch"] or {"name": ""})["name"],
            private=raw["is_private"],
            archived=False,
            fork=bool(raw.get("parent")),
            parent=to_repository_ref(raw["parent"]) if raw.get("parent") else None,
        )

    async def git(self, repository: spi.RepositoryRef) -> spi.GitRemote:
        def choose_user(token: spi.Token) -> str:
            return "x-bitbucket-api-token-auth" if ":" in token.value else "x-token-auth"

        return await self.forge.http.git(f"{quote(str(repository))}.git", user=choose_user)
