"""The double's answers that have no public schema, beside the examples of GitLab's documentation.

The examples are under CC BY-SA, and are read in place beside the project: each field of the double must be in the
example of its endpoint, with a value of the same type.
"""

import json
from pathlib import Path

import httpx
import pytest
from gitlab_double.gitlab_contract import find_schema
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import SMITH_TOKEN, USERS

DOCS = Path(__file__).parents[3] / "shared/recordings/gitlab/docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="it needs ../shared/recordings beside the project")
MERGE = "/merge_requests/1"
EXAMPLES = {
    f"{MERGE}/discussions": (
        "discussions-list-project-merge-request-discussion-items.json",
        "discussions-list-project-merge-request-discussion-items-2.json",
    ),
    f"{MERGE}/approvals": (
        "merge-request-approvals-retrieve-approval-state-for-a-merge-request.json",
        "merge-request-approvals-approve-merge-request.json",
    ),
    f"{MERGE}/approval_state": ("merge-request-approvals-retrieve-approval-details-for-a-merge-request.json",),
    f"{MERGE}/reviewers": ("merge-requests-retrieve-merge-request-reviewers.json",),
    f"{MERGE}/blocks": ("merge-requests-retrieve-merge-request-dependencies.json",),
    f"{MERGE}/status_checks": ("status-checks-list-all-status-checks-for-a-merge-request.json",),
    f"{MERGE}/resource_state_events": ("resource-state-events-list-project-merge-request-state-events.json",),
    f"{MERGE}/resource_label_events": ("resource-label-events-list-project-merge-request-label-events.json",),
    f"{MERGE}/resource_milestone_events": (
        "resource-milestone-events-list-project-merge-request-milestone-events.json",
    ),
    "/approval_rules": ("merge-request-approvals-list-all-approval-rules-for-a-project.json",),
    "/protected_branches": (
        "protected-branches-list-protected-branches.json",
        "protected-branches-list-protected-branches-2.json",
    ),
    "/pipelines/{run}/bridges": ("jobs-list-all-trigger-jobs-by-pipeline.json", "jobs-retrieve-a-job-by-job-id.json"),
    "/pipelines/{run}/test_report": ("pipelines-retrieve-a-test-report-for-a-pipeline.json",),
    "/merge_trains/merge_requests/1": ("merge-trains-list-all-merge-requests-in-a-merge-train.json",),
    "/repository/compare?from=main&to=greet": ("repositories-compare-branches-tags-or-commits.json",),
    "/repository/tree?ref=main": ("repositories-list-all-repository-trees-in-a-project.json",),
    "/repository/commits/{sha}/statuses": ("commits-set-commit-pipeline-status.json",),
    "{note}/award_emoji": ("emoji-reactions-list-all-emoji-reactions-for-a-comment.json",),
}
NEWER = {
    "description_html": "lib/api/entities/label_basic.rb",
    "text_color": "lib/api/entities/label_basic.rb",
    "archived": "lib/api/entities/label_basic.rb",
    "locked": "app/models/user.rb, lib/api/entities/user_safe.rb",
    "internal": "lib/api/entities/note.rb",
    "noteable_iid": "lib/api/entities/note.rb",
    "line_range": "lib/api/entities/note.rb, of a position on several lines",
    "pipeline_id": "lib/api/entities/commit_status.rb",
    "extended_trailers": "lib/api/entities/commit.rb",
    "collapsed": "lib/api/entities/diff.rb, from 18.4 on",
    "too_large": "lib/api/entities/diff.rb, from 18.4 on",
    "generated_file": "lib/api/entities/diff.rb",
    "suite_error": "lib/api/entities/test_suite.rb, of a broken result file",
    "file": "lib/api/entities/test_case.rb",
    "approved": "ee/lib/api/entities/approval_state.rb",
    "user_has_approved": "ee/lib/api/entities/approval_state.rb",
    "user_can_approve": "ee/lib/api/entities/approval_state.rb",
}
"""Fields that the examples lack, and where GitLab adds them."""
COMMIT = "commits-retrieve-a-commit.json"
PARTS = {"commit": COMMIT, "commits": COMMIT}
"""Fields whose own endpoint has an example with more fields."""


