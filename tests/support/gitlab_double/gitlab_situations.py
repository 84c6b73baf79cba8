"""What can stand before a merge on GitLab: how it comes about, and the categories of blockers that name it.

A situation with no category is one that nobody but GitLab can judge, or that hides the rest: its answer is unproven.
"""

from collections.abc import Callable

from attrs import define

from gitlab_double.gitlab_mergeability import NEED_PIPELINE, NEED_THREADS
from gitlab_double.gitlab_world import USERS, Json, Project, World

WORD_OF_TOMORROW = "awaiting_the_moon"
TIMES = "2026-01-05T10:00:00.000Z"


@define
class Scene:
    """A merge request that an owner may merge: approved, and its pipeline has passed."""

    world: World
    home: Project
    merge: Json


def set_scene(world: World, path: str) -> Scene:
    """Create the scene: smith owns the project, bob is a developer, rita a reporter."""
    world.enterprise = True
    home = world.add_project(path)
    home.access = {"smith": 50, "bob": 30, "rita": 20}
    merge = world.add_merge_request(home, "Greet", "greet", approvals_required=1)
    merge["approvals"].append({"user": USERS["bob"], "approved_at": TIMES})
    world.add_job(home, world.add_pipeline(home, merge["sha"], "success"), "unit", "success")
    home.protected.append({"id": 1, "name": "main", "merge_access_levels": [{"access_level": 30}]})
    return Scene(world, home, merge)


Situation = Callable[[Scene], None]
SITUATIONS: dict[Situation, tuple[str, ...]] = {}
"""Each situation with the categories of which one names it to an owner."""


def situation(*categories: str) -> Callable[[Situation], Situation]:
    """Register a situation."""

    def keep(arrange: Situation) -> Situation:
        SITUATIONS[arrange] = categories
        return arrange

    return keep


@situation("draft")
def mark_draft(it: Scene) -> None:
    it.merge |= {"draft": True, "title": "Draft: Greet"}


@situation("conflicts")
def add_conflict(it: Scene) -> None:
    it.merge |= {"merge_status": "cannot_be_merged", "has_conflicts": True}


@situation("conversations")
def leave_thread_open(it: Scene) -> None:
    it.home.settings[NEED_THREADS] = True
    it.world.add_note(it.merge, "Why?", position=it.world.place(it.merge, "hello.py", 2))


@situation("conversations")
def leave_discussion_open(it: Scene) -> None:
    it.home.settings[NEED_THREADS] = True
    it.world.add_note(it.merge, "Why?", type="DiscussionNote", resolvable=True, resolved=False)


@situation("behind")
def demand_fast_forward(it: Scene) -> None:
    it.home.settings["merge_method"] = "ff"


@situation("behind")
def demand_semi_linear(it: Scene) -> None:
    it.home.settings["merge_method"] = "rebase_merge"


@situation("approvals")
def take_approval_back(it: Scene) -> None:
    it.merge["approvals"] = []


@situation("approvals")
def demand_two_approvals(it: Scene) -> None:
    it.merge["approvals_required"] = 2


@situation("changes_requested")
def request_changes(it: Scene) -> None:
    states = it.merge.setdefault("reviewer_states", [])
    states.append({"user": USERS["bob"], "state": "requested_changes", "created_at": TIMES})


@situation("approvals", "code_owners")
def miss_code_owners(it: Scene) -> None:
    it.home.protected[0]["code_owner_approval_required"] = True
    it.merge["approvals_required"] = 3


def _run(it: Scene, status: str, job: str = "", **fields: str) -> None:
    it.home.settings[NEED_PIPELINE] = True
    home = it.merge["source"]
    run = it.world.add_pipeline(home, fields.pop("sha", "") or it.merge["sha"], status, **fields)
    if job:
        it.world.add_job(home, run, "unit", job)


@situation("checks_failing")
def fail_pipeline(it: Scene) -> None:
    _run(it, "failed", "failed")


@situation("checks_pending")
def run_pipeline(it: Scene) -> None:
    _run(it, "running", "running")


@situation("checks_pending")
def queue_pipeline(it: Scene) -> None:
    _run(it, "pending", "pending")


@situation("checks_failing")
def cancel_pipeline(it: Scene) -> None:
    _run(it, "canceled", "canceled")


@situation("checks_failing", "checks_pending", "protection")
def skip_pipeline(it: Scene) -> None:
    _run(it, "skipped", "skipped")


@situation("checks_pending")
def hold_pipeline(it: Scene) -> None:
    _run(it, "manual", "manual")


