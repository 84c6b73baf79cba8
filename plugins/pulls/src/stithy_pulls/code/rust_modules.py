"""Which definitions of a Rust crate other crates can see: the way to them is by public modules, or they are exported.

A file does not say so itself: its module is declared in the file above (https://doc.rust-lang.org/reference/visibility-and-privacy.html).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from stithy_pulls.diffs.diff_model import ChangedFile
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_files_at

MACROS = re.compile(r"^[ \t]*proc-macro[ \t]*=\s*true", re.MULTILINE)
"""The line of a manifest after which a crate exports nothing but macros."""
EXPORT = re.compile(r"\bpub\s+use\s+([^;]{1,4000});")
MOST_FILES = 200
ROOTS = ("lib.rs", "main.rs")
NAME = re.compile(r"\w+|\*")


async def read_rust_exports(
    repository: GitRepository, commit: str, changes: Sequence[ChangedFile]
) -> dict[str, frozenset[str]]:
    """Return, by the current path of a file in a private module, the names that the modules above export.

    Files whose definitions are public by their modules are left out, and so are those whose crate was not found.

    Args:
        repository: A repository with the commit.
        commit: The commit that the names are exported by, before the change.
        changes: Files of any language.
    """
    files = {change.path: change.old_path for change in changes[:MOST_FILES] if change.old_path.endswith(".rs")}
    wanted = dict.fromkeys(path for old in files.values() for path in _list_possible_files(old))
    listed = await list_files_at(repository, commit, list(wanted))
    texts = await repository.read_objects(oid for _, oid in listed.values())
    read = {path: texts[oid].decode(errors="replace") for path, (_, oid) in listed.items() if oid in texts}
    found = {path: _find_exports(old, read) for path, old in files.items()}
    return {path: names for path, names in found.items() if names is not None}


def _list_possible_files(path: str) -> Iterator[str]:
    """Yield where the modules above a file may be declared, up to the root of the crate, and its manifest."""
    for folder in PurePosixPath(path).parents:
        yield from (str(folder / name) for name in ("mod.rs", "lib.rs", "main.rs", "Cargo.toml"))
        if folder.name:
            yield f"{folder}.rs"


def _find_exports(path: str, texts: Mapping[str, str]) -> frozenset[str] | None:
    """Return the names that are exported beyond all private modules; None if all public definitions may be public."""
    chain = list(_list_chain(path, texts))
    root = PurePosixPath(chain[-1][1] if chain else path)
    if root.name not in ROOTS:
        return None
    if root.name == "main.rs" or MACROS.search(texts.get(str(root.parent.parent / "Cargo.toml"), "")):
        return frozenset()
    above = [texts[file] for _, file in chain]
    declared = [
        re.findall(rf"^[ \t]*((?:pub\b[^\n;]*?)?)\bmod\s+{name}\s*[;{{]", text, re.MULTILINE)
        for (name, _), text in zip(chain, above, strict=True)
    ]
    if not all(declared) or all(map(_is_public, declared)):
        return None
    limits = [
        _list_exported([(module, text) for (module, _), text in zip(chain, above, strict=True)][place:])
        for place, words in enumerate(declared)
        if not _is_public(words)
    ]
    known = [names for names in limits if names is not None]
    return frozenset.intersection(*known) if known else None


def _list_exported(levels: Sequence[tuple[str, str]]) -> frozenset[str] | None:
    """Return the names that the files above a private module export from it; None for all that the module shows.

    A `*` of a module further above exports no more than what that one shows. Another module may have an equal name.

    Args:
        levels: The module and each one above it, with the text of the file that declares it.
    """
    found = [(module, NAME.findall(words)) for module, text in levels for words in EXPORT.findall(text)]
    exported = [names for module, names in found if module in names]
    modules = {levels[0][0], "self", "super"}
    is_whole = any(last == "*" and name in modules for names in exported for name, last in pairwise(names))
    return None if is_whole else frozenset(name for names in exported for name in names)


def _is_public(words: Sequence[str]) -> bool:
    """Return whether a module is declared with `pub`, by what stands before each `mod` of its name."""
    return "pub" in (word.strip() for word in words)


def _list_chain(path: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the file's own module and each one above it, with the file that declares it, up to the root."""
    pure = PurePosixPath(path)
    while pure.name not in ROOTS:
        folder, name = (pure.parent.parent, pure.parent.name) if pure.name == "mod.rs" else (pure.parent, pure.stem)
        options = [*(str(folder / one) for one in (*ROOTS, "mod.rs")), f"{folder}.rs"]
        above = next((one for one in options if one in texts and one != str(pure)), None)
        if above is None:
            return
        yield name, above
        pure = PurePosixPath(above)
