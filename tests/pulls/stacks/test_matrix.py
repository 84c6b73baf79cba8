"""Each way in which a base may change: what is said of it, and what its commands come to in a fresh clone."""

import pytest
from git_forge import WHEN, git
from stack_cases import LINES, replace_lines

pytestmark = pytest.mark.anyio


def base_of(count):
    """Return commits that all rewrite one line."""
    return [(f"a{number}", {"base.txt": f"version {number}\n"}) for number in range(1, count + 1)]


OWN = [("b1", {"b.txt": "b1\n"}), ("b2", {"b.txt": "b2\n"})]
MINE = ["b1", "b2"]


def grow_pair(stack, count):
    """Create a base of some commits, and a pull request of two commits on it."""
    return stack.grow(1, "feat-a", "main", *base_of(count)), stack.grow(2, "feat-b", "feat-a", *OWN)


def begin(stack, count):
    """Begin with such a pair."""
    return stack.prepare(grow_pair, count)


@pytest.mark.parametrize("count", [1, 3, 10])
async def test_the_own_commits_alone_move_after_a_squash(stack, manage, perform, subjects, count):
    pair = begin(stack, count)
    tip = stack.shop.git("rev-parse", "feat-a")
    stack.squash(1, "feat-a")
    found = await manage(*pair)
    assert (found["is_stacked"], found["upstream_merge_detected"], found["squash_merge"]) == (True, True, True)
    assert (found["last_upstream_commit"], found["rebase_strategy"]["recommended"]) == (tip, "onto")
    perform(found)
    assert subjects("feat-b") == MINE


async def test_squash_of_one_line_says_how_often_a_plain_rebase_stops(stack, manage):
    pair = begin(stack, 10)
    stack.squash(1, "feat-a")
    facts = (await manage(*pair))["rebase_strategy"]["considerations"]
    assert "A plain rebase would replay 12 commits and stop at least 9 times." in facts
    assert "Replaying only its own commits stops 0 times." in facts


