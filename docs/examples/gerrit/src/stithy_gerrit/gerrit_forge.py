"""A Gerrit server: its dialect, and the requests that several capabilities share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

from stithy_core import spi
from stithy_gerrit.gerrit_conversations import (
    GerritComments,
    GerritIdentity,
    GerritIssues,
    GerritReviews,
    GerritThreads,
)
from stithy_gerrit.gerrit_merges import GerritChanges, GerritChecks, GerritPullRequests, GerritRules


def find_next_page(page: spi.PageResponse) -> spi.NextPage | None:
    """Return the next page of changes, if the last change of this one announces it."""
    more = page.items and page.items[-1].get("_more_changes")
    return spi.NextPage(query={"S": page.read}) if more else None


class Gerrit(spi.Forge):
    """One server."""

    capabilities = (
        *(GerritIssues, GerritPullRequests, GerritComments, GerritReviews, GerritThreads),
        *(GerritChanges, GerritChecks, GerritRules, GerritIdentity),
    )
    dialect = spi.Dialect(
        authorization=spi.basic,
        decode=lambda body: body.removeprefix(b")]}'"),
        paging=spi.Paging(next_page=find_next_page, size="n"),
    )
    writes_by_http = True

    async def identify(self) -> spi.Version:
        """Ask for the version."""
        return spi.Version("gerrit", await self.get("/config/server/version", str))

    def head_ref(self, pull: spi.PullRequest) -> str | None:
        """Return the ref of the current patch set."""
        return pull.head.branch

    def push_ref(self, pull: spi.PullRequest) -> str | None:
        """Return the ref that makes a new patch set of each commit."""
        return f"refs/for/{pull.base.branch}"

    async def prefix(self) -> str:
        """Return the beginning of paths: Gerrit accepts a password below `/a` only, and requires one there."""
        return "/a" if await self.token_identity() else ""

    async def get(self, path: str, shape: type = dict) -> Any:
        """Read JSON."""
        return await self.http.get(await self.prefix() + path, shape=shape)

    def change_path(self, subject: spi.IssueRef) -> str:
        """Return the path of a change; without a repository, by its number alone."""
        project = f"{quote(str(subject.repository), safe='')}~" if subject.repository.name else ""
        return f"/changes/{project}{subject.number}"

    async def read_change(self, subject: spi.IssueRef, rest: str = "", shape: type = dict) -> Any:
        """Read a change, or what is below it."""
        async with self.explain_missing(subject):
            return await self.get(self.change_path(subject) + rest, shape)

    async def read_project(self, repository: spi.RepositoryRef, rest: str = "", shape: type = dict) -> Any:
        """Read a project, or what is below it."""
        try:
            return await self.get(f"/projects/{quote(str(repository), safe='')}{rest}", shape)
        except spi.NotFound as error:
            remedy = "Check its name; it may be hidden from this token."
            raise spi.NotFound(f"repository {repository} was not found", suggestion=remedy) from error

    @asynccontextmanager
    async def explain_missing(self, subject: spi.IssueRef) -> AsyncIterator[None]:
        """Replace the error of a missing change, which does not say whether its project exists."""
        try:
            yield
        except spi.NotFound as error:
            place = f"{subject.repository}" or self.config.alias
            if subject.repository.name:
                await self.read_project(subject.repository)
            remedy = "Check its number; it may be private or deleted."
            raise spi.NotFound(f"{place} has no change {subject.number}", suggestion=remedy) from error
