"""Real servers: a pull request for each thing that can stand before a merge, and what the server says to a merge.

They are written to be recorded: without git, since what git asks is in no recording.
"""

from contextlib import asynccontextmanager

import pytest

from stithy_testing import connect, make_app

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("kept")]

WORLD = "pulls-readiness"
RULES = {
    "approvals": {"required_approvals": 2},
    "checks": {"enable_status_check": True, "status_check_contexts": ["ci / *"]},
    "outdated": {"block_on_outdated_branch": True},
    "rejected": {"block_on_rejected_reviews": True},
    "requested": {"block_on_official_review_requests": True},
    "files": {"protected_file_patterns": "*.lock;made-*.TXT"},
    "reserved": {"enable_merge_whitelist": True, "merge_whitelist_usernames": []},
}
"""What protects each base, which has its name."""
KINDS = {
    "approvals": ["approvals"],
    "checks": ["checks_missing"],
    "outdated": ["behind"],
    "rejected": ["changes_requested"],
    "requested": ["review_requested"],
    "files": ["protected_files"],
    "reserved": ["permission"],
    "free": [],
    "wip": ["draft"],
    "waiting": ["dependencies"],
}
"""What stands before the merge of each pull request; they are numbered in this order, from 2 on."""


def make(lab):
    """Make an issue (#1), and a pull request of each kind."""
    lab.post("issues", {"title": "First this"})
    path = f"/repos/{lab.repository}"
    lab.setup("PUT", f"{path}/collaborators/stithy-stranger", {"permission": "write"})
    for kind in KINDS:
        lab.setup("POST", f"{path}/branches", {"new_branch_name": kind, "old_branch_name": "main"})
        if kind == "files":  # Forgejo looks for protected files when something is pushed, not when a rule is made
            protect(lab, kind)
        lab.commit(kind, f"Work on {kind}", ("create", f"made-{kind}.txt", "made\n"), new=f"on-{kind}")
        lab.pull(f"WIP: {kind}" if kind == "wip" else kind, f"on-{kind}", kind)
    lab.commit("outdated", "Go on", ("create", "more.txt", "more\n"))
    for kind in RULES.keys() - {"files"}:
        protect(lab, kind)
    as_reader = f"{path}/pulls/{number_of('rejected')}/reviews?sudo=stithy-stranger"
    lab.setup("POST", as_reader, {"event": "REQUEST_CHANGES", "body": "No."})
    lab.post(f"pulls/{number_of('requested')}/requested_reviewers", {"reviewers": ["stithy-stranger"]})
    issue = {"owner": lab.owner, "repo": lab.name, "index": 1}
    lab.post(f"issues/{number_of('waiting')}/dependencies", issue)
    lab.until(f"pulls/{number_of('free')}", lambda pull: pull["mergeable"])


def protect(lab, kind):
    lab.setup("POST", f"/repos/{lab.repository}/branch_protections", {"rule_name": kind, **RULES[kind]})


def number_of(kind):
    return list(KINDS).index(kind) + 2


@asynccontextmanager
async def checking(lab, read, *, token=None, git=""):
    """Return a function that checks the pull request of a kind."""
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    app = make_app(lab.folder, f'{settings}[pulls]\ngit = "{git}"\n', environ={"LAB_TOKEN": token or lab.token})
    async with connect(app) as client:

        async def ask(kind):
            pr = f"{lab.repository}#{number_of(kind)}"
            return read(await client.call_tool("check_merge_readiness", {"pr": pr}))

        yield ask


async def test_what_stands_before_a_merge_is_named(world, read):
    """All in one test: the cases of a test that has several would write over each other's recordings."""
    async with checking(world, read) as ask:
        answers = {kind: await ask(kind) for kind in KINDS}
    assert {kind: answer.categories for kind, answer in answers.items()} == KINDS
    assert not any(answer.ready for answer in answers.values())
    assert "git is disabled" in answers["free"].unproven


async def test_whoever_does_not_administer_it_is_told_what_is_hidden(world, read):
    async with checking(world, read, token=world.reader_token) as ask:
        answer = await ask("outdated")
    assert not answer.ready
    assert "it must be up to date with the base" in answer.unproven


@pytest.mark.parametrize("kind", KINDS)
async def test_the_server_merges_what_is_ready_and_nothing_else(server, read, kind):
    """It is asked to merge; what it refuses was not called ready. (Gitea 1.25 counts late how far one is behind.)"""
    _, lab = server
    if not lab.live:
        pytest.skip("what git asks is in no recording")
    async with checking(lab, read, git="git") as ask:
        answer = await ask(kind)
    place = f"/repos/{lab.repository}/pulls/{number_of(kind)}/merge"
    merged = lab.setup("POST", place, {"Do": "merge"}, allowed=(403, 404, 405, 409, 500))
    assert answer.ready is (kind == "free"), answer.text
    assert merged.is_success is answer.ready or kind == "outdated", merged.text
