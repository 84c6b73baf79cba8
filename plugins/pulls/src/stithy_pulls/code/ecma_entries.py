"""Which definitions of JavaScript and TypeScript other packages can see: an entry point has or re-exports them.

npm's manifest names the entry points (https://docs.npmjs.com/cli/v11/configuring-npm/package-json#exports). A file
called `index` is one of its folder. Only what such a file re-exports itself counts: a name that another file in between
exports may be public, but not certainly.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

import anyio.to_thread

from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_files_at

ENTRIES = frozenset({"main", "module", "exports", "types", "typings", "browser", "bin"})
"""Keys of `package.json` that say what others import. A build may publish a private package with them."""
OTHER_REGISTRY = ("jsr.json", "deno.json", "deno.jsonc")
"""Beside `package.json`, manifests of another registry."""
SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts")
SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
ENTRY = re.compile(r"[\w./@*+-]{1,200}")
"""A path that git can be asked for, within the package or not."""
BUILT = re.compile(r"^(?:build|dist|lib|out)/(?:(?:cjs|es|esm|types)/)?")
"""Folders that a build writes with the structure of `src`."""
MOST_ENTRIES = 50
"""Entry points of a package that are read."""
MOST_CANDIDATES = 2_000
"""Paths of possible entry points that git is asked for."""
MOST_READ = 200
MOST_CHARACTERS = 200_000
ALL = "*"
"""In place of names: all that a file exports."""

NO_CODE = re.compile(r"""('[^'\n]*'|"[^"\n]*")|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)""")
"""Comments, and strings, which may have their marks. What has no end goes on to that of the text."""
CLAUSE = re.compile(
    r"""\b(?P<keyword>import|export)\b\s*+(?:type\b\s*+)?(?:(?P<default>[\w$]++)\s*+)?(?:,\s*+)?"""
    r"""(?:(?P<all>\*)\s*+(?:as\s++(?P<name>[\w$]++)\s*+)?)?(?:\{(?P<braces>[^{}]*+)\}\s*+)?"""
    r"""from\s*+['"](?P<specifier>\.[^'"\n]*)['"]"""
)
"""A declaration with a relative specifier. Possessive runs cannot be split in many ways, so that none takes long."""
OWN = re.compile(r"\bexport\s*+(?:type\s*+)?\{([^{}]*+)\}(?!\s*+from\b)")
DEFAULT = re.compile(r"\bexport\s*+(?:default\s|=)\s*+([\w$]+)")
REQUIRE = r"""require\(\s*['"](\.[^'"\n]*)['"]\s*\)"""
ASSIGNED = re.compile(rf"\bexports(?:\.[\w$]+)?\s*=\s*{REQUIRE}")
OBJECT = re.compile(r"\bmodule\.exports\s*=\s*\{([^{}]*)\}")
PROPERTY = re.compile(rf":\s*{REQUIRE}")


def list_index_files(paths: Iterable[str]) -> list[str]:
    """Return where the index of each folder above the files may be."""
    folders = dict.fromkeys(folder for path in paths for folder in PurePosixPath(path).parents)
    return list(islice((str(folder / f"index{end}") for folder in folders for end in SUFFIXES), MOST_CANDIDATES))


