"""Two sides that conflict, in every way that git knows: what each does to a repository."""

LINES = "".join(f"line {number}\n" for number in range(1, 31))
MANY = {f"d/{name}.txt": LINES + name for name in "abcdef"}


def edit(number, word):
    return LINES.replace(f"line {number}\n", f"{word}\n")


def move(shop, old, new):
    (shop.work / new).parent.mkdir(parents=True, exist_ok=True)
    shop.git("mv", old, new)


def link(shop, name, target):
    (shop.work / name).unlink(missing_ok=True)
    (shop.work / name).symlink_to(target)


def submodule(shop, commit):
    shop.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
    shop.git("commit", "-q", "-m", "Bump")


def content(shop, side):
    shop.files({"f": edit(10, side)})


def add_add(shop, side):
    shop.files({"new": f"{side}\n"})


def binary(shop, side):
    shop.files({"f": f"\0{side}".encode()})


def modify_delete(shop, side):
    shop.files({"f": edit(3, "three") if side == "head" else None})


def delete_modify(shop, side):
    shop.files({"f": edit(3, "three") if side == "base" else None})


def rename_rename(shop, side):
    move(shop, "f", f"to-{side}")


def rename_delete(shop, side):
    move(shop, "f", "moved") if side == "head" else shop.files({"f": None})


def changed_rename_delete(shop, side):
    rename_delete(shop, side)
    if side == "head":
        shop.files({"moved": edit(3, "three")})


def two_to_one(shop, side):
    move(shop, "f" if side == "head" else "g", "one")


def file_directory(shop, side):
    shop.files({"place": "file\n"} if side == "head" else {"place/inner": "inner\n"})


def directory_rename(shop, side):
    if side == "base":
        move(shop, "d", "e")
    else:
        shop.files({"d/new.txt": "new\n"})


def directory_split(shop, side):
    if side == "head":
        shop.files({"d/new.txt": "new\n"})
    else:
        for path in MANY:
            move(shop, path, path.replace("d/", "e/" if path < "d/d" else "h/"))


def distinct_modes(shop, side):
    link(shop, "f", "elsewhere") if side == "base" else shop.files({"f": edit(3, "three")})


def symlink(shop, side):
    link(shop, "f", f"to-{side}")


def play(shop, case, files=None):
    """Let both sides do their part of a case."""
    shop.commit("Begin", files or {"f": LINES, "g": "other\n", **MANY})
    shop.branch("work")
    for side, branch in (("head", "work"), ("base", "main")):
        shop.switch(branch)
        case(shop, side)
        shop.commit(f"By {side}")
    return shop.pull(1, "work")
