"""Which commits a restack leaves out: copies of commits below, by their content, and never an author's own work."""

import pytest

pytestmark = pytest.mark.anyio

PAIR = ("smith/anvil#1", "smith/anvil#2")
SECOND = {"GIT_AUTHOR_DATE": "2026-01-04T10:00:00Z", "GIT_COMMITTER_DATE": "2026-01-04T10:00:00Z"}


def commit(stack, message, files, **environ):
    return stack.shop.commit(message, files, **(SECOND | environ))


def begin(stack, below, own):
    """Open a pull request of some commits, and another one that stands on it, all committed in one second."""
    for number, (branch, into, commits) in enumerate((("feat-a", "main", below), ("feat-b", "feat-a", own)), 1):
        stack.shop.branch(branch, at=into)
        for message, files in commits:
            commit(stack, message, files)
        stack.shop.pull(number, branch, into)


def amend(stack, branch, files, **environ):
    stack.shop.switch(branch)
    stack.shop.files(files)
    stack.shop.git("add", "-A")
    stack.shop.git("commit", "-q", "--amend", "--no-edit", **environ)


def content(shop, path, branch="feat-b"):
    return shop.git("--git-dir", str(shop.bare), "show", f"{branch}:{path}")


WIP = [("wip", {"a.sh": "1\n"})], [("wip", {"b.sh": "1\n"}), ("wip", {"b.sh": "2\n"})]


async def test_own_commits_with_the_words_and_the_second_of_one_below_are_kept(stack, manage, perform, subjects):
    """A script commits "wip" several times in one second: same_identity_commits (FIX-22)."""
    begin(stack, *WIP)
    stack.squash(1, "feat-a")
    found = await manage(*PAIR)
    assert (found["own_commits_total"], found["upstream_confidence"]) == (2, "high")
    perform(found)
    assert subjects("feat-b") == ["wip", "wip"]


@pytest.mark.parametrize("told", [True, False], ids=["told by the timeline", "not told"])
async def test_they_are_kept_where_the_base_was_forced(stack, manage, perform, subjects, told):
    """One copy uses up one original, also that which was a head itself: same_identity_commits_forced (FIX-22)."""
    begin(stack, *WIP)
    amend(stack, "feat-a", {"a.sh": "amended\n"})
    stack.force_push(1, "feat-a", told=told)
    found = await manage(*PAIR)
    assert found["own_commits_total"] == 2
    perform(found)
    assert subjects("feat-b", "feat-a") == ["wip", "wip"]


async def test_each_rewritten_head_is_compared_by_itself(stack, manage):
    """Three versions of one lower commit count as one original (FIX-22)."""
    begin(stack, *WIP)
    for at in range(2):
        amend(stack, "feat-a", {"a.sh": f"amended {at}\n"})
        stack.force_push(1, "feat-a")
    assert (await manage(*PAIR))["own_commits_total"] == 2


async def test_half_of_a_commit_with_its_words_is_kept(stack, manage, perform, subjects):
    """One commit was split over both with `git commit -C`: split_commit_reused_words (FIX-22)."""
    shop = stack.shop
    shop.branch("feat-a")
    whole = shop.commit("Both halves", {"1.txt": "1\n", "2.txt": "2\n"})
    shop.git("reset", "-q", "--soft", "HEAD~1")
    shop.git("reset", "-q")
    shop.git("add", "1.txt")
    shop.git("commit", "-q", "-C", whole)
    shop.git("checkout", "-q", "-b", "feat-b")
    shop.git("add", "2.txt")
    shop.git("commit", "-q", "-C", whole)
    shop.pull(1, "feat-a")
    shop.pull(2, "feat-b", "feat-a")
    stack.squash(1, "feat-a")
    found = await manage(*PAIR)
    assert [row["message"] for row in found["own_commits"]] == ["Both halves"]
    perform(found)
    assert (subjects("feat-b"), content(shop, "2.txt")) == (["Both halves"], "2")


@pytest.mark.parametrize("files", [{"extra.txt": "extra\n"}, {"base.txt": "2\n"}], ids=["beside it", "in its lines"])
async def test_an_amended_copy_is_kept(stack, manage, files):
    """A cherry-pick that was amended later than the original has work of its own: copied_and_amended (FIX-22)."""
    begin(stack, [("a1", {"base.txt": "1\n"})], [])
    shop = stack.shop
    shop.git("checkout", "-q", "-B", "feat-b", "main")
    shop.git("cherry-pick", "feat-a")
    amend(stack, "feat-b", files)
    shop.commit("b1", {"b.txt": "b1\n"})
    stack.show(2, "feat-b")
    stack.squash(1, "feat-a")
    found = await manage(*PAIR)
    assert [row["message"] for row in found["own_commits"]] == ["a1", "b1"]
    assert not [row for row in found.get("dropped", ()) if row["why"] != "merge"]
    assert any("is kept" in fact for fact in found["rebase_strategy"]["considerations"])


async def test_the_amendment_of_a_copy_is_pushed(stack, manage, perform):
    """It was left out of the push, which succeeded (FIX-22)."""
    begin(stack, [("a1", {"base.txt": "1\n"})], [])
    shop = stack.shop
    shop.git("checkout", "-q", "-B", "feat-b", "main")
    shop.git("cherry-pick", "feat-a")
    amend(stack, "feat-b", {"extra.txt": "extra\n"})
    stack.show(2, "feat-b")
    stack.squash(1, "feat-a")
    perform(await manage(*PAIR))
    assert content(shop, "extra.txt") == "extra"


