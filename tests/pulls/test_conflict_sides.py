"""Both sides of a conflict are those of the two tips, also where git keeps text of its own in their place (FIX-24)."""

import pytest
from conflict_cases import LINES, MANY, edit, move, play

from stithy_pulls.git.git_repository import GitRepository

pytestmark = pytest.mark.anyio

FIRST = {"f": LINES, "g": LINES.upper(), **MANY}


def both(number):
    """Let both sides rename a file each in its way, and edit it: the base the tenth line, the head another."""

    def case(shop, side):
        move(shop, "f", f"to-{side}")
        shop.files({f"to-{side}": edit(10 if side == "base" else number, side)})

    return case


def collision(shop, side):
    """Rename a file onto one that the base adds, while the base edits the old one in the same line."""
    if side == "head":
        move(shop, "f", "one")
        shop.files({"one": edit(10, "head")})
    else:
        shop.files({"f": edit(10, "in the way"), "one": "base\n"})


def two_to_one(shop, side):
    """Rename two files to one name; each side edits both."""
    old, other = ("f", "g") if side == "head" else ("g", "f")
    move(shop, old, "one")
    texts = {"f": edit(10, side), "g": edit(10, side).upper()}
    shop.files({"one": texts[old], other: texts[other]})


def moved_into_a_moved_folder(shop, side):
    if side == "base":
        for path in MANY:
            move(shop, path, path.replace("d/", "e/"))
        shop.files({"f": edit(10, "base")})
    else:
        move(shop, "f", "d/f")
        shop.files({"d/f": edit(10, "head")})


def two_names_of_which_one_moves_on(shop, side):
    if side == "base":
        for path in MANY:
            move(shop, path, path.replace("d/", "e/"))
        move(shop, "f", "to-base")
        shop.files({"to-base": edit(10, "base")})
    else:
        move(shop, "f", "d/f")
        shop.files({"d/f": edit(10, "head")})


CASES = [collision, two_to_one, moved_into_a_moved_folder, two_names_of_which_one_moves_on]
NAMES = ["one line", "two lines", *(case.__name__ for case in CASES)]


@pytest.mark.parametrize("case", [both(10), both(20), *CASES], ids=NAMES)
async def test_no_side_shows_markers_and_nothing_is_suggested(shop, served, ask, case):
    """A suggestion to take one of them would commit the markers, or lose what git had merged (FIX-24)."""
    found = (await ask(served, play(shop, case, FIRST)))["conflicts"]
    assert found
    for one in found:
        shown = one["base_content_preview"] + one["head_content_preview"]
        assert not [mark for mark in ("<<<<<<<", "=======", ">>>>>>>") if mark in shown]
        assert "Both sides" not in one.get("suggested_resolution", "")


async def test_the_sides_of_a_file_with_two_new_names(shop, served, ask):
    """Each is shown as its own tip has it, at the lines in conflict (FIX-24)."""
    (one,) = (await ask(served, play(shop, both(10), FIRST)))["conflicts"]
    assert (one["git_type"], one["places"]) == ("rename/rename", 1)
    assert (one["base_content_preview"], one["head_content_preview"]) == ("10: base", "10: head")
    assert "suggested_resolution" not in one


async def test_the_sides_of_a_collision(shop, served, ask):
    """The base's file is the one that it added, the head's the one that it renamed (FIX-24)."""
    found = (await ask(served, play(shop, collision, FIRST)))["conflicts"]
    one = next(one for one in found if "one" in one["paths"])
    assert one["base_content_preview"].startswith("1: base")
    assert "head" in one["head_content_preview"] or "line 1" in one["head_content_preview"]


async def test_a_file_whose_name_alone_differs_keeps_its_suggestion(shop, served, ask):
    def case(shop, side):
        move(shop, "f", f"to-{side}")
        shop.files({f"to-{side}": edit(10, "the same")})

    (one,) = (await ask(served, play(shop, case, FIRST)))["conflicts"]
    assert "keep one of the names" in one["suggested_resolution"]


async def test_the_tips_are_not_read_where_git_mixes_nothing(shop, served, ask, monkeypatch):
    """Of a file that is edited in place git's own stages are the tips', so that no path is looked up."""
    commands = []
    lines = GitRepository.run_lines
    monkeypatch.setattr(GitRepository, "run_lines", lambda self, *words: commands.append(words) or lines(self, *words))
    found = await ask(served, play(shop, lambda shop, side: shop.files({"f": edit(10, side)}), FIRST))
    assert len(found["conflicts"]) == 1
    assert not [words for words in commands if "ls-tree" in words]
