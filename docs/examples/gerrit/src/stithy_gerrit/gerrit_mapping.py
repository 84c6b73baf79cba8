"""Mapping of Gerrit's JSON to records: accounts, changes and commits."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from stithy_core import spi
from stithy_gerrit.gerrit_names import GerritNames

Json: TypeAlias = Mapping[str, Any]

NAMES = GerritNames()
OF_PROJECT = spi.Unknown("the state of the project is not part of a change")


def parse_time(text: str) -> datetime:
    """Parse a time: it has nanoseconds, and is in UTC without saying so."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def to_user(raw: Json) -> spi.User:
    """Map an account; some have no username."""
    login = raw.get("username") or raw.get("email") or raw.get("name") or f"account {raw['_account_id']}"
    kind = spi.UserKind.BOT if "SERVICE_USER" in raw.get("tags", ()) else spi.UserKind.PERSON
    return spi.User(login=login, id=str(raw["_account_id"]), kind=kind)


def to_repository_ref(name: str) -> spi.RepositoryRef:
    """Map the name of a project."""
    namespace, _, last = name.rpartition("/")
    return spi.RepositoryRef(namespace, last)


def format_page(url: str, change: spi.IssueRef) -> str:
    """Format the page of a change of the server at a URL."""
    return f"{url}/{NAMES.format_pull_request_path(NAMES.create_pull_request_ref(change.repository, change.number))}"


def to_pull_request(raw: Json, url: str) -> spi.PullRequest:
    """Map a change of the server at a URL, with its labels and its current revision."""
    sha, repository = raw["current_revision"], to_repository_ref(raw["project"])
    commit, parents = raw["revisions"][sha]["commit"], raw["revisions"][sha]["commit"]["parents"]
    merged, is_open, updated = raw["status"] == "MERGED", raw["status"] == "NEW", parse_time(raw["updated"])
    submitted = parse_time(raw["submitted"]) if merged else None
    ref, fork_point = NAMES.create_pull_request_ref(repository, raw["_number"]), parents[0]["commit"] if parents else ""
    return spi.PullRequest(
        ref=ref,
        title=raw["subject"],
        body=commit["message"].partition("\n")[2].strip(),
        state="open" if is_open else "closed",
        author=to_user(raw["owner"]),
        locked=False,
        created_at=parse_time(raw["created"]),
        updated_at=updated,
        url=format_page(url, ref),
        closed_at=None if is_open else submitted or updated,
        labels=tuple(spi.Label(name=name) for name in raw.get("hashtags", ())),
        draft=raw.get("work_in_progress", False),
        merged=merged,
        head=spi.BranchRef(branch=raw["revisions"][sha]["ref"], commit=sha, repository=repository),
        base=spi.BranchRef(branch=raw["branch"], commit=fork_point, repository=repository),
        archived=OF_PROJECT,
        mergeable=raw.get("mergeable", spi.NOT_REPORTED),
        forge_state=raw["status"].lower() + (" and submittable" if raw.get("submittable") else ""),
        blocked=not raw["submittable"] if "submittable" in raw and is_open else spi.NOT_REPORTED,
        merged_at=submitted,
        merged_by=to_user(raw["submitter"]) if merged else None,
        merge_commit=sha if merged else "",
        requested_reviewers=tuple(iterate_silent_reviewers(raw)),
        additions=raw["insertions"],
        deletions=raw["deletions"],
    )


def iterate_silent_reviewers(raw: Json) -> Iterator[spi.User]:
    """Iterate over the reviewers of a change who have not voted. Its owner may be a reviewer, too."""
    votes = [vote for label in raw["labels"].values() for vote in label.get("all", ()) if vote.get("value")]
    done = {vote["_account_id"] for vote in votes} | {raw["owner"]["_account_id"]}
    for one in raw.get("reviewers", {}).get("REVIEWER", ()):
        if one.get("_account_id", 0) not in done:  # a reviewer by email alone has no account
            yield to_user(one)


def to_commit(sha: str, raw: Json) -> spi.Commit:
    """Map a commit."""
    return spi.Commit(
        sha=sha,
        message=raw["message"],
        author_name=raw["author"]["name"],
        author_email=raw["author"]["email"],
        authored_at=parse_time(raw["author"]["date"]),
        committed_at=parse_time(raw["committer"]["date"]),
        parents=tuple(parent["commit"] for parent in raw["parents"]),
    )
