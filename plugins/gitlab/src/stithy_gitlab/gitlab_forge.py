"""What a GitLab server can do."""

import json
import shlex
from datetime import timedelta

from stithy_core.spi import (
    Comments,
    Forge,
    IssueRef,
    Operation,
    OwnersFile,
    PullRequest,
    Thread,
    Threads,
    Unauthorized,
    Version,
)
from stithy_gitlab.gitlab_account import read_account
from stithy_gitlab.gitlab_changes import GitLabChanges
from stithy_gitlab.gitlab_checks import GitLabChecks
from stithy_gitlab.gitlab_dialect import DIALECT
from stithy_gitlab.gitlab_discussions import GitLabThreads
from stithy_gitlab.gitlab_identity import GitLabIdentity
from stithy_gitlab.gitlab_issues import GitLabIssues
from stithy_gitlab.gitlab_merge_requests import GitLabPullRequests, GitLabReviews
from stithy_gitlab.gitlab_notes import GitLabComments
from stithy_gitlab.gitlab_projects import read_metadata, subject_path
from stithy_gitlab.gitlab_rules import GitLabRules

CURL = 'curl --fail-with-body -sS -H "PRIVATE-TOKEN: ${GITLAB_TOKEN:?}"'
HEAD_KEPT = timedelta(days=14)
"""How long GitLab keeps the ref of a head after the merge or the closing, from 16.6 on."""
OWNERS = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")


class GitLab(Forge):
    """One server, of either edition."""

    capabilities = (
        GitLabIssues,
        GitLabPullRequests,
        GitLabComments,
        GitLabReviews,
        GitLabThreads,
        GitLabChanges,
        GitLabChecks,
        GitLabRules,
        GitLabIdentity,
    )
    dialect = DIALECT
    writes_by_http = True

    async def identify(self) -> Version:
        """Ask for the version, which GitLab reports neither to anonymous readers nor to jobs."""
        try:
            return Version("gitlab", (await read_metadata(self))["version"])
        except Unauthorized:
            if await self.token_identity() and not (await read_account(self)).is_job:
                raise
            return Version("gitlab", "unknown")

    async def command(
        self, operation: Operation, subject: IssueRef, *, thread: Thread | None = None, body: str = ""
    ) -> str:
        """Return a shell command that performs an operation with curl."""
        if operation is Comments.create:
            return self._format_command("POST", f"{subject_path(subject)}/notes", {"body": body})
        if thread is None:
            return ""
        path = f"{subject_path(subject)}/discussions/{thread.id}"
        if operation is Threads.reply:
            return self._format_command("POST", f"{path}/notes", {"body": body})
        return self._format_command("PUT", path, {"resolved": True}) if operation is Threads.resolve else ""

    def _format_command(self, method: str, path: str, body: dict[str, str | bool]) -> str:
        sent, url = shlex.quote(json.dumps(body)), shlex.quote(self.dialect.api(self.config.url) + path)
        return f"{CURL} -X {method} -H 'Content-Type: application/json' -d {sent} {url}"

    async def owners_file(self) -> OwnersFile:
        """Return the places of code owners, read from the target branch, in sections."""
        return OwnersFile(places=OWNERS, sections=True)

    def head_ref(self, pull: PullRequest) -> str | None:
        """Return the ref of a merge request's head; None once GitLab has deleted it: then the commit decides."""
        ended_at = pull.merged_at or pull.closed_at
        is_deleted = ended_at is not None and self.now() - ended_at >= HEAD_KEPT
        return None if is_deleted else f"refs/merge-requests/{pull.ref.number}/head"
