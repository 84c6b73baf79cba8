"""The routes for users, projects, issues, merge requests and their conversations.

Quirks, each with its source in GitLab's repository or documentation:

- A moved project answers reads by 301 with its number and any other method by 405 (lib/api/helpers.rb).
- Notes are listed the newest first by default, and need a token on public projects, too (lib/api/notes.rb).
- Labels are titles, and objects in lists with `with_labels_details` (doc/api/issues.md).
- A text of nothing but quick actions answers 202 without an id; an edit to one deletes the note
  (lib/api/notes.rb, app/services/notes/update_service.rb).
- `diff_refs` and `changes_count` are null while a merge request is prepared (lib/api/entities/merge_request.rb).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, define

from gitlab_double.gitlab_mergeability import count_diverged, find_head_pipeline, find_word
from gitlab_double.gitlab_world import USERS, ApiError, Json, Project, World, missing, read_git

COMMAND = re.compile(r"^/(close|reopen|merge|approve|lock|label|title)\b.*$", re.MULTILINE)
NOBODY, DEVELOPER, MAINTAINER = 0, 30, 40
P, NUMBER = r"/projects/([^/]+)", r"(\d+)"
SUBJECT = rf"{P}/(issues|merge_requests)/{NUMBER}"
MERGE = rf"{P}/merge_requests/{NUMBER}"


@define
class Call:
    """A request: the parts of its path, its query (the last value of each name), its JSON, and its user."""

    method: str
    parts: list[str]
    query: Mapping[str, str]
    body: Json
    user: str
    lists: Mapping[str, list[str]] = Factory(dict)

    def need_user(self) -> str:
        if not self.user:
            raise ApiError(401, {"message": "401 Unauthorized"})
        return self.user


Route = Callable[[World, Call], Any]
ROUTES: list[tuple[str, tuple[str, ...], Route]] = []


def route(form: str, *methods: str) -> Callable[[Route], Route]:
    """Register what answers a path; a list is cut into pages, a pair is a status and a body."""

    def keep(handler: Route) -> Route:
        ROUTES.append((form, methods or ("GET",), handler))
        return handler

    return keep


def find_project(world: World, call: Call) -> Project:
    name = call.parts[0]
    found = world.find_by_id(int(name)) if name.isdigit() else world.projects.get(name)
    if found is None and (moved := world.former.get(name)) is not None:
        if call.method != "GET":
            raise ApiError(405, {"message": "Non GET methods are not allowed for moved projects"})
        raise ApiError(301, "moved", Location=f"project:{moved.id}")
    if found is None or (found.settings["visibility"] == "private" and call.user not in found.access):
        raise missing("Project Not Found")
    return found


def find_writable(world: World, call: Call) -> Project:
    call.need_user()
    home = find_project(world, call)
    if home.settings["archived"]:  # app/policies/project_policy.rb
        raise ApiError(403, {"message": "403 Forbidden"})
    return home


def find_subject(world: World, call: Call, *, writes: bool = False) -> tuple[Project, Json]:
    home = find_writable(world, call) if writes else find_project(world, call)
    rows = home.merges if call.parts[1] == "merge_requests" else home.issues
    if int(call.parts[2]) not in rows:
        raise missing()
    subject = rows[int(call.parts[2])]
    if writes and subject["discussion_locked"] and call.user not in home.access:  # app/policies/issuable_policy.rb
        raise ApiError(403, {"message": "403 Forbidden"})
    return home, subject


def find_merge(world: World, call: Call, *, writes: bool = False) -> tuple[Project, Json]:
    parts = [call.parts[0], "merge_requests", *call.parts[1:]]
    return find_subject(world, Call(call.method, parts, call.query, call.body, call.user), writes=writes)


@route("/user")
def show_me(world: World, call: Call) -> Any:
    return 200, {**USERS[call.need_user()], "email": "someone@example.com", "bot": False}


@route("/job")
def show_own_job(world: World, call: Call) -> Any:
    """Only the token of a job is answered (lib/api/ci/jobs.rb)."""
    return 200, {"id": 7, "name": "unit", "status": "running", "user": USERS[call.need_user()]}


@route("/users")
def list_users(world: World, call: Call) -> Any:
    return [one for name, one in USERS.items() if name == call.query.get("username")]


@route("/personal_access_tokens/self")
def show_token(world: World, call: Call) -> Any:
    call.need_user()
    return 200, {"id": 1, "name": "work", "scopes": ["api"], "expires_at": "2027-01-31", "active": True, "user_id": 1}


@route("/metadata")
def show_metadata(world: World, call: Call) -> Any:
    call.need_user()
    kas = {"enabled": False, "externalUrl": None, "externalK8sProxyUrl": None, "version": None}
    return 200, {"version": "18.9.0", "revision": "0123456789a", "kas": kas, "enterprise": world.enterprise}


@route(P)
def show_project(world: World, call: Call) -> Any:
    home = find_project(world, call)
    namespace, _, name = home.path.rpartition("/")
    shown: Json = {
        "id": home.id,
        "name": name,
        "path": name,
        "path_with_namespace": home.path,
        "namespace": {"full_path": namespace},
        "default_branch": "main",
        "web_url": f"https://gitlab.example/{home.path}",
        "http_url_to_repo": f"https://gitlab.example/{home.path}.git",
        **({"forked_from_project": {"path_with_namespace": home.parent.path}} if home.parent else {}),
    }
    if call.user:  # lib/api/entities/basic_project_details.rb: others get about 20 fields
        level = {"access_level": home.access.get(call.user, 0)}
        shown |= home.settings | {"permissions": {"project_access": level, "group_access": None}}
    if call.user and world.has_tier("premium"):  # ee/lib/ee/api/entities/project.rb: whatever the role
        shown |= {"approvals_before_merge": 0, "issues_template": None, "merge_requests_template": None}
    return 200, shown


@route(rf"{P}/members/all/{NUMBER}")
def show_member(world: World, call: Call) -> Any:
    call.need_user()
    home = find_project(world, call)
    for name, level in home.access.items():
        if USERS[name]["id"] == int(call.parts[1]):
            return 200, {**USERS[name], "access_level": level, "expires_at": None}
    raise missing()


def show_labels(home: Project, subject: Json, call: Call) -> list[Any]:
    details = call.query.get("with_labels_details") == "true"
    return [home.labels[name] if details else name for name in subject["labels"]]


def show_common(home: Project, subject: Json, call: Call, kind: str, mark: str) -> Json:
    names = (
        "id iid title description state author created_at updated_at closed_at assignees milestone discussion_locked"
    )
    shown = {name: subject[name] for name in names.split()}
    people = [note for one in subject["discussions"] for note in one["notes"] if not note["system"]]
    full = f"{home.path}{mark}{subject['iid']}"
    return shown | {
        "project_id": home.id,
        "labels": show_labels(home, subject, call),
        "user_notes_count": len(people),
        "upvotes": 0,
        "downvotes": 0,
        "assignee": next(iter(subject["assignees"]), None),
        "web_url": f"https://gitlab.example/{home.path}/-/{kind}/{subject['iid']}",
        "references": {"short": f"{mark}{subject['iid']}", "relative": f"{mark}{subject['iid']}", "full": full},
    }


def show_issue(home: Project, subject: Json, call: Call) -> Json:
    names = ("confidential", "issue_type", "due_date", "type")
    return show_common(home, subject, call, "issues", "#") | {name: subject[name] for name in names}


def show_merge(world: World, home: Project, subject: Json, call: Call, *, alone: bool) -> Json:
    names = "source_branch target_branch sha draft merge_status has_conflicts reviewers"
    shown = show_common(home, subject, call, "merge_requests", "!") | {name: subject[name] for name in names.split()}
    source = subject["source"]
    if subject["detailed_merge_status"] is not None:  # servers before 15.6 have none
        shown["detailed_merge_status"] = subject["detailed_merge_status"] or find_word(world, home, subject)
    shown |= {
        "source_project_id": source.id if source else None,
        "target_project_id": home.id,
        "work_in_progress": subject["draft"],
        "merge_when_pipeline_succeeds": subject.get("auto_merge", False),
        "merged_at": subject.get("merged_at"),
        "merge_user": subject.get("merge_user"),
        "merge_commit_sha": subject.get("merge_commit_sha"),
        "squash_commit_sha": None,
        "should_remove_source_branch": None,
        "force_remove_source_branch": None,
        "squash": subject.get("squash", False),
        "squash_on_merge": squashes_on_merge(home, subject),
    }
    if not alone:
        return shown
    shown |= {"diff_refs": subject["diff_refs"], "user": {"can_merge": may_merge(home, subject, call)}}
    if subject["diff_refs"]:
        shown["changes_count"] = str(len(list_diffs(home, subject)))
    if call.query.get("include_diverged_commits_count") == "true":
        shown["diverged_commits_count"] = count_diverged(home, subject)
    shown["head_pipeline"] = find_head_pipeline(home, subject)
    return shown


def squashes_on_merge(home: Project, merge: Json) -> bool:
    """Return whether a merge squashes: the project's setting comes first (app/models/merge_request.rb)."""
    forced = {"always": True, "never": False}
    return forced.get(home.settings["squash_option"], bool(merge.get("squash")))


