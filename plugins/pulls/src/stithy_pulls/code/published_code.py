"""Which definitions other projects can see: their package is published, and exports them by modules or entry points.

Cargo reads `publish` (https://doc.rust-lang.org/cargo/reference/manifest.html#the-publish-field). npm reads `private`,
the version and the entry points (https://docs.npmjs.com/cli/v11/configuring-npm/package-json).
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from stithy_pulls.code.ecma_entries import (
    ENTRIES,
    OTHER_REGISTRY,
    list_index_files,
    parse_json_object,
    read_ecma_exports,
)
from stithy_pulls.code.rust_modules import read_rust_exports
from stithy_pulls.code.source_trees import get_language
from stithy_pulls.diffs.diff_model import ChangedFile
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_files_at

MANIFESTS = {"rust": "Cargo.toml", **dict.fromkeys(("javascript", "typescript", "tsx"), "package.json")}
"""By language, the name of the manifest of a package."""
MOST_FILES = 200


async def read_exports(
    repository: GitRepository, commit: str, changes: Sequence[ChangedFile]
) -> dict[str, frozenset[str]]:
    """Return, by the current path of a file, the names that other projects can see, if its package limits them.

    Args:
        repository: A repository with the commit.
        commit: The commit before the change.
        changes: Files of any language.
    """
    files = {one.path: one.old_path for one in changes[:MOST_FILES] if get_language(one.old_path) in MANIFESTS}
    scripts = {path: old for path, old in files.items() if MANIFESTS[get_language(old)] == "package.json"}
    manifests = [path for old in files.values() for path in _list_manifests(old)]
    wanted = dict.fromkeys((*manifests, *list_index_files(scripts.values())))
    listed = await list_files_at(repository, commit, list(wanted))
    texts = await repository.read_objects(oid for _, oid in listed.values())
    read = {path: texts[oid].decode(errors="replace") for path, (_, oid) in listed.items() if oid in texts}
    unpublished = {path for path, old in files.items() if _is_unpublished(old, read)}
    published = {path: old for path, old in scripts.items() if path not in unpublished}
    exports = await read_rust_exports(repository, commit, changes)
    exports |= await read_ecma_exports(repository, commit, published, read)
    return exports | dict.fromkeys(unpublished, frozenset[str]())


def _list_manifests(path: str) -> Iterator[str]:
    """Yield where the manifests above a file may be, and the program at the root of a workspace of Rust."""
    name = MANIFESTS[get_language(path)]
    for folder in PurePosixPath(path).parents:
        yield from (str(folder / one) for one in ((name,) if name == "Cargo.toml" else (name, *OTHER_REGISTRY)))
    yield from ("src/main.rs",) if name == "Cargo.toml" else ()


def _is_unpublished(path: str, texts: Mapping[str, str]) -> bool:
    """Return whether the manifests above a file say that nobody can install its code."""
    name = MANIFESTS[get_language(path)]
    folder = next((one for one in PurePosixPath(path).parents if str(one / name) in texts), None)
    if folder is None:
        return False
    if name == "Cargo.toml":
        crate, root = (_parse(texts.get(str(one / name), "")) for one in (folder, PurePosixPath()))
        return _is_unpublished_crate(crate, root) or ("src/main.rs" in texts and _is_unpublished_crate(root, root))
    is_elsewhere = any(str(folder / one) in texts for one in OTHER_REGISTRY)
    return not is_elsewhere and _is_unpublished_npm(texts[str(folder / name)])


def _parse(text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _is_unpublished_crate(manifest: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Return whether a package of Cargo is not published; it may take that from the root of its workspace."""
    said = _get_table(manifest, "package").get("publish")
    if isinstance(said, dict):
        said = _get_table(_get_table(root, "workspace"), "package").get("publish")
    return said in (False, [])


def _get_table(manifest: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = manifest.get(key)
    return found if isinstance(found, dict) else {}


def _is_unpublished_npm(text: str) -> bool:
    manifest = parse_json_object(text)
    if manifest is None or ENTRIES & manifest.keys():
        return False
    return manifest.get("private") is True or "version" not in manifest
