"""Resolve paths in Rust to the modules of a project: those of `use`, and those that are written in code.

What a module re-exports is that of the module where it is declared: https://doc.rust-lang.org/reference/paths.html.
Code that only tests compile, below `#[cfg(test)]`, does not count.
"""

import posixpath
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stithy_archdocs.rules.import_policies import ImportedName, find_imports
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.syntax_trees import NotCheckable, SyntaxTree, find_nodes, open_tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_TEST = re.compile(r"cfg\((?:all\()?\s*test\b")
_TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;")
_INNER_MODULE = re.compile(r"(#\[cfg\(test\)\]\s*)?\b(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{")
_MOVED = re.compile(r'#\[path\s*=\s*"([^"\n]{1,200})"\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;')
_USE = re.compile(r"(?:^|[;}] )(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]{1,4000});", re.MULTILINE)
_ALIAS = re.compile(r"(?P<path>[\w:]+?)(?:\s+as\s+(?P<name>\w+))?$")
_PATHS = {"any": [{"kind": "scoped_identifier"}, {"kind": "scoped_type_identifier"}, {"kind": "token_tree"}]}
_WRITTEN = re.compile(r"(?<![\w:])(?:\w+::)+\w+")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_OWN_ROOTS = re.compile(r"(?:^|/)(?:src/bin|tests|examples|benches)(?:/|$)")
_RELATIVE = ("crate", "self", "super")
_DEEPEST = 30
_MOST_STEPS = 10
"""Re-exports that are followed in turn."""


