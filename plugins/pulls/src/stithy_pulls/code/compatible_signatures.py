"""Whether each use of a definition also fits its new signature."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from stithy_pulls.code.definitions import Definition

_LIFETIME = re.compile(r"\s*\+\s*'[a-z_]\w*\b(?!')|(?<=[<,&+])'[a-z_]\w*\s?,?|<(?:'[a-z_]\w*,?)+>")
"""Lifetimes of Rust, which calls do not name."""
_PATH = re.compile(r"\b(?:[a-z_]\w*::)+(?=\w)")
"""The path of a name of Rust."""
_STANDARD = ("std::", "core::", "alloc::")
_TYPED = re.compile(r"(?P<name>(?:\.\.\.)?_)(?P<optional>\??):(?P<type>.+)")
"""A parameter of TypeScript without its name."""
_PHP = re.compile(r"(?P<null>\??)(?P<type>[\w\\|]+) (?P<name>(?:&|\.\.\.)*\$\w+)(?P<default>=.*)?", re.DOTALL)
_ALL_OPTIONAL = re.compile(r"_:\{(?:\w+\?:[^;,{}]*+[;,]?)+\}")
"""A parameter whose type is an object without required keys, such as the properties of a component."""
_BASES = re.compile(r",|\s(?:extends|implements)\s|[:()\[\]]")
"""What stands before each base of a class."""
_BOTH = ("Decodable", "Encodable")
"""What `Codable` of Swift is another name of."""
_SETTER = re.compile(r",(?:(?:private|protected|internal) )*(?:set|init)$")
"""The setter of a property of C#, behind its getter."""
_EFFECT = re.compile(r"\b(?:async|throws|rethrows)\b")
_UNIONS = {"typescript", "tsx", "php"}
_CLASSES = {"java", "csharp", "php", "typescript", "tsx", "javascript", "swift", "python"}
"""Languages whose classes may have further bases without a change of their users."""


def is_compatible(was: Definition, now: Definition, language: str) -> bool:
    """Return whether each use of the former definition also fits the new one.

    Of a function that is so if only optional parameters are new, behind the former ones or by keyword, if one became
    optional, or if one accepts further types; of a class, if it only has further bases.

    Args:
        was: The former definition.
        now: The new one.
        language: ast-grep's name of the language.
    """
    before, after = (_LIFETIME.sub("", one.identity) for one in (was, now))
    if language == "php":  # names of types have no case
        before, after = before.lower(), after.lower()
    if was.kind == now.kind == "class" and language in _CLASSES:
        return _has_all_bases(before, after, language)
    if was.kind == now.kind == "type" and language in {"typescript", "tsx"}:
        (was_head, was_types), (now_head, now_types) = (text.partition("=")[::2] for text in (before, after))
        return was_head == now_head and bool(was_types) and _split_types(was_types) <= _split_types(now_types)
    if language == "rust":
        before, after = _unify_paths(before, after)
    if language == "go":  # the first parentheses have the receiver
        (was_receiver, before), (now_receiver, after) = (text.partition(")")[::2] for text in (before, after))
        return was_receiver == now_receiver and _accepts_calls(before, after, language)
    return _accepts_calls(before, after, language)


def _has_all_bases(before: str, after: str, language: str) -> bool:
    """Return whether a class has the bases that it had. What is required of type arguments must be the same.

    In Swift it is unknown whether another requirement is a weaker one, since protocols extend each other.
    """
    if language == "swift":
        before, after = before.partition("where ")[0], after.partition("where ")[0]
    if before.partition("where ")[2] != after.partition("where ")[2]:
        return False
    (was_head, *was), (now_head, *now) = ([one.strip() for one in _BASES.split(text)] for text in (before, after))
    further = _BOTH if "Codable" in now else ()
    return was_head == now_head and set(was) <= {*now, "", *(one.partition("<")[0] for one in now), *further}


def _unify_paths(before: str, after: str) -> tuple[str, str]:
    """Remove the paths of Rust's names if they lead to the same names, imported or exported in another way."""
    bare = _PATH.sub("", before), _PATH.sub("", after)
    if bare[0] != bare[1]:
        return before, after
    pairs = zip(_list_paths(before), _list_paths(after), strict=True)
    return bare if all(_is_same_path(one, other) for one, other in pairs) else (before, after)


def _list_paths(text: str) -> Iterator[str]:
    """Yield the path of each name, empty if it has none."""
    for found in re.finditer(r"(?P<path>(?:\b[a-z_]\w*::)*)(?P<name>\b\w+)", text):
        yield found["path"]


def _is_same_path(one: str, other: str) -> bool:
    shares_crate = one.partition("::")[0] == other.partition("::")[0] and not one.startswith(_STANDARD)
    return one.endswith(other) or other.endswith(one) or shares_crate


