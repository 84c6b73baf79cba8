"""The latest commits alone: fetched where they prove the merge base, announced, and never with another result."""

import pytest
from git_forge import git

from stithy_testing import connect

pytestmark = pytest.mark.anyio

OLD, LATE = "old line\n", "late line\n"


def write_history(shop, *commits):
    """Create commits, each a branch, the marks of its parents, and the text of the file `f`; marks count from 1."""
    lines = []
    for at, (branch, parents, text) in enumerate(commits, 1):
        origins = "".join(f"{word} :{mark}\n" for word, mark in zip(("from", "merge"), parents, strict=False))
        lines.append(
            f"commit refs/heads/{branch}\nmark :{at}\ncommitter smith <smith@forge.invalid> {10**9 + at} +0000\n"
        )
        lines.append(f"data 1\n{at % 10}{origins}M 100644 inline f\ndata {len(text)}\n{text}\n")
    shop.git("fast-import", "--quiet", "--force", given="".join(lines).encode())


def write_line(branch, first, last, text):
    """Return the commits `first` to `last` of a branch, each the child of the one before."""
    return [(branch, [at - 1] if at > 1 else [], text) for at in range(first, last + 1)]


def fork_late(shop, behind, before=400):
    """Return a pull request that conflicts, and diverged `behind` commits ago, after `before` others."""
    main = [*write_line("main", 1, before + behind, OLD), ("main", [before + behind], "ours\n")]
    write_history(shop, *main, ("work", [before], "theirs\n"))
    return shop.pull(1, "work")


def read_cache(tmp_path, *words):
    """Run git in the only cache."""
    (cache,) = (tmp_path / "cache").rglob("*.git")
    return git(cache, *words)


async def test_commits_before_the_merge_base_are_not_fetched(shop, served, ask, tmp_path):
    """The cache has 100 of the 400 commits before the merge base, and a second call fetches none."""
    pr = fork_late(shop, 20)
    found = await ask(served, pr)
    assert [one["file_path"] for one in found["conflicts"]] == ["f"]
    assert [found["conflicts"][0][side]["commit"] for side in ("base_touched", "head_touched")] == [
        found["base_commit"],
        found["head_commit"],
    ]
    assert int(read_cache(tmp_path, "rev-list", "--count", "--all")) < 140
    packs = served.packs
    assert await ask(served, pr) == found
    assert served.packs == packs


async def test_the_whole_history_has_the_same_answer(shop, served, ask, monkeypatch, tmp_path):
    pr = fork_late(shop, 150)
    shop.branch("other", at="work")
    shop.pull(2, "other")
    found = await ask(served, pr)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache" / "whole"))
    assert (await ask(served, pr, against_open=True))["conflicts"] == found["conflicts"]


async def test_a_merge_base_beyond_the_latest_commits_is_found(shop, served, ask):
    """Both sides merged an old commit, which alone is visible at first: from it, the merge would be clean."""
    main = [*write_line("main", 1, 9, OLD), *write_line("main", 10, 300, LATE)]
    sides = [
        ("side", [5], OLD),
        ("main", [300, 301], "ours\n"),
        ("work", [150], OLD),
        ("work", [303, 301], OLD),
    ]
    write_history(shop, *main, *sides)
    plain = shop.git("merge-tree", "--write-tree", "main", "work", check=False)
    found = await ask(served, shop.pull(1, "work"))
    assert "CONFLICT (content): Merge conflict in f" in plain
    assert found["total_conflicts"] == 1


async def test_branches_that_merge_each_other_are_read_in_part(shop, served, ask, tmp_path):
    main = write_line("main", 1, 300, OLD)
    work = [("work", [280], OLD), ("work", [301, 290], OLD), ("work", [302], "theirs\n"), ("main", [300], "ours\n")]
    write_history(shop, *main, *work)
    assert (await ask(served, shop.pull(1, "work")))["total_conflicts"] == 1
    assert int(read_cache(tmp_path, "rev-list", "--count", "--all")) < 140


async def test_a_server_without_shallow_fetches_gives_the_whole_history(shop, served, ask, tmp_path):
    wrapper = tmp_path / "wrapped-git"
    reply = 'case "$*" in *--depth*) echo "fatal: Server does not support shallow requests" >&2; exit 128;; esac'
    wrapper.write_text(f'#!/bin/sh\n{reply}\nexec git "$@"\n')
    wrapper.chmod(0o755)
    found = await ask(served, fork_late(shop, 20), f'[pulls]\ngit = "{wrapper}"\n')
    assert found["total_conflicts"] == 1
    assert any("all history was fetched" in note for note in found["notes"])


async def test_a_later_push_is_fetched_with_the_depth_that_was_enough(shop, served, ask, tmp_path):
    pr = fork_late(shop, 150, before=1500)
    await ask(served, pr)
    shop.git("checkout", "-q", "-f", "work")
    head = shop.commit("Again", {"f": "again\n"})
    shop.pull(1, "work")
    packs = served.packs
    found = await ask(served, pr)
    assert (found["head_commit"], found["total_conflicts"]) == (head, 1)
    assert served.packs == packs + 2  # the commits, and the file
    assert 1000 < int(read_cache(tmp_path, "rev-list", "--count", "--all")) < 1200


@pytest.mark.parametrize(("size", "told"), [({"size": 2048}, "2.1 MB"), ({}, "unknown")])
async def test_the_first_fetch_is_announced_with_its_size(shop, served, app_of, size, told):
    heard = []

    async def hear(done, total, message):
        heard.append(message)

    pr = fork_late(shop, 20)
    served.more[""] = {"full_name": shop.name, "html_url": "", "default_branch": "main"} | size
    async with connect(app_of(served)) as client:
        await client.call_tool("detect_merge_conflicts", {"pr": pr}, progress_callback=hear)
        first = heard.copy()
        await client.call_tool("detect_merge_conflicts", {"pr": pr}, progress_callback=hear)
    assert first[0].startswith("git: first fetch of smith/anvil: the latest 100 commits of each side, without files;")
    assert f"size on the forge: {told}" in first[0]
    assert not [message for message in heard[len(first) :] if "first fetch" in message]
