"""Signatures reduced to what callers depend on: parameters by type in languages whose calls do not name them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_SPACE = re.compile(r"\s*([(),\[\]{}:;<>=|&*?.@])\s*")
_TRAILING = re.compile(r"(?<!,),+([)\]>}])")
_NOISE = frozenset(
    {
        *("comment", "line_comment", "block_comment", "marker_annotation", "annotation", "attribute_list"),
        *("multiline_comment", "attribute", "decorator"),
    }
)
_LISTS = frozenset(("parameters", "formal_parameters", "parameter_list"))
_NO_PART = {
    "java": re.compile(r"\b(?:synchronized|strictfp|native|final)\b"),
    "csharp": re.compile(r"\b(?:async|override|sealed|extern)\b"),
    "swift": re.compile(r"\b(?:convenience|override)\b"),
}
"""Modifiers that callers do not notice."""
_PROMOTION = re.compile(
    r"\b(?:public|protected|private|readonly)(?:\(set\))?\s+|/\*.{0,1000}?\*/|#\[[^\]]{0,1000}\]", re.DOTALL
)
"""Modifiers and attributes of PHP's promoted parameters, and comments."""


def _sort_words(found: re.Match[str]) -> str:
    return f"{' '.join(sorted(found[0].split()))} "


_EQUAL: dict[str, Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]] = {
    "java": [
        (re.compile(r"<\?>"), ""),
        (
            re.compile(r"^\s*(?:(?:public|protected|private|static|abstract|default)\s+)+"),
            _sort_words,
        ),
    ],
    "rust": [(re.compile(r"\bdyn\s+"), "")],
    "swift": [(re.compile(r"^[ \t]*#(?:if|else|elseif|endif)\b.*$", re.MULTILINE), "")],
}
"""By language, what can be written in two ways, or is not part of a signature."""
_QUOTED = {"python", "javascript", "typescript", "tsx"}
"""Languages with two ways to quote one text."""
_NO_BASES = re.compile(r"\(\s*(?:object\s*,?\s*)?\)")
"""The bases of a Python class that has none, or only what is the base of all classes."""
_ACCESSOR_END = re.compile(r"=>|\{")
"""Where the body of an accessor of C# begins."""
_COMMENT = re.compile(r"//|/\*|#")
"""What stands in each text with a comment."""
_ROLE = re.compile(r"(?:^|\.)(\w*property|staticmethod|classmethod|setter|deleter|getter|overload)$")
_FIRST = re.compile(r"\(\s*\w+\s*,?")
_ASYNC = re.compile(r"\basync\b")


def comparable_signature(node: "SgNode", text: str, language: str) -> str:
    """Return a text that differs if a caller may have to change.

    Args:
        node: The definition.
        text: The text before its body, as written.
        language: ast-grep's name of the language.
    """
    if language == "go" and node.kind() in {"function_declaration", "method_declaration"}:
        return _render_go(node)
    if language == "csharp" and node.kind() in {"property_declaration", "indexer_declaration"}:
        return _normalize(f"{_strip_details(node, _find_accessors(node), language)} {','.join(_list_accessors(node))}")
    value = node.field("value") if node.kind() == "variable_declarator" else None
    typed = node.field("type") if value is not None else None
    if typed is not None:  # callers see the declared type, and not how the function takes it apart
        return _normalize(f"{_get_text(node.field('name'))} {typed.text()}")
    cut = _strip_details(node, len(text), language, value)
    cut = _NO_PART[language].sub(" ", cut) if language in _NO_PART else cut
    if language in {"typescript", "tsx"} and (value or node).field("return_type") is not None:
        cut = _ASYNC.sub(" ", cut)  # the declared result is a promise with or without the word
    cut = cut.replace("'", '"') if language in _QUOTED else cut
    for pattern, replacement in _EQUAL.get(language, ()):
        cut = pattern.sub(replacement, cut)
    role = _get_python_role(node) if language == "python" else ""
    if role == "classmethod":  # called as a static method is, without the class
        role, cut = "staticmethod", _FIRST.sub("(", cut, count=1)
    if language == "python" and node.kind() == "class_definition":
        cut = _NO_BASES.sub("", cut)
    return _normalize(f"{role} {cut}")


