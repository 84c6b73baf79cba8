"""What a real Forgejo 14 said when it was told to merge, beside what we say before (cassettes/README.md).

Another client asked it: pull requests and rules are as it gave them, the rest is put together as it was there.
"""

import json

import pytest
from forgejo_recorded import API, OWNER, find_answer, play_recordings, read_interactions, remove_description

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

REFUSED = "85"
NUMBERS = {"approvals": 74, "checks_missing": 75, "behind": 76, "protected_files": 77}
REASONS = {
    "approvals": "Does not have enough approvals",
    "checks_missing": "Not all required status checks successful",
    "behind": "The head branch is behind the base branch",
    "protected_files": "Changed protected files",
}


def read_recorded(method, ending):
    """Return the bodies of the answers to all requests with this end of their path."""
    rows = [row for row in read_interactions(REFUSED) if row["request"]["method"] == method]
    return [row["response"]["body"]["string"] for row in rows if row["request"]["uri"].endswith(ending)]


def rules():
    """Return the rules as the server returned them on creation, by name."""
    return {row["rule_name"]: row for row in map(json.loads, read_recorded("POST", "/branch_protections"))}


def world(number):
    """Put together what is asked about one of the pull requests."""

    def prepare(tape):
        remove_description(tape)
        pull = find_answer(REFUSED, "GET", f"/pulls/{number}")
        base, head = pull["base"]["ref"], pull["head"]["sha"]
        rule = rules()[base]
        shown = {name: rule[name] for name in ("required_approvals", "enable_status_check", "status_check_contexts")}
        branch = {"name": base, "protected": True, "user_can_merge": True, "effective_branch_protection_name": base}
        tape.add_json("GET", f"{API}/branches/{base}", branch | shown)
        tape.add_json("GET", f"{API}/branch_protections", list(rules().values()))
        tape.add_json("GET", "/api/v1/settings/api", {"max_response_items": 50})
        tape.add_json("GET", f"{API}/pulls/{number}/reviews", [])
        tape.add_json("GET", f"{API}/pulls/{number}/commits?files=false&limit=50&page=1", [])
        tape.add_json("GET", f"{API}/pulls/{number}/files?limit=50&page=1", [{"filename": "a.txt", "status": "added"}])
        tape.add_json("GET", f"{API}/issues/{number}/dependencies?limit=50&page=1", [])
        tape.add_json("GET", f"{API}/commits/{head}/status?limit=50&page=1", {"state": "", "statuses": None})
        into = f"{API}/pulls?state=open&base_branch={pull['head']['ref']}&limit=50&page=1"
        tape.add_json("GET", into, [])
        runs = {"total_count": 0, "workflow_runs": []}
        tape.add_json("GET", f"{API}/actions/runs?head_sha={head}&limit=50&page=1", runs)
        ahead, behind = (
            {"total_commits": 1, "commits": []},
            {"total_commits": int(base == "base-outdated"), "commits": []},
        )
        tape.add_json("GET", f"{API}/compare/{base}...{head}?files=false&verification=false", ahead)
        tape.add_json("GET", f"{API}/compare/{head}...{base}?files=false&verification=false", behind)

    return prepare


@pytest.mark.parametrize("category", NUMBERS)
async def test_the_blocker_is_the_servers_reason_of_refusal(tmp_path, read, category):
    number = NUMBERS[category]
    with play_recordings(REFUSED, "08", prepare=world(number)) as url:
        settings = f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n[pulls]\ngit = ""\n'
        async with connect(make_app(tmp_path, settings)) as client:
            answer = read(await client.call_tool("check_merge_readiness", {"pr": f"{OWNER}/lab#{number}"}))
    assert (answer.ready, answer.categories) == (False, [category])
    (refusal,) = read_recorded("POST", f"/pulls/{number}/merge")
    assert REASONS[category] in refusal
