"""The records of the double: projects, issues, merge requests, notes, pipelines, and the users who made them."""

import hashlib
import subprocess
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from attrs import Factory, define

Json: TypeAlias = dict[str, Any]
TIERS = ("free", "premium", "ultimate")
BEGINNING = datetime(2026, 1, 5, 10, 0, tzinfo=UTC)
SMITH_TOKEN, BOB_TOKEN = "glpat-smith-0123456789abcdef", "glpat-bob-0123456789abcdef00"
JOB_TOKEN, OAUTH_TOKEN = "glcbt-64_0123456789abcdef0123", "0123456789abcdef" * 4
PROJECT_TOKEN = "glpat-project-0123456789abcdef"
RITA_TOKEN = "glpat-rita-0123456789abcdef0"


class ApiError(Exception):
    """An answer that reports an error; the body is any of GitLab's forms."""

    def __init__(self, status: int, body: Any, **headers: str) -> None:
        self.status, self.body, self.headers = status, body, headers


def missing(what: str = "Not found") -> ApiError:
    """Return a 404: a project is named, and any other row is only "Not found" (lib/api/api.rb)."""
    return ApiError(404, {"message": f"404 {what}"})


@cache
def read_git(bare: Path, *words: str) -> str:
    """Return the output of git; repositories of tests do not change once they are served."""
    done = subprocess.run(["git", "-C", str(bare), *words], capture_output=True, check=False, text=True)
    return done.stdout.strip("\n") if done.returncode == 0 else ""


def show_user(number: int, name: str) -> Json:
    """Return an account as in other objects: without `bot` (lib/api/entities/user_basic.rb)."""
    page = f"https://gitlab.example/{name}"
    return {
        "id": number,
        "username": name,
        "name": name.title(),
        "state": "active",
        "locked": False,
        "avatar_url": f"{page}.png",
        "web_url": page,
    }


USERS = {
    name: show_user(number, name)
    for number, name in enumerate(("smith", "bob", "ghost", "rita", "project_81_bot_0f3a"), 1)
}


@define
class Project:
    """A project.

    Args:
        id: Its number, which the whole server counts.
        path: Its whole path.
        bare: The repository that git serves.
        access: The access level of each user: 30 is a developer, 40 a maintainer.
        settings: The fields of the API that members see.
    """

    id: int
    path: str
    bare: Path
    parent: "Project | None" = None
    access: dict[str, int] = Factory(lambda: {"smith": 40, "bob": 30})
    settings: Json = Factory(dict)
    issues: dict[int, Json] = Factory(dict)
    merges: dict[int, Json] = Factory(dict)
    labels: dict[str, Json] = Factory(dict)
    protected: list[Json] = Factory(list)
    statuses: list[Json] = Factory(list)
    pipelines: list[Json] = Factory(list)
    jobs: list[Json] = Factory(list)
    reports: dict[int, list[Json]] = Factory(dict)
    approval_rules: list[Json] = Factory(list)
    push_rule: Json | None = None

    def find_commit(self, revision: str) -> str:
        """Return the SHA of a branch or a commit; empty if there is none."""
        return read_git(self.bare, "rev-parse", "--verify", "-q", f"{revision}^{{commit}}")