async def read_ecma_exports(
    repository: GitRepository, commit: str, files: Mapping[str, str], texts: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """Return, by the current path of a file, the names that the entry points of its package re-export.

    Entry points are left out, and so are files that are re-exported as a whole, or that are in no package.

    Args:
        repository: A repository with the commit.
        commit: The commit before the change.
        files: The former path of each file by its current one.
        texts: By path, the manifests above the files, and what of `list_index_files` the commit has.
    """
    packages = {path: folder for path, old in files.items() if (folder := _find_package(old, texts)) is not None}
    entries = {folder: frozenset(_list_entries(folder, texts)) for folder in set(packages.values())}
    hidden = [path for path, folder in packages.items() if not _is_entry(files[path], entries[folder])]
    read_before = frozenset(list_index_files(files.values()))
    named = dict.fromkeys(stem for path in hidden for stem in sorted(entries[packages[path]])[:MOST_ENTRIES])
    others = [path for stem in named if ALL not in stem for end in SUFFIXES if (path := stem + end) not in read_before]
    sources = {path: texts[path] for path in read_before & texts.keys()}
    sources |= await _read_files(repository, commit, others[:MOST_CANDIDATES])
    exported = await anyio.to_thread.run_sync(_parse_all, sources)
    found: dict[str, frozenset[str]] = {}
    for path in hidden:
        places = {*_list_index_stems(files[path], packages[path]), *entries[packages[path]]}
        stem = _strip_suffix(files[path])
        names = frozenset[str]().union(*(exported.get((place, stem), ()) for place in places))
        if ALL not in names:
            found[path] = names
    return found


async def _read_files(repository: GitRepository, commit: str, paths: list[str]) -> dict[str, str]:
    listed = await list_files_at(repository, commit, paths)
    wanted = dict(islice(listed.items(), MOST_READ))
    contents = await repository.read_objects(oid for _, oid in wanted.values()) if wanted else {}
    return {path: contents[oid].decode(errors="replace") for path, (_, oid) in wanted.items() if oid in contents}


def _find_package(path: str, texts: Mapping[str, str]) -> str | None:
    """Return the nearest folder above a file that has a `package.json`."""
    return next((str(one) for one in PurePosixPath(path).parents if str(one / "package.json") in texts), None)


def _list_entries(folder: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the paths of a package's entry points and of their sources, without suffixes; of a pattern with its `*`."""
    manifests = [("package.json", ENTRIES), *((name, {"exports"}) for name in OTHER_REGISTRY)]
    for name, keys in manifests:
        manifest = parse_json_object(texts.get(posixpath.normpath(f"{folder}/{name}"), "")) or {}
        named = filter(ENTRY.fullmatch, _list_strings([manifest[key] for key in keys & manifest.keys()]))
        for entry in map(posixpath.normpath, named):
            paths = {posixpath.normpath(f"{folder}/{one}") for one in (entry, BUILT.sub("src/", entry))}
            yield from (_strip_suffix(path) for path in paths if not path.startswith(".."))


def parse_json_object(text: str) -> Mapping[str, Any] | None:
    """Parse a JSON object; return None for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _list_strings(values: list[Any]) -> Iterator[str]:
    """Yield the strings within arrays and objects, without keys."""
    while values:
        value = values.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | dict):
            values.extend(value.values() if isinstance(value, dict) else value)


def _is_entry(path: str, entries: Iterable[str]) -> bool:
    """Return whether a file is an index, or a manifest names it, perhaps with the suffix that a build gives it."""
    stem = _strip_suffix(path)
    parts = (entry.partition(ALL) for entry in entries)
    is_named = any(
        stem.startswith(head) and stem.endswith(tail) if star else stem == head for head, star, tail in parts
    )
    return is_named or posixpath.basename(stem) == "index"


def _list_index_stems(path: str, package: str) -> Iterator[str]:
    for folder in PurePosixPath(path).parents:
        yield str(folder / "index")
        if str(folder) == package:
            return


def _strip_suffix(path: str) -> str:
    return SUFFIX.sub("", path)


def _parse_all(sources: Mapping[str, str]) -> dict[tuple[str, str], set[str]]:
    """Return the re-exported names by the file that re-exports and the one that defines them, both without suffixes."""
    found: dict[tuple[str, str], set[str]] = {}
    for path, text in sources.items():
        for specifier, name in _list_reexports(NO_CODE.sub(r"\1", text[:MOST_CHARACTERS])):
            target = _strip_suffix(posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier)))
            own = posixpath.basename(target) if name == "default" else name  # the file is probably called like it
            found.setdefault((_strip_suffix(path), target), set()).add(own)
    return found


def _list_reexports(text: str) -> Iterator[tuple[str, str]]:
    """Yield relative specifiers, and the names in these files that a text exports: `*`, `default`, or the file's own.

    What the default is called in its file is unknown; it probably is called as it is here.
    """
    exported = {own for braces in OWN.findall(text) for own, _ in _parse_names(braces)} | {*DEFAULT.findall(text)}
    for clause in CLAUSE.finditer(text):
        for name, local in _list_clause_names(clause):
            if clause["keyword"] == "export" or local in exported:
                yield clause["specifier"], local if name == "default" else name
    required = (*ASSIGNED.findall(text), *(one for words in OBJECT.findall(text) for one in PROPERTY.findall(words)))
    yield from ((specifier, ALL) for specifier in required)


def _list_clause_names(clause: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield what a declaration takes from another file: its name there, and the one that it has here."""
    if clause["default"]:
        yield "default", clause["default"]
    if clause["all"]:
        yield ALL, clause["name"] or ""
    yield from _parse_names(clause["braces"] or "")


def _parse_names(braces: str) -> Iterator[tuple[str, str]]:
    """Yield each name of `a, type b as c`, and the one that it gets."""
    for words in map(str.split, braces.split(",")):
        if words:
            is_type = words[0] == "type" and len(words) > 1 and words[1] != "as"
            yield words[1 if is_type else 0], words[-1]