def may_merge(home: Project, merge: Json, call: Call) -> bool:
    """Return whether a user may merge: of several protected branches the most permissive counts."""
    mine = [row for row in home.protected if is_protected(row, merge["target_branch"])]
    levels = [level["access_level"] for row in mine for level in row["merge_access_levels"]]
    return any(NOBODY < level <= home.access.get(call.user, 0) for level in levels or [DEVELOPER])


def is_protected(row: Json, branch: str) -> bool:
    """Return whether the name of a protected branch, in which `*` is a pattern, fits a branch."""
    return re.fullmatch(row["name"].replace("*", ".*"), branch) is not None


def list_diffs(home: Project, subject: Json) -> list[Json]:
    """Return the changed files as GitLab does: hunks without headers, and without counts (lib/api/entities/diff.rb)."""
    refs = subject["diff_refs"]
    return list_changes(home, refs["base_sha"], refs["head_sha"]) if refs else []


def list_changes(home: Project, base: str, head: str) -> list[Json]:
    rows = [line.split("\t") for line in read_git(home.bare, "diff", "--name-status", "-M", base, head).splitlines()]
    return [_show_change(home, base, head, word, names) for word, *names in rows]


def _show_change(home: Project, base: str, head: str, word: str, names: list[str]) -> Json:
    text = read_git(home.bare, "diff", "-M", base, head, "--", *names)
    start = text.find("@@")
    return {
        "old_path": names[0],
        "new_path": names[-1],
        "a_mode": "100644",
        "b_mode": "100644",
        "diff": f"{text[start:]}\n" if start >= 0 else "",
        "new_file": word == "A",
        "renamed_file": word.startswith("R"),
        "deleted_file": word == "D",
        "generated_file": False,
        "collapsed": False,
        "too_large": False,
    }


