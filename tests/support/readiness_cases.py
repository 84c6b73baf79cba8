"""Everything that can block a merge on GitHub: how it comes about, its category, and who must act."""

from typing import Any

from attrs import frozen
from github_double.records import Pull, Repository
from github_double.world import World

RULES: dict[str, Any] = {
    "required_approving_review_count": 0,
    "dismiss_stale_reviews_on_push": False,
    "require_code_owner_review": False,
    "require_last_push_approval": False,
    "required_review_thread_resolution": False,
}


@frozen(kw_only=True)
class Scene:
    """A pull request that may be merged: approved, checked, up to date, in an organization's repository.

    The usual token is an administrator's. That of `reader` sees little.
    """

    world: World
    lab: Repository
    pull: Pull
    reader: str = "token-of-reader"
    writer: str = "token-of-writer"

    def token(self, who: str) -> str:
        return {"administrator": self.world.token, "writer": self.writer, "reader": self.reader}[who]


def scene() -> Scene:
    """Create the scene."""
    world = World()
    lab = world.add_repository("lab", {"README.md": "# Lab\n"}, owner=world.add_user("forge", "Organization"))
    lab.permissions |= {"smith": "admin", "stranger": "write", "writer": "write"}
    world.add_token("token-of-reader", world.add_user("reader"))
    world.add_token("token-of-writer", world.add_user("writer"), scopes=("repo",))
    world.push(lab, "greet", "Add hello.py", {"hello.py": "print()\n"})
    pull = world.add_pull(lab, "Greet", "greet")
    world.protect(lab, approvals=1, contexts=("build",), strict=True, conversations=True)
    world.add_status(lab, pull.head_sha, "build", "success")
    world.add_review(pull, "APPROVED", user=world.other_user)
    return Scene(world=world, lab=lab, pull=pull)


def mark_draft(it: Scene) -> None:
    it.pull.draft = True


def add_conflict(it: Scene) -> None:
    it.pull.mergeable = False


def advance_base(it: Scene) -> None:
    it.world.push(it.lab, "main", "Go on", {"new.txt": "new\n"})


def advance_base_by_ruleset(it: Scene) -> None:
    it.lab.protections["main"].strict = False
    checks: dict[str, Any] = {
        "required_status_checks": [{"context": "build"}],
        "strict_required_status_checks_policy": True,
    }
    it.world.add_rule(it.lab, "required_status_checks", **checks)
    advance_base(it)


def fail_check(it: Scene) -> None:
    it.world.add_status(it.lab, it.pull.head_sha, "build", "failure")


def time_out_check(it: Scene) -> None:
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", "timed_out")


def await_permission(it: Scene) -> None:
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", "action_required")


def fail_thirty_first_check(it: Scene) -> None:
    for number in range(30):
        it.world.add_check(it.lab, it.pull.head_sha, f"check {number}", app="checker")
    it.lab.protections["main"].contexts += ("last",)
    it.world.add_check(it.lab, it.pull.head_sha, "last", "failure", app="checker")


def cancel_check_of_same_name(it: Scene) -> None:
    """A check run and a status of one name are both required."""
    it.world.add_check(it.lab, it.pull.head_sha, "build", "cancelled", app="checker")


def set_status_pending(it: Scene) -> None:
    it.world.add_status(it.lab, it.pull.head_sha, "build", "pending")


def start_check(it: Scene) -> None:
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", status="in_progress")


def require_absent_check(it: Scene) -> None:
    it.lab.protections["main"].contexts += ("never",)


def require_absent_check_by_ruleset(it: Scene) -> None:
    checks: dict[str, Any] = {
        "required_status_checks": [{"context": "audit"}],
        "strict_required_status_checks_policy": False,
    }
    it.world.add_rule(it.lab, "required_status_checks", **checks)


def clear_statuses(it: Scene) -> None:
    it.lab.statuses.clear()


def require_two_approvals(it: Scene) -> None:
    it.lab.protections["main"].approvals = 2
    it.pull.reviewers.append(it.world.user)


def require_approvals_by_ruleset(it: Scene) -> None:
    it.world.add_rule(it.lab, "pull_request", **RULES | {"required_approving_review_count": 3})


def approve_as_reader(it: Scene) -> None:
    """An approval by an account without write permission does not count."""
    it.pull.reviews.clear()
    it.world.add_review(it.pull, "APPROVED", user=it.world.accounts["reader"])


def dismiss_approval(it: Scene) -> None:
    it.pull.reviews[-1].state = "DISMISSED"


