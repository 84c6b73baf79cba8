"""What code imports, by the syntax of its language: never what stands in a comment or a string."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_archdocs.rules.trees import Tree, find

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_QUOTED = re.compile(r"""["'`]([^"'`]+)["'`]""")
_GROUP = re.compile(r"([^{},]*)\{")
_ECMA: Mapping[str, Any] = {
    "any": [
        {"kind": "import_statement"},
        {"kind": "export_statement", "has": {"field": "source", "kind": "string"}},
        {"pattern": "require($A)"},
        {"pattern": "import($A)"},
    ]
}
_PYTHON: Mapping[str, Any] = {
    "any": [
        {"kind": "import_statement"},
        {"kind": "import_from_statement"},
        {"pattern": "importlib.import_module($A)"},
        {"pattern": "import_module($A)"},
        {"pattern": "__import__($A)"},
    ]
}


@frozen
class Import:
    """One imported name: `stithy_core.spi.Meta`, `../http/client`, `std::fs`."""

    name: str
    node: "SgNode"


def imports_of(tree: Tree) -> list[Import]:
    """List what code imports, in its order; nothing for a language of which `FORMS` knows no imports."""
    rule, read = FORMS[tree.language]
    nodes = find(tree, {"rule": dict(rule)})
    return [Import(name, node) for node in nodes for name in read(node) if name]


def _quoted(node: "SgNode") -> Iterator[str]:
    """Take the last quoted text; one that a variable is put into is not known."""
    text = (node.field("source") or node).text()
    if "${" not in text and (found := _QUOTED.findall(text)):
        yield found[-1]


def _python(node: "SgNode") -> Iterator[str]:
    kind = node.kind()
    if kind == "call":
        arguments = node.field("arguments")
        yield from _quoted(arguments) if arguments else ()
        return
    names = [_plain(child) for child in node.named_children() if child.kind() in ("dotted_name", "aliased_import")]
    if kind == "import_statement":
        yield from names
        return
    module = node.field("module_name")
    base = module.text() if module else ""
    own = names[1:] if module and module.kind() == "dotted_name" else names
    joint = "" if base.endswith(".") else "."
    yield from [f"{base}{joint}{name}" for name in own] or [base]


def _plain(node: "SgNode") -> str:
    name = node.field("name") if node.kind() == "aliased_import" else node
    return name.text() if name else ""


def _after(*words: str) -> Callable[["SgNode"], Iterator[str]]:
    """Read what stands behind words, with groups in braces taken apart and other names left out."""
    expression = re.compile(
        rf"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:global\s+)?(?:{'|'.join(words)})\b\s*(?:static\s+|function\s+|const\s+)?"
    )

    def read(node: "SgNode") -> Iterator[str]:
        text = expression.sub("", node.text()).strip().rstrip(";").strip()
        text = re.sub(r"^[\w]+\s*=\s*", "", text)
        yield from _parted("".join(text.split("\n")))

    return read


def _parted(text: str, before: str = "") -> Iterator[str]:
    """Take `a::{b, c::{d, e}}` apart."""
    depth, part = 0, ""
    for sign in f"{text},":
        if sign == "," and not depth:
            yield from _one(part.strip(), before)
            part = ""
            continue
        depth += (sign == "{") - (sign == "}")
        part += sign


def _one(text: str, before: str) -> Iterator[str]:
    if opened := _GROUP.match(text):
        yield from _parted(text[opened.end() :].rpartition("}")[0], before + opened[1].strip())
    elif text:
        name = re.split(r"\s+(?:as|=>)\s+|\s+", text)[0]
        whole = before + name
        yield re.sub(r"(?:::|[.\\])(?:\*|_|self)$", "", whole)


def _include(node: "SgNode") -> Iterator[str]:
    if found := re.search(r'[<"]([^>"]+)[>"]', node.text()):
        yield found[1]


FORMS: Mapping[str, tuple[Mapping[str, Any], Callable[["SgNode"], Iterator[str]]]] = {
    "python": (_PYTHON, _python),
    "javascript": (_ECMA, _quoted),
    "typescript": (_ECMA, _quoted),
    "tsx": (_ECMA, _quoted),
    "go": ({"kind": "import_spec"}, _quoted),
    "java": ({"kind": "import_declaration"}, _after("import")),
    "kotlin": ({"kind": "import_header"}, _after("import")),
    "scala": ({"kind": "import_declaration"}, _after("import")),
    "swift": ({"kind": "import_declaration"}, _after(r"(?:@\w+\s+)?import")),
    "rust": (
        {"any": [{"kind": "use_declaration"}, {"kind": "extern_crate_declaration"}]},
        _after("use", r"extern\s+crate"),
    ),
    "csharp": ({"kind": "using_directive"}, _after("using")),
    "c": ({"kind": "preproc_include"}, _include),
    "cpp": ({"kind": "preproc_include"}, _include),
    "ruby": ({"any": [{"pattern": "require $A"}, {"pattern": "require_relative $A"}]}, _quoted),
    "php": ({"kind": "namespace_use_declaration"}, _after("use")),
    "dart": ({"any": [{"kind": "library_import"}, {"kind": "library_export"}]}, _quoted),
    "lua": ({"pattern": "require($A)"}, _quoted),
    "elixir": (
        {"any": [{"pattern": f"{word} $A"} for word in ("import", "alias", "use", "require")]},
        _after("import", "alias", "use", "require"),
    ),
    "haskell": ({"kind": "import"}, _after(r"import(?:\s+qualified)?")),
    "solidity": ({"kind": "import_directive"}, _quoted),
}
"""How each language imports: what ast-grep finds, and how the names are read from it."""