def _accepts_calls(before: str, after: str, language: str) -> bool:
    (was_head, was, was_tail), (now_head, now, now_tail) = _split_parameters(before), _split_parameters(after)
    if not was and before == _SETTER.sub("", after):  # a property of C# gains a setter
        return True
    if language == "swift":
        return _accepts_swift_calls((was_head, was, was_tail), (now_head, now, now_tail))
    is_inferred = {was_tail[:1], now_tail[:1]} == {"", ":"}  # TypeScript: the result had, or lost, no declared type
    fits = was_tail == now_tail or is_inferred or (language in _UNIONS and _returns_fewer_types(was_tail, now_tail))
    if was_head != now_head or not fits:
        return False
    (was_placed, was_named), (now_placed, now_named) = _split_keywords(was), _split_keywords(now)
    placed = zip(was_placed, now_placed, strict=False)
    if len(now_placed) < len(was_placed) or not all(_accepts(one, other) for one, other in placed):
        return False
    named = {one.partition("=")[0]: one for one in now_named}
    kept = all(_accepts(one, named.pop(one.partition("=")[0], "")) for one in was_named)
    return kept and all(map(_is_optional, [*now_placed[len(was_placed) :], *named.values()]))


def _returns_fewer_types(before: str, after: str) -> bool:
    """Return whether each result of a function was a possible one before."""
    was, now = ({"null"} if text.startswith(":?") else set[str]() for text in (before, after))
    was, now = was | _split_types(before.lstrip(":?")), now | _split_types(after.lstrip(":?"))
    return before[:1] == after[:1] == ":" and now <= was


_Parts: TypeAlias = tuple[str, list[str], str]
"""The text before the parameters of a function, the parameters, and the text behind them."""


def _accepts_swift_calls(before: _Parts, after: _Parts) -> bool:
    """Return whether a function of Swift keeps its labels, in their order, and all other parameters are optional.

    Types are not compared: a type may be an alias of the other one, or a protocol that the other one conforms to.
    """
    if before[0].partition("<")[0] != after[0].partition("<")[0]:
        return False
    if set(_EFFECT.findall(after[2])) - set(_EFFECT.findall(before[2])):
        return False
    waiting = [one.partition(":")[0] for one in before[1]]
    for one in after[1]:
        if waiting and waiting[0] == one.partition(":")[0]:
            waiting.pop(0)
        elif "=" not in one:
            return False
    return not waiting


def _split_parameters(signature: str) -> tuple[str, list[str], str]:
    """Return the text before the parameters, the parameters, and the text behind them."""
    begin = signature.find("(")
    if begin < 0:
        return signature, [], ""
    depth, angles, parts, at = 0, 0, [], begin + 1
    for place, character in enumerate(signature[begin:], begin):
        depth += (character in "([{") - (character in ")]}")
        angles += (character == "<") - (character == ">" and signature[place - 1] not in "-=")
        if depth == 0 or (depth == 1 and angles <= 0 and character == ","):
            parts.append(signature[at:place])
            at = place + 1
        if depth == 0:
            return signature[:begin], [part for part in parts if part], signature[at:]
    return signature, [], ""


def _split_keywords(parameters: list[str]) -> tuple[list[str], list[str]]:
    """Return the parameters before Python's `*` or `*args`, and those that only keywords reach."""
    star = next((place for place, one in enumerate(parameters) if re.fullmatch(r"\*{1,2}\w*", one)), len(parameters))
    keywords = parameters[star:]
    return parameters[:star], [one for one in keywords if one != "*"]


def _accepts(was: str, now: str) -> bool:
    gains_default = now == "_?" and was.startswith("_")  # TypeScript: the default has the type
    declared = was in {"_", "_?", "..._"} and now.startswith(f"{was}:")  # any value was accepted before
    same = was in {now, now.partition("=")[0], now.replace("?", "", 1)}
    return gains_default or declared or same or _takes_more_keys(was, now) or _accepts_more_types(was, now)


def _takes_more_keys(was: str, now: str) -> bool:
    """Return whether a parameter of JavaScript takes an object apart as before, and has further keys."""
    if not (was.startswith("{") and now.startswith("{")):
        return False
    before, after = (set(_split_parameters(f"({text.strip('{}?')})")[1]) for text in (was, now))
    return before <= after


def _accepts_more_types(was: str, now: str) -> bool:
    """Return whether a parameter of TypeScript or PHP accepts the former types, and others."""
    if (before := _TYPED.fullmatch(was)) and (after := _TYPED.fullmatch(now)):
        kept = before["name"] == after["name"] and before["optional"] in {"", after["optional"]}
        accepted = _split_types(after["type"])
        return kept and bool(_split_types(before["type"]) <= accepted or accepted & {"any", "unknown"})
    if (before := _PHP.fullmatch(was)) and (after := _PHP.fullmatch(now)):
        kept = before["name"] == after["name"] and (after["default"] is not None or before["default"] is None)
        old, new = (_split_types(one["type"]) | ({"null"} if one["null"] else set()) for one in (before, after))
        return kept and old <= new
    return False


def _split_types(text: str) -> set[str]:
    """Return the alternatives of a union. Those inside of brackets belong together."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return set(filter(None, parts))


def _is_optional(parameter: str) -> bool:
    return (
        "=" in parameter
        or parameter.startswith("...")
        or parameter.endswith("...")
        or re.match(r"_\?|\{.*\}\?|\.\.\._|\*", parameter) is not None
        or (_ALL_OPTIONAL.fullmatch(parameter) is not None)
    )
