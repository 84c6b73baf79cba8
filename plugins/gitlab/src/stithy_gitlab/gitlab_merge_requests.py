"""Merge requests, and the verdicts on them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRules,
    CommitCheck,
    Conflict,
    Issue,
    IssueRef,
    Listing,
    Maybe,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Queued,
    Readiness,
    Rejected,
    RepositoryRef,
    Review,
    Reviews,
    Unknown,
    User,
    Verdict,
    composed_readiness,
    map_concurrently,
    or_unknown,
)
from stithy_gitlab.gitlab_mapping import (
    MET,
    PIPELINE_CHECK,
    Json,
    find_repository,
    to_issue,
    to_merge_request,
    to_optional_time,
    to_user,
    to_users,
)
from stithy_gitlab.gitlab_projects import (
    PAGE,
    explain_refused_write,
    find_project_name,
    list_subject_rows,
    name_missing,
    page_query,
    project_path,
    read_merge_request,
    read_project,
    read_together,
    subject_path,
)

if TYPE_CHECKING:
    from stithy_core.spi import Forge

STATES = {"open": ("opened",), "closed": ("closed", "merged"), "all": ("all",)}
PASSING = (Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL)
CHANGED = Unknown("GitLab's merge status and its merge checks contradict each other", "Read it again in a few seconds.")
WAITING = {"unreviewed", "review_started"}
MOST_ROWS = 10_000
VERDICTS = {"requested_changes": "changes_requested", "reviewed": "commented", "unapproved": "dismissed"}
"""Words of reviewers for the model's states; `approved` is in the list of approvals, with its time."""
HIDDEN = Issue(
    ref=IssueRef(RepositoryRef("", "hidden"), 0),
    title="",
    body="",
    state="",
    author=User(login="ghost"),
    locked=NOT_REPORTED,
    created_at=to_optional_time("1970-01-01T00:00:00Z"),  # type: ignore[arg-type]
    updated_at=NOT_REPORTED,
    url="",
)


