"""A world about one merge: everything that stands before it is there."""

from typing import Any

from github_double.world import World

REVIEWED: dict[str, Any] = {
    "required_approving_review_count": 2,
    "dismiss_stale_reviews_on_push": True,
    "require_code_owner_review": False,
    "require_last_push_approval": False,
    "required_review_thread_resolution": True,
}


def ready() -> World:
    """Make a pull request that has everything: a branch that moved on, people and machines that spoke."""
    made = World()
    lab = made.add_repository("lab", {"README.md": "# Lab\n", "hello.txt": "hello\n"})
    lab.permissions[made.other_user.login] = "write"
    made.push(lab, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.push(lab, "greet", "Change hello", {"hello.txt": "hello there\n"})
    pull = made.add_pull(lab, "Greet", "greet", body="Closes #2.")
    made.push(lab, "main", "Go on", {"new.txt": "new\n"})
    pull.reviewers.append(made.other_user)
    made.add_comment(pull, "Please look.")
    made.add_reply(made.add_thread(pull, "hello.py", 1, "Why print?", made.other_user), "Done.")
    made.add_review(pull, "CHANGES_REQUESTED", "No.", made.other_user)
    made.add_job(lab, made.add_run(lab, pull.head_sha), "unit", "timed_out")
    made.add_status(lab, pull.head_sha, "build", "pending", "waits")
    made.protect(lab, approvals=1, contexts=("build",), strict=True)
    made.add_rule(lab, "pull_request", **REVIEWED)
    return made