async def test_own_commits_that_the_new_base_has_are_counted(stack, manage, perform, subjects):
    """Somebody has picked one of them into main already."""
    pair = begin(stack, 1)
    stack.squash(1, "feat-a")
    stack.shop.commit("Picked", {"b.txt": "b1\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage(*pair)
    facts = found["rebase_strategy"]["considerations"]
    assert "1 of smith/anvil#2's own commits are already in the new base, and become empty." in facts
    assert [(row["message"], row["why"]) for row in found["dropped"] if row["why"] == "empty"] == [("b1", "empty")]
    perform(found)
    assert subjects("feat-b") == ["b2"]


async def test_squash_edited_at_merge(stack, manage, perform, subjects):
    pair = begin(stack, 3)
    stack.squash(1, "feat-a", files={"base.txt": "edited\n"})
    found = await manage(*pair)
    assert found["squash_merge"] is True
    perform(found)
    assert subjects("feat-b") == MINE


async def test_squash_after_main_moved_on_the_same_lines(stack, manage, perform, subjects):
    begin(stack, 3)
    stack.shop.switch("main")
    stack.shop.commit("Moved", {"a.txt": replace_lines(LINES, l5="moved")})
    stack.squash(1, "feat-a")
    stack.shop.commit("Rewritten", {"base.txt": "main rewrote it\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage("smith/anvil#1", "smith/anvil#2")
    assert found["squash_merge"] is True
    perform(found)
    assert subjects("feat-b") == MINE


async def test_squash_and_the_base_branch_deleted(stack, manage, perform, subjects):
    """The forge gives the later one another base, and its link by name is gone."""
    pair = begin(stack, 3)
    tip = stack.shop.git("rev-parse", "feat-a")
    stack.squash(1, "feat-a")
    stack.show(2, "feat-b", "main")
    stack.shop.pulls[1]["head"]["ref"] = "refs/pull/1/head"
    stack.drop("feat-a")
    found = await manage(*pair)
    assert (found["is_stacked"], found["stack_info"]["matches"]) == (True, False)
    assert found["stack_info"]["levels"][-1]["stands_by"] == "history"
    assert found["last_upstream_commit"] == tip
    perform(found)
    assert subjects("feat-b") == MINE


async def test_merge_commit(stack, manage, perform, subjects):
    pair = begin(stack, 3)
    tip = stack.shop.git("rev-parse", "feat-a")
    stack.join(1, "feat-a")
    found = await manage(*pair)
    assert (found["upstream_merge_detected"], found["squash_merge"]) == (True, False)
    assert found["merge_evidence"]["method"] == "merge"
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (tip, "high")
    assert (found["rebase_strategy"]["recommended"], found["rebase_strategy"]["ai_should_decide"]) == ("regular", True)
    perform(found)
    assert subjects("feat-b") == MINE


async def test_fast_forward(stack, manage, perform, subjects):
    pair = begin(stack, 3)
    tip = stack.shop.git("rev-parse", "feat-a")
    stack.join(1, "feat-a", "--ff-only")
    found = await manage(*pair)
    assert (found["upstream_merge_detected"], found["squash_merge"]) == (True, False)
    assert found["merge_evidence"]["method"] == "fast-forward"
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (tip, "high")
    perform(found)
    assert subjects("feat-b") == MINE


@pytest.mark.parametrize("count", [1, 3])
async def test_rebase_merge(stack, manage, perform, subjects, count):
    pair = begin(stack, count)
    stack.shop.switch("main")
    stack.shop.commit("Moved", {"c.txt": "c\n"})
    tip = stack.shop.git("rev-parse", "feat-a")
    stack.rebase(1, "feat-a")
    found = await manage(*pair)
    assert (found["merge_evidence"]["method"], found["squash_merge"]) == ("rebase", False)
    assert found["last_upstream_commit"] == tip
    perform(found)
    assert subjects("feat-b") == MINE


async def test_merged_and_reverted(stack, manage, perform, subjects):
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    stack.shop.git("revert", "--no-edit", "HEAD")
    stack.shop.push("main:refs/heads/main")
    found = await manage(*pair)
    assert found["upstream_merge_detected"] is True
    assert "reverts it" in found["merge_evidence"]["lost"]
    assert found["summary"]["risk_level"] == "high"
    perform(found)
    assert subjects("feat-b") == MINE


async def test_a_squash_that_was_backed_out_in_other_words_is_seen(stack, manage):
    """No message says that it reverts anything: that to revert it would change nothing does."""
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    sha = stack.shop.git("rev-parse", "HEAD")
    stack.shop.git("revert", "--no-commit", "HEAD")
    stack.shop.commit("Back it out")
    stack.shop.commit("Later", {"later.txt": "later\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage(*pair)
    assert found["merge_evidence"]["lost"] == f"no change of {sha[:12]} is on main any longer"
    assert found["summary"]["risk_level"] == "high"


async def test_a_reverted_revert_does_not_count(stack, manage):
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    for _ in range(2):
        stack.shop.git("revert", "--no-edit", "HEAD")
    stack.shop.push("main:refs/heads/main")
    assert "lost" not in (await manage(*pair))["merge_evidence"]


async def test_partly_cherry_picked_is_not_merged(stack, manage):
    pair = stack.grow(1, "feat-a", "main", ("a1", {"1.txt": "1"}), ("a2", {"2.txt": "2"}), ("a3", {"3.txt": "3"}))
    later = stack.grow(2, "feat-b", "feat-a", *OWN)
    stack.shop.switch("main")
    stack.shop.commit("Else", {"else.txt": "else\n"})
    stack.shop.git("cherry-pick", "feat-a~1")
    stack.shop.push("main:refs/heads/main")
    found = await manage(pair, later)
    assert (found["upstream_merge_detected"], found["changes_detected"]) == (False, False)
    assert "main also has the changes of 1 of its 3 commits" in found["merge_evidence"]["evidence"]


async def test_an_empty_change_is_not_merged(stack, manage):
    """Every local test takes it for merged."""
    stack.grow(1, "feat-a", "main", ("there", {"x.txt": "x\n"}), ("and back", {"x.txt": None}))
    later = stack.grow(2, "feat-b", "feat-a", *OWN)
    assert (await manage("smith/anvil#1", later))["upstream_merge_detected"] is False


async def test_the_same_edit_made_elsewhere_is_not_merged(stack, manage):
    stack.grow(1, "feat-a", "main", ("edit", {"x.txt": "x\n"}))
    later = stack.grow(2, "feat-b", "feat-a", *OWN)
    stack.shop.switch("main")
    stack.shop.commit("The same, by somebody else", {"x.txt": "x\n"})
    stack.shop.push("main:refs/heads/main")
    assert (await manage("smith/anvil#1", later))["upstream_merge_detected"] is False


async def test_new_commits_in_an_open_base(stack, manage, perform, subjects):
    pair = begin(stack, 2)
    stack.shop.switch("feat-a")
    stack.shop.commit("a3", {"base.txt": "version 3\n"})
    stack.show(1, "feat-a")
    found = await manage(*pair)
    assert (found["changes_detected"], found["upstream_merge_detected"]) == (True, False)
    assert (found["change_summary"]["new_commits_in_base"], found["change_summary"]["files_changed"]) == (
        1,
        ["base.txt"],
    )
    assert found["rebase_strategy"]["recommended"] == "regular"
    perform(found)
    assert subjects("feat-b", "feat-a") == MINE


@pytest.mark.parametrize("told", [True, False], ids=["told by the timeline", "known by its author, time and words"])
async def test_force_pushed_base(stack, manage, perform, subjects, told):
    pair = begin(stack, 1)
    old = stack.shop.git("rev-parse", "feat-a")
    stack.shop.switch("feat-a")
    stack.shop.files({"base.txt": "amended\n"})
    stack.shop.git("commit", "-aq", "--amend", "--no-edit")
    stack.force_push(1, "feat-a", told=told)
    found = await manage(*pair)
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (old, "high" if told else "low")
    assert found["rebase_strategy"]["recommended"] == "onto"
    perform(found)
    assert subjects("feat-b", "feat-a") == MINE


async def test_force_pushed_then_squashed(stack, manage, perform, subjects):
    """The head at the merge is not in the later one's history: that which was there before is."""
    pair = begin(stack, 3)
    old = stack.shop.git("rev-parse", "feat-a")
    stack.shop.switch("feat-a")
    stack.shop.git("reset", "-q", "--soft", "main")
    stack.shop.commit("All in one", {"base.txt": "version 4\n"})
    stack.force_push(1, "feat-a")
    stack.squash(1, "feat-a")
    stack.show(2, "feat-b", "main")
    stack.drop("feat-a")
    found = await manage(*pair)
    assert (found["is_stacked"], found["last_upstream_commit"]) == (True, old)
    perform(found)
    assert subjects("feat-b") == MINE


async def test_depth_four_is_moved_level_by_level(stack, manage, perform, subjects):
    begin(stack, 3)
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    stack.grow(4, "feat-d", "feat-c", ("d1", {"d.txt": "d\n"}))
    stack.squash(1, "feat-a")
    found = await manage("smith/anvil#1", "smith/anvil#4")
    assert [level["pr"] for level in found["stack_info"]["levels"]] == [f"smith/anvil#{n}" for n in (1, 2, 3, 4)]
    perform(found)
    assert (subjects("feat-b"), subjects("feat-c", "feat-b"), subjects("feat-d", "feat-c")) == (MINE, ["c1"], ["d1"])


async def test_a_middle_that_was_rewritten_is_moved_level_by_level(stack, manage, perform, subjects):
    begin(stack, 3)
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    stack.shop.switch("feat-b")
    stack.shop.files({"b.txt": "b2 amended\n"})
    stack.shop.git("commit", "-aq", "--amend", "--no-edit")
    stack.force_push(2, "feat-b")
    stack.squash(1, "feat-a")
    found = await manage("smith/anvil#1", "smith/anvil#3")
    perform(found)
    assert (subjects("feat-b"), subjects("feat-c", "feat-b")) == (MINE, ["c1"])


async def test_a_fork(stack, manage, perform, shop, tmp_path):
    """Its head is fetched by the pull request's ref, and pushed to the fork."""
    fork = {"full_name": "guest/anvil", "archived": False}
    bare = shop.bare.parent.parent / "guest" / "anvil.git"
    begin(stack, 3)
    stack.squash(1, "feat-a")
    git(tmp_path, "clone", "-q", "--bare", str(shop.bare), str(bare))
    head = shop.pulls[2]["head"]
    shop.pulls[2]["head"] = head | {"repo": fork}
    found = await manage("smith/anvil#1", "smith/anvil#2")
    (push,) = [row["command"] for row in found["commands"] if row["command"].startswith("git push")]
    assert "/guest/anvil.git)" in push
    git(bare, "config", "http.receivepack", "true")
    perform(found)
    assert git(bare, "log", "--reverse", "--format=%s", "main..feat-b").splitlines() == MINE


async def test_main_was_merged_into_the_later_one(stack, manage, perform, subjects):
    """`--onto` would replay what main brought: its own commits are picked."""
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    stack.shop.commit("Else", {"else.txt": "else\n"})
    stack.shop.push("main:refs/heads/main")
    stack.shop.switch("feat-b")
    stack.shop.git("merge", "-q", "--no-edit", "main")
    stack.shop.commit("b3", {"b.txt": "b3\n"})
    stack.show(2, "feat-b")
    stack.shop.switch("main")
    stack.shop.commit("Later", {"later.txt": "later\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage(*pair)
    assert any("cherry-pick" in command["command"] for command in found["commands"])
    perform(found)
    assert subjects("feat-b") == [*MINE, "b3"]


async def test_a_base_that_was_merged_into_another_open_one(stack, manage, perform, subjects):
    stack.grow(1, "feat-a", "main", ("a1", {"a1.txt": "1"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "1\n"}), ("b2", {"b.txt": "2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    stack.shop.switch("feat-a")
    stack.shop.git("merge", "-q", "--squash", "feat-b")
    sha = stack.shop.commit("B (#2)")
    stack.show(1, "feat-a")
    stack.record_merge(2, sha)
    found = await manage("smith/anvil#2", "smith/anvil#3")
    assert found["squash_merge"] is True
    perform(found)
    assert subjects("feat-c", "feat-a") == ["c1"]


async def test_a_whole_stack_that_was_squashed_from_the_top_down(stack, manage, perform, subjects):
    """The middle went into the lowest, and that into main: what is left stands on main."""
    stack.grow(1, "feat-a", "main", ("a1", {"a1.txt": "1"}), ("a2", {"a1.txt": "2"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "1\n"}), ("b2", {"b.txt": "2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    stack.shop.switch("feat-a")
    stack.shop.git("merge", "-q", "--squash", "feat-b")
    sha = stack.shop.commit("B (#2)")
    stack.show(1, "feat-a")
    stack.record_merge(2, sha)
    stack.squash(1, "feat-a")
    found = await manage("smith/anvil#1", "smith/anvil#3")
    perform(found)
    assert subjects("feat-c") == ["c1"]


async def test_a_merge_into_a_merged_branch_is_reported(stack, manage, perform, subjects):
    """Its changes are not in main: what stands on it stays on that branch."""
    stack.grow(1, "feat-a", "main", ("a1", {"a1.txt": "1"}), ("a2", {"a1.txt": "2"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "1\n"}), ("b2", {"b.txt": "2\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c\n"}))
    stack.squash(1, "feat-a")
    stack.shop.switch("feat-a")
    stack.shop.git("merge", "-q", "--squash", "feat-b")
    sha = stack.shop.commit("B (#2)")
    stack.shop.push("feat-a:refs/heads/feat-a")
    stack.record_merge(2, sha)
    found = await manage("smith/anvil#2", "smith/anvil#3")
    assert any(
        "feat-a belongs to smith/anvil#1, which is closed: later commits on it are not merged anywhere" in one
        for one in facts(found)
    )
    perform(found)
    assert subjects("feat-c", "feat-a") == ["c1"]


def facts(found):
    return found["rebase_strategy"]["considerations"]


async def test_the_later_one_had_merged_the_earlier_again(stack, manage, perform, subjects):
    """Between its own commits stands a merge of the base."""
    pair = begin(stack, 2)
    stack.shop.switch("feat-a")
    stack.shop.commit("a3", {"base.txt": "version 3\n"})
    stack.show(1, "feat-a")
    stack.shop.switch("feat-b")
    stack.shop.git("merge", "-q", "--no-edit", "feat-a")
    stack.shop.commit("b3", {"b.txt": "b3\n"})
    stack.show(2, "feat-b")
    stack.squash(1, "feat-a")
    found = await manage(*pair)
    perform(found)
    assert subjects("feat-b") == [*MINE, "b3"]


async def test_the_earlier_one_went_on_before_it_was_squashed(stack, manage, perform, subjects):
    """Its last head is not in the later one's history, but a commit of it is."""
    pair = begin(stack, 2)
    stands_on = stack.shop.git("rev-parse", "feat-a")
    stack.shop.switch("feat-a")
    stack.shop.commit("a3", {"base.txt": "version 3\n"})
    stack.show(1, "feat-a")
    stack.squash(1, "feat-a")
    found = await manage(*pair)
    assert (found["last_upstream_commit"], found["upstream_confidence"]) == (stands_on, "high")
    perform(found)
    assert subjects("feat-b") == MINE


async def test_gitea_rebases_and_joins(stack, manage, perform, subjects):
    """Its style `rebase-merge`: the merge commit joins copies."""
    pair = begin(stack, 3)
    stack.shop.switch("main")
    stack.shop.commit("Moved", {"c.txt": "c\n"})
    stack.shop.git("checkout", "-q", "--detach", "feat-a")
    stack.shop.git("rebase", "-q", "main")
    copies = stack.shop.git("rev-parse", "HEAD")
    stack.shop.switch("main")
    stack.shop.git("merge", "-q", "--no-ff", "--no-edit", copies)
    stack.record_merge(1)
    found = await manage(*pair)
    assert (found["merge_evidence"]["method"], found["squash_merge"]) == ("rebase-merge", False)
    perform(found)
    assert subjects("feat-b") == MINE


async def test_a_server_that_gives_no_single_files(stack, manage, served):
    pair = begin(stack, 3)
    stack.squash(1, "feat-a", files={"b.txt": "edited\n"})
    served.old = True
    git(stack.shop.bare, "config", "--unset", "uploadpack.allowAnySHA1InWant")
    found = await manage(*pair)
    assert [row.get("predicted") for row in found["own_commits"]] == ["conflict", None]
    assert any("all files were fetched" in note for note in found["notes"])


async def test_an_event_says_what_it_stood_on(stack, manage):
    """Moved by hand meanwhile, nothing of the base is left in its history."""
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    stack.shop.git("rebase", "-q", "--onto", "main", "feat-a", "feat-b")
    stack.show(2, "feat-b", "main")
    assert (await manage(*pair))["is_stacked"] is False
    row = {"id": 9, "type": "change_target_branch", "created_at": WHEN, "old_ref": "feat-a", "new_ref": "main"}
    stack.shop.events[2] = [row]
    found = await manage(*pair)
    assert (found["is_stacked"], found["stack_info"]["levels"][-1]["stands_by"]) == (True, "event")
    assert (found["commands"], found["summary"]["action_required"]) == ([], False)


async def test_the_earlier_one_was_merged_before_it_was_rewritten_to_the_trunk(stack, manage):
    """That its head stood on a commit of the trunk once says nothing of what stands on it now."""
    stack.shop.branch("feat-a")
    stack.shop.commit("not known", {"base.txt": "1\n"})
    stack.grow(2, "feat-b", "feat-a", *OWN)
    stack.shop.git("branch", "-f", "feat-a", "main")
    stack.shop.pull(1, "feat-a")
    stack.shop.switch("feat-a")
    stack.shop.commit("another", {"base.txt": "2\n"})
    stack.force_push(1, "feat-a")
    stack.squash(1, "feat-a")
    found = await manage("smith/anvil#1", "smith/anvil#2")
    assert (found["upstream_confidence"], found["summary"]["risk_level"]) == ("low", "high")


async def test_a_trunk_that_each_release_merges_is_not_a_base(stack, manage, perform, subjects):
    """`develop` goes into `main` again and again; what is squashed into it stays on it."""
    shop = stack.shop
    shop.branch("develop")
    shop.commit("Released", {"release.txt": "1\n"})
    shop.pull(9, "develop", "main")
    stack.squash(9, "develop", "Release")
    shop.switch("develop")
    shop.commit("Since", {"since.txt": "1\n"})
    shop.push("develop:refs/heads/develop")
    stack.grow(1, "feat-a", "develop", *base_of(3))
    stack.grow(2, "feat-b", "feat-a", *OWN)
    shop.switch("develop")
    shop.git("merge", "-q", "--squash", "feat-a")
    stack.record_merge(1, shop.commit("A (#1)"))
    shop.push("develop:refs/heads/develop")
    found = await manage("smith/anvil#1", "smith/anvil#2")
    assert [level["pr"] for level in found["stack_info"]["levels"]] == ["smith/anvil#1", "smith/anvil#2"]
    perform(found)
    assert subjects("feat-b", "develop") == MINE


async def test_a_branch_on_the_current_head_needs_no_steps(stack, manage):
    found = await manage(*begin(stack, 3))
    assert (found["changes_detected"], found["commands"]) == (False, [])
    assert found["summary"]["action_required"] is False
    assert [row["message"] for row in found["own_commits"]] == MINE


async def test_git_neither_reads_a_tree_nor_merges_twice(stack, manage, tmp_path):
    git_program = tmp_path / "logging-git"
    git_program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {tmp_path}/log\nexec git "$@"\n')
    git_program.chmod(0o755)
    pair = begin(stack, 3)
    stack.squash(1, "feat-a")
    await manage(*pair, settings=f'[pulls]\ngit = "{git_program}"\n')
    rows = [line for line in (tmp_path / "log").read_text().splitlines() if "^{tree}" in line or "merge-tree" in line]
    assert len(rows) == len(set(rows)) > 1