def strip_noise(node: "SgNode", end: int) -> str:
    """Return the beginning of a definition's text without comments and annotations.

    Args:
        node: The definition.
        end: The length of the text.
    """
    begin, text, at, pieces = node.range().start.index, node.text(), 0, []
    edits = [*_find_noise(node), *_find_comments(node, end)]
    for part, _ in sorted(edits, key=lambda edit: edit[0].range().start.index):
        first, last = part.range().start.index - begin, part.range().end.index - begin
        if at <= first < end:
            pieces.append(text[at:first])
            at = last
    return "".join([*pieces, text[at:end]])


def _normalize(text: str) -> str:
    bare = _SPACE.sub(r"\1", " ".join(text.split()))
    return _TRAILING.sub(r"\1", bare).rstrip(" {:=>;")


def _strip_details(node: "SgNode", end: int, language: str, value: "SgNode | None" = None) -> str:
    """Return the beginning of a definition's text, without comments, annotations and parameter names."""
    begin = node.range().start.index
    found = [*_find_edits(value or node, language), *_find_comments(node, end)]
    edits = sorted(found, key=lambda edit: edit[0].range().start.index)
    edits += [] if value is None else list(_find_noise(node))
    pieces, at = [], 0
    text = node.text()
    for part, replacement in edits:
        first, last = part.range().start.index - begin, part.range().end.index - begin
        if at <= first < end:
            pieces += [text[at:first], replacement]
            at = last
    return "".join([*pieces, text[at:end]])


def _find_edits(node: "SgNode", language: str) -> Iterator[tuple["SgNode", str]]:
    yield from _find_noise(node)
    if language == "swift":
        yield from _find_swift_edits(node)
        return
    render = _RENDER.get(language)
    for child in node.children():
        if render and child.kind() in _LISTS:
            yield child, f"({','.join(filter(None, map(render, _list_named_children(child))))})"
    if language == "python":
        yield from ((child, "") for child in node.children() if child.kind() in {"->", "type"})
    single = node.field("parameter") if render and node.kind() == "arrow_function" else None
    if single is not None:
        yield single, "(_)"


def _find_swift_edits(node: "SgNode") -> Iterator[tuple["SgNode", str]]:
    """Yield the parameters of Swift by label and type, and their defaults, which follow them, as `_`."""
    children = node.children()
    for before, child in zip([None, *children], children, strict=False):
        if child.kind() == "parameter":
            names = [one for one in child.children() if one.kind() == "simple_identifier"]
            yield (
                child,
                child.text().replace(f"{names[0].text()} {names[1].text()}", names[0].text(), 1)
                if len(names) > 1
                else child.text(),
            )
        elif before is not None and before.kind() == "=":
            yield child, "_"


def _find_comments(node: "SgNode", end: int) -> Iterator[tuple["SgNode", str]]:
    """Yield the comments at any depth in the beginning of a definition's text."""
    if not _COMMENT.search(node.text()[:end]):
        return
    last = node.range().start.index + end
    waiting = node.children()
    while waiting:
        child = waiting.pop()
        if child.range().start.index >= last:
            continue
        if "comment" in child.kind():
            yield child, " "
        else:
            waiting += child.children()


def _find_noise(node: "SgNode") -> Iterator[tuple["SgNode", str]]:
    for child in node.children():
        if child.kind() in _NOISE:
            yield child, " "
        elif child.kind() == "modifiers":
            yield from _find_noise(child)


def _list_named_children(node: "SgNode") -> list["SgNode"]:
    return [child for child in node.children() if child.is_named() and child.kind() not in _NOISE]


def _get_text(node: "SgNode | None") -> str:
    """Return a text without comments."""
    if node is None:
        return ""
    text = node.text()
    return strip_noise(node, len(text)) if _COMMENT.search(text) else text


def _render_java(parameter: "SgNode") -> str:
    if parameter.kind() == "spread_parameter":
        typed = [
            child
            for child in _list_named_children(parameter)
            if child.kind() not in {"modifiers", "variable_declarator"}
        ]
        return f"{_get_text(typed[0] if typed else None)}..."
    return _get_text(parameter.field("type")) + _get_text(parameter.field("dimensions"))


def _render_rust(parameter: "SgNode") -> str:
    return _get_text(parameter.field("type")) or parameter.text().removeprefix("mut ")


