"""Azure DevOps: pull requests and their conversations, access by git, and the token's user."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from attrs import evolve

from stithy_azure_devops import azure_api as api
from stithy_azure_devops.azure_api import Json, Pull, Repo
from stithy_azure_devops.azure_checks import APPROVALS, MET, AzureChecks, AzureRules, list_blocking, read_policies
from stithy_core import spi

CONTRIBUTE = "_apis/permissions/2e9eb7ed-3c0a-47d4-87c1-0ffdf275fd87/4"
"""The permission that completing a pull request needs."""


async def _read_discussions(forge: spi.Forge, pr: spi.IssueRef) -> Sequence[Json]:
    rows = await api.name_missing(pr, forge.http.items(f"{api.find_path(pr)}/threads", rows="value"))
    return [row for row in rows if api.list_shown(row)]


class AzurePullRequests(spi.PullRequests):
    """Pull requests."""

    async def get(self, pr: Pull) -> spi.PullRequest:
        return api.to_pull_request(self.forge, await api.read(self.forge, pr))

    async def list(
        self, repository: Repo, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> spi.Listing[spi.PullRequest]:
        owner, _, branch = head.rpartition(":")
        refs = {"targetRefName": base, "sourceRefName": branch}
        query: dict[str, Any] = {f"searchCriteria.{name}": f"refs/heads/{ref}" for name, ref in refs.items() if ref}
        query["searchCriteria.status"], path = "active" if state == "open" else "all", api.find_path(repository)
        reading = self.forge.http.items(f"{path}/pullrequests", rows="value", size=100, most=1_000, **query)
        rows = (await api.name_missing(repository, reading)).map(partial(api.to_pull_request, self.forge))
        source = f"{owner}/" if owner else f"{repository}/"  # of the forks in one project, `owner:branch` means each
        found = [
            one
            for one in rows
            if state in ("all", one.state)
            and (not head or f"{one.head.repository}/".lower().startswith(source.lower()))
        ]
        return spi.Listing(tuple(found[:most]), cut="there are more" if len(found) > most else rows.cut)

    async def readiness(self, pr: Pull) -> spi.Readiness:
        whole, raw = await spi.composed_readiness(self.forge, pr), await api.read(self.forge, pr)
        results, home = list_blocking(await read_policies(self.forge, pr)), raw["repository"]
        unmet, token = {one["status"] for one in results} - MET, f"repoV2/{home['project']['id']}/{home['id']}"
        reviews = {one["status"] for one in list_blocking(results, APPROVALS)}
        return evolve(
            whole,
            pull_request=evolve(whole.pull_request, blocked=bool(unmet)),
            decision="" if not reviews else "APPROVED" if reviews <= MET else "REVIEW_REQUIRED",
            may_merge=(await self.forge.http.get(CONTRIBUTE, shape=dict, tokens=token))["value"][0],
            auto_merge="autoCompleteSetBy" in raw,
        )

    async def dependencies(self, pr: Pull) -> spi.Listing[spi.Issue]:
        return spi.Listing()


class AzureReviews(spi.Reviews):
    """Votes, where 0 means no vote; those of groups are made of those of people."""

    async def list(self, pr: Pull) -> spi.Listing[spi.Review]:
        rows = (await api.read(self.forge, pr))["reviewers"]
        return spi.Listing(tuple(api.to_review(one) for one in rows if one["vote"] and not one.get("isContainer")))


class AzureComments(spi.Comments):
    """Discussions without a place and a status."""

    async def list(self, subject: spi.IssueRef, *, since: datetime | None = None) -> spi.Listing[spi.Comment]:
        talks = [raw for raw in await _read_discussions(self.forge, subject) if not api.is_thread(raw)]
        found = [api.to_comment(self.forge, subject, raw["id"], one) for raw in talks for one in api.list_shown(raw)]
        found.sort(key=lambda comment: comment.created_at)
        return spi.Listing(tuple(one for one in found if since is None or one.updated_at >= since))

    async def minimized(self, subject: spi.IssueRef) -> Mapping[str, str]:
        return {}


class AzureThreads(spi.Threads):
    """Discussions with a place or a status; the status resolves them."""

    async def list(self, pr: Pull) -> spi.Listing[spi.Thread]:
        found = [
            api.to_thread(self.forge, pr, raw) for raw in await _read_discussions(self.forge, pr) if api.is_thread(raw)
        ]
        return spi.Listing(tuple(sorted(found, key=lambda thread: thread.sort_key)))

    async def get(self, pr: Pull, thread: str) -> spi.Thread:
        if (found := spi.find_thread(await self.list(pr), thread)) is None:
            raise spi.NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
        return found

    async def reply(self, pr: Pull, thread: str, body: str, *, unless_since: datetime | None = None) -> spi.Reply:
        if not body.strip():
            raise spi.Rejected("a reply must not be blank; nothing was sent", suggestion="Write a text.")
        me, name = await self.forge.identity.me(), (await self.get(pr, thread)).id

        async def find(since: datetime) -> spi.Reply | None:
            replies = (await self.get(pr, name)).comments[1:]
            late = [one for one in replies if one.body == body and one.created_at >= since.replace(microsecond=0)]
            own = next((one for one in late if one.author.is_same_account(me)), None)
            return spi.Reply(comment=own, thread=name, repeated=True) if own else None

        def read(raw: Json) -> spi.Reply:
            return spi.Reply(comment=api.to_comment(self.forge, pr, name, raw), thread=name)

        if unless_since is not None and (before := await find(unless_since)) is not None:
            return before
        path, sent = f"{api.find_path(pr)}/threads/{name}/comments", {"content": body, "parentCommentId": 1}
        send, now = partial(self.forge.http.send, "POST", path, sent, shape=dict), self.forge.http.now()
        return await self.forge.outbox.write((str(pr).lower(), name, body), now, send, find, read=read)

    async def resolve(self, pr: Pull, thread: str) -> spi.Thread:
        return await self._set_status(pr, thread, "fixed", resolved=True)

    async def unresolve(self, pr: Pull, thread: str) -> spi.Thread:
        return await self._set_status(pr, thread, "active", resolved=False)

    async def _set_status(self, pr: Pull, thread: str, status: str, *, resolved: bool) -> spi.Thread:
        found = await self.get(pr, thread)
        if found.resolved is resolved:
            return evolve(found, unchanged=True)
        path = f"{api.find_path(pr)}/threads/{found.id}"
        raw = await self.forge.http.send("PATCH", path, {"status": status}, idempotent=True, shape=dict)
        return api.to_thread(self.forge, pr, raw)


class AzureChanges(spi.Changes):
    """Access by git; any user name is accepted beside a token."""

    async def git(self, repository: Repo) -> spi.GitRemote:
        return await self.forge.http.git(self.forge.names.format_repository_path(repository), user="stithy")


class AzureIdentity(spi.Identity):
    """The token's user."""

    async def me(self) -> spi.User:
        raw = (await self.forge.http.get("_apis/connectionData", shape=dict, **api.PREVIEW))["authenticatedUser"]
        return api.to_user({"id": raw["id"], "uniqueName": raw["properties"]["Account"]["$value"]})


class AzureDevOps(spi.Forge):
    """One organization of the service, or one collection of a server; neither reports its version."""

    capabilities = (
        *(AzurePullRequests, AzureComments, AzureReviews, AzureThreads),
        *(AzureChanges, AzureChecks, AzureRules, AzureIdentity),
    )
    dialect, writes_by_http = api.DIALECT, True

    async def identify(self) -> spi.Version:
        raw = await self.http.get("_apis/connectionData", shape=dict, **api.PREVIEW)
        return spi.Version("azure-devops", raw["deploymentType"])

    def head_ref(self, pull: spi.PullRequest) -> None:
        """Return None: only the result of the merge has a ref."""
