"""A resolution is suggested where it takes no judgement, and nowhere else."""

import pytest
from conflict_cases import LINES, directory_rename, edit, play, rename_delete, rename_rename

pytestmark = pytest.mark.anyio


def lock_file(shop, side):
    shop.files({"sub/package-lock.json": f'{{"name": "{side}"}}\n'})


def white_space(shop, side):
    shop.files({"f": edit(10, "a = b" if side == "head" else "a  =  b")})


def words(shop, side):
    shop.files({"f": edit(10, side)})


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (lock_file, "npm install --package-lock-only"),
        (white_space, "differ in white space only"),
        (rename_rename, "keep one of the names"),
        (rename_delete, "moved it without changing it"),
        (directory_rename, "in the new folder"),
    ],
)
async def test_mechanical_conflicts_have_a_resolution(shop, served, ask, case, said):
    files = {"f": LINES, "d/a": LINES + "a", "d/b": LINES + "b", "sub/package-lock.json": "{}\n"}
    (one,) = (await ask(served, play(shop, case, files)))["conflicts"]
    assert said in one["suggested_resolution"]


async def test_what_is_not(shop, served, ask):
    (one,) = (await ask(served, play(shop, words)))["conflicts"]
    assert "suggested_resolution" not in one