def _render_script(parameter: "SgNode") -> str:
    """Return a parameter of JavaScript or TypeScript. The keys of an object pattern are part of the call."""
    if parameter.kind() in {"required_parameter", "optional_parameter"}:
        pattern, value = parameter.field("pattern"), parameter.field("value")
        optional = "?" if parameter.kind() == "optional_parameter" or value is not None else ""
        access = [child.text() for child in _list_named_children(parameter) if child.kind() == "accessibility_modifier"]
        typed = parameter.field("type")
        if pattern is not None and pattern.kind() == "object_pattern" and typed is not None:
            shown = "_"  # its type says which keys a call has
        else:
            shown = _render_script(pattern) if pattern is not None else parameter.text()
        return " ".join([*access, f"{shown}{optional}{_get_text(parameter.field('type'))}"])
    if parameter.kind() == "assignment_pattern":
        left = parameter.field("left")
        return f"{_render_script(left) if left is not None else '_'}?"
    return {"identifier": "_", "rest_pattern": "..._"}.get(parameter.kind(), parameter.text())


def _render_python(parameter: "SgNode") -> str:
    """Return a parameter of Python without its annotation, which no call needs."""
    kind = parameter.kind()
    name = parameter.field("name")
    if kind in {"default_parameter", "typed_default_parameter"}:
        return f"{_get_text(name)}={_get_text(parameter.field('value'))}"
    return parameter.children()[0].text() if kind == "typed_parameter" else parameter.text()


def _render_php(parameter: "SgNode") -> str:
    """Return a parameter of PHP. A call does not see whether a constructor promotes it."""
    return _PROMOTION.sub("", parameter.text())


_RENDER: dict[str, Callable[["SgNode"], str]] = {
    "java": _render_java,
    "php": _render_php,
    "python": _render_python,
    "rust": _render_rust,
    **dict.fromkeys(("javascript", "typescript", "tsx"), _render_script),
}
"""How a parameter is compared: by what a call depends on."""


def _render_go(node: "SgNode") -> str:
    """Return receiver, type parameters, parameters and results by their types only."""
    lists = (_list_go_types(node.field(name)) for name in ("receiver", "parameters", "result"))
    receiver, parameters, results = (",".join(types) for types in lists)
    text = f"({receiver}){_get_text(node.field('type_parameters'))}({parameters})({results})"
    return _normalize(text).replace("interface{}", "any")


def _list_go_types(node: "SgNode | None") -> Iterator[str]:
    if node is None:
        return
    if node.kind() != "parameter_list":
        yield node.text()
        return
    for one in _list_named_children(node):
        typed = _get_text(one.field("type")) or one.text()
        names = sum(child.kind() == "identifier" for child in one.children())
        variadic = "..." if one.kind() == "variadic_parameter_declaration" else ""
        yield from [variadic + typed] * max(names, 1)


def get_receiver(node: "SgNode") -> str:
    """Return the type name of a Go method's receiver; empty for a function."""
    receiver = node.field("receiver")
    types = list(_list_go_types(receiver)) if receiver is not None else []
    found = re.match(r"[*\s(]*([\w.]+)", types[0]) if types else None
    return found[1] if found else ""


def format_property(node: "SgNode") -> str:
    """Return a property of C# in one line, with its accessors, and without attributes and values."""
    accessors = "".join(f" {one};" for one in _list_accessors(node))
    return f"{' '.join(strip_noise(node, _find_accessors(node)).split())} {{{accessors} }}"


def _find_accessors(node: "SgNode") -> int:
    """Return the index at which the accessors, the arrow or the value of a C# property begin."""
    begins = [
        child.range().start.index - node.range().start.index
        for child in node.children()
        if child.kind() in {"accessor_list", "arrow_expression_clause", "="}
    ]
    return min(begins, default=len(node.text()))


def _list_accessors(node: "SgNode") -> list[str]:
    """Return the accessors of a C# property: `get`, `set` and `init`, with their visibility."""
    listed = next((child for child in node.children() if child.kind() == "accessor_list"), None)
    if listed is None:
        return ["get"]
    texts = [one.text() for one in listed.children() if one.kind() == "accessor_declaration"]
    return sorted(" ".join(_ACCESSOR_END.split(text, maxsplit=1)[0].rstrip(" ;").split()) for text in texts)


def _get_python_role(node: "SgNode") -> str:
    """Return the decorators of a Python function that callers notice: property, setter, staticmethod."""
    above = node.parent()
    if above is None or above.kind() != "decorated_definition":
        return ""
    names = (child.text().lstrip("@").strip() for child in above.children() if child.kind() == "decorator")
    roles = (found[1] for name in names if (found := _ROLE.search(name.partition("(")[0])))
    return " ".join("property" if role.endswith("property") or role == "getter" else role for role in roles)
