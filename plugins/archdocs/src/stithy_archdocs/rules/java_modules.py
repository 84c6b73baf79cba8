"""Resolve names in Java to the classes of a project: imports, and what needs none.

A class of the same package and a name with its package are used without an import; a wildcard imports only the classes
that are named: https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.4.1.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stithy_archdocs.rules.import_policies import ImportedName, find_imports
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.syntax_trees import SyntaxTree, find_nodes

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_TYPE = re.compile(
    r"^(?:(?:public|final|abstract|sealed|non-sealed|strictfp)[ \t]+|@\w+(?:\([^()\n]*\))?[ \t]+)*"
    r"(?:class|interface|enum|record|@interface)[ \t]+(\w+)",
    re.MULTILINE,
)
_QUALIFIED = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)+\.[A-Z]\w*")
_USES = {
    "any": [
        {"kind": "type_identifier"},
        {"kind": "scoped_type_identifier"},
        {"kind": "field_access"},
        {"kind": "scoped_identifier", "inside": {"any": [{"kind": "annotation"}, {"kind": "marker_annotation"}]}},
        {"kind": "identifier", "regex": "^[A-Z]"},
    ]
}
_DECLARATIONS = {
    "any": [{"kind": f"{kind}_declaration"} for kind in ("class", "interface", "enum", "record", "annotation_type")]
}
_SCOPED = ("scoped_type_identifier", "field_access")
_NAMING = (*_SCOPED, "method_invocation", "method_reference", "marker_annotation", "annotation")
"""Kinds of nodes in which an identifier with a capital may be a class, and not a constant."""


class JavaResolver:
    """Resolves names of classes; a module is a file, named after its package and itself."""

    def __init__(self, files: ProjectFiles, paths: Sequence[str]) -> None:
        self._packages: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        self._classes: dict[str, str] = {}
        for path in paths:
            text = files.read(path)
            package = _PACKAGE.search(text)
            lead = f"{package[1]}." if package else ""
            stem = posixpath.basename(path).removesuffix(".java")
            self._packages[path] = lead
            self._modules[path] = lead + stem
            self._classes |= {lead + name: lead + stem for name in (*_TYPE.findall(text), stem)}
        self._known_packages = frozenset(self._packages.values())

    def get_module(self, path: str) -> str:
        """Return the name of a file's module."""
        return self._modules[path]

    def resolve(self, name: str, path: str) -> Iterator[str]:  # noqa: ARG002 -- the signature of all languages
        """Return the module of a class with its package; the name itself if it is not of the project."""
        yield self._find_class(name) or name

    def iterate_imports(self, tree: SyntaxTree, path: str) -> Iterator[ImportedName]:
        """Iterate over the classes that a file uses, with their packages, and over what it imports from elsewhere."""
        leads = [self._packages[path]]
        explicit: set[str] = set()
        for one in find_imports(tree):
            if one.node.text().rstrip("; \n").endswith("*") and f"{one.name}." in self._known_packages:
                leads.append(f"{one.name}.")
            else:
                explicit.add(one.name.rpartition(".")[2])
                yield one
        hidden = _find_scopes(tree)
        seen: set[str] = set()
        for node in find_nodes(tree, {"rule": _USES}):
            text = "".join(node.text().split())
            if text in seen:
                continue
            if found := _QUALIFIED.match(text):
                seen.add(text)
                yield ImportedName(found[0], node)
            elif text not in explicit and _names_class(node) and not _is_within(node, hidden.get(text, ())):
                seen.add(text)
                yield from (ImportedName(lead + text, node) for lead in leads if lead + text in self._classes)

    def _find_class(self, name: str) -> str:
        parts = name.split(".")
        heads = (".".join(parts[:size]) for size in range(len(parts), 0, -1))
        return next((self._classes[one] for one in heads if one in self._classes), "")


def _find_scopes(tree: SyntaxTree) -> Mapping[str, Collection["SgNode"]]:
    """Return the nodes of the bodies in which a class of the file hides others of its name."""
    found: dict[str, set[SgNode]] = defaultdict(set)
    for one in find_nodes(tree, {"rule": _DECLARATIONS}):
        name, body = one.field("name"), one.parent()
        if name is not None and body is not None:
            found[name.text()].add(body)
    return found


def _is_within(node: "SgNode", bodies: Collection["SgNode"]) -> bool:
    return bool(bodies) and any(one in bodies for one in node.ancestors())


def _names_class(node: "SgNode") -> bool:
    """Return whether an identifier may be the name of a class: not a variable, nor a part of a longer name."""
    above = node.parent()
    kind = above.kind() if above else ""
    if kind in _SCOPED and above and above.child(0) != node:
        return False
    return node.kind() == "type_identifier" or kind in _NAMING