@route(rf"{P}/issues")
def list_issues(world: World, call: Call) -> Any:
    home = find_project(world, call)
    rows = [one for one in home.issues.values() if is_wanted(one, call)]
    return [show_issue(home, one, call) for one in sort_rows(rows, call)]


@route(rf"{P}/merge_requests")
def list_merges(world: World, call: Call) -> Any:
    home = find_project(world, call)
    rows = [
        one
        for one in home.merges.values()
        if is_wanted(one, call)
        and all(one[name] == call.query[name] for name in ("source_branch", "target_branch") if name in call.query)
    ]
    return [show_merge(world, home, one, call, alone=False) for one in sort_rows(rows, call)]


def is_wanted(row: Json, call: Call) -> bool:
    state, number = call.query.get("state", "all"), call.query.get("iids[]")
    return state in {"all", row["state"]} and number in {None, str(row["iid"])}


def sort_rows(rows: list[Json], call: Call) -> list[Json]:
    return sorted(
        rows, key=lambda one: (one["created_at"], one["id"]), reverse=call.query.get("sort", "desc") == "desc"
    )


@route(SUBJECT)
def show_subject(world: World, call: Call) -> Any:
    home, subject = find_subject(world, call)
    if call.parts[1] == "issues":
        return 200, show_issue(home, subject, call)
    return 200, show_merge(world, home, subject, call, alone=True)