async def test_dropped_copies_are_listed(stack, manage):
    """Also in the text, with what it is a copy of (FIX-22)."""
    begin(stack, [("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"})], [("b1", {"b.txt": "b\n"})])
    copies = [stack.shop.git("rev-parse", f"feat-a{back}") for back in ("~1", "")]
    stack.shop.switch("main")
    stack.shop.commit("Moved", {"c.txt": "c\n"})
    stack.shop.push("main:refs/heads/main")
    stack.shop.git("checkout", "-q", "feat-a")
    stack.shop.git("rebase", "-q", "main")
    stack.force_push(1, "feat-a", told=False)
    originals = [stack.shop.git("rev-parse", f"feat-a{back}") for back in ("~1", "")]
    found = await manage(*PAIR)
    assert [(row["sha"], row["why"], row["of"]) for row in found["dropped"]] == [
        (copy, "copy", original) for copy, original in zip(copies, originals, strict=True)
    ]
    assert (found["dropped_total"], found["upstream_confidence"]) == (2, "medium")
    doubt = "The first own commit has medium confidence: "
    assert any(fact.startswith(doubt) for fact in found["rebase_strategy"]["considerations"])
    assert f"- dropped: {copies[0][:12]} a1: copy of {originals[0][:12]}" in found["text"]


async def test_commits_of_the_base_itself_are_listed_as_such(stack, manage):
    """Ten commits that became one are left out, and said to be those of the one below (FIX-22)."""
    begin(stack, [(f"a{at}", {"base.txt": f"{at}\n"}) for at in range(10)], [("b1", {"b.txt": "b\n"})])
    stack.squash(1, "feat-a")
    found = await manage(*PAIR)
    assert {row["why"] for row in found["dropped"]} == {"below"}
    assert (len(found["dropped"]), found["dropped_total"]) == (10, 10)


async def test_an_earlier_version_is_left_out_with_doubt(stack, manage):
    """Of a commit that was amended below, the older version is dropped, and doubted since it differs (FIX-22)."""
    begin(stack, [("a1", {"base.txt": "1\n"})], [("b1", {"b.txt": "b\n"})])
    amend(stack, "feat-a", {"base.txt": "amended\n"})
    stack.force_push(1, "feat-a", told=False)
    found = await manage(*PAIR)
    (row,) = found["dropped"]
    assert (row["why"], row["message"]) == ("earlier version", "a1")
    assert (found["upstream_confidence"], found["summary"]["risk_level"]) == ("low", "high")


async def test_a_white_space_amendment_is_a_change(stack, manage):
    """git's own patch ids leave indentation out (FIX-22)."""
    begin(stack, [("a1", {"code.py": "if x:\n    y\n    z\n"})], [])
    stack.shop.git("checkout", "-q", "-B", "feat-b", "main")
    stack.shop.git("cherry-pick", "feat-a")
    amend(stack, "feat-b", {"code.py": "if x:\n    y\nz\n"})
    stack.show(2, "feat-b")
    stack.squash(1, "feat-a")
    assert (await manage(*PAIR))["own_commits_total"] == 1


async def test_a_merge_among_the_own_commits_is_listed(stack, manage):
    """It is not replayed (FIX-22)."""
    begin(stack, [("a1", {"base.txt": "1\n"})], [("b1", {"b.txt": "b\n"})])
    stack.squash(1, "feat-a")
    stack.shop.switch("feat-b")
    stack.shop.git("merge", "-q", "--no-edit", "main")
    merge = stack.shop.git("rev-parse", "HEAD")
    stack.show(2, "feat-b")
    stack.shop.switch("main")
    stack.shop.commit("Later", {"later.txt": "later\n"})
    stack.shop.push("main:refs/heads/main")
    rows = (await manage(*PAIR))["dropped"]
    assert (merge, "merge") in [(row["sha"], row["why"]) for row in rows]


async def test_of_many_dropped_commits_those_that_need_attention_are_listed(stack, manage):
    """Forty of them, and the number of all: a merge is listed before the commits of the pull request below."""
    begin(stack, [(f"a{at}", {"base.txt": f"{at}\n"}) for at in range(42)], [("b1", {"b.txt": "b\n"})])
    stack.squash(1, "feat-a")
    stack.shop.switch("feat-b")
    stack.shop.git("merge", "-q", "--no-edit", "main")
    stack.show(2, "feat-b")
    stack.shop.switch("main")
    stack.shop.commit("Later", {"later.txt": "later\n"})
    stack.shop.push("main:refs/heads/main")
    found = await manage(*PAIR)
    assert [row["why"] for row in found["dropped"]] == ["merge", *["below"] * 39]
    assert found["dropped_total"] == 43
    assert "… and 3 more dropped commits" in found["text"]


async def test_lockdown_withholds_the_words_of_what_is_left_out(stack, manage):
    begin(stack, [("a1", {"base.txt": "1\n"})], [("b1", {"b.txt": "b\n"})])
    stack.squash(1, "feat-a")
    (row,) = (await manage(*PAIR, settings="[serve]\nlockdown = true\n"))["dropped"]
    assert row["message"] == row["author"] == "[withheld: nobody is proven to have written it]"


async def test_a_commit_that_moved_from_the_base_into_the_later_one_is_doubted(stack, manage):
    """A former head of the base holds it, and its present one does not: whether it moved up or was dropped is open."""
    begin(stack, [("a1", {"base.txt": "1\n"}), ("moved", {"moved.txt": "m\n"})], [("b1", {"b.txt": "b\n"})])
    stack.shop.switch("feat-a")
    stack.shop.git("reset", "-q", "--hard", "HEAD~1")
    stack.force_push(1, "feat-a")
    found = await manage(*PAIR)
    assert "moved" in [row["message"] for row in (*found["own_commits"], *found["dropped"])]
    assert (found["upstream_confidence"], found["summary"]["risk_level"]) == ("low", "high")