class RustResolver:
    """Resolves paths; a module is a file, named by its path from the root of its crate."""

    def __init__(self, files: ProjectFiles, paths: Sequence[str]) -> None:
        manifests = {posixpath.dirname(one): _load(files.read(one)) for one in files.paths if _is_manifest(one)}
        packages = {folder: _get_name(one) for folder, one in manifests.items() if _get_name(one)}
        self._crates = dict.fromkeys(packages, "crate") if len(packages) == 1 else packages
        self._roots = {name: self._crates[folder] for folder, name in packages.items()}
        self._roots |= {
            str(lib["name"]).replace("-", "_"): self._crates[folder]
            for folder in packages
            if isinstance(lib := manifests[folder].get("lib"), dict) and lib.get("name")
        }
        self._targets = frozenset(
            posixpath.normpath(posixpath.join(folder, posixpath.dirname(path)))
            for folder, one in manifests.items()
            for path in _list_targets(one)
        )
        self._others = frozenset(name for one in manifests.values() for name in _list_dependencies(one))
        self._modules = {path: self._name_module(path) for path in paths}
        self._tested: set[str] = set()
        texts = {path: files.read(path) for path in paths}
        for path, text in texts.items():
            here = self._modules[path]
            for target, name in _MOVED.findall(text):
                moved = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                if moved in self._modules:
                    self._modules[moved] = f"{here}::{name}"
            self._tested |= {f"{here}::{name}" for name in _TEST_MODULE.findall(text)}
        self._known = frozenset(self._modules.values())
        inner = {path: tuple(_find_inner_modules(text)) for path, text in texts.items()}
        self._inner = frozenset("::".join([self._modules[at], *one]) for at, row in inner.items() for one, _ in row)
        self._scopes = self._known | self._inner
        self._aliases: dict[str, dict[str, str]] = defaultdict(dict)
        for path, text in texts.items():
            for names, uses in (((), _USE.findall(text)), *inner[path]):
                self._aliases["::".join([self._modules[path], *names])] |= self._read_aliases(uses, path, names)

    def get_module(self, path: str) -> str:
        """Return the name of a file's module."""
        return self._modules[path]

    def resolve(self, name: str, path: str) -> Iterator[str]:
        """Iterate over the modules that a path means: the one that it names, and the one that declares the item."""
        whole = self._make_absolute(name, path)
        named = _find_longest(whole, self._known)
        final = self._follow(whole)
        here = self._modules[path]
        if final == named or not (here == named or here.startswith(f"{named}::")):
            yield named or whole
        if final != named:
            yield final

    def iterate_imports(self, tree: SyntaxTree, path: str) -> Iterator[ImportedName]:
        """Iterate over the paths of `use` and those in code, without code for tests."""
        here = self._modules[path]
        if any(here == one or here.startswith(f"{one}::") for one in self._tested):
            return
        for one in find_imports(tree):
            if (inner := _list_inner_modules(one.node)) is not None:
                yield ImportedName(self._leave_inner_modules(one.name, path, inner), one.node)
        for node in find_nodes(tree, {"rule": _PATHS}):
            above = node.parent()
            if above is not None and above.kind() in (
                node.kind(),
                "scoped_identifier",
                "use_declaration",
                "token_tree",
            ):
                continue
            written = [*dict.fromkeys(self._find_written(node))]
            if written and (inner := _list_inner_modules(node)) is not None:
                yield from (ImportedName(self._leave_inner_modules(one, path, inner), node) for one in written)

    def _find_written(self, node: "SgNode") -> Iterator[str]:
        """Iterate over the paths in a node that begin with a crate or a keyword; others begin with what `use` names."""
        for found in _WRITTEN.findall(_STRING.sub('""', node.text())):
            first = found.partition("::")[0]
            if first in _RELATIVE or first in self._roots or first in self._others:
                yield found

    def _leave_inner_modules(self, name: str, path: str, inner: Sequence[str]) -> str:
        """Return a path that is written in a module within a file as it is written in the file's own module.

        Args:
            name: The path.
            path: The file.
            inner: Names of the modules around the path in its file, the outermost first.
        """
        first, *rest = name.split("::")
        if first not in ("self", "super"):
            is_inner = "::".join([self._modules[path], *inner, first]) in self._inner
            return "::".join(["self", *inner, name]) if is_inner else name
        parts = rest if first == "self" else [first, *rest]
        ups = next((at for at, part in enumerate(parts) if part != "super"), len(parts))
        if ups > len(inner):
            return "::".join(parts[len(inner) :])
        return "::".join(["self", *inner[: len(inner) - ups], *parts[ups:]])

    def _name_module(self, path: str) -> str:
        folder = posixpath.dirname(path)
        while folder and folder not in self._crates:
            folder = posixpath.dirname(folder)
        below = path[len(folder) :].lstrip("/").removesuffix(".rs").removeprefix("src/")
        parts = [part for part in below.split("/") if part not in ("mod", "lib", "main")]
        return "::".join([self._crates.get(folder, "crate"), *parts])

    def _make_absolute(self, name: str, path: str) -> str:
        parts = name.removeprefix("::").split("::")
        here = self._modules[path].split("::")
        if parts[0] == "crate":
            parts = [*self._find_root(path, here[0]).split("::"), *parts[1:]]
        elif parts[0] in ("self", "super"):
            level = sum(part == "super" for part in parts)
            parts = [*here[: len(here) - level], *(part for part in parts if part not in ("self", "super"))]
        elif (inner := "::".join([*here, parts[0]])) in self._known:
            parts = [*inner.split("::"), *parts[1:]]
        elif parts[0] in self._roots:
            parts = [self._roots[parts[0]], *parts[1:]]
        return "::".join(parts)

    def _find_root(self, path: str, default: str) -> str:
        """Return the root of a file's crate: a program, a test or an example is a crate of its own."""
        folder = posixpath.dirname(path)
        if own := _OWN_ROOTS.search(folder):
            root = folder[: own.end()].rstrip("/")
            below = posixpath.join(root, folder[len(root) :].strip("/").partition("/")[0])
            return self._name_module(f"{below if f'{below}/main.rs' in self._modules else root}/mod.rs")
        while folder and folder not in self._targets:
            folder = posixpath.dirname(folder)
        return self._name_module(f"{folder}/mod.rs") if folder in self._targets else default

    def _follow(self, whole: str) -> str:
        """Return the module that declares an item, through what modules re-export."""
        for _ in range(_MOST_STEPS):
            # the last part may be a function with the name of a module within the file
            module = _find_longest(whole if whole in self._known else whole.rpartition("::")[0], self._scopes)
            first, _, rest = whole[len(module) :].removeprefix("::").partition("::")
            target = self._aliases.get(module, {}).get(first)
            if not module or not target:
                break
            whole = f"{target}::{rest}" if rest else target
        return _find_longest(whole, self._known) or whole

    def _read_aliases(self, uses: Sequence[str], path: str, inner: Sequence[str]) -> Mapping[str, str]:
        """Return what `use` names in a module of a file, by name, as absolute paths."""
        found: dict[str, str] = {}
        for statement in uses:
            for one in expand_use(statement):
                if (alias := _ALIAS.match(one)) and alias["path"].rpartition("::")[0]:
                    name = alias["name"] or alias["path"].rpartition("::")[2]
                    found[name] = self._make_absolute(self._leave_inner_modules(alias["path"], path, inner), path)
        return found