@route(MERGE, "PUT")
def update_merge(world: World, call: Call) -> Any:
    """Change the target branch: of a closed one silently not, and also to a branch that does not exist.

    app/services/merge_requests/update_service.rb, lib/api/merge_requests.rb (409).
    """
    home, merge = find_merge(world, call, writes=True)
    into = call.body["target_branch"]
    for other in home.merges.values():
        if other is not merge and (other["source_branch"], other["target_branch"]) == (merge["source_branch"], into):
            text = f"Another open merge request already exists for this source branch: !{other['iid']}"
            raise ApiError(409, {"message": [text]})
    if merge["state"] == "opened":
        merge |= {"target_branch": into, "updated_at": world.tick()}
    return 200, show_merge(world, home, merge, call, alone=True)


def show_note(note: Json) -> Json:
    return {name: value for name, value in note.items() if name != "emoji"}


@route(rf"{SUBJECT}/notes")
def list_notes(world: World, call: Call) -> Any:
    call.need_user()
    _, subject = find_subject(world, call)
    notes = [note for one in subject["discussions"] for note in one["notes"]]
    if call.query.get("activity_filter") == "only_comments":
        notes = [note for note in notes if not note["system"]]
    return [show_note(note) for note in sort_rows(notes, call)]


def find_note(subject: Json, number: str) -> tuple[Json, Json]:
    for discussion in subject["discussions"]:
        for note in discussion["notes"]:
            if note["id"] == int(number):
                return discussion, note
    raise missing()


def run_commands(call: Call) -> str:
    """Return a text without its quick actions; nothing but those is answered by 202."""
    text = str(call.body.get("body") or "")
    if not text.strip():
        raise ApiError(400, {"message": '400 Bad request - Note {:note=>["can\'t be blank"]}'})
    rest = text if "```" in text else COMMAND.sub("", text)  # lib/gitlab/quick_actions/extractor.rb leaves code alone
    words = [] if "```" in text else COMMAND.findall(text)
    if "merge" in words and "merge_request_diff_head_sha" not in call.body:  # doc/api/notes.md
        raise ApiError(400, {"message": "400 Bad request - Merge request diff sha parameter is required"})
    if not rest.strip():
        raise ApiError(202, {"commands_changes": {"state_event": "close"}, "summary": ["Closed this issue."]})
    return rest.strip() if words else rest


@route(rf"{SUBJECT}/notes", "POST")
def create_note(world: World, call: Call) -> Any:
    _, subject = find_subject(world, call, writes=True)
    return 201, show_note(world.add_note(subject, run_commands(call), call.user, at=world.tick()))


@route(rf"{SUBJECT}/notes/{NUMBER}")
def read_note(world: World, call: Call) -> Any:
    call.need_user()
    return 200, show_note(find_note(find_subject(world, call)[1], call.parts[3])[1])


@route(rf"{SUBJECT}/notes/{NUMBER}", "PUT")
def edit_note(world: World, call: Call) -> Any:
    _, subject = find_subject(world, call, writes=True)
    discussion, note = find_note(subject, call.parts[3])
    if note["author"]["username"] != call.user:
        raise ApiError(403, {"message": "403 Forbidden"})
    try:
        note |= {"body": run_commands(call), "updated_at": world.tick()}
    except ApiError as answer:
        if answer.status == 202:  # app/services/notes/update_service.rb
            discussion["notes"].remove(note)
        raise
    return 200, show_note(note)


@route(rf"{SUBJECT}/notes/{NUMBER}/award_emoji")
def list_emoji(world: World, call: Call) -> Any:
    _, note = find_note(find_subject(world, call)[1], call.parts[3])
    return [{"id": 1, "name": name, "user": USERS["smith"]} for name in note["emoji"]]


@route(rf"{SUBJECT}/discussions")
def list_discussions(world: World, call: Call) -> Any:
    call.need_user()
    _, subject = find_subject(world, call)
    return [show_discussion(one) for one in subject["discussions"]]