@pytest.fixture
def places(server):
    """The changing parts of paths, of a merge request that has everything."""
    it = set_scene(server.world, NAME)
    world, home, merge = it.world, it.home, it.merge
    world.tier = "ultimate"
    world.add_label(home, "bug", "ee0701")
    note = world.add_note(merge, "Please look.")
    note["emoji"].append("heart")
    world.add_note(merge, "Why?", position=world.place(merge, "hello.py", 2))
    world.add_event(merge, "state", state="closed")
    world.add_event(merge, "label", action="add", label=home.labels["bug"])
    world.add_event(merge, "milestone", action="add", milestone={"id": 1, "title": "1.0"})
    merge["reviewer_states"] = [{"user": USERS["bob"], "state": "reviewed", "created_at": merge["created_at"]}]
    merge["status_checks"] = [{"id": 1, "name": "licences", "status": "failed", "external_url": "https://a.example"}]
    merge["blocks"].append({"id": 1, "blocking_merge_request": {"iid": 2, "title": "First"}, "project_id": home.id})
    rule = {"id": 1, "name": "Security", "rule_type": "regular", "approvals_required": 1, "eligible_approvers": []}
    merge |= {"rules": [rule | {"approved": False, "approved_by": [USERS["bob"]]}], "train": "fresh"}
    home.approval_rules.append(rule | {"applies_to_all_protected_branches": True, "protected_branches": []})
    run = world.add_pipeline(home, merge["sha"])
    child = {name: run[name] for name in ("id", "sha", "ref", "status", "web_url")}
    world.add_job(home, run, "trigger", downstream=child)
    case = {"status": "failed", "name": "test", "classname": "C", "execution_time": 0.1}
    case |= {"system_output": "no", "stack_trace": None, "file": "a.py"}
    home.reports[run["id"]] = [{"name": "unit", "suite_error": None, "test_cases": [case]}]
    world.add_status(home, merge["sha"], "scanner", "failed", "2 findings")
    return {"run": run["id"], "sha": merge["sha"], "note": f"{MERGE}/notes/{note['id']}"}


def merge_examples(values):
    """Return what any of some examples has, of objects by field."""
    rows = [value for value in values if value is not None]
    if rows and all(isinstance(row, dict) for row in rows):
        names = {name for row in rows for name in row}
        return {name: merge_examples([row[name] for row in rows if name in row]) for name in names}
    if rows and all(isinstance(row, list) for row in rows):
        return [merge_examples([item for row in rows for item in row])]
    return rows[0] if rows else None


def add_part(name, example):
    """Return the example of a field, with what the endpoint of such an object has."""
    if name not in PARTS:
        return example
    whole = json.loads((DOCS / PARTS[name]).read_text())
    return merge_examples([example, [whole] if isinstance(example, list) else whole])


def iterate_faults(shown, example, place):
    """Iterate over the fields that the example lacks, or that have another type there."""
    if shown is None or example is None:
        return
    if isinstance(shown, bool) is not isinstance(example, bool) or _get_kind(shown) is not _get_kind(example):
        yield f"{place}: {shown!r} is not like {example!r}"
    elif isinstance(shown, dict):
        for name, value in shown.items():
            if name in example:
                yield from iterate_faults(value, add_part(name, example[name]), f"{place}.{name}")
            elif name not in NEWER:
                yield f"{place}.{name} is not in the example"
    elif isinstance(shown, list):
        for row in shown if example else ():
            yield from iterate_faults(row, example[0], f"{place}[]")


def _get_kind(value):
    return float if isinstance(value, int | float) else type(value)


@pytest.mark.parametrize("path", EXAMPLES)
def test_an_answer_is_like_the_example_of_the_documentation(server, places, path):
    below = f"/projects/{NAME.replace('/', '%2F')}{path.format(**places)}"
    answer = httpx.get(f"{server.url}/api/v4{below}", headers={"PRIVATE-TOKEN": SMITH_TOKEN})
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert shown
    examples = [json.loads((DOCS / name).read_text()) for name in EXAMPLES[path]]
    one = [item for found in examples for item in (found if isinstance(found, list) else [found])]
    rows = shown if isinstance(shown, list) else [shown]
    faults = [fault for row in rows for fault in iterate_faults(row, merge_examples(one), path)]
    assert faults == []
    assert not find_schema("GET", below.partition("?")[0])
