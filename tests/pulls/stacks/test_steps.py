"""What the caller may choose, and what the steps come to where somebody else works as well."""

import pytest
from git_forge import git
from stack_cases import run
from text_and_object import lines_beyond

from stithy_testing import connect

pytestmark = pytest.mark.anyio

PAIR = ("smith/anvil#1", "smith/anvil#2")


def squash_base(stack):
    """Create a base of three commits that was squashed, and two commits that stand on it."""
    stack.grow(1, "feat-a", "main", *((f"a{at}", {"base.txt": f"{at}\n"}) for at in (1, 2, 3)))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"}))
    stack.squash(1, "feat-a")


@pytest.fixture
def squashed(stack):
    stack.prepare(squash_base)
    return stack


@pytest.fixture
def manage(manage_once):
    """Call the tool once where tests differ only in what comes of its steps."""
    return manage_once


def kinds(found):
    return [row["type"] for row in found["commands"]]


async def test_use_onto_is_honoured_and_its_cost_is_reported(squashed, manage):
    found = await manage(*PAIR, use_onto=False)
    strategy = found["rebase_strategy"]
    assert (strategy["recommended"], strategy["ai_should_decide"]) == ("regular", True)
    assert "replays 3 commits in addition to the 2 commits of smith/anvil#2's own" in strategy["reason"]
    assert not any("--onto" in row["command"] for row in found["commands"])


async def test_use_onto_is_honoured_where_both_would_do(stack, manage, perform, subjects):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}))
    stack.join(1, "feat-a")
    found = await manage(*PAIR, use_onto=True)
    assert (found["rebase_strategy"]["recommended"], found["rebase_strategy"]["ai_should_decide"]) == ("onto", True)
    perform(found)
    assert subjects("feat-b") == ["b1"]


async def test_onto_base_is_where_it_goes(squashed, manage, perform, subjects):
    squashed.shop.branch("release", at="main~1")
    squashed.shop.push("release:refs/heads/release")
    found = await manage(*PAIR, onto_base="release")
    assert any("Change the base of smith/anvil#2 from feat-a to release" in row["command"] for row in found["commands"])
    perform(found)
    assert subjects("feat-b", "release") == ["b1", "b2"]


async def test_an_onto_base_that_is_not_there(squashed, manage):
    with pytest.raises(AssertionError, match=r"smith/anvil has no branch nowhere"):
        await manage(*PAIR, onto_base="nowhere")


async def test_tests_are_fixed_as_often_as_requested(squashed, manage):
    found = await manage(*PAIR, max_iterations=5)
    assert kinds(found)[-3:] == ["ci_wait", "fix", "test"]
    assert {row["max_retries"] for row in found["commands"] if row["type"] in {"fix", "test"}} == {5}
    assert found["automation"] == {"enabled": True, "status": "not_started"}


async def test_automation_can_be_turned_off(squashed, manage):
    found = await manage(*PAIR, auto_fix=False)
    assert "fix" not in kinds(found)
    assert found["automation"] == {"enabled": False, "status": "not_started"}


async def test_a_push_of_somebody_else_is_not_overwritten(squashed, manage, perform):
    found = await manage(*PAIR)
    squashed.shop.switch("feat-b")
    theirs = squashed.shop.commit("Theirs", {"theirs.txt": "theirs\n"})
    squashed.shop.push("feat-b:refs/heads/feat-b")
    with pytest.raises(AssertionError, match="stale info"):
        perform(found)
    assert git(squashed.shop.bare, "rev-parse", "feat-b") == theirs


async def test_the_last_line_of_recovery_puts_the_branch_back(squashed, manage, perform):
    found = await manage(*PAIR)
    before = git(squashed.shop.bare, "rev-parse", "feat-b")
    clone = perform(found, last="git push")
    assert git(squashed.shop.bare, "rev-parse", "feat-b") != before
    run(clone, found["recovery"][-1])
    assert git(squashed.shop.bare, "rev-parse", "feat-b") == before


async def test_once_it_is_done_there_is_nothing_to_do(squashed, manage, perform):
    perform(await manage(*PAIR))
    squashed.shop.git("fetch", "-q", str(squashed.shop.bare), "+feat-b:refs/heads/feat-b")
    squashed.show(2, "feat-b", "main")
    found = await manage(*PAIR)
    assert (found["commands"], found["summary"]["action_required"]) == ([], False)


async def test_a_moved_pull_request_needs_only_a_new_base(squashed, manage, perform):
    perform(await manage(*PAIR))
    squashed.shop.git("fetch", "-q", str(squashed.shop.bare), "+feat-b:refs/heads/feat-b")
    squashed.show(2, "feat-b")
    found = await manage(*PAIR)
    assert kinds(found) == ["verification"]
    assert "Change the base of smith/anvil#2 from feat-a to main" in found["commands"][0]["command"]