@situation("checks_failing")
def break_pipeline_file(it: Scene) -> None:
    _run(it, "failed", yaml_errors="jobs config should contain at least one visible job")


@situation("protection", "checks_missing")
def have_no_pipeline(it: Scene) -> None:
    it.home.settings[NEED_PIPELINE] = True
    it.home.pipelines.clear()
    it.home.jobs.clear()


@situation("checks_failing")
def fail_on_the_result_of_the_merge(it: Scene) -> None:
    sha = it.home.find_commit("main")
    _run(it, "failed", "failed", sha=sha, ref="refs/merge-requests/1/merge", source="merge_request_event")


@situation("checks_failing")
def fail_in_a_fork(it: Scene) -> None:
    fork = it.world.add_project("bob/anvil", it.home)
    fork.bare, it.merge["source"] = it.home.bare, fork
    _run(it, "failed", "failed")


@situation("dependencies")
def depend_on_another(it: Scene) -> None:
    other = it.world.add_merge_request(it.home, "First", "before")
    _add_block(it, other)


@situation("protection", "dependencies")
def depend_on_something_hidden(it: Scene) -> None:
    it.merge["blocks"].append({"id": 1, "blocking_merge_request": None, "project_id": 0})


def _add_block(it: Scene, other: Json) -> None:
    shown = {name: other[name] for name in ("iid", "title", "state", "author", "created_at", "updated_at")}
    shown["web_url"] = f"https://gitlab.example/{it.home.path}/-/merge_requests/{other['iid']}"
    it.merge["blocks"].append({"id": 1, "blocking_merge_request": shown, "project_id": it.home.id})


def _add_check(name: str, status: str = "FAILED", *categories: str) -> None:
    """Register the situation that one of GitLab's own checks has a status."""

    def arrange(it: Scene) -> None:
        it.merge["checks"][name] = status

    arrange.__name__ = f"{name.lower()}_{status.lower()}"
    situation(*(categories or ("protection",)))(arrange)


_OWN = """
    JIRA_ASSOCIATION_MISSING SECURITY_POLICY_VIOLATIONS STATUS_CHECKS_MUST_PASS LOCKED_PATHS TITLE_REGEX
    LOCKED_LFS_FILES MERGE_TIME APPROVALS_SYNCING
"""
for _name in _OWN.split():
    _add_check(_name)
_add_check("STATUS_CHECKS_MUST_PASS", "CHECKING")
_add_check("COMMITS_STATUS", "FAILED", "protection", "conflicts")
_add_check("A_CHECK_OF_TOMORROW")


@situation()
def have_a_push_rule_for_messages(it: Scene) -> None:
    it.home.push_rule = {"id": 1, "commit_message_regex": "^ABC-"}


@situation()
def have_a_push_rule_for_squashed_files(it: Scene) -> None:
    it.home.push_rule, it.merge["squash"] = {"id": 1, "prevent_secrets": True}, True


@situation("merge_queue")
def ride_on_a_train(it: Scene) -> None:
    it.merge["train"] = "fresh"


@situation("merge_queue")
def demand_a_train(it: Scene) -> None:
    it.home.settings["merge_trains_enabled"] = True


@situation("locked", "permission")
def lock_branch(it: Scene) -> None:
    it.home.protected[0]["merge_access_levels"] = [{"access_level": 0}]


@situation("permission")
def let_administrators_merge(it: Scene) -> None:
    it.home.protected[0]["merge_access_levels"] = [{"access_level": 60}]


@situation("archived")
def archive_project(it: Scene) -> None:
    it.home.settings["archived"] = True


@situation("closed")
def close(it: Scene) -> None:
    it.world.close(it.merge)


@situation("merged")
def merge(it: Scene) -> None:
    it.world.close(it.merge, "merged", merge_user=USERS["smith"], merge_commit_sha=it.home.find_commit("main"))


@situation()
def leave_unchecked(it: Scene) -> None:
    it.merge["merge_status"] = "unchecked"


@situation()
def be_checking(it: Scene) -> None:
    it.merge["merge_status"] = "checking"


@situation()
def be_prepared(it: Scene) -> None:
    it.merge |= {"merge_status": "preparing", "diff_refs": None}


@situation()
def use_a_word_of_tomorrow(it: Scene) -> None:
    it.merge["detailed_merge_status"] = WORD_OF_TOMORROW


@situation()
def be_an_old_server(it: Scene) -> None:
    """Before 15.6 there is no word, and before 16.5 no list of checks."""
    it.merge["detailed_merge_status"] = None
