"""The graph of imports between the modules of a project, by the rules of each language.

Names have the form of their language: `a.b` in Python, `com.acme.Shop` in Java, `crate::a::b` in Rust, paths of folders
in Go (`internal/store`) and of files in JavaScript and TypeScript (`src/ui/button.ts`).
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

from stithy_archdocs.rules.crate_paths import RustResolver
from stithy_archdocs.rules.ecma_modules import SCRIPTED, EcmaResolver, select_scripts
from stithy_archdocs.rules.import_policies import ImportedName, find_imports
from stithy_archdocs.rules.java_modules import JavaResolver
from stithy_archdocs.rules.languages import find_language_of_path
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.syntax_trees import NotCheckable, SyntaxTree, open_tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

ECMA = ("javascript", "typescript", "tsx")
SEPARATORS: Mapping[str, str] = {"python": ".", "java": ".", "rust": "::", "go": "/", **dict.fromkeys(ECMA, "/")}
"""What separates the parts of a module's name, by language; the languages that have a graph."""
_TYPE_CHECKING = re.compile(r"(?:\w+\.)?TYPE_CHECKING")
_GO_IGNORED = re.compile(r"(?:^|/)(?:vendor/|testdata/|_)")
_GO_UNBUILT = re.compile(r"^//(?:go:build|\s*\+build)\s+ignore\s*$", re.MULTILINE)
_GO_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


@frozen
class ImportSite:
    """Where a module is imported first: path of the file, first and last line, and the text of the import."""

    path: str
    line: int
    last: int
    text: str


@frozen
class ImportGraph:
    """Modules and their imports.

    Args:
        separator: What separates the parts of a name.
        modules: Names of the project's own modules, with the paths of their files.
        imports: By importing module: the imported modules, each with the place of its first import. Modules of others
            have the name that is written.
        unread: Files that could not be parsed or read, with the reason.
        outside: Imported modules of others, if own modules are named by paths: Node's `test` is not a folder `test`.
    """

    separator: str
    modules: Mapping[str, tuple[str, ...]]
    imports: Mapping[str, Mapping[str, ImportSite]]
    unread: Mapping[str, str] = field(factory=dict)
    outside: frozenset[str] = frozenset()

    def is_below(self, name: str, module: str) -> bool:
        """Return whether a name is a module, or is below it."""
        return name == module or name.startswith(module + self.separator)


def build_graph(
    files: ProjectFiles, language: str, paths: Sequence[str], *, without_types: bool = False
) -> ImportGraph:
    """Build the graph of one language.

    Args:
        files: The project.
        language: A language of `SEPARATORS`; the variants of JavaScript have one graph.
        paths: The files whose imports count; other files are only names.
        without_types: Whether imports in `if TYPE_CHECKING:` do not count.
    """
    everything = [path for path in files.paths if has_imports(path, language)]
    names = _RESOLVERS["javascript" if language in ECMA else language](files, everything)
    imports: dict[str, dict[str, ImportSite]] = defaultdict(dict)
    unread: dict[str, str] = {}
    wanted = set(paths)
    for path in everything:
        if path not in wanted:
            continue
        try:
            for name, site in _iterate_sites(files, path, names, without_types=without_types):
                for module in names.resolve(name, path):
                    if module != names.get_module(path):
                        imports[names.get_module(path)].setdefault(module, site)
        except NotCheckable as error:
            unread[path] = str(error)
    modules: dict[str, list[str]] = defaultdict(list)
    for path in everything:
        modules[names.get_module(path)].append(path)
    found = {name: tuple(one) for name, one in modules.items()}
    unread |= {path: reason for path, reason in files.unread.items() if path in wanted}
    own = {*found, *files.paths} if SEPARATORS[language] == "/" else None
    outside = {name for row in imports.values() for name in row if own is not None and name not in own}
    return ImportGraph(SEPARATORS[language], found, imports, unread, frozenset(outside))


def has_imports(path: str, language: str) -> bool:
    """Return whether the imports of a file belong to the graph of a language; those of JavaScript share one.

    In Python, no module has a dot in its own name: such files are read by other programs, such as hooks of PyInstaller.
    In Go, those of tests belong to other packages, and folders of some names are not part of a module:
    https://pkg.go.dev/cmd/go#hdr-Package_lists_and_patterns.
    """
    if language == "go" and (path.endswith("_test.go") or _GO_IGNORED.search(path)):
        return False
    if language == "python" and "." in posixpath.splitext(posixpath.basename(path))[0]:
        return False
    if language not in ECMA:
        return find_language_of_path(path) == language
    return find_language_of_path(path) in ECMA or path.endswith(SCRIPTED)


