"""Extract imports by the syntax of each language, never from comments or strings."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_archdocs.rules.syntax_trees import SyntaxTree, find_nodes

if TYPE_CHECKING:
    from ast_grep_py import SgNode

import posixpath
from collections.abc import Iterable
from functools import lru_cache

from stithy_archdocs.rules.rule_models import ImportPolicy, Rule, RuleHit

_QUOTED = re.compile(r"""["'`]([^"'`]+)["'`]""")
_GROUP = re.compile(r"([^{},]*)\{")
_REFERENCE = re.compile(r"""///\s*<reference\s+(path|types)\s*=\s*(["'])(.+?)\2""")
_ECMA: Mapping[str, Any] = {
    "any": [
        {"kind": "import_statement"},
        {"kind": "export_statement", "has": {"field": "source", "kind": "string"}},
        {"kind": "comment", "regex": r"^///\s*<reference\s"},
        {"pattern": "require($A)"},
        {"pattern": "require?.($A)"},
        {"pattern": "module.require($A)"},
        {"pattern": "import($A)"},
        {"pattern": "import($A, $$$)"},
    ]
}
_ECMA_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PYTHON: Mapping[str, Any] = {
    "any": [
        {"kind": "import_statement"},
        {"kind": "future_import_statement"},
        {"kind": "import_from_statement"},
        {"pattern": "importlib.import_module($A)"},
        {"pattern": "import_module($A)"},
        {"pattern": "__import__($A)"},
    ]
}


@frozen
class ImportedName:
    """An imported name, such as `stithy_core.spi.Meta`, `../http/client` or `std::fs`, with its node."""

    name: str
    node: "SgNode"


def find_imports(tree: SyntaxTree) -> list[ImportedName]:
    """Return the imports of a tree, in order; empty for a language without an entry in `FORMS`."""
    rule, read = FORMS[tree.language]
    nodes = find_nodes(tree, {"rule": dict(rule)})
    return [ImportedName(name, node) for node in nodes for name in read(node) if name]


def _read_quoted(node: "SgNode") -> Iterator[str]:
    """Return the last quoted text, or the first argument of a call; a template with a variable has no known name."""
    text = (_find_argument(node) or node).text()
    if "${" not in text and (found := _QUOTED.findall(text)):
        yield found[-1]


def _find_argument(node: "SgNode") -> "SgNode | None":
    """Return the first argument of a call."""
    arguments = node.field("arguments")
    return next((one for one in arguments.named_children() if one.kind() != "comment"), None) if arguments else None


def _read_ecma(node: "SgNode") -> Iterator[str]:
    """Return what an import of JavaScript or TypeScript names, without escapes."""
    if node.kind() == "comment":
        yield from _read_reference(node)
        return
    parts = (node, *node.children())  # import a = require("b") has its source in a child
    written = next((one for part in parts if (one := part.field("source"))), None) or _find_argument(node)
    if written is None or written.kind() not in ("string", "template_string"):
        return
    if all(one.kind() != "template_substitution" for one in written.children()):
        yield _ECMA_ESCAPE.sub(_decode_escape, written.text()[1:-1])


def _decode_escape(found: re.Match[str]) -> str:
    code = int(found[1] or found[2] or found[3] or "0", 16)
    return found[4] or (chr(code) if code <= sys.maxunicode else found[0])


def _read_reference(node: "SgNode") -> Iterator[str]:
    """Return what a triple-slash directive names; after the first statement it is a comment like others.

    See https://www.typescriptlang.org/docs/handbook/triple-slash-directives.html.
    """
    found = _REFERENCE.match(node.text())
    if found and all(one.kind() in ("comment", "hash_bang_line") for one in node.prev_all()):
        is_relative = found[1] == "path" and not found[3].startswith((".", "/"))
        yield f"./{found[3]}" if is_relative else found[3]


def _read_python(node: "SgNode") -> Iterator[str]:
    kind = node.kind()
    if kind == "call":
        arguments = node.field("arguments")
        yield from _read_quoted(arguments) if arguments else ()
        return
    names = [
        _strip_alias(child) for child in node.named_children() if child.kind() in ("dotted_name", "aliased_import")
    ]
    if kind == "import_statement":
        yield from names
        return
    if kind == "future_import_statement":
        yield from (f"__future__.{name}" for name in names)
        return
    module = node.field("module_name")
    base = module.text() if module else ""
    own = names[1:] if module and module.kind() == "dotted_name" else names
    joint = "" if base.endswith(".") else "."
    yield from [f"{base}{joint}{name}" for name in own] or [base]


def _strip_alias(node: "SgNode") -> str:
    name = node.field("name") if node.kind() == "aliased_import" else node
    return name.text() if name else ""


def _make_keyword_reader(*words: str) -> Callable[["SgNode"], Iterator[str]]:
    """Create a reader for the names behind keywords; groups in braces are expanded, aliases dropped."""
    expression = re.compile(
        rf"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:global\s+)?(?:{'|'.join(words)})\b\s*(?:static\s+|function\s+|const\s+)?"
    )

    def read(node: "SgNode") -> Iterator[str]:
        text = expression.sub("", node.text()).strip().rstrip(";").strip()
        text = re.sub(r"^[\w]+\s*=\s*", "", text)
        yield from _expand_groups("".join(text.split("\n")))

    return read


def _expand_groups(text: str, before: str = "") -> Iterator[str]:
    """Expand `a::{b, c::{d, e}}` to its paths."""
    depth, part = 0, ""
    for sign in f"{text},":
        if sign == "," and not depth:
            yield from _expand_name(part.strip(), before)
            part = ""
            continue
        depth += (sign == "{") - (sign == "}")
        part += sign


def _expand_name(text: str, before: str) -> Iterator[str]:
    if opened := _GROUP.match(text):
        yield from _expand_groups(text[opened.end() :].rpartition("}")[0], before + opened[1].strip())
    elif text:
        name = re.split(r"\s+(?:as|=>)\s+|\s+", text)[0]
        whole = before + name
        yield re.sub(r"(?:::|[.\\])(?:\*|_|self)$", "", whole)


def _read_include(node: "SgNode") -> Iterator[str]:
    if found := re.search(r'[<"]([^>"]+)[>"]', node.text()):
        yield found[1]


FORMS: Mapping[str, tuple[Mapping[str, Any], Callable[["SgNode"], Iterator[str]]]] = {
    "python": (_PYTHON, _read_python),
    "javascript": (_ECMA, _read_ecma),
    "typescript": (_ECMA, _read_ecma),
    "tsx": (_ECMA, _read_ecma),
    "go": ({"kind": "import_spec"}, _read_quoted),
    "java": ({"kind": "import_declaration"}, _make_keyword_reader("import")),
    "kotlin": ({"kind": "import_header"}, _make_keyword_reader("import")),
    "scala": ({"kind": "import_declaration"}, _make_keyword_reader("import")),
    "swift": ({"kind": "import_declaration"}, _make_keyword_reader(r"(?:@\w+\s+)?import")),
    "rust": (
        {"any": [{"kind": "use_declaration"}, {"kind": "extern_crate_declaration"}]},
        _make_keyword_reader("use", r"extern\s+crate"),
    ),
    "csharp": ({"kind": "using_directive"}, _make_keyword_reader("using")),
    "c": ({"kind": "preproc_include"}, _read_include),
    "cpp": ({"kind": "preproc_include"}, _read_include),
    "ruby": ({"any": [{"pattern": "require $A"}, {"pattern": "require_relative $A"}]}, _read_quoted),
    "php": ({"kind": "namespace_use_declaration"}, _make_keyword_reader("use")),
    "dart": ({"any": [{"kind": "library_import"}, {"kind": "library_export"}]}, _read_quoted),
    "lua": ({"pattern": "require($A)"}, _read_quoted),
    "elixir": (
        {"any": [{"pattern": f"{word} $A"} for word in ("import", "alias", "use", "require")]},
        _make_keyword_reader("import", "alias", "use", "require"),
    ),
    "haskell": ({"kind": "import"}, _make_keyword_reader(r"import(?:\s+qualified)?")),
    "solidity": ({"kind": "import_directive"}, _read_quoted),
}
"""By language: the ast-grep rule that finds imports, and the function that reads names from its nodes."""


_PARTS = r"(?=[./\\:]|$)"


def find_policy_hits(rule: Rule, policy: ImportPolicy, tree: SyntaxTree, path: str) -> Iterator[RuleHit]:
    """Iterate over the imports that violate a policy.

    Args:
        rule: The rule with the policy.
        policy: The policy.
        tree: The code.
        path: Path relative to the project; empty if unknown: then relative imports are compared as written.
    """
    if tree.language not in FORMS:
        return
    for one in find_imports(tree):
        broken = _find_violated(policy, set(_iterate_names(one, tree.language, path)))
        if broken is None:
            continue
        place = one.node.range()
        better = policy.prefer.get(broken) or policy.prefer.get("", "")
        yield RuleHit(
            rule=rule,
            description=rule.message
            or f"{one.name} must not be imported" + (" here" if rule.files or rule.ignores else ""),
            text=one.node.text(),
            line=place.start.line + 1,
            column=place.start.column + 1,
            last=place.end.line + 1,
            fix=f"import {better} instead of {broken}" if better else "",
        )


def _find_violated(policy: ImportPolicy, names: Iterable[str]) -> str | None:
    """Return the entry of the policy that an import violates under one of its names; None if it is allowed."""
    if any(_matches(allowed, name) for allowed in policy.allow for name in names):
        return None
    return next((banned for banned in policy.disallow for name in names if _matches(banned, name)), None)


def _matches(pattern: str, name: str) -> bool:
    return bool(_compile_name(pattern).match(name))


@lru_cache(maxsize=1_024)
def _compile_name(pattern: str) -> re.Pattern[str]:
    """Compile a name: `a.b` matches itself and everything below it, `*` any text."""
    inner = re.escape(pattern.rstrip("./:\\") or pattern).replace(r"\*", ".*")
    return re.compile(inner + _PARTS, re.DOTALL)


def _iterate_names(one: ImportedName, language: str, path: str) -> Iterator[str]:
    """Iterate over an import's name, and the absolute names that a relative import may have."""
    yield one.name
    if not path or not one.name.startswith("."):
        return
    if language == "python":
        yield from _iterate_absolute(one.name, path)
    elif one.name.startswith(("./", "../")):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), one.name))


def _iterate_absolute(name: str, path: str) -> Iterator[str]:
    """Iterate over the absolute names that a relative Python import may have: the root of packages is unknown.

    A single word would be mistaken for a top-level module, so it is left out.
    """
    rest = name.lstrip(".")
    parts = path.split("/")[: -(len(name) - len(rest))]
    whole = [*parts, *rest.split(".")]
    for start in range(len(whole) - 1):
        yield ".".join(whole[start:])