def expand_use(text: str, before: str = "", depth_left: int = _DEEPEST) -> Iterator[str]:
    """Expand `a::{b, c::{d as e}}` to its paths, with their other names; wildcards are left out."""
    depth, part = 0, ""
    for sign in f"{' '.join(text.split())},":
        if sign == "," and not depth:
            lead, brace, rest = part.strip().partition("{")
            if brace and depth_left:
                yield from expand_use(rest.rpartition("}")[0], before + lead.replace(" ", ""), depth_left - 1)
            elif lead and not brace and not lead.endswith("*"):
                yield (before + lead).removesuffix("::self")
            part = ""
            continue
        depth += (sign == "{") - (sign == "}")
        part += sign


def _find_inner_modules(text: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Iterate over the modules that a file declares with their code: their names, and what `use` says in each."""
    if all(found[1] for found in _INNER_MODULE.finditer(text)):
        return
    try:
        modules = find_nodes(
            open_tree(text, "rust"),
            {"rule": {"kind": "mod_item", "has": {"field": "body", "kind": "declaration_list"}}},
        )
    except NotCheckable:
        return
    for module in modules:
        body = module.field("body")
        names = _list_inner_modules(body) if body is not None else None
        if body is not None and names is not None:
            uses = [one for one in body.children() if one.kind() == "use_declaration" and not _has_test_attribute(one)]
            yield tuple(names), [statement for one in uses for statement in _USE.findall(one.text())]


def _list_inner_modules(node: "SgNode") -> list[str] | None:
    """Return the names of the modules around a node in its file, the outermost first; None in code for tests only."""
    names: list[str] = []
    for above in (node, *node.ancestors()):
        if _has_test_attribute(above):
            return None
        if above.kind() == "mod_item" and (name := above.field("name")):
            names.insert(0, name.text())
    return names


def _has_test_attribute(node: "SgNode") -> bool:
    before = node.prev()
    while before is not None and before.kind() == "attribute_item":
        if _TEST.search(before.text()):
            return True
        before = before.prev()
    return False


def _find_longest(name: str, known: frozenset[str]) -> str:
    parts = name.split("::")
    return next((one for size in range(len(parts), 0, -1) if (one := "::".join(parts[:size])) in known), "")


def _is_manifest(path: str) -> bool:
    return posixpath.basename(path) == "Cargo.toml"


def _load(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _get_name(manifest: Mapping[str, object]) -> str:
    package = manifest.get("package")
    return str(package["name"]).replace("-", "_") if isinstance(package, dict) and package.get("name") else ""


def _list_targets(manifest: Mapping[str, object]) -> Iterator[str]:
    """Iterate over the roots of crates that a manifest names: `path` of its library and programs."""
    for key in ("lib", "bin", "example", "test", "bench"):
        listed = manifest.get(key)
        for one in listed if isinstance(listed, list) else [listed]:
            if isinstance(one, dict) and isinstance(one.get("path"), str):
                yield one["path"]


def _list_dependencies(manifest: Mapping[str, object]) -> Iterator[str]:
    workspace = manifest.get("workspace")
    tables = [manifest, *([workspace] if isinstance(workspace, dict) else [])]
    for table in tables:
        for key in ("dependencies", "dev-dependencies", "build-dependencies"):
            listed = table.get(key)
            yield from (str(one).replace("-", "_") for one in (listed if isinstance(listed, dict) else ()))
    yield from ("std", "core", "alloc")
