"""Everything that can stand before a merge on GitHub: how it comes about, what it is called, and who must act."""

from attrs import frozen
from github_double.records import Pull, Repository
from github_double.world import World

RULES = {
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

    def token(self, who):
        return {"administrator": self.world.token, "writer": self.writer, "reader": self.reader}[who]


def scene():
    """Make it."""
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


def draft(it):
    it.pull.draft = True


def conflicts(it):
    it.pull.mergeable = False


def behind(it):
    it.world.push(it.lab, "main", "Go on", {"new.txt": "new\n"})


def behind_by_ruleset(it):
    it.lab.protections["main"].strict = False
    checks = {"required_status_checks": [{"context": "build"}], "strict_required_status_checks_policy": True}
    it.world.add_rule(it.lab, "required_status_checks", **checks)
    behind(it)


def failing(it):
    it.world.add_status(it.lab, it.pull.head_sha, "build", "failure")


def timed_out(it):
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", "timed_out")


def waits_for_leave(it):
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", "action_required")


def thirty_first(it):
    for number in range(30):
        it.world.add_check(it.lab, it.pull.head_sha, f"check {number}", app="checker")
    it.lab.protections["main"].contexts += ("last",)
    it.world.add_check(it.lab, it.pull.head_sha, "last", "failure", app="checker")


def same_name(it):
    """A check run and a status of one name are both required."""
    it.world.add_check(it.lab, it.pull.head_sha, "build", "cancelled", app="checker")


def pending(it):
    it.world.add_status(it.lab, it.pull.head_sha, "build", "pending")


def running(it):
    it.lab.statuses.clear()
    it.world.add_check(it.lab, it.pull.head_sha, "build", status="in_progress")


def missing(it):
    it.lab.protections["main"].contexts += ("never",)


def missing_by_ruleset(it):
    checks = {"required_status_checks": [{"context": "audit"}], "strict_required_status_checks_policy": False}
    it.world.add_rule(it.lab, "required_status_checks", **checks)


def no_checks(it):
    it.lab.statuses.clear()


def approvals(it):
    it.lab.protections["main"].approvals = 2
    it.pull.reviewers.append(it.world.user)


def approvals_by_ruleset(it):
    it.world.add_rule(it.lab, "pull_request", **RULES | {"required_approving_review_count": 3})


def outsider(it):
    """The approval of somebody who may not write counts for nothing."""
    it.pull.reviews.clear()
    it.world.add_review(it.pull, "APPROVED", user=it.world.accounts["reader"])


def dismissed(it):
    it.pull.reviews[-1].state = "DISMISSED"


def rejected(it):
    it.world.add_review(it.pull, "CHANGES_REQUESTED", "No.", it.world.accounts["writer"])


def remarked(it):
    """A remark after the request for changes lifts nothing."""
    rejected(it)
    it.world.add_review(it.pull, "COMMENTED", "Well.", it.world.accounts["writer"])


def owners(it):
    it.lab.protections["main"].code_owners = True
    it.pull.teams, it.pull.owners = ["smiths"], ("smiths",)


def last_push(it):
    it.lab.protections["main"].last_push = True
    it.world.push(it.lab, "greet", "Once more", {"hello.py": "print(2)\n"})
    it.world.add_status(it.lab, it.pull.head_sha, "build", "success")


def conversation(it):
    it.world.add_thread(it.pull, "hello.py", 1, "Why print?", it.world.other_user)


def conversation_by_ruleset(it):
    it.lab.protections["main"].conversations = False
    it.world.add_rule(it.lab, "pull_request", **RULES | {"required_review_thread_resolution": True})
    conversation(it)


def unsigned(it):
    it.lab.protections["main"].signatures = True


def unsigned_by_ruleset(it):
    it.world.add_rule(it.lab, "required_signatures")


def archived(it):
    it.lab.archived = True


def locked(it):
    it.lab.protections["main"].locked = True
    it.lab.protections["main"].pushers = None


def locked_by_ruleset(it):
    it.world.add_rule(it.lab, "update")


def queue(it):
    it.world.add_rule(it.lab, "merge_queue")


def queued(it):
    queue(it)
    it.pull.queued = (3, "AWAITING_CHECKS")


def held(it):
    it.pull.held = True


def closed(it):
    it.world.close(it.pull)


def merged(it):
    it.world.merge(it.pull)


BLOCKERS = {
    draft: ("draft", "author"),
    conflicts: ("conflicts", "author"),
    behind: ("behind", "author"),
    behind_by_ruleset: ("behind", "author"),
    failing: ("checks_failing", "author"),
    timed_out: ("checks_failing", "author"),
    waits_for_leave: ("checks_pending", "maintainer"),
    thirty_first: ("checks_failing", "author"),
    same_name: ("checks_failing", "author"),
    pending: ("checks_pending", "ci"),
    running: ("checks_pending", "ci"),
    missing: ("checks_missing", "author"),
    missing_by_ruleset: ("checks_missing", "author"),
    no_checks: ("checks_missing", "author"),
    approvals: ("approvals", "reviewer"),
    approvals_by_ruleset: ("approvals", "author"),
    outsider: ("approvals", "author"),
    dismissed: ("approvals", "author"),
    rejected: ("changes_requested", "reviewer"),
    remarked: ("changes_requested", "reviewer"),
    owners: ("code_owners", "reviewer"),
    last_push: ("last_push", "reviewer"),
    conversation: ("conversations", "author"),
    conversation_by_ruleset: ("conversations", "author"),
    unsigned: ("signatures", "author"),
    unsigned_by_ruleset: ("signatures", "author"),
    archived: ("archived", "administrator"),
    locked: ("locked", "administrator"),
    locked_by_ruleset: ("locked", "administrator"),
    queue: ("merge_queue", "maintainer"),
    queued: ("merge_queue", "forge"),
    held: ("protection", "administrator"),
    closed: ("closed", "author"),
    merged: ("merged", "nobody"),
}
"""Each with its category and who must act."""

HIDDEN = {last_push: "approvals", locked: "permission"}
"""What those are told who may not see that rule."""

PAIRED = (
    draft,
    conflicts,
    behind,
    failing,
    missing,
    approvals,
    rejected,
    owners,
    conversation,
    unsigned,
    archived,
    queue,
)
"""Those that are tried with each other; one that the forge alone knows of is hidden by any other."""
