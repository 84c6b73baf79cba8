"""Commits in git's object format, so that SHAs are git's own and git can read the repositories.

Source: the chapter "Git Objects" of Pro Git. All files are plain texts of mode 100644.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha1
from typing import Any, NamedTuple

from stithy_core.spi import User

ZONE = "+0000"


class GitObject(NamedTuple):
    """An object with its header, before compression."""

    sha: str
    content: bytes


def create_object(kind: str, body: bytes) -> GitObject:
    """Create an object; its SHA covers the header and the body."""
    content = f"{kind} {len(body)}\0".encode() + body
    return GitObject(sha1(content, usedforsecurity=False).hexdigest(), content)


def iterate_objects(tree: Mapping[str, str]) -> Iterator[GitObject]:
    """Iterate over the objects of a tree, the tree itself last."""
    nested: dict[str, Any] = {}
    for path, text in tree.items():
        *folders, name = path.split("/")
        here = nested
        for folder in folders:
            here = here.setdefault(folder, {})
        here[name] = text
    yield from _iterate_folder(nested)


def create_commit_object(
    tree: Mapping[str, str], *, parents: tuple[str, ...], author: User, at: datetime, message: str
) -> GitObject:
    """Create a commit whose author is also its committer."""
    *_, root = iterate_objects(tree)
    name = "".join(char for char in author.login if char not in "<>\n\0") or "nobody"
    who = f"{name} <{name}@sandbox.invalid> {int(at.timestamp())} {ZONE}"
    lines = [f"tree {root.sha}", *(f"parent {sha}" for sha in parents), f"author {who}", f"committer {who}"]
    return create_object("commit", ("\n".join(lines) + f"\n\n{message}\n").encode(errors="replace"))


def _iterate_folder(entries: Mapping[str, Any]) -> Iterator[GitObject]:
    rows: list[tuple[bytes, bytes]] = []
    for name, entry in entries.items():
        is_folder = isinstance(entry, dict)
        inner = _iterate_folder(entry) if is_folder else [create_object("blob", entry.encode(errors="replace"))]
        *nested, last = inner
        yield from nested
        yield last
        key = name.encode(errors="replace")
        mode = b"40000" if is_folder else b"100644"
        # git sorts a folder as if its name ended with a slash
        rows.append((key + b"/" * is_folder, mode + b" " + key + b"\0" + bytes.fromhex(last.sha)))
    yield create_object("tree", b"".join(row for _, row in sorted(rows)))