@pytest.mark.parametrize("edits", [(1, 1), (1, 2), (2, 1, 1), (1, 2, 2, 1)])
async def test_predicted_conflicts_are_where_git_stops(stack, manage, perform, edits):
    """Each own commit rewrites one of two files that the squash has edited too."""
    stack.grow(1, "feat-a", "main", ("a1", {"1.txt": "a\n", "2.txt": "a\n"}))
    commits = [(f"b{at}", {f"{which}.txt": f"b{at}\n"}) for at, which in enumerate(edits)]
    stack.grow(2, "feat-b", "feat-a", *commits)
    stack.squash(1, "feat-a", files={"1.txt": "edited\n"})
    found, stopped = await manage(*PAIR), []

    def resolve(clone):
        stopped.append(git(clone, "log", "-1", "--format=%s", "REBASE_HEAD"))
        git(clone, "checkout", "--theirs", "--", "1.txt")

    perform(found, resolve)
    told = [row["message"] for row in found["own_commits"] if row.get("predicted") == "conflict"]
    unsure = [row["message"] for row in found["own_commits"] if "predicted" not in row]
    assert told == stopped[:1]
    assert set(stopped[1:]) <= set(unsure)


async def test_commits_of_the_new_base_are_dropped(stack, manage, perform, subjects):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}), ("b2", {"c.txt": "c\n"}))
    stack.squash(1, "feat-a", files={"b.txt": "b1\n"})
    found = await manage(*PAIR)
    assert [row["predicted"] for row in found["own_commits"]] == ["empty", "clean"]
    perform(found)
    assert subjects("feat-b") == ["b2"]


async def test_two_that_stand_on_one_branch_are_both_shown(squashed, manage):
    squashed.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    squashed.grow(4, "feat-x", "feat-a", ("x1", {"x.txt": "x\n"}))
    found = await manage(*PAIR)
    assert found["stack_info"]["visualization"].splitlines() == [
        "main",
        "└─ #1 feat-a (merged)  <- base_pr",
        "   └─ #2 feat-b (open)  <- dependent_pr",
        "      └─ #3 feat-c (open)",
        "   └─ #4 feat-x (open)",
    ]
    assert any("smith/anvil#3 is stacked on smith/anvil#2 and is not rebased" in fact for fact in facts(found))


def facts(found):
    return found["rebase_strategy"]["considerations"]


async def test_a_picture_in_mermaid_escapes_names(squashed, manage):
    squashed.shop.pulls[1]["head"]["ref"] = 'a"]; click x "evil'
    said = (await manage(*PAIR))["stack_info"]["mermaid"]
    assert said.splitlines()[:3] == [
        "graph TD",
        '  base["main"]',
        '  base --> p1["#1 a#34;#93;#59; click x #34;evil (merged)"]',
    ]


async def test_a_high_stack_fits_into_an_answer(stack, manage, perform, subjects):
    stack.grow(1, "feat-1", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    for number in range(2, 12):
        stack.grow(number, f"feat-{number}", f"feat-{number - 1}", (f"c{number}", {f"{number}.txt": "x\n"}))
    stack.squash(1, "feat-1")
    found = await manage("smith/anvil#1", "smith/anvil#11")
    assert not {"nextCursor", "cuts"} & set(found)
    perform(found)
    assert [subjects(f"feat-{at}", "main")[-1] for at in range(2, 12)] == [f"c{at}" for at in range(2, 12)]
    assert len(subjects("feat-11")) == 10


async def test_conflicting_commits_are_shown_among_many(stack, manage):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    own = [(f"b{at} {'word ' * 30}", {f"{at}.txt": "x\n"}) for at in range(60)]
    stack.grow(2, "feat-b", "feat-a", *own, ("stops", {"base.txt": "mine\n"}))
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    found = await manage(*PAIR)
    assert (len(found["own_commits"]), found["own_commits_total"]) == (15, 61)
    assert found["own_commits"][-1]["predicted"] == "conflict"


async def test_no_step_is_lost_where_there_are_too_many_for_one_answer(stack, manage):
    """A middle that was rewritten makes a step of each level."""
    stack.grow(1, "feat-1", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    for number in range(2, 14):
        stack.grow(number, f"feat-{number}", f"feat-{number - 1}", (f"c{number}", {f"{number}.txt": "x\n"}))
    stack.shop.switch("feat-3")
    stack.shop.git("commit", "-q", "--amend", "--no-edit", "-m", "c3 again")
    stack.force_push(3, "feat-3")
    stack.squash(1, "feat-1")
    found, seen, more = {"nextCursor": None}, [], {}
    while "nextCursor" in found:
        found = await manage("smith/anvil#1", "smith/anvil#13", **more)
        seen += [row["step"] for row in found["commands"]]
        more = {"cursor": found.get("nextCursor")}
    assert seen == list(range(1, len(seen) + 1))
    assert found["commands"][-1]["type"] == "test"


async def test_the_text_says_no_more_than_the_object(squashed, app_of, served):
    """Some hosts pass on the object alone (FIX-38)."""
    async with connect(app_of(served, "")) as client:
        answer = await client.call_tool("manage_stacked_prs", {"base_pr": PAIR[0], "dependent_pr": PAIR[1]})
    assert lines_beyond(answer.structured_content, answer.content[0].text) == []
