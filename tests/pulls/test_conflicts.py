"""What a merge comes to: real git on real repositories, asked for by the tool."""

import pytest

from stithy_testing import connect

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def begin(shop, files):
    shop.commit("Begin", files)
    shop.branch("work")


def replace_line(number, word):
    return LINES.replace(f"line {number}\n", f"{word}\n")


async def test_a_clean_merge(shop, served, ask):
    begin(shop, {"a.txt": LINES})
    shop.commit("Top", {"a.txt": replace_line(2, "two")})
    shop.switch("main")
    shop.commit("Bottom", {"a.txt": replace_line(29, "end")})
    found = await ask(served, shop.pull(1, "work"))
    assert (found["has_conflicts"], found["found_by"], found["conflicts"]) == (False, "git", [])
    assert found["mergeable_state"] == "clean"


async def test_a_content_conflict_has_both_sides_with_their_lines(shop, served, ask):
    begin(shop, {"a.txt": LINES})
    shop.commit("Ten is X", {"a.txt": "first\n" + replace_line(10, "X")})
    shop.switch("main")
    shop.commit("Ten is Y", {"a.txt": replace_line(10, "Y")})
    found = await ask(served, shop.pull(1, "work", mergeable=False))
    (one,) = found["conflicts"]
    assert (one["file_path"], one["conflict_type"], one["git_type"], one["places"]) == (
        "a.txt",
        "content",
        "content",
        1,
    )
    assert (one["base_content_preview"], one["head_content_preview"]) == ("10: Y", "11: X")
    assert (one["base_touched"]["subject"], one["head_touched"]["subject"]) == ("Ten is Y", "Ten is X")


def conflicting(shop, **fields):
    """One file, changed on both sides; gives the pull request."""
    begin(shop, {"a.txt": LINES, "b.txt": LINES})
    shop.commit("Ten is X", {"a.txt": replace_line(10, "X")})
    shop.switch("main")
    shop.commit("Ten is Y", {"a.txt": replace_line(10, "Y")})
    return shop.pull(1, "work", **fields)


async def test_another_target_is_tried(shop, served, ask):
    pr = conflicting(shop)
    shop.branch("old", at="main~1")
    shop.push("old:refs/heads/old")
    found = await ask(served, pr, target_branch="old")
    assert (found["has_conflicts"], found["target_branch"]) == (False, "old")
    (unknown,) = [row for row in found["unknown"] if row["field"] == "mergeable_state"]
    assert unknown["reason"] == "the forge checks merges into main only"


async def test_a_target_that_is_not_there_is_an_error(shop, served, ask):
    with pytest.raises(AssertionError, match="smith/anvil has no branch nowhere"):
        await ask(served, conflicting(shop), target_branch="nowhere")


@pytest.mark.parametrize("name", ["--upload-pack=touch evil", "-x", "a/b", "a"])
async def test_a_target_called_like_an_option(shop, served, ask, tmp_path, name):
    name = name.replace(" ", "_")
    pr = conflicting(shop)
    shop.push(f"main:refs/heads/{name}")
    found = await ask(served, pr, target_branch=name)
    assert found["has_conflicts"] is True


async def test_a_branch_may_follow_one_that_it_has_as_a_folder(shop, served, ask):
    pr = conflicting(shop)
    shop.push("main:refs/heads/a")
    assert (await ask(served, pr, target_branch="a"))["has_conflicts"] is True
    shop.push(":refs/heads/a")
    shop.push("main:refs/heads/a/b")
    assert (await ask(served, pr, target_branch="a/b"))["has_conflicts"] is True


async def test_unrelated_histories_are_not_reported_as_conflicts(shop, served, ask):
    begin(shop, {"a.txt": LINES})
    shop.git("checkout", "-q", "--orphan", "alone")
    shop.commit("Alone")
    shop.switch("main")
    found = await ask(served, shop.pull(1, "alone"))
    assert "has_conflicts" not in found
    unknown = {row["field"]: row["reason"] for row in found["unknown"]}
    assert "unrelated histories" in unknown["has_conflicts"]
    assert "unrelated histories" in unknown["total_conflicts"]


async def test_a_forge_that_still_computes_is_asked_again(shop, served, ask, monkeypatch):
    """Gitea says `false` of that; nothing is taken for a conflict, and git needs no forge."""
    monkeypatch.setattr("stithy_pulls.conflicts.mergeable_state.PAUSE", 0.0)
    pr = conflicting(shop)
    row = shop.pulls[1]
    shop.pulls[1] = lambda asked: row | {"mergeable": asked > 3}
    found = await ask(served, pr)
    assert (found["mergeable_state"], found["has_conflicts"]) == ("clean", True)
    assert any("disagree" in note for note in found["notes"])


