"""What a merge needs: changes and their commits, votes of CI as checks, and submit requirements as rules."""

import re
from base64 import b64decode
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

from attrs import evolve

from stithy_core import spi
from stithy_gerrit.gerrit_conversations import DETAILS, HEADER, LISTED, GerritCapability
from stithy_gerrit.gerrit_mapping import NAMES, Json, to_commit, to_pull_request, to_repository_ref

MOST = 1_000
"""Changes that are read to find the newest: Gerrit sorts by the last update."""
STATES = {"open": " status:open", "closed": " status:closed", "all": ""}
STATUSES = {"A": "added", "D": "deleted", "R": "renamed", "C": "copied"}
NO_HUNKS = spi.Unknown("Gerrit has no hunks in its list of files")
MET = ("SATISFIED", "OVERRIDDEN", "FORCED")
UNOFFERED = spi.Unknown("Gerrit offers to submit a change only when all requirements are met")


class GerritPullRequests(GerritCapability, spi.PullRequests):
    """Changes."""

    async def get(self, pr: spi.PullRequestRef) -> spi.PullRequest:
        """Read a change."""
        return to_pull_request(await self._read(pr), self.forge.config.url)

    async def list(
        self, repository: spi.RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> spi.Listing[spi.PullRequest]:
        """List changes; those from a branch do not exist."""
        branch = f' branch:"{base}"' if base else ""
        query = quote(f'project:"{repository}"{STATES[state]}{branch}')
        path = f"{await self.forge.prefix()}/changes/?q={query}&{LISTED}"
        found = spi.Listing[Any]() if head else await self.forge.http.items(path, size=500, most=MOST)
        if not found:
            await self.forge.read_project(repository)
        newest = sorted(found, key=lambda raw: raw["_number"], reverse=True)
        cut = found.cut or (f"only the newest {most:,} were read" if len(newest) > most else "")
        return spi.Listing(tuple(to_pull_request(raw, self.forge.config.url) for raw in newest[:most]), cut=cut)

    async def readiness(self, pr: spi.PullRequestRef) -> spi.Readiness:
        """Read what a merge needs; votes and submit requirements decide."""
        whole = await spi.composed_readiness(self.forge, pr)
        raw, project = await self._read(pr), await self.forge.read_project(pr.repository)
        pull = evolve(whole.pull_request, archived=project["state"] != "ACTIVE")
        return evolve(whole, pull_request=pull, decision=find_decision(raw), may_merge=may_submit(raw), owners=())

    async def dependencies(self, pr: spi.PullRequestRef) -> spi.Listing[spi.Issue]:
        """Return the open changes below that cannot be submitted together with this one."""
        chain = (await self.forge.read_change(pr, "/revisions/current/related?o=SUBMITTABLE"))["changes"]
        numbers = [one.get("_change_number") for one in chain]  # from the newest change down to the oldest
        below = chain[numbers.index(pr.number) + 1 :] if pr.number in numbers else []
        lacking = [one for one in below if one.get("status") == "NEW" and not one.get("submittable")]
        refs = [NAMES.create_pull_request_ref(pr.repository, one["_change_number"]) for one in lacking]
        return spi.Listing(tuple(await spi.map_concurrently(refs, self.get)))

    async def _read(self, pr: spi.PullRequestRef) -> Json:
        raw: dict[str, Any] = await self.forge.read_change(pr, DETAILS)
        if raw["status"] == "NEW" and "mergeable" not in raw:  # some servers compute it only on request
            raw["mergeable"] = (await self.forge.read_change(pr, "/revisions/current/mergeable"))["mergeable"]
        return raw


def may_submit(raw: Json) -> spi.Maybe[bool]:
    """Return whether the token's user may submit a change."""
    revision = raw["revisions"][raw["current_revision"]]
    return "submit" in revision.get("actions", {}) if raw.get("submittable") else UNOFFERED


def find_decision(raw: Json) -> str:
    """Return the verdict on the reviews: that of the requirement Code-Review, which a veto explains."""
    status = next((one["status"] for one in raw["submit_requirements"] if one["name"] == "Code-Review"), "")
    if status in MET:
        return "APPROVED"
    return (
        "CHANGES_REQUESTED" if "rejected" in raw["labels"].get("Code-Review", {}) else "REVIEW_REQUIRED" * bool(status)
    )


class GerritChanges(GerritCapability, spi.Changes):
    """Projects, and the commit of a change."""

    async def repository(self, repository: spi.RepositoryRef) -> spi.Repository:
        """Read a project."""
        raw, head = await self.forge.read_project(repository), await self.forge.read_project(repository, "/HEAD", str)
        ref, url = to_repository_ref(raw["name"]), self.forge.config.url
        return spi.Repository(
            ref=ref,
            url=f"{url}/{NAMES.format_repository_path(ref)}",
            default_branch=head.removeprefix("refs/heads/"),
            private=spi.NOT_REPORTED,
            archived=raw["state"] != "ACTIVE",
            clone_url=f"{url}/{quote(str(ref))}",
        )

    async def files(self, pr: spi.PullRequestRef, *, patches: bool = False) -> spi.Listing[spi.FileChange]:
        """Read the changed files; the commit message is listed beside them."""
        files = await self.forge.read_change(pr, "/revisions/current/files")
        hunks = NO_HUNKS if patches else None
        own = [(path, raw) for path, raw in sorted(files.items()) if not path.startswith("/")]
        return spi.Listing(tuple(to_file(path, raw, hunks) for path, raw in own))

    async def diff(self, pr: spi.PullRequestRef) -> AsyncIterator[bytes]:
        """Read the diff in a patch, which is in Base64; renamed files are deleted and added there."""
        async with self.forge.explain_missing(pr):
            path = f"{await self.forge.prefix()}{self.forge.change_path(pr)}/revisions/current/patch"
            patch = b64decode(b"".join([piece async for piece in self.forge.http.stream(path, accept="text/plain")]))
        yield patch[patch.find(b"diff --git ") :]

    async def commits(self, pr: spi.PullRequestRef) -> spi.Listing[spi.Commit]:
        """Read the only commit."""
        raw = await self.forge.read_change(pr, DETAILS)
        sha = raw["current_revision"]
        return spi.Listing((to_commit(sha, raw["revisions"][sha]["commit"]),))

    async def git(self, repository: spi.RepositoryRef) -> spi.GitRemote:
        """Return the URL for git, which accepts the user and the password below `/a` only."""
        return await self.forge.http.git(f"{await self.forge.prefix()}/{quote(str(repository))}")


def to_file(path: str, raw: Json, patch: spi.Unknown | None) -> spi.FileChange:
    """Map a changed file."""
    status, former = STATUSES.get(raw.get("status", ""), "modified"), raw.get("old_path", "")
    lines = {"additions": raw.get("lines_inserted", 0), "deletions": raw.get("lines_deleted", 0)}
    return spi.FileChange(path=path, status=status, previous_path=former, patch=patch, **lines)


def is_check(name: str) -> bool:
    """Return whether a label, or the submit requirement of its name, is about CI: Verified, Presubmit-Verified."""
    return name.endswith("Verified")


class GerritChecks(GerritCapability, spi.Checks):
    """The votes of CI on the current patch set: Gerrit itself runs nothing."""

    async def list(
        self, repository: spi.RepositoryRef, commit: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.Listing[spi.CommitCheck]:
        """Read the votes of each account."""
        if pr is not None:
            return spi.Listing(tuple(self._map(await self.forge.read_change(pr, DETAILS))))
        await self.forge.read_project(repository)
        query = quote(f'project:"{repository}" commit:{commit}')
        path = f"{await self.forge.prefix()}/changes/?q={query}&{LISTED}&o=MESSAGES"
        rows = await self.forge.http.get(path, shape=list) if re.fullmatch("[0-9a-f]{40}", commit) else ()
        current = (raw for raw in rows if raw["current_revision"] == commit)
        return spi.Listing(tuple(check for raw in current for check in self._map(raw)))

    async def runs(
        self, repository: spi.RepositoryRef, commit: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.Listing[spi.WorkflowRun]:
        """Return none: Gerrit has no CI of its own."""
        return spi.Listing()

    def _map(self, raw: Json) -> Sequence[spi.CommitCheck]:
        page, labels = to_pull_request(raw, self.forge.config.url).url, sorted(filter(is_check, raw["labels"]))
        votes = [(name, vote) for name in labels for vote in raw["labels"][name].get("all", ()) if vote.get("value")]
        return [to_check(name, vote, raw["messages"], page) for name, vote in votes]


def to_check(label: str, vote: Json, messages: list[Json], page: str) -> spi.CommitCheck:
    """Map a vote of CI; the message with it has the summary, and often the address of the log."""
    own = [one["message"] for one in messages if one.get("author", {}).get("_account_id") == vote["_account_id"]]
    headers = [found for text in reversed(own) if (found := HEADER.match(text))]
    summary = next((one[3] or "" for one in headers if f"{label}{vote['value']:+}" in one[1].split()), "")
    address = re.search(r"https?://[^\s>)]+", summary)
    return spi.CommitCheck(
        name=label,
        verdict=spi.Verdict.PASSED if vote["value"] > 0 else spi.Verdict.FAILED,
        url=address[0] if address else page,
        id=f"{label}~{vote['_account_id']}",
        raw=f"{vote['value']:+}",
        source=vote.get("username", ""),
        summary=summary,
    )


class GerritRules(GerritCapability, spi.Rules):
    """Submit requirements, which belong to a change: most users may not read those of a project."""

    async def get(
        self, repository: spi.RepositoryRef, branch: str, *, pr: spi.PullRequestRef | None = None
    ) -> spi.BranchRules:
        """Read the requirements that apply to a change; without one, all are unknown."""
        if pr is None:
            await self.forge.read_project(repository)
            return spi.BranchRules()
        rows = (await self.forge.read_change(pr, DETAILS))["submit_requirements"]
        rows = [row for row in rows if row["status"] != "NOT_APPLICABLE"]
        asked = {row["name"] for row in rows if row["status"] in ("SATISFIED", "UNSATISFIED")}
        return evolve(
            spi.BranchRules.none(),
            protected=bool(rows),
            required_approvals=int("Code-Review" in asked),
            required_checks=tuple(sorted(filter(is_check, asked))),
            evaluated=tuple(to_rule(row) for row in rows if row["name"] != "Code-Review" and not is_check(row["name"])),
            sources=tuple(f"submit requirement {row['name']}" for row in rows),
        )


def to_rule(raw: Json) -> spi.EvaluatedRule:
    """Map a submit requirement with its result; an expression that fails has none."""
    fault = raw.get("submittability_expression_result", {}).get("error_message", "its expression cannot be evaluated")
    met = spi.Unknown(fault) if raw["status"] == "ERROR" else raw["status"] in MET
    name = f"the submit requirement {raw['name']} is satisfied"
    return spi.EvaluatedRule(name=name, met=met, action=raw.get("description", ""))
