"""docs/forges.md: what merge readiness reads of GitLab by edition and tier, compared with the double of each."""

import re
from pathlib import Path

import pytest
from gitlab_double.gitlab_mergeability import NEED_THREADS
from gitlab_double.gitlab_server import NAME
from gitlab_double.gitlab_situations import set_scene
from gitlab_double.gitlab_world import USERS

from stithy_core.spi import RepositoryRef, Unknown

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[2] / "docs/forges.md"
EDITIONS = {"Community Edition": "", "Enterprise Edition: Free": "free", "Premium": "premium", "Ultimate": "ultimate"}
"""The columns, and the tier of each; the Community Edition has none."""
RULE = {"name": "Security", "rule_type": "regular", "approvals_required": 1, "approved": True, "approved_by": []}


def read_table():
    """Return the table as rows by their names, each with its cells by edition."""
    (shown,) = re.findall(r"<!-- editions -->\n(.*?)<!-- end -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in shown.strip().split("\n"))
    return {name: dict(zip(head[1:], cells, strict=True)) for name, *cells in rows}


TABLE = read_table()


def arrange(world):
    """Create a merge request with everything that any tier has."""
    it = set_scene(world, NAME)
    it.home.push_rule = {"id": 1, "reject_unsigned_commits": True, "commit_message_regex": "^ABC-"}
    it.home.protected[0]["code_owner_approval_required"] = True
    it.home.settings[NEED_THREADS] = True
    it.world.add_note(it.merge, "Why?", position=it.world.place(it.merge, "hello.py", 2))
    other = it.world.add_merge_request(it.home, "First", "before")
    shown = {name: other[name] for name in ("iid", "title", "state", "author", "created_at", "updated_at")}
    shown["web_url"] = f"https://gitlab.example/{NAME}/-/merge_requests/{other['iid']}"
    it.merge["blocks"].append({"id": 1, "blocking_merge_request": shown, "project_id": it.home.id})
    it.merge["checks"] = {"STATUS_CHECKS_MUST_PASS": "FAILED", "TITLE_REGEX": "FAILED"}
    it.merge["status_checks"] = [{"id": 1, "name": "licences", "status": "failed"}]
    answer = {"user": USERS["bob"], "state": "requested_changes", "created_at": it.merge["created_at"]}
    it.merge["reviewer_states"] = [answer]
    it.merge |= {"rules": [RULE], "train": "fresh"}


def describe_flag(value):
    """Return the cell for a rule that is set."""
    return "unknown" if isinstance(value, Unknown) else "yes" if value else "none"


def describe_readiness(found):
    """Return the cells for what the double of an edition was read as."""
    rules, names = found.rules, [rule.name for rule in found.rules.evaluated]
    has_named_rule = any("'Security'" in name for name in names)
    is_by_word = isinstance(rules.rejection_blocks, Unknown) and found.decision == "CHANGES_REQUESTED"
    return {
        "required approvals, by the names of their rules": describe_flag(rules.required_approvals and has_named_rule),
        "code owners who must approve": describe_flag(rules.code_owners),
        "a reviewer's request for changes blocks": "by the merge status"
        if is_by_word
        else describe_flag(rules.rejection_blocks),
        "signed commits (push rule)": describe_flag(rules.signed),
        "push rules that a merge is held to": describe_flag(any("push rule" in name for name in names)),
        "merge requests that block this one": describe_flag(bool(found.dependencies)),
        "merge trains": describe_flag(found.queued is not None),
        "external status checks by name": describe_flag(any("'licences'" in name for name in names)),
        "conflicts, drafts, threads, pipelines, protected branches": describe_flag(
            bool(found.threads and found.checks) and rules.protected is True and found.pull_request.draft is False
        ),
        "all merge checks (GraphQL, from 16.5 on)": describe_flag(any("title_regex" in name for name in names)),
    }


@pytest.mark.parametrize("edition", EDITIONS)
async def test_the_table_of_editions_says_what_is_read(server, forge, edition):
    arrange(server.world)
    server.world.enterprise, server.world.tier = bool(EDITIONS[edition]), EDITIONS[edition] or "free"
    pr = forge.names.create_pull_request_ref(RepositoryRef("smith/tools", "anvil"), 1)
    found = describe_readiness(await forge.pull_requests.readiness(pr))
    written = {name: cells[edition].partition(",")[0] for name, cells in TABLE.items()}
    assert found == written
    assert found.keys() == TABLE.keys()


def test_the_table_has_every_edition():
    assert {tuple(cells) for cells in TABLE.values()} == {tuple(EDITIONS)}
