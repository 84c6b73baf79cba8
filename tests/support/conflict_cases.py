"""Two sides that conflict, in every way that git knows: what each does to a repository."""

from collections.abc import Callable, Mapping

from git_forge import Workshop

LINES = "".join(f"line {number}\n" for number in range(1, 31))
MANY = {f"d/{name}.txt": LINES + name for name in "abcdef"}


def edit(number: int, word: str) -> str:
    return LINES.replace(f"line {number}\n", f"{word}\n")


def move(shop: Workshop, old: str, new: str) -> None:
    (shop.work / new).parent.mkdir(parents=True, exist_ok=True)
    shop.git("mv", old, new)


def link(shop: Workshop, name: str, target: str) -> None:
    (shop.work / name).unlink(missing_ok=True)
    (shop.work / name).symlink_to(target)


def submodule(shop: Workshop, commit: str) -> None:
    shop.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
    shop.git("commit", "-q", "-m", "Bump")


def content(shop: Workshop, side: str) -> None:
    shop.files({"f": edit(10, side)})


def add_add(shop: Workshop, side: str) -> None:
    shop.files({"new": f"{side}\n"})


def binary(shop: Workshop, side: str) -> None:
    shop.files({"f": f"\0{side}".encode()})


def modify_delete(shop: Workshop, side: str) -> None:
    shop.files({"f": edit(3, "three") if side == "head" else None})


def delete_modify(shop: Workshop, side: str) -> None:
    shop.files({"f": edit(3, "three") if side == "base" else None})


def rename_rename(shop: Workshop, side: str) -> None:
    move(shop, "f", f"to-{side}")


def rename_delete(shop: Workshop, side: str) -> None:
    move(shop, "f", "moved") if side == "head" else shop.files({"f": None})


def changed_rename_delete(shop: Workshop, side: str) -> None:
    rename_delete(shop, side)
    if side == "head":
        shop.files({"moved": edit(3, "three")})


def two_to_one(shop: Workshop, side: str) -> None:
    move(shop, "f" if side == "head" else "g", "one")


def file_directory(shop: Workshop, side: str) -> None:
    shop.files({"place": "file\n"} if side == "head" else {"place/inner": "inner\n"})


def directory_rename(shop: Workshop, side: str) -> None:
    if side == "base":
        move(shop, "d", "e")
    else:
        shop.files({"d/new.txt": "new\n"})


def directory_split(shop: Workshop, side: str) -> None:
    if side == "head":
        shop.files({"d/new.txt": "new\n"})
    else:
        for path in MANY:
            move(shop, path, path.replace("d/", "e/" if path < "d/d" else "h/"))


def distinct_modes(shop: Workshop, side: str) -> None:
    link(shop, "f", "elsewhere") if side == "base" else shop.files({"f": edit(3, "three")})


def symlink(shop: Workshop, side: str) -> None:
    link(shop, "f", f"to-{side}")


def play(
    shop: Workshop, case: Callable[[Workshop, str], None], files: Mapping[str, str | bytes | None] | None = None
) -> str:
    """Apply both sides of a case, and open a pull request."""
    shop.commit("Begin", files or {"f": LINES, "g": "other\n", **MANY})
    shop.branch("work")
    for side, branch in (("head", "work"), ("base", "main")):
        shop.switch(branch)
        case(shop, side)
        shop.commit(f"By {side}")
    return shop.pull(1, "work")