class GitLabPullRequests(PullRequests):
    """Merge requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Return a merge request, with what its own JSON leaves out: the target's head, labels and who has reviewed."""
        return await self._complete(pr, await read_merge_request(self.forge, pr))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List merge requests, the newest first; closed and merged ones are two lists."""
        owner, _, branch = head.rpartition(":")
        project = await read_project(self.forge, repository)
        parts = await map_concurrently(
            STATES[state], lambda word: self._list_state(repository, word, base, branch, most=0 if branch else most)
        )
        rows = [row for part in parts for row in part]
        if branch:
            rows = [row for row in rows if await self._is_from(row, owner, project)]
        rows.sort(key=lambda row: (row["created_at"], row["iid"]), reverse=True)
        cut = next((part.cut for part in parts if part.cut), "") or ("there are more" if len(rows) > most else "")
        heads = await self._find_heads(rows[:most])
        found = [
            to_merge_request(row, repository, self.forge.names, head=heads[row["iid"]], archived=_is_archived(project))
            for row in rows[:most]
        ]
        return Listing(tuple(found), cut=cut)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Return everything that a merge depends on, by several requests."""
        whole = await composed_readiness(self.forge, pr)
        raw = await read_merge_request(self.forge, pr)
        approvals = await or_unknown(read_approvals(self.forge, pr))
        rules = _drop_shown_result(_add_status(whole.rules, raw), whole.checks)
        return evolve(
            whole,
            pull_request=_doubt_contradiction(whole.pull_request, rules),
            rules=rules,
            decision=_find_decision(raw, approvals),
            may_merge=(raw.get("user") or {}).get("can_merge", NOT_REPORTED),
            owners=(),
            queued=await _read_queue(self.forge, pr) if raw["state"] == "opened" else None,
            auto_merge=raw["state"] == "opened" and raw.get("merge_when_pipeline_succeeds") is True,
        )

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Return the merge requests that block this one; servers without the tier Premium have none."""
        rows = await or_unknown(list_subject_rows(self.forge, pr, "blocks"))
        if isinstance(rows, Unknown):
            await read_merge_request(self.forge, pr)
            return Listing()
        return rows.map(lambda row: self._map_blocking(row.get("blocking_merge_request"), pr))

    async def retarget(self, pr: PullRequestRef, branch: str) -> PullRequest:
        """Change the target branch.

        GitLab ignores it for a merge request that is not open, and stores the name of a branch that does not exist
        (`app/services/merge_requests/update_service.rb`), so that both are read before.
        """

        async def send() -> Any:
            async with explain_refused_write(self.forge, pr):
                body = {"target_branch": branch}
                return await self.forge.http.send("PUT", subject_path(pr), body, idempotent=True, shape=dict)

        async def find() -> PullRequest | None:
            found = await self.get(pr)
            return found if found.base.branch == branch else None

        current = await self.get(pr)
        if current.base.branch == branch:
            return current
        if current.state != "open":
            raise Rejected(f"{pr} is not open; nothing was written", suggestion="Pass an open merge request.")
        await read_branch(self.forge, pr.repository, branch)
        try:
            return await self.forge.outbox.confirm(send, find)
        except Conflict as error:
            remedy = "Close the other merge request from this branch, or choose another target branch."
            raise Rejected(error.message, suggestion=remedy, details=error.details) from error

    def _map_blocking(self, raw: Json | None, pr: PullRequestRef) -> Issue:
        if raw is None:
            return HIDDEN
        issue = to_issue(raw, pr.repository)
        ref = self.forge.names.create_pull_request_ref(find_repository(raw, pr.repository), raw["iid"])
        return evolve(issue, ref=ref, is_pull_request=True)

    async def _complete(self, pr: PullRequestRef, raw: Json) -> PullRequest:
        repository = find_repository(raw, pr.repository)
        is_open = raw["state"] == "opened"
        reads: dict[str, Callable[[], Awaitable[Any]]] = {
            "project": lambda: read_project(self.forge, repository),
            "head": lambda: self._find_head(raw, repository),
        }
        if raw.get("labels"):
            reads["labels"] = lambda: self._read_labels(pr)
        if raw.get("reviewers"):
            reads["reviewers"] = lambda: or_unknown(read_requested(self.forge, pr))
        if is_open:
            reads["branch"] = lambda: or_unknown(read_branch(self.forge, repository, raw["target_branch"]))
        found = dict(zip(reads, await read_together(*reads.values()), strict=True))
        branch = found.get("branch")
        base = branch["commit"]["id"] if isinstance(branch, dict) else ""
        pull = to_merge_request(
            {**raw, "labels": found.get("labels", raw.get("labels")), "base_commit": base},
            pr.repository,
            self.forge.names,
            head=found["head"],
            archived=_is_archived(found["project"]),
        )
        return evolve(pull, requested_reviewers=found.get("reviewers", pull.requested_reviewers))

    async def _read_labels(self, pr: PullRequestRef) -> Any:
        """Read the details of labels, which only lists have."""
        query: dict[str, Any] = {"iids[]": pr.number, "with_labels_details": "true"}
        rows = await self.forge.http.get(f"{project_path(pr.repository)}/merge_requests", shape=list, **query)
        return rows[0]["labels"] if rows else ()

    async def _list_state(
        self, repository: RepositoryRef, state: str, base: str, branch: str, *, most: int
    ) -> Listing[Any]:
        query: dict[str, Any] = {"target_branch": base, "source_branch": branch, "order_by": "created_at"}
        async with name_missing(self.forge, repository):
            return await self.forge.http.items(
                f"{project_path(repository)}/merge_requests",
                size=PAGE,
                state=state,
                sort="desc",
                with_labels_details="true",
                most=most or MOST_ROWS,
                **page_query(),
                **query,
            )

    async def _is_from(self, row: Json, owner: str, project: Json) -> bool:
        """Return whether a merge request is from a branch of the project itself, or of a namespace's fork."""
        if row.get("source_project_id") == project["id"]:
            return not owner or owner.lower() == project["path_with_namespace"].rpartition("/")[0].lower()
        source = await find_project_name(self.forge, row.get("source_project_id")) if owner else None
        return source is not None and source.namespace.lower() == owner.lower()

    async def _find_head(self, raw: Json, repository: RepositoryRef) -> RepositoryRef | None:
        if raw.get("source_project_id") == raw.get("target_project_id"):
            return repository
        return await find_project_name(self.forge, raw.get("source_project_id"))

    async def _find_heads(self, rows: Sequence[Any]) -> dict[int, RepositoryRef | None]:
        found = await map_concurrently(
            rows, lambda row: self._find_head(row, find_repository(row, RepositoryRef("", "")))
        )
        return {row["iid"]: one for row, one in zip(rows, found, strict=True)}


class GitLabReviews(Reviews):
    """Approvals, and the states of reviewers. GitLab has no reviews with texts and comments of their own."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Return the current verdict of each person. What `approved` means depends on the tier, so it is not used."""
        approvals, reviewers = await read_together(
            lambda: read_approvals(self.forge, pr), lambda: or_unknown(list_subject_rows(self.forge, pr, "reviewers"))
        )
        found = [_map_approval(row) for row in approvals.get("approved_by") or ()]
        approved = {one.author.key for one in found}
        rows = () if isinstance(reviewers, Unknown) else reviewers  # servers before 13.8 have no such list
        others = [_map_verdict(row) for row in rows if row["state"] in VERDICTS]
        found += [one for one in others if one.author.key not in approved or one.state == "changes_requested"]
        return Listing(tuple(sorted(found, key=lambda one: (one.submitted_at is None, one.submitted_at or one.key))))


