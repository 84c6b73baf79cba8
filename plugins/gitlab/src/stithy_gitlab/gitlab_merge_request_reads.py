"""Reads of merge requests and of what is beside them, for one operation or for several at once."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    Issue,
    IssueRef,
    Listing,
    Maybe,
    NotFound,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Review,
    Unknown,
    User,
    map_concurrently,
    or_unknown,
)
from stithy_gitlab.gitlab_mapping import (
    Json,
    find_repository,
    to_issue,
    to_merge_request,
    to_optional_time,
    to_time,
    to_user,
    to_users,
)
from stithy_gitlab.gitlab_projects import (
    PAGE,
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
    created_at=to_time("1970-01-01T00:00:00Z"),
    updated_at=NOT_REPORTED,
    url="",
)
WAITING = {"unreviewed", "review_started"}
"""The states of reviewers who have not answered."""


async def complete_merge_request(
    forge: "Forge", pr: PullRequestRef, raw: Json, *, project: Json | None = None, reviewers: Any = None
) -> PullRequest:
    """Map a merge request, and read what its own JSON leaves out: the target's head, labels and who has reviewed.

    Args:
        forge: The forge.
        pr: The merge request.
        raw: Its JSON.
        project: Its project, if that was read.
        reviewers: The rows of its reviewers, if they were read; unknown if they could not be.
    """
    repository = find_repository(raw, pr.repository)
    reads: dict[str, Callable[[], Awaitable[Any]]] = {"head": lambda: find_head(forge, raw, repository)}
    if project is None:
        reads["project"] = lambda: read_project(forge, repository)
    if raw.get("labels"):
        reads["labels"] = lambda: _read_labels(forge, pr)
    if raw.get("reviewers") and reviewers is None:
        reads["reviewers"] = lambda: or_unknown(read_reviewers(forge, pr))
    if raw["state"] == "opened":
        reads["branch"] = lambda: or_unknown(read_branch(forge, repository, raw["target_branch"]))
    found = {"project": project, "reviewers": reviewers}
    found |= dict(zip(reads, await read_together(*reads.values()), strict=True))
    branch = found.get("branch")
    base = branch["commit"]["id"] if isinstance(branch, dict) else ""
    pull = to_merge_request(
        {**raw, "labels": found.get("labels", raw.get("labels")), "base_commit": base},
        pr.repository,
        forge.names,
        head=found["head"],
        archived=is_archived(found["project"]),
    )
    rows = found["reviewers"] if raw.get("reviewers") else None
    if isinstance(rows, Unknown):
        return evolve(pull, requested_reviewers=rows)
    return pull if rows is None else evolve(pull, requested_reviewers=list_requested(rows))


def list_requested(rows: Listing[Json]) -> tuple[User, ...]:
    """Return the reviewers who have not answered."""
    return to_users(row["user"] for row in rows if row["state"] in WAITING)


async def read_reviewers(forge: "Forge", pr: PullRequestRef) -> Listing[Json]:
    """Read the state of each reviewer."""
    return await list_subject_rows(forge, pr, "reviewers")


async def find_head(forge: "Forge", raw: Json, repository: RepositoryRef) -> RepositoryRef | None:
    """Return the project of a merge request's source branch; None if it was deleted, or the token may not see it."""
    if raw.get("source_project_id") == raw.get("target_project_id"):
        return repository
    return await find_project_name(forge, raw.get("source_project_id"))


async def _read_labels(forge: "Forge", pr: PullRequestRef) -> Any:
    """Read the details of labels, which only lists have."""
    query: dict[str, Any] = {"iids[]": pr.number, "with_labels_details": "true"}
    rows = await forge.http.get(f"{project_path(pr.repository)}/merge_requests", shape=list, **query)
    return rows[0]["labels"] if rows else ()


async def read_approvals(forge: "Forge", pr: PullRequestRef) -> Json:
    """Read who approved a merge request, and what the Enterprise Edition requires."""
    try:
        raw: Json = await forge.http.get(f"{subject_path(pr)}/approvals", shape=dict)
    except NotFound:
        await read_merge_request(forge, pr)
        raise
    return raw


async def read_branch(forge: "Forge", repository: RepositoryRef, branch: str) -> Json:
    """Read a branch.

    Raises:
        NotFound: The project or the branch is absent; the message says which.
    """
    async with name_missing(forge, repository, f"branch {branch}"):
        path = f"{project_path(repository)}/repository/branches/{quote(branch, safe='')}"
        raw: Json = await forge.http.get(path, shape=dict)
    return raw


def is_archived(project: Json) -> Maybe[bool]:
    """Return whether a project is archived, as far as it is shown."""
    found = project.get("archived")
    return found if isinstance(found, bool) else NOT_REPORTED  # anonymous readers are not shown it