class World:
    """Everything on the server. `enterprise` selects the edition, `tier` one of `TIERS`: what its licence has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.projects: dict[str, Project] = {}
        self.former: dict[str, Project] = {}
        self.made = 0
        self.enterprise = False
        self.tier = "premium"

    def has_tier(self, tier: str) -> bool:
        """Return whether the licence has what a tier adds; the Community Edition has none."""
        return self.enterprise and TIERS.index(self.tier) >= TIERS.index(tier)

    def count(self) -> int:
        self.made += 1
        return self.made

    def tick(self) -> str:
        """Return the present time; GitLab writes milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def create_time(self) -> str:
        """Return the time of the next prepared event, one second after the one before."""
        at = BEGINNING + timedelta(seconds=self.made)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def add_project(self, path: str, parent: Project | None = None, **settings: Any) -> Project:
        defaults: Json = {
            "archived": False,
            "visibility": "public",
            "merge_method": "merge",
            "squash_option": "default_off",
            "only_allow_merge_if_pipeline_succeeds": False,
            "only_allow_merge_if_all_discussions_are_resolved": False,
            "allow_merge_on_skipped_pipeline": None,
        }
        made = Project(self.count() + 80, path, self.folder / f"{path}.git", parent, settings=defaults | settings)
        self.projects[path] = made
        return made

    def find_by_id(self, number: int) -> Project | None:
        return next((one for one in self.projects.values() if one.id == number), None)

    def add_issue(self, home: Project, title: str, description: str = "", user: str = "smith", **fields: Any) -> Json:
        made = self._create_subject(home.issues, title, description, user)
        made |= {"state": "opened", "confidential": False, "issue_type": "issue", "due_date": None, "type": "ISSUE"}
        home.issues[made["iid"]] = made | fields
        return home.issues[made["iid"]]

    def add_merge_request(
        self,
        home: Project,
        title: str,
        branch: str,
        into: str = "main",
        *,
        source: Project | None = None,
        **fields: Any,
    ) -> Json:
        origin = source or home
        made = self._create_subject(home.merges, title, fields.pop("description", ""), fields.pop("user", "smith"))
        sha, target = origin.find_commit(branch), home.find_commit(into)
        base = read_git(home.bare, "merge-base", target, sha) or target
        made |= {
            "state": "opened",
            "source": origin,
            "source_branch": branch,
            "target_branch": into,
            "sha": sha,
            "diff_refs": {"base_sha": base, "head_sha": sha, "start_sha": target},
            "draft": title.startswith(("Draft:", "[Draft]")),
            "merge_status": "can_be_merged",
            "has_conflicts": False,
            "detailed_merge_status": "",
            "reviewers": [],
            "approvals": [],
            "checks": {},
            "blocks": [],
            "approvals_required": 0,
        }
        home.merges[made["iid"]] = made | fields
        return home.merges[made["iid"]]

    def _create_subject(self, rows: Json | dict[int, Json], title: str, description: str, user: str) -> Json:
        number, at = self.count() + 1_000, self.create_time()
        return {
            "id": number,
            "iid": len(rows) + 1,
            "title": title,
            "description": description or None,
            "author": USERS[user],
            "created_at": at,
            "updated_at": at,
            "closed_at": None,
            "labels": [],
            "assignees": [],
            "milestone": None,
            "discussion_locked": None,
            "discussions": [],
            "events": {"state": [], "label": [], "milestone": []},
        }

    def add_label(self, home: Project, name: str, colour: str) -> None:
        text = {"description": None, "description_html": "", "text_color": "#FFFFFF", "archived": False}
        home.labels[name] = {"id": self.count(), "name": name, "color": f"#{colour}", **text}

    def add_note(self, subject: Json, body: str, user: str = "smith", *, discussion: str = "", **fields: Any) -> Json:
        """Add a note to a discussion, or one of its own; `fields` may have `position`, `system` and `internal`."""
        number, at = self.count() + 10_000, fields.pop("at", "") or self.create_time()
        is_placed = "position" in fields
        made: Json = {
            "id": number,
            "type": "DiffNote" if is_placed else None,
            "body": body,
            "author": USERS[user],
            "created_at": at,
            "updated_at": at,
            "system": False,
            "noteable_id": subject["id"],
            "noteable_iid": subject["iid"],
            "noteable_type": "MergeRequest" if "source_branch" in subject else "Issue",
            "resolvable": is_placed,
            "internal": False,
            "emoji": [],
            **({"resolved": False, "resolved_by": None, "resolved_at": None} if is_placed else {}),
            **fields,
        }
        found = next((one for one in subject["discussions"] if one["id"] == discussion), None)
        if found is None:
            key = hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()
            found = {"id": key, "individual_note": not (is_placed or made["type"]), "notes": []}
            subject["discussions"].append(found)
        found["notes"].append(made)
        return made

    def reply(self, subject: Json, discussion: Json, body: str, user: str, at: str = "") -> Json:
        """Add a reply: it has the type and the position of the first note (app/services/notes/build_service.rb)."""
        first = discussion["notes"][0]
        fields: Json = {"type": first["type"] or "DiscussionNote", "resolvable": first["resolvable"], "at": at}
        fields |= {"position": first["position"]} if "position" in first else {}
        discussion["individual_note"] = False
        made = self.add_note(subject, body, user, discussion=discussion["id"], **fields)
        if first["resolvable"]:
            made |= {"resolved": False, "resolved_by": None, "resolved_at": None}
        return made

    def place(self, merge: Json, path: str, line: int, old: int | None = None) -> Json:
        """Return the position of a line of the present diff; `old` is set too for a line that is unchanged."""
        return {
            **merge["diff_refs"],
            "position_type": "text",
            "old_path": path,
            "new_path": path,
            "new_line": line,
            "old_line": old,
            "line_range": None,
        }

    def add_event(self, subject: Json, kind: str, user: str = "smith", **fields: Any) -> None:
        row = {"id": self.count(), "user": USERS[user], "created_at": self.create_time(), **fields}
        subject["events"][kind].append(row)

    def close(self, subject: Json, word: str = "closed", **fields: Any) -> None:
        """Close or merge something, with the event of it."""
        subject |= {"state": word, **fields}
        subject["closed_at" if word == "closed" else "merged_at"] = self.create_time()
        self.add_event(subject, "state", state=word)

    def add_pipeline(self, home: Project, sha: str, status: str = "failed", **fields: Any) -> Json:
        at = self.create_time()
        made: Json = {
            "id": self.count() + 100_000,
            "iid": len(home.pipelines) + 1,
            "project_id": home.id,
            "sha": sha,
            "ref": "greet",
            "status": status,
            "source": "push",
            "name": None,
            "created_at": at,
            "updated_at": at,
            **fields,
        }
        made["web_url"] = f"https://gitlab.example/{home.path}/-/pipelines/{made['id']}"
        home.pipelines.append(made)
        return made

    def add_job(self, home: Project, pipeline: Json, name: str, status: str = "failed", **fields: Any) -> Json:
        """Add a job; `trace` is its log, `archive` the bytes of its artifacts, `downstream` makes it a bridge."""
        at = self.create_time()
        made: Json = {
            "id": self.count() + 200_000,
            "name": name,
            "stage": "test",
            "status": status,
            "pipeline": pipeline,
            "allow_failure": False,
            "created_at": at,
            "started_at": at,
            "finished_at": at,
            "erased_at": None,
            "trace": b"",
            "archive": b"",
            "retried": False,
            **fields,
        }
        home.jobs.append(made)
        return made

    def add_status(self, home: Project, sha: str, name: str, status: str, description: str = "") -> Json:
        at = self.create_time()
        made: Json = {
            "id": self.count() + 200_000,
            "sha": sha,
            "ref": "greet",
            "status": status,
            "name": name,
            "target_url": f"https://ci.example/{name}",
            "description": description or None,
            "created_at": at,
            "started_at": None,
            "finished_at": None,
            "allow_failure": False,
            "coverage": None,
            "pipeline_id": None,
            "author": USERS["smith"],
        }
        home.statuses.append(made)
        return made