def request_changes(it: Scene) -> None:
    it.world.add_review(it.pull, "CHANGES_REQUESTED", "No.", it.world.accounts["writer"])


def comment_after_rejection(it: Scene) -> None:
    """A comment after the request for changes does not lift it."""
    request_changes(it)
    it.world.add_review(it.pull, "COMMENTED", "Well.", it.world.accounts["writer"])


def require_code_owners(it: Scene) -> None:
    it.lab.protections["main"].code_owners = True
    it.pull.teams, it.pull.owners = ["smiths"], ("smiths",)


def push_after_approval(it: Scene) -> None:
    it.lab.protections["main"].last_push = True
    it.world.push(it.lab, "greet", "Once more", {"hello.py": "print(2)\n"})
    it.world.add_status(it.lab, it.pull.head_sha, "build", "success")


def open_thread(it: Scene) -> None:
    it.world.add_thread(it.pull, "hello.py", 1, "Why print?", it.world.other_user)


def require_resolution_by_ruleset(it: Scene) -> None:
    it.lab.protections["main"].conversations = False
    it.world.add_rule(it.lab, "pull_request", **RULES | {"required_review_thread_resolution": True})
    open_thread(it)


def require_signatures(it: Scene) -> None:
    it.lab.protections["main"].signatures = True


def require_signatures_by_ruleset(it: Scene) -> None:
    it.world.add_rule(it.lab, "required_signatures")


def archive_repository(it: Scene) -> None:
    it.lab.archived = True


def lock_branch(it: Scene) -> None:
    it.lab.protections["main"].locked = True
    it.lab.protections["main"].pushers = None


def lock_branch_by_ruleset(it: Scene) -> None:
    it.world.add_rule(it.lab, "update")


def require_merge_queue(it: Scene) -> None:
    it.world.add_rule(it.lab, "merge_queue")


def queue_pull_request(it: Scene) -> None:
    require_merge_queue(it)
    it.pull.queued = (3, "AWAITING_CHECKS")


def hold_pull_request(it: Scene) -> None:
    it.pull.held = True


def close_pull_request(it: Scene) -> None:
    it.world.close(it.pull)


def merge_pull_request(it: Scene) -> None:
    it.world.merge(it.pull)


BLOCKERS = {
    mark_draft: ("draft", "author"),
    add_conflict: ("conflicts", "author"),
    advance_base: ("behind", "author"),
    advance_base_by_ruleset: ("behind", "author"),
    fail_check: ("checks_failing", "author"),
    time_out_check: ("checks_failing", "author"),
    await_permission: ("checks_pending", "maintainer"),
    fail_thirty_first_check: ("checks_failing", "author"),
    cancel_check_of_same_name: ("checks_failing", "author"),
    set_status_pending: ("checks_pending", "ci"),
    start_check: ("checks_pending", "ci"),
    require_absent_check: ("checks_missing", "author"),
    require_absent_check_by_ruleset: ("checks_missing", "author"),
    clear_statuses: ("checks_missing", "author"),
    require_two_approvals: ("approvals", "reviewer"),
    require_approvals_by_ruleset: ("approvals", "author"),
    approve_as_reader: ("approvals", "author"),
    dismiss_approval: ("approvals", "author"),
    request_changes: ("changes_requested", "reviewer"),
    comment_after_rejection: ("changes_requested", "reviewer"),
    require_code_owners: ("code_owners", "reviewer"),
    push_after_approval: ("last_push", "reviewer"),
    open_thread: ("conversations", "author"),
    require_resolution_by_ruleset: ("conversations", "author"),
    require_signatures: ("signatures", "author"),
    require_signatures_by_ruleset: ("signatures", "author"),
    archive_repository: ("archived", "administrator"),
    lock_branch: ("locked", "administrator"),
    lock_branch_by_ruleset: ("locked", "administrator"),
    require_merge_queue: ("merge_queue", "maintainer"),
    queue_pull_request: ("merge_queue", "forge"),
    hold_pull_request: ("protection", "administrator"),
    close_pull_request: ("closed", "author"),
    merge_pull_request: ("merged", "nobody"),
}
"""Each blocker with its category and who must act."""

HIDDEN = {push_after_approval: "approvals", lock_branch: "permission"}
"""The category shown to accounts that may not see that rule."""

PAIRED = (
    mark_draft,
    add_conflict,
    advance_base,
    fail_check,
    require_absent_check,
    require_two_approvals,
    request_changes,
    require_code_owners,
    open_thread,
    require_signatures,
    archive_repository,
    require_merge_queue,
)
"""Blockers tried in pairs. One that only the forge knows of is hidden by any other."""