async def read_states(
    forge: "Forge", repository: RepositoryRef, states: Sequence[str], *, base: str, head: str, most: int
) -> Sequence[Listing[Json]]:
    """Read the merge requests of a project in each of some states, the newest first.

    Args:
        forge: The forge.
        repository: The project.
        states: GitLab's words for the states.
        base: The target branch; empty for all.
        head: The source branch, perhaps behind a namespace and a colon; empty for all.
        most: How many are wanted of a state; with `head` all are read, since forks may have a branch of that name.
    """
    branch = head.rpartition(":")[2]
    query: dict[str, Any] = {"target_branch": base, "source_branch": branch, "order_by": "created_at"}
    query |= {"sort": "desc", "with_labels_details": "true", "most": MOST_ROWS if branch else most, **page_query()}
    path = f"{project_path(repository)}/merge_requests"
    async with name_missing(forge, repository):
        return await map_concurrently(states, lambda word: forge.http.items(path, size=PAGE, state=word, **query))


async def map_merge_requests(
    forge: "Forge", repository: RepositoryRef, project: Json, parts: Sequence[Listing[Json]], *, head: str, most: int
) -> Listing[PullRequest]:
    """Map lists of merge requests, and read the names of the forks that they are from.

    Args:
        forge: The forge.
        repository: The project.
        project: Its JSON.
        parts: The lists.
        head: As for `read_states`; those from other projects are left out.
        most: How many are wanted.
    """
    owner, _, branch = head.rpartition(":")
    rows = [row for part in parts for row in part]
    if branch:
        rows = [row for row in rows if await _is_from(forge, row, owner, project)]
    rows.sort(key=lambda row: (row["created_at"], row["iid"]), reverse=True)
    cut = next((part.cut for part in parts if part.cut), "") or ("there are more" if len(rows) > most else "")
    shown = rows[:most]
    heads = await map_concurrently(shown, lambda row: find_head(forge, row, find_repository(row, repository)))
    found = [
        to_merge_request(row, repository, forge.names, head=source, archived=is_archived(project))
        for row, source in zip(shown, heads, strict=True)
    ]
    return Listing(tuple(found), cut=cut)


async def read_open_into(forge: "Forge", repository: RepositoryRef, raw: Json, project: Json) -> Listing[PullRequest]:
    """Return the open merge requests into the source branch of one; there are none into the branch of a fork."""
    if raw.get("source_project_id") != raw.get("target_project_id"):
        return Listing()
    parts = await read_states(forge, repository, ("opened",), base=raw["source_branch"], head="", most=PAGE)
    return await map_merge_requests(forge, repository, project, parts, head="", most=PAGE)


async def _is_from(forge: "Forge", row: Json, owner: str, project: Json) -> bool:
    """Return whether a merge request is from a branch of the project itself, or of a namespace's fork."""
    if row.get("source_project_id") == project["id"]:
        return not owner or owner.lower() == project["path_with_namespace"].rpartition("/")[0].lower()
    source = await find_project_name(forge, row.get("source_project_id")) if owner else None
    return source is not None and source.namespace.lower() == owner.lower()


def map_dependencies(forge: "Forge", pr: PullRequestRef, rows: Maybe[Listing[Json]]) -> Listing[Issue]:
    """Return the merge requests that block one; a server without the tier Premium has no list of them."""
    return Listing() if isinstance(rows, Unknown) else rows.map(lambda row: _map_blocking(forge, pr, row))


def _map_blocking(forge: "Forge", pr: PullRequestRef, row: Json) -> Issue:
    raw = row.get("blocking_merge_request")
    if raw is None:
        return HIDDEN
    ref = forge.names.create_pull_request_ref(find_repository(raw, pr.repository), raw["iid"])
    return evolve(to_issue(raw, pr.repository), ref=ref, is_pull_request=True)


def map_reviews(approvals: Json, reviewers: Maybe[Listing[Json]]) -> Listing[Review]:
    """Return the current verdict of each person.

    Args:
        approvals: Who approved. What `approved` means depends on the tier, so it is not used.
        reviewers: The states of reviewers; unknown on servers before 13.8, which have no such list.
    """
    found = [_map_approval(row) for row in approvals.get("approved_by") or ()]
    approved = {one.author.key for one in found}
    rows = () if isinstance(reviewers, Unknown) else reviewers
    others = [_map_verdict(row) for row in rows if row["state"] in VERDICTS]
    found += [one for one in others if one.author.key not in approved or one.state == "changes_requested"]
    return Listing(tuple(sorted(found, key=lambda one: (one.submitted_at is None, one.submitted_at or one.key))))


def _map_approval(row: Json) -> Review:
    author, at = to_user(row["user"]), to_optional_time(row.get("approved_at"))
    return Review(
        id=f"approval-{author.id}" if at else "", author=author, state="approved", body="", submitted_at=at, url=""
    )


def _map_verdict(row: Json) -> Review:
    """Map the state of a reviewer; its time is that of the request, not of the answer."""
    state = VERDICTS[row["state"]]
    return Review(id="", author=to_user(row["user"]), state=state, body="", submitted_at=None, url="")