def show_discussion(row: Json) -> Json:
    return {**row, "notes": [show_note(note) for note in row["notes"]]}


def find_discussion(subject: Json, key: str) -> Json:
    for row in subject["discussions"]:
        if row["id"] == key:
            found: Json = row
            return found
    raise missing("Discussion Not Found")


@route(rf"{SUBJECT}/discussions/([0-9a-f]+)/notes", "POST")
def reply(world: World, call: Call) -> Any:
    _, subject = find_subject(world, call, writes=True)
    found = find_discussion(subject, call.parts[3])
    return 201, show_note(world.reply(subject, found, run_commands(call), call.user, world.tick()))


@route(rf"{SUBJECT}/discussions/([0-9a-f]+)", "PUT")
def resolve(world: World, call: Call) -> Any:
    home, subject = find_subject(world, call, writes=True)
    if home.access.get(call.user, 0) < 30 and subject["author"]["username"] != call.user:
        raise ApiError(403, {"message": "403 Forbidden"})
    found, by = find_discussion(subject, call.parts[3]), call.body["resolved"]
    for note in found["notes"]:
        if note["resolvable"]:
            note |= {"resolved": by, "resolved_by": USERS[call.user] if by else None}
    return 200, show_discussion(found)


@route(rf"{SUBJECT}/resource_(state|label|milestone)_events")
def list_events(world: World, call: Call) -> Any:
    call.need_user()
    return find_subject(world, call)[1]["events"][call.parts[3]]


@route(rf"{MERGE}/approvals")
def show_approvals(world: World, call: Call) -> Any:
    """`approved` means another thing in each edition: lib/api/entities/merge_request_approvals.rb and ee/…."""
    _, merge = find_merge(world, call)
    given = merge["approvals"]
    left = max(merge["approvals_required"] - len(given), 0)
    shown: Json = {"approved": bool(given), "approved_by": given, "user_can_approve": True, "user_has_approved": False}
    if world.enterprise:  # without the licence no rule requires one: ee/app/models/approval_state.rb
        needed, left = (merge["approvals_required"], left) if world.has_tier("premium") else (0, 0)
        shown |= {"approved": not left, "approvals_required": needed, "approvals_left": left}
    return 200, shown


@route(rf"{MERGE}/approval_state")
def show_approval_state(world: World, call: Call) -> Any:
    _, merge = find_merge(world, call)
    if not world.enterprise:
        raise ApiError(404, {"error": "404 Not Found"})
    rules = merge.get("rules", []) if world.has_tier("premium") else []
    return 200, {"approval_rules_overwritten": False, "rules": rules}


@route(rf"{P}/approval_rules")
def list_approval_rules(world: World, call: Call) -> Any:
    home = find_project(world, call)
    if not world.enterprise:
        raise ApiError(404, {"error": "404 Not Found"})
    return home.approval_rules


@route(rf"{P}/push_rule")
def show_push_rule(world: World, call: Call) -> Any:
    """The role is checked before the tier; null where none is set (ee/lib/api/project_push_rule.rb)."""
    home = find_project(world, call)
    if not world.enterprise:
        raise ApiError(404, {"error": "404 Not Found"})
    if home.access.get(call.user, 0) < MAINTAINER:
        raise ApiError(403, {"message": "403 Forbidden"})
    if not world.has_tier("premium"):
        raise missing()
    return 200, home.push_rule


@route(rf"{MERGE}/status_checks")
def list_status_checks(world: World, call: Call) -> Any:
    """External status checks need the tier Ultimate (doc/api/status_checks.md)."""
    _, merge = find_merge(world, call)
    if not world.has_tier("ultimate"):
        raise ApiError(404, {"error": "404 Not Found"})
    return merge.get("status_checks", [])


@route(rf"{MERGE}/reviewers")
def list_reviewers(world: World, call: Call) -> Any:
    return find_merge(world, call)[1].get("reviewer_states", [])


@route(rf"{MERGE}/blocks")
def list_blocks(world: World, call: Call) -> Any:
    if not world.has_tier("premium"):
        raise ApiError(404, {"error": "404 Not Found"})
    return find_merge(world, call)[1]["blocks"]