def _iterate_sites(
    files: ProjectFiles, path: str, names: "_Resolver", *, without_types: bool
) -> Iterator[tuple[str, ImportSite]]:
    tree = _open_file(files, path)
    if tree.language == "go" and _GO_UNBUILT.search(tree.code):
        return
    for one in names.iterate_imports(tree, path):
        if tree.language == "python" and one.node.kind() == "call":
            continue  # a name that is computed at run time; linters of imports leave it out as well
        if without_types and _is_for_types(one.node):
            continue
        place = one.node.range()
        yield one.name, ImportSite(path, place.start.line + 1, place.end.line + 1, " ".join(one.node.text().split()))


def _open_file(files: ProjectFiles, path: str) -> SyntaxTree:
    text = files.read(path)
    if path.endswith(SCRIPTED):
        return open_tree(select_scripts(text), "tsx")
    return open_tree(text, find_language_of_path(path) or "")


def _is_for_types(node: "SgNode") -> bool:
    """Return whether an import of Python is in the body of `if TYPE_CHECKING:`, which only type checkers execute."""
    start = node.range().start.index
    for above in node.ancestors():
        test, body = above.field("condition"), above.field("consequence")
        if above.kind() == "if_statement" and test and body and _TYPE_CHECKING.fullmatch(test.text()):
            inside = body.range()
            if inside.start.index <= start < inside.end.index:
                return True
    return False


class _Resolver(Protocol):
    """Which module a file is, and which modules an import means."""

    def get_module(self, path: str) -> str: ...
    def resolve(self, name: str, path: str) -> Iterable[str]: ...
    def iterate_imports(self, tree: SyntaxTree, path: str) -> Iterable[ImportedName]: ...


class _Names:
    """A resolver for languages whose modules are used only if they are imported."""

    def __init__(self, modules: Mapping[str, str], resolve: Callable[[str, str], Iterable[str]]) -> None:
        self._modules, self._resolve = modules, resolve

    def get_module(self, path: str) -> str:
        return self._modules[path]

    def resolve(self, name: str, path: str) -> Iterable[str]:
        return self._resolve(name, path)

    def iterate_imports(self, tree: SyntaxTree, path: str) -> Iterable[ImportedName]:  # noqa: ARG002 -- of others
        return find_imports(tree)


def _make_python_names(_: ProjectFiles, paths: Sequence[str]) -> _Names:
    packages = {posixpath.dirname(path) for path in paths if posixpath.basename(path) == "__init__.py"}
    modules = {path: _name_python_module(path, packages) for path in paths}
    known = {*modules.values()}

    def resolve(name: str, path: str) -> Iterator[str]:
        whole = _make_absolute(name, modules[path], is_package=path.endswith("__init__.py"))
        yield _find_longest(whole, known, ".") or whole

    return _Names(modules, resolve)


def _name_python_module(path: str, packages: set[str]) -> str:
    """Return the name from the highest package above a file; folders without `__init__.py` are not packages."""
    parts = [posixpath.basename(path).removesuffix(".py").removesuffix(".pyi")]
    folder = posixpath.dirname(path)
    while folder in packages and folder:
        parts.insert(0, posixpath.basename(folder))
        folder = posixpath.dirname(folder)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _make_absolute(name: str, module: str, *, is_package: bool) -> str:
    rest = name.lstrip(".")
    level = len(name) - len(rest)
    if not level:
        return name
    parts = module.split(".")
    above = parts[: len(parts) - level + (1 if is_package else 0)]
    return ".".join([*above, *([rest] if rest else [])])


def _find_longest(name: str, known: Iterable[str], separator: str) -> str:
    parts = name.split(separator)
    return next((one for size in range(len(parts), 0, -1) if (one := separator.join(parts[:size])) in known), "")


def _make_go_names(files: ProjectFiles, paths: Sequence[str]) -> _Names:
    homes = {}
    folders = {posixpath.dirname(path) or "." for path in paths}
    for path in files.paths:
        if posixpath.basename(path) == "go.mod" and (found := _GO_MODULE.search(files.read(path))):
            homes[found[1].strip('"')] = posixpath.dirname(path)

    def resolve(name: str, path: str) -> Iterator[str]:  # noqa: ARG001 -- the signature of all languages
        for module, folder in sorted(homes.items(), reverse=True):
            if name == module or name.startswith(f"{module}/"):
                yield posixpath.normpath(posixpath.join(folder, name[len(module) :].lstrip("/") or "."))
                return
        yield f"std/{name}" if name in folders else name

    return _Names({path: posixpath.dirname(path) or "." for path in paths}, resolve)


def _make_ecma_names(files: ProjectFiles, paths: Sequence[str]) -> _Names:
    return _Names({path: path for path in paths}, EcmaResolver(files).resolve)


_RESOLVERS: Mapping[str, Callable[[ProjectFiles, Sequence[str]], _Resolver]] = {
    "python": _make_python_names,
    "java": JavaResolver,
    "go": _make_go_names,
    "rust": RustResolver,
    "javascript": _make_ecma_names,
}
