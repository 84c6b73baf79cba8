"""A world with one of everything that answers of GitHub are known to trip over."""

from typing import Any

from attrs import frozen

from github_double.check_records import Artifact, Job, WorkflowRun
from github_double.records import Issue, Pull, Repository, Review, Thread
from github_double.world import World

CONCLUSIONS = ("success", "failure", "neutral", "cancelled", "skipped", "timed_out")
RARE = ("action_required", "stale", "startup_failure")
UNDONE = ("queued", "in_progress", "waiting", "requested", "pending")
MANY_REPLIES, MANY_CHECKS = 120, 35
ANVIL = {"README.md": "# Anvil\n", "horn.py": "".join(f"turn({number})\n" for number in range(1, 31))}
APPROVALS: dict[str, Any] = {
    "required_approving_review_count": 2,
    "dismiss_stale_reviews_on_push": True,
    "require_code_owner_review": False,
    "require_last_push_approval": False,
    "required_review_thread_resolution": True,
}
CHECKS: dict[str, Any] = {"required_status_checks": [{"context": "lint"}], "strict_required_status_checks_policy": True}


@frozen(kw_only=True)
class Sample:
    """The sample's records; `anvil` belongs to an organization, so that its user lacks administration rights."""

    world: World
    anvil: Repository
    secret: Repository
    issue: Issue
    pull: Pull
    thread: Thread
    outdated: Thread
    pending: Review
    run: WorkflowRun
    job: Job
    artifact: Artifact


def sample() -> Sample:
    """Make it."""
    world = World()
    forge = world.add_user("forge", "Organization")
    anvil = world.add_repository("anvil", ANVIL, owner=forge, formerly=("old-anvil",))
    secret = world.add_repository("secret", owner=world.other_user, private=True, writable=False)
    issue = _issue(world, anvil)
    pull = _pull(world, anvil, issue)
    thread, outdated, pending = _add_reviews(world, pull)
    run, job, artifact = _ran(world, anvil, pull)
    world.protect(anvil, contexts=("build", "test"), strict=True, conversations=True)
    world.add_rule(anvil, "pull_request", **APPROVALS)
    world.add_rule(anvil, "required_status_checks", **CHECKS)
    world.add_rule(anvil, "required_signatures")
    return Sample(
        world=world,
        anvil=anvil,
        secret=secret,
        issue=issue,
        pull=pull,
        thread=thread,
        outdated=outdated,
        pending=pending,
        run=run,
        job=job,
        artifact=artifact,
    )


def _issue(world: World, anvil: Repository) -> Issue:
    issue = world.add_issue(anvil, "The horn is too soft", "It bends.", assignees=[world.other_user])
    world.add_label(issue, "bug", "ee0701", "It is broken")
    world.add_comment(issue, "Which steel?", world.other_user, reactions={"+1": 2, "heart": 1})
    world.add_comment(issue, "Gone by now.", None)
    world.add_comment(issue, "Update available.", world.add_user("renovate", "Bot"))
    return issue


def _pull(world: World, anvil: Repository, issue: Issue) -> Pull:
    world.push(anvil, "harden", "Harden the horn", {"horn.py": ANVIL["horn.py"].replace("turn(5)", "quench(5)")})
    world.push(anvil, "harden", "Add tempering", {"temper.py": "heat()\ncool()\n"}, author=None, name="Guest")
    pull = world.add_pull(anvil, "Harden the horn", "harden", body=None, teams=["smiths"], reviewers=[world.other_user])
    pull.stack = (7, 1)
    world.add_event(pull, "renamed", rename={"from": "Harden", "to": pull.title})
    world.add_event(pull, "review_requested", review_requester=world.user, requested_reviewer=world.other_user)
    world.add_event(pull, "cross-referenced", source=issue)
    world.add_event(pull, "head_ref_force_pushed")
    return pull


def _add_reviews(world: World, pull: Pull) -> tuple[Thread, Thread, Review]:
    review = world.add_review(pull, "CHANGES_REQUESTED", "The unit must be said.", world.other_user)
    thread = world.add_thread(pull, "horn.py", 5, "In oil or in water?", world.other_user, review=review)
    for number in range(MANY_REPLIES):
        world.add_reply(thread, f"Turn {number}", review=review)
    outdated = world.add_thread(pull, "horn.py", 6, "Why six?", None, outdated=True, resolved_by=world.user)
    world.add_thread(pull, "temper.py", None, "Does this belong here?")
    world.add_review(pull, "APPROVED", "It rings well.", None)
    pending = world.add_review(pull, "PENDING", "Not said yet.", world.other_user)
    world.add_thread(pull, "temper.py", 2, "Not said yet either.", world.other_user, review=pending)
    return thread, outdated, pending


def _ran(world: World, anvil: Repository, pull: Pull) -> tuple[WorkflowRun, Job, Artifact]:
    head = pull.head_sha
    for conclusion in (*CONCLUSIONS, *RARE):
        world.add_check(anvil, head, conclusion, conclusion, app="checker")
    for status in UNDONE:
        world.add_check(anvil, head, f"is {status}", status=status, app="checker")
    for number in range(MANY_CHECKS):
        world.add_check(anvil, head, f"check {number}", app="checker", summary="It passed.")
    world.add_status(anvil, head, "build", "failure", "first try")
    world.add_status(anvil, head, "build", "success", "second try")
    run = world.add_run(anvil, head, branch="harden", event="pull_request")
    job = world.add_job(anvil, run, "test", "failure", log=b"one\ntwo\n", steps=(("Run", "failure"),))
    world.add_annotation(job.check, "horn.py", 5, "too soft", title="Hardness")
    return run, job, world.add_artifact(anvil, run, "report", b"PK\x05\x06" + bytes(18))