async def read_approvals(forge: "Forge", pr: PullRequestRef) -> Json:
    """Read who approved a merge request, and what the Enterprise Edition requires."""
    try:
        raw: Json = await forge.http.get(f"{_path(pr)}/approvals", shape=dict)
    except NotFound:
        await read_merge_request(forge, pr)
        raise
    return raw


async def read_requested(forge: "Forge", pr: PullRequestRef) -> tuple[User, ...]:
    """Read which reviewers have not answered."""
    rows = await list_subject_rows(forge, pr, "reviewers")
    return to_users(row["user"] for row in rows if row["state"] in WAITING)


async def read_branch(forge: "Forge", repository: RepositoryRef, branch: str) -> Json:
    """Read a branch.

    Raises:
        NotFound: The project or the branch is absent; the message says which.
    """
    async with name_missing(forge, repository, f"branch {branch}"):
        path = f"{project_path(repository)}/repository/branches/{quote(branch, safe='')}"
        raw: Json = await forge.http.get(path, shape=dict)
    return raw


def _path(pr: PullRequestRef) -> str:
    return f"{project_path(pr.repository)}/merge_requests/{pr.number}"


def _is_archived(project: Json) -> Maybe[bool]:
    found = project.get("archived")
    return found if isinstance(found, bool) else NOT_REPORTED  # anonymous readers are not shown it


def _map_approval(row: Json) -> Review:
    author, at = to_user(row["user"]), to_optional_time(row.get("approved_at"))
    return Review(
        id=f"approval-{author.id}" if at else "", author=author, state="approved", body="", submitted_at=at, url=""
    )


def _map_verdict(row: Json) -> Review:
    """Map the state of a reviewer; its time is that of the request, not of the answer."""
    state = VERDICTS[row["state"]]
    return Review(id="", author=to_user(row["user"]), state=state, body="", submitted_at=None, url="")


def _add_status(rules: Maybe[BranchRules], raw: Json) -> Maybe[BranchRules]:
    """Add GitLab's own verdict as a requirement, unless all are met: its word hides the rules that come after it."""
    word = raw.get("detailed_merge_status") or ""
    if isinstance(rules, Unknown) or word == MET:
        return rules
    named = f"the merge status {word!r}, which hides further rules" if word else "GitLab's own merge checks"
    return evolve(rules, others=(*rules.others, named))


def _drop_shown_result(rules: Maybe[BranchRules], checks: Maybe[Listing[CommitCheck]]) -> Maybe[BranchRules]:
    """Leave out GitLab's own result for CI if a check shows why: not so if no pipeline ran, or one was skipped."""
    if isinstance(rules, Unknown) or isinstance(checks, Unknown):
        return rules
    verdicts = [check.verdict for check in checks if check.reported and check.allowed_to_fail is not True]
    if not any(isinstance(verdict, Verdict) and verdict not in PASSING for verdict in verdicts):
        return rules
    return evolve(rules, evaluated=tuple(rule for rule in rules.evaluated if rule.name != PIPELINE_CHECK))


def _doubt_contradiction(pull: PullRequest, rules: Maybe[BranchRules]) -> PullRequest:
    """Return a merge request that is not known to be mergeable if one of the checks, read after its word, is unmet."""
    if pull.blocked is not False or isinstance(rules, Unknown) or all(rule.met is True for rule in rules.evaluated):
        return pull
    return evolve(pull, blocked=CHANGED)


def _find_decision(raw: Json, approvals: Maybe[Json]) -> str:
    if raw.get("detailed_merge_status") == "requested_changes":
        return "CHANGES_REQUESTED"
    if isinstance(approvals, Unknown) or not approvals.get("approvals_required"):
        return ""
    return "APPROVED" if approvals.get("approvals_left") == 0 else "REVIEW_REQUIRED"


async def _read_queue(forge: "Forge", pr: PullRequestRef) -> Queued | None:
    """Read the place on a merge train; 404 without one, and without the tier Premium."""
    path = f"{project_path(pr.repository)}/merge_trains/merge_requests/{pr.number}"
    raw = await or_unknown(forge.http.get(path, shape=dict))
    if isinstance(raw, Unknown) or raw["status"] in {"merged", "skip_merged"}:
        return None
    return Queued(position=NOT_REPORTED, state=raw["status"])