async def test_a_forge_that_never_says_stays_unknown(shop, served, ask, monkeypatch):
    monkeypatch.setattr("stithy_pulls.conflicts.mergeable_state.PAUSE", 0.0)
    pr = conflicting(shop, mergeable=False)
    found = await ask(served, pr, settings='[pulls]\ngit = ""\n')
    assert "has_conflicts" not in found
    assert found["mergeable_state"] == "unknown"
    assert served.asked.count("/api/v1/repos/smith/anvil/pulls/1") == 5


@pytest.mark.parametrize("git", ["git", ""])
async def test_a_forge_that_reports_no_verdict_is_not_asked_again(shop, served, ask, git):
    pr = conflicting(shop)
    del shop.pulls[1]["mergeable"]
    found = await ask(served, pr, settings=f'[pulls]\ngit = "{git}"\n')
    assert (found["mergeable_state"], found.get("has_conflicts")) == ("unknown", True if git else None)
    assert served.asked.count("/api/v1/repos/smith/anvil/pulls/1") == 1


@pytest.mark.parametrize(("git", "why"), [("", "git is disabled"), ("no-such-git", "program 'no-such-git' not found")])
async def test_without_git_the_forge_answers_and_says_what_it_does_not_know(shop, served, ask, git, why):
    found = await ask(served, conflicting(shop), settings=f'[pulls]\ngit = "{git}"\n')
    assert (found["has_conflicts"], found["found_by"], found["conflicts"]) == (False, "forge", [])
    assert why in found["notes"][0]


async def test_an_empty_repository(shop, served, ask, tmp_path):
    pr = conflicting(shop)
    shop.push("--delete", "refs/heads/main", "refs/heads/work", "refs/pull/1/head")
    found = await ask(served, pr)
    assert found["found_by"] == "forge"
    assert "git cannot fetch" in found["notes"][0]


async def test_a_deleted_branch_is_found_by_the_pull_requests_own_ref(shop, served, ask):
    pr = conflicting(shop, head={"ref": "work", "sha": "", "repo": None})
    shop.push("--delete", "refs/heads/work")
    found = await ask(served, pr)
    assert found["has_conflicts"] is True
    assert found["instructions"]["resolution_steps"][-1].startswith("# The pull request has no branch to push to")


@pytest.mark.parametrize(
    ("fields", "state"), [({"state": "closed"}, "closed"), ({"state": "closed", "merged": True}, "merged")]
)
async def test_a_closed_pull_request_is_noted(shop, served, ask, fields, state):
    found = await ask(served, conflicting(shop, **fields))
    assert found["pull_state"] == state
    assert found["notes"]


@pytest.mark.parametrize("remote", ["origin", "upstream"])
async def test_the_steps_show_the_same_conflict_in_a_fresh_clone(shop, served, ask, tmp_path, remote):
    """Whatever its remote is called (FIX-23)."""
    from git_forge import git

    found = await ask(served, conflicting(shop))
    git(tmp_path, "clone", "-q", "-o", remote, str(shop.bare), "clone")
    clone, steps = tmp_path / "clone", found["instructions"]["resolution_steps"]
    script = "set -e\n" + "\n".join([*steps[:2], f"! {steps[2]}", steps[3]])
    said = git(clone, "-c", f"alias.play=!{'sh -s'}", "play", given=script.encode())
    assert said.splitlines()[-1] == "a.txt"
    (clone / "a.txt").write_text(replace_line(10, "Z"))
    git(clone, "add", "a.txt")
    git(clone, "-c", "alias.play=!sh -s", "play", given="\n".join(steps[4:]).encode())
    assert git(shop.bare, "show", "work:a.txt").splitlines()[9] == "Z"


async def test_open_pull_requests_with_the_same_files_are_tried(shop, served, ask):
    pr = conflicting(shop)
    for number, branch, files in (
        (2, "same", {"a.txt": replace_line(10, "W")}),
        (3, "far", {"a.txt": replace_line(29, "far")}),
        (4, "else", {"b.txt": replace_line(10, "W")}),
    ):
        shop.branch(branch, at="main~1")
        shop.commit(branch, files)
        shop.pull(number, branch)
    found = await ask(served, pr, against_open=True)
    rows = [(row["pr"], row["has_conflicts"], row["conflicting_files"]) for row in found["against_open"]]
    assert rows == [("smith/anvil#2", True, ["a.txt"]), ("smith/anvil#3", False, [])]


async def test_an_open_pull_request_without_a_ref_does_no_harm(shop, served, ask):
    pr = conflicting(shop)
    shop.pull(2, "main")
    shop.push("--delete", "refs/pull/2/head")
    found = await ask(served, pr, against_open=True)
    assert (found["has_conflicts"], found["against_open"]) == (True, [])


