"""The definitions of a file: functions, methods, classes and types, with their lines and whether they are public."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from stithy_pulls.code.comparable_signatures import comparable_signature, format_property, get_receiver, strip_noise
from stithy_pulls.code.source_trees import parse_tree, walk_tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

Rule = Callable[["SgNode", str, bool | None], bool]

MARKS = ("modifiers", "modifier", "visibility_modifier", "accessibility_modifier", "override_modifier")


def is_exposed(node: "SgNode", name: str, language: str, *, outer: bool | None) -> bool:
    """Return whether other code may use a definition. In a language without a rule none is public.

    Args:
        node: The definition.
        name: Its own name.
        language: ast-grep's name of the language.
        outer: Whether the enclosing definition is public; None without one.
    """
    rule = RULES.get(language)
    return rule is not None and outer is not False and rule(node, name, outer)


def _list_modifiers(node: "SgNode") -> set[str]:
    return {word for child in node.children() if child.kind() in MARKS for word in child.text().split()}


def _python(_: "SgNode", name: str, __: bool | None) -> bool:  # noqa: FBT001 -- one shape for all rules
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _script(node: "SgNode", name: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    if outer:
        return not name.startswith(("#", "_")) and not _list_modifiers(node) & {"private", "protected"}
    above = node.parent()
    if above is not None and above.kind() == "lexical_declaration":
        above = above.parent()
    return above is not None and above.kind() == "export_statement"


def _go(_: "SgNode", name: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    return name[:1].isupper()


def _rust(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    if node.kind() in ("impl_item", "mod_item"):
        return node.kind() == "impl_item" or "pub" in _list_modifiers(node)
    is_required = node.kind() == "function_signature_item"
    return "pub" in _list_modifiers(node) or (is_required and outer is True)


def _java(node: "SgNode", _: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    above = node.parent()
    return "public" in _list_modifiers(node) or (above is not None and above.kind() == "interface_body")


def _csharp(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    return "public" in _list_modifiers(node) or (outer is True and _is_member_of(node, "interface_declaration"))


def _swift(node: "SgNode", _: str, outer: bool | None) -> bool:  # noqa: FBT001 -- as above
    if any(word.startswith(("@_spi", "unavailable")) for word in _list_modifiers(node)):
        return False  # what is unavailable only tells former callers its new name
    if is_swift_extension(node):
        return not _list_modifiers(node) & {"private", "fileprivate", "internal"}
    return bool(_list_modifiers(node) & {"public", "open"}) or (
        outer is True and _is_member_of(node, "protocol_declaration")
    )


def is_swift_extension(node: "SgNode") -> bool:
    """Return whether a node adds members to a type that is defined elsewhere. The grammar calls it a class, too."""
    return any(child.kind() == "extension" for child in node.children())


def _is_member_of(node: "SgNode", kind: str) -> bool:
    """Return whether a definition is a member of a kind of type whose members are all public."""
    above = node.parent()
    above = above.parent() if above is not None else None
    return above is not None and above.kind() == kind


def _php(node: "SgNode", _: str, __: bool | None) -> bool:  # noqa: FBT001 -- as above
    return not _list_modifiers(node) & {"private", "protected"}


RULES: dict[str, Rule] = {
    "python": _python,
    **dict.fromkeys(("javascript", "typescript", "tsx"), _script),
    "go": _go,
    "rust": _rust,
    "java": _java,
    "csharp": _csharp,
    "php": _php,
    "swift": _swift,
}


if TYPE_CHECKING:
    from ast_grep_py import SgNode

FUNCTIONS = {
    **dict.fromkeys(("function_definition", "function_declaration", "function_item"), "function"),
    **dict.fromkeys(("function_signature_item", "generator_function_declaration"), "function"),
    **dict.fromkeys(("method_definition", "method_declaration", "method", "singleton_method"), "method"),
    **dict.fromkeys(("constructor_declaration", "method_signature", "abstract_method_signature"), "method"),
    **dict.fromkeys(("init_declaration", "subscript_declaration", "indexer_declaration"), "method"),
    **dict.fromkeys(("function_signature", "protocol_function_declaration"), "function"),
}
NAMELESS = {"init_declaration": "init", "subscript_declaration": "subscript", "indexer_declaration": "this[]"}
TYPES = {
    **dict.fromkeys(("class_definition", "class_declaration", "class", "object_definition"), "class"),
    "abstract_class_declaration": "class",
    **dict.fromkeys(
        ("interface_declaration", "trait_item", "trait_definition", "trait_declaration", "protocol_declaration"),
        "interface",
    ),
    **dict.fromkeys(("struct_item", "enum_item", "struct_declaration", "enum_declaration"), "type"),
    **dict.fromkeys(("type_spec", "type_alias_declaration", "type_item", "record_declaration"), "type"),
    **dict.fromkeys(("module", "namespace_declaration", "mod_item", "impl_item"), "module"),
}
HIDDEN = {
    "rust": {"struct_item", "enum_item", "union_item"},
    "swift": {"class_declaration", "protocol_declaration"},
}
"""The types that further methods can be added to, of languages that have such."""
TYPE_KEYWORDS = {"class", "struct", "enum", "actor", "protocol", "interface", "trait", "union", "record", "type"}
"""Words that declare types; grammars call several of them by one name."""
WORD = re.compile(r"\w+")
CONDITIONAL = {"swift", "csharp"}
"""Languages of which some builds leave out lines."""
DIRECTIVE = re.compile(r"\s*#\s*(if|endif)\b")
ANONYMOUS = {"object_creation_expression"}
"""Expressions whose definitions have no name."""
END = re.compile(r"(?:[\s{:;=]|=>)+$")
"""What stands between a signature and its body."""
ARROWS = ("arrow_function", "function_expression")
SHOWN = 300


@frozen
class Definition:
    """A definition.

    Args:
        name: Its name, qualified with the names of enclosing definitions, separated by dots.
        kind: function, method, property, class, interface or type.
        first: Its first line, from 1.
        last: Its last line.
        signature: The text before its body, in one line.
        exposed: Whether other code may use it.
        compared: The signature without parts that callers do not notice; empty to compare `signature`.
        certain: Whether it is certain that other code may use it, if it is exposed, and that all builds have it.
        overrides: Whether it is declared to override a definition of a base.
    """

    name: str
    kind: str
    first: int
    last: int
    signature: str
    exposed: bool
    compared: str = ""
    certain: bool = True
    overrides: bool = False

    @property
    def identity(self) -> str:
        """What two definitions of one name have in common if callers cannot tell them apart."""
        return self.compared or self.signature

    @property
    def keyword(self) -> str:
        """The word that declares a type, such as struct, if the signature has one; else the kind."""
        words = () if self.is_called else WORD.findall(self.signature.partition(self.name.rpartition(".")[2])[0])
        return next((word for word in words if word in TYPE_KEYWORDS), self.kind)

    @property
    def is_called(self) -> bool:
        """Whether it is a function, a method or a property, whose body callers do not see."""
        return self.kind in {"function", "method", "property"}


def list_definitions(code: str, language: str) -> list[Definition]:
    """Return the definitions of a file in order, except those inside functions.

    Raises:
        UnparsableCode: ast-grep could not parse the file.
    """
    found: list[Definition] = []
    holders: list[tuple[int, Definition]] = []  # the enclosing definitions of the current node, with their depths
    root = parse_tree(code, language)
    is_program = language == "go" and is_go_program(root)  # package main cannot be imported
    listed = _list_python_names(root) if language == "python" else frozenset()
    hidden = _list_hidden_types(root, language) if language in HIDDEN else frozenset()
    conditional = _list_conditional_lines(code) if language in CONDITIONAL else frozenset()
    for node, depth in walk_tree(root, lambda one: _is_called(one, language) or one.kind() in ANONYMOUS):
        while holders and holders[-1][0] >= depth:
            holders.pop()
        if not (kind := _get_kind(node, language)) or not (name := _get_name(node)):
            continue
        holder = holders[-1][1] if holders else None
        definition = _create_definition(node, kind, name, holder, language)
        is_unlisted = holder is None and listed and name not in listed
        if is_program or is_unlisted or (kind == "module" and re.split(r"[<.]", name)[0] in hidden):
            definition = evolve(definition, exposed=False)
        if definition.first in conditional:
            definition = evolve(definition, certain=False)
        holders.append((depth, definition))
        if kind != "module":
            found.append(definition)
    return found


def _list_conditional_lines(code: str) -> frozenset[int]:
    """Return the numbers of the lines that not all builds have."""
    depth, found = 0, set[int]()
    for number, line in enumerate(code.split("\n"), 1):
        directive = DIRECTIVE.match(line)
        depth += 0 if directive is None else 1 if directive[1] == "if" else -1
        found |= {number} if depth > 0 else set()
    return frozenset(found)


def _create_definition(node: "SgNode", kind: str, name: str, holder: Definition | None, language: str) -> Definition:
    place = node.range()
    above = holder.name if holder else get_receiver(node) if language == "go" else ""
    signature, written = _get_signature(node)
    return Definition(
        name=f"{above}.{name}" if above else name,
        kind="method" if kind == "function" and holder and holder.kind == "class" else kind,
        first=place.start.line + 1,
        last=place.end.line + 1,
        signature=signature,
        exposed=is_exposed(node, name, language, outer=holder.exposed if holder else None) and not _is_internal(node),
        compared=comparable_signature(node, written, language),
        certain=not (language == "go" and above[:1].islower()),  # an exported function may return an unexported type
        overrides=bool(_list_modifiers(node) & {"@Override", "override"}),
    )


def _is_internal(node: "SgNode") -> bool:
    """Return whether the comment above a definition says `@internal`, as PHPDoc and TSDoc do."""
    above = node.parent()
    first = above if above is not None and above.kind() == "export_statement" else node
    before = first.prev()
    return before is not None and before.kind() == "comment" and "@internal" in before.text()


def _list_python_names(root: "SgNode") -> frozenset[str]:
    """Return the names in `__all__`, which alone are public; empty without one, or if it is not one literal list."""
    assigned = [child for child in root.children() if child.text().startswith("__all__")]
    assignment = assigned[0].child(0) if len(assigned) == 1 else None
    value = assignment.field("right") if assignment is not None else None
    if value is None or value.kind() not in {"list", "tuple"}:
        return frozenset()
    items = [child for child in value.children() if child.is_named() and child.kind() != "comment"]
    literal = all(item.kind() == "string" for item in items)
    return frozenset(item.text().strip("\"'") for item in items) if literal else frozenset()


def _list_hidden_types(root: "SgNode", language: str) -> frozenset[str]:
    """Return the names of types in a file that others cannot see: methods that are added to them are not public."""
    types = (child for child in root.children() if child.kind() in HIDDEN[language] and not is_swift_extension(child))
    return frozenset(_get_name(one) for one in types if not is_exposed(one, "", language, outer=None))


def is_go_program(root: "SgNode") -> bool:
    """Return whether a Go file belongs to package main."""
    clause = next((child for child in root.children() if child.kind() == "package_clause"), None)
    return clause is not None and clause.text().split()[1:2] == ["main"]


def _get_kind(node: "SgNode", language: str) -> str:
    kind = node.kind()
    if kind == "class_declaration" and language == "swift" and is_swift_extension(node):
        return "module"
    if kind == "property_declaration":
        return "property" if language == "csharp" else ""
    if kind == "variable_declarator":
        value = node.field("value")
        return "function" if value is not None and value.kind() in ARROWS else ""
    if kind == "module" and node.field("name") is None:  # the root of a Python file has the same kind
        return ""
    return FUNCTIONS.get(kind) or TYPES.get(kind, "")


def _is_called(node: "SgNode", language: str) -> bool:
    return _get_kind(node, language) in {"function", "method", "property"}


def _get_name(node: "SgNode") -> str:
    if node.kind() in NAMELESS:
        return NAMELESS[node.kind()]
    named = node.field("type" if node.kind() == "impl_item" else "name")
    return " ".join(named.text().split())[:SHOWN] if named is not None else ""


def _get_signature(node: "SgNode") -> tuple[str, str]:
    """Return the text before the body, in one line and as written; for a type, the text before its members."""
    if node.kind() == "property_declaration":
        return format_property(node), node.text()
    value = node.field("value") if node.kind() == "variable_declarator" else None
    body = (value or node).field("body")
    end = body.range().start.index - node.range().start.index if body is not None else None
    text = node.text()[:end]
    if body is None and (node.kind() in TYPES or node.kind() == "subscript_declaration"):
        text = text.partition("{")[0]
    return END.sub("", " ".join(strip_noise(node, len(text)).split())), text
