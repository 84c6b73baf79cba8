"""Required checks that one GitHub App must report (FIX-32)."""

import pytest
from readiness_cases import scene

pytestmark = pytest.mark.anyio

ACTIONS = 15368


def pin_by_ruleset(it):
    checks = [{"context": "build", "integration_id": ACTIONS}]
    it.world.add_rule(
        it.lab, "required_status_checks", required_status_checks=checks, strict_required_status_checks_policy=False
    )


def pin_by_protection(it):
    it.lab.protections["main"].apps = {"build": "github-actions"}


@pytest.fixture(params=[pin_by_ruleset, pin_by_protection])
def pinned(request):
    """Make a pull request whose only check is pinned to Actions, and was reported by nobody yet."""
    it = scene()
    it.lab.statuses.clear()
    request.param(it)
    return it


async def test_a_check_of_another_app_does_not_count(pinned, check):
    pinned.world.add_check(pinned.lab, pinned.pull.head_sha, "build", "success", app="elsewhere")
    answer = await check(pinned)
    assert answer.categories == ["checks_missing"]
    assert answer.told["branch_protection"]["passing_checks"] == []
    assert answer.told["checks"]["ci_passing"] is False
    assert f"build of app {ACTIONS}" in answer.text or "build of app github-actions" in answer.text


async def test_a_check_of_the_app_counts(pinned, check):
    pinned.world.add_check(pinned.lab, pinned.pull.head_sha, "build", "success")
    answer = await check(pinned)
    assert (answer.ready, answer.told["branch_protection"]["passing_checks"]) == (True, ["build"])


@pytest.mark.parametrize("who", ["writer", "reader"])
async def test_with_access_to_the_ruleset_the_missing_app_is_named(check, who):
    it = scene()
    it.lab.statuses.clear()
    pin_by_ruleset(it)
    it.world.add_check(it.lab, it.pull.head_sha, "build", "success", app="elsewhere")
    answer = await check(it, who)
    assert "build of app 15368" in answer.blocker("checks_missing")["description"]