async def test_three_thousand_conflicts_come_in_pages(shop, served, ask):
    names = [f"folder/file-{number:04}.txt" for number in range(3_000)]
    begin(shop, dict.fromkeys(names, "first\n"))
    shop.commit("Head", dict.fromkeys(names, "head\n"))
    shop.switch("main")
    shop.commit("Base", dict.fromkeys(names, "base\n"))
    pr, seen, cursor = shop.pull(1, "work"), [], {}
    for _ in range(3):
        found = await ask(served, pr, **cursor)
        assert found["total_conflicts"] == 3_000
        assert all(one["base_content_preview"] == "1: base" for one in found["conflicts"])
        seen += [one["file_path"] for one in found["conflicts"]]
        cursor = {"cursor": found["nextCursor"]}
    assert seen == names[: len(seen)]


async def test_lockdown_withholds_what_commits_say(shop, served, ask):
    """git proves nobody's words; what the files hold has no author, and is shown."""
    (one,) = (await ask(served, conflicting(shop), settings="[serve]\nlockdown = true\n"))["conflicts"]
    mark = "[withheld: nobody is proven to have written it]"
    assert {one[side][word] for side in ("base_touched", "head_touched") for word in ("author", "subject")} == {mark}
    assert one["head_content_preview"] == "10: X"


async def test_a_repository_that_the_settings_leave_out_is_not_read(shop, served, ask):
    pr = conflicting(shop)
    with pytest.raises(AssertionError, match="smith/anvil"):
        await ask(served, pr, settings='repositories = ["other/*"]\n')
    assert not served.authorized


async def test_many_open_pull_requests_are_counted(shop, served, ask):
    pr = conflicting(shop)
    for number in range(2, 20):
        shop.branch(f"b{number}", at="main~1")
        shop.commit("Ten", {"a.txt": replace_line(10, f"W{number}")})
        shop.pull(number, f"b{number}")
    found = await ask(served, pr, against_open=True)
    assert len(found["against_open"]) == 15
    assert "3 more open pull requests change the same files." in found["notes"]


async def test_an_open_pull_request_that_git_cannot_read_does_no_harm(shop, served, ask, tmp_path):
    pr = conflicting(shop)
    for number in (2, 3):
        shop.branch(f"b{number}", at="main~1")
        shop.commit("Ten", {"a.txt": replace_line(10, f"W{number}")})
        shop.pull(number, f"b{number}")
    failing = tmp_path / "failing-git"
    died = 'case "$*" in *diff-tree*pull/2*) echo "fatal: it died" >&2; exit 128;; esac'
    failing.write_text(f'#!/bin/sh\n{died}\nexec git "$@"\n')
    failing.chmod(0o755)
    found = await ask(served, pr, settings=f'[pulls]\ngit = "{failing}"\n', against_open=True)
    assert (found["found_by"], found["has_conflicts"]) == ("git", True)
    assert [(row["pr"], row.get("has_conflicts")) for row in found["against_open"]] == [
        ("smith/anvil#3", True),
        ("smith/anvil#2", None),
    ]
    assert "git could not diff-tree: fatal: it died" in [row["reason"] for row in found["unknown"]]


@pytest.mark.parametrize(("count", "is_cut"), [(100, False), (101, True)])
async def test_open_pull_requests_beyond_a_hundred_are_noted(shop, served, ask, count, is_cut):
    """A closed pull request is not among the open ones, so the 101st of them is another one."""
    pr = conflicting(shop, state="closed")
    shop.pulls |= {number: shop.pulls[1] | {"number": number, "state": "open"} for number in range(2, 2 + count)}
    found = await ask(served, pr, against_open=True)
    assert ("only the first 100 other open pull requests were read" in found["notes"]) is is_cut


async def test_a_forge_that_fails_while_git_merges_does_no_harm(shop, served, ask, monkeypatch):
    """The forge still computes its verdict, and answers with an error when it is asked again."""
    monkeypatch.setattr("stithy_pulls.conflicts.mergeable_state.PAUSE", 0.0)
    pr = conflicting(shop, mergeable=False)
    answer, asked = served.api, []

    def fail_later(path, query=""):
        asked.append(path)
        return (
            (500, {"message": "broken"}) if asked.count(path) > 1 and path.endswith("/pulls/1") else answer(path, query)
        )

    monkeypatch.setattr(served, "api", fail_later)
    found = await ask(served, pr)
    assert (found["found_by"], found["has_conflicts"]) == ("git", True)


async def test_fetching_reports_progress(shop, served, app_of):
    told = []

    async def hear(done, total, message):
        told.append((done, total, message))

    async with connect(app_of(served)) as client:
        await client.call_tool("detect_merge_conflicts", {"pr": conflicting(shop)}, progress_callback=hear)
    assert any(message.startswith("git: receiving objects") for _, _, message in told)
