"""The fields of the model by those of Gitea's and Forgejo's responses, as their `/swagger.v1.json` names them."""

USER = {"login": "login", "id": "id"}
PEOPLE = {"author.login": "user.login", "author.id": "user.id"}
TIMES = {"created_at": "created_at", "updated_at": "updated_at"}
COMMENT = PEOPLE | TIMES | {"id": "id", "body": "body", "url": "html_url"}
REVIEW_COMMENT = COMMENT | {"review": "pull_request_review_id"}
REVIEW = {
    "id": "id",
    "author.login": "user.login",
    "body": "body",
    "url": "html_url",
    "commit": "commit_id",
    "stale": "stale",
    "official": "official",
}
SUBJECT = (
    PEOPLE
    | TIMES
    | {
        "ref.number": "number",
        "title": "title",
        "body": "body",
        "state": "state",
        "url": "html_url",
        "locked": "is_locked",
        "closed_at": "closed_at",
        "milestone": "milestone.title",
        "labels.name": "labels.name",
        "labels.colour": "labels.color",
        "assignees.login": "assignees.login",
    }
)
ISSUE = SUBJECT | {"ref.repository": "repository.full_name"}
PULL = SUBJECT | {
    "ref.repository": "base.repo.full_name",
    "draft": "draft",
    "merged": "merged",
    "merged_at": "merged_at",
    "merged_by.login": "merged_by.login",
    "merge_commit": "merge_commit_sha",
    "head.branch": "head.ref",
    "head.commit": "head.sha",
    "head.repository": "head.repo.full_name",
    "base.branch": "base.ref",
    "base.commit": "base.sha",
    "archived": "base.repo.archived",
    "additions": "additions",
    "deletions": "deletions",
    "changed_files": "changed_files",
}
EVENT = {"id": "id", "raw": "type", "at": "created_at", "actor.login": "user.login", "url": "html_url"}
REPOSITORY = {
    "ref": "full_name",
    "url": "html_url",
    "default_branch": "default_branch",
    "private": "private",
    "archived": "archived",
    "fork": "fork",
    "clone_url": "clone_url",
    "writable": "permissions.push",
}
COMMIT = {
    "sha": "sha",
    "author_name": "commit.author.name",
    "author_email": "commit.author.email",
    "authored_at": "commit.author.date",
    "committed_at": "commit.committer.date",
    "author.login": "author.login",
    "parents": "parents.sha",
    "url": "html_url",
}
FILE = {
    "path": "filename",
    "additions": "additions",
    "deletions": "deletions",
    "previous_path": "previous_filename",
}
STATUS = {"name": "context", "id": "id", "raw": "status", "summary": "description", "source": "creator.login"}
JOBS_STATUS = {"name": "context"}
RUN = {"id": "id", "url": "html_url"}
RUN_OF_GITEA = RUN | {"number": "run_number", "event": "event", "commit": "head_sha"}
RUN_OF_FORGEJO = RUN | {"number": "index_in_repo", "event": "trigger_event", "commit": "commit_sha"}
TASKS_RUN = {"number": "run_number", "commit": "head_sha", "branch": "head_branch", "event": "event"}
JOB = {"id": "id", "run": "run_id", "name": "name", "url": "html_url", "labels": "labels"}
ARTIFACT = {"id": "id", "name": "name", "size": "size_in_bytes", "expired": "expired"}
BRANCH = {"required_approvals": "required_approvals", "required_checks": "status_check_contexts"}
RULE = {
    "up_to_date": "block_on_outdated_branch",
    "rejection_blocks": "block_on_rejected_reviews",
    "requests_block": "block_on_official_review_requests",
    "signed": "require_signed_commits",
}
BINDING = {"gitea": "block_admin_merge_override", "forgejo": "apply_to_admins"}
