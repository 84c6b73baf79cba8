"""Every kind of conflict that git reports, created by real git and reported as PULL-42 demands."""

import pytest
from conflict_cases import (
    LINES,
    add_add,
    binary,
    changed_rename_delete,
    content,
    delete_modify,
    directory_rename,
    directory_split,
    distinct_modes,
    edit,
    file_directory,
    modify_delete,
    move,
    play,
    rename_delete,
    rename_rename,
    submodule,
    symlink,
    two_to_one,
)

pytestmark = pytest.mark.anyio

KINDS = [
    (content, "content", "content", ["f"]),
    (add_add, "add/add", "content", ["new"]),
    (binary, "binary", "content", ["f"]),
    (modify_delete, "modify/delete", "delete", ["f"]),
    (delete_modify, "modify/delete", "delete", ["f"]),
    (rename_rename, "rename/rename", "rename", ["f", "to-base", "to-head"]),
    (rename_delete, "rename/delete", "rename", ["moved", "f"]),
    (changed_rename_delete, "rename/delete", "rename", ["moved", "f"]),
    (file_directory, "file/directory", "rename", ["place~pull_1", "place"]),
    (directory_rename, "directory rename", "rename", ["e/new.txt", "d/new.txt"]),
    (directory_split, "directory rename", "rename", ["d"]),
    (symlink, "content", "content", ["f"]),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0].__name__)
async def test_a_kind_is_named(shop, served, ask, kind):
    case, git_type, conflict_type, paths = kind
    found = await ask(served, play(shop, case))
    (one,) = found["conflicts"]
    assert (one["git_type"], one["conflict_type"]) == (git_type, conflict_type)
    assert sorted(one["paths"]) == sorted(paths)
    assert one["base_content_preview"]
    assert one["head_content_preview"]


async def test_two_renames_to_one_name(shop, served, ask):
    found = await ask(served, play(shop, two_to_one, {"f": LINES, "g": LINES.upper()}))
    assert [(one["git_type"], one["file_path"]) for one in found["conflicts"]] == [("add/add", "one")]


async def test_a_file_that_became_a_link_on_one_side(shop, served, ask):
    found = await ask(served, play(shop, distinct_modes))
    one = next(one for one in found["conflicts"] if one["git_type"] == "distinct modes")
    assert one["conflict_type"] == "mode"
    assert "(symbolic link to elsewhere)" in (one["base_content_preview"], one["head_content_preview"])


async def test_a_submodule_that_both_moved(shop, served, ask):
    shop.commit("Begin")
    submodule(shop, "1" * 40)
    shop.branch("work")
    submodule(shop, "2" * 40)
    shop.switch("main")
    submodule(shop, "3" * 40)
    (one,) = (await ask(served, shop.pull(1, "work")))["conflicts"]
    assert (one["git_type"], one["conflict_type"], one["file_path"]) == ("submodule", "content", "lib")
    assert (one["base_content_preview"], one["head_content_preview"]) == (
        f"(submodule at {'3' * 40})",
        f"(submodule at {'2' * 40})",
    )


async def test_a_mode_change_beside_an_edit_does_not_conflict(shop, served, ask):
    def case(shop, side):
        (shop.work / "f").chmod(0o755) if side == "head" else shop.files({"f": edit(3, "three")})

    assert (await ask(served, play(shop, case)))["has_conflicts"] is False


async def test_a_rename_of_case_only_merges(shop, served, ask):
    def case(shop, side):
        move(shop, "f", "F") if side == "head" else shop.files({"g": "mine\n"})

    assert (await ask(served, play(shop, case)))["has_conflicts"] is False


async def test_missing_and_binary_sides_say_so(shop, served, ask):
    (one,) = (await ask(served, play(shop, modify_delete)))["conflicts"]
    assert one["base_content_preview"] == "(no file on this side)"
    assert one["head_content_preview"].startswith("3: three\n4: line 4")


async def test_binary_sides_say_so(shop, served, ask):
    (one,) = (await ask(served, play(shop, binary)))["conflicts"]
    assert one["head_content_preview"] == "(binary, 5 bytes)"


NAMES = ['a "quoted" name', "two\nlines", "--upload-pack=evil", "tab\tname", "ü", ":(glob)*", "*", "'", "$(touch x)"]


async def test_names_of_any_sort(shop, served, ask):
    def case(shop, side):
        shop.files(dict.fromkeys(NAMES, f"{side}\n"))

    found = await ask(served, play(shop, case, dict.fromkeys(NAMES, "first\n")))
    assert sorted(one["file_path"] for one in found["conflicts"]) == sorted(NAMES)
    assert {one["base_content_preview"] for one in found["conflicts"]} == {"1: base"}
    assert {one["base_touched"]["subject"] for one in found["conflicts"]} == {"By base"}
