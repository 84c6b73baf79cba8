"""Whether calls of a function fit its new signature, by what is certain without types: numbers, names and labels.

Types are not compared. Only a compiler knows whether another type is an alias, a base or an accepted conversion.
"""

import re
from collections.abc import Callable, Mapping

from attrs import frozen

from stithy_pulls.code.definitions import Definition

_BETWEEN = re.compile(r"(?:[?!=\s]|async\b)*")
"""What stands between the name of a function and its parameters."""
_OPTIONAL_KEYS = re.compile(r"_:\{(?:\w+\?:[^;,{}]*+[;,]?)+\}")
"""A parameter of TypeScript whose type is an object without required keys."""
_OPTIONAL = re.compile(r"(?:\w+ )*(?:_|\{.*\}|\[.*\])\?|" + _OPTIONAL_KEYS.pattern, re.DOTALL)
_VARIADIC = re.compile(r"(?:\w+ )*\.\.\.|.*\.\.\.$|params\b|(?:.*[ &])?\.\.\.\$", re.DOTALL)
_STRING = re.compile(r'"(?:\\.|[^"\\])*+"')
_EITHER_STRING = re.compile(rf"{_STRING.pattern}|'(?:\\.|[^'\\])*+'")
"""Strings, of languages in which an apostrophe begins one, too. The others have lifetimes or characters."""
_APOSTROPHES = {"python", "php", "typescript", "tsx"}
_INFINITE = 1_000
"""More arguments than a call has."""
_EFFECTS: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r"\basync(?= def\b)|^property\b"),
    "rust": re.compile(r"\b(?:async|unsafe)\b"),
    "swift": re.compile(r"\b(?:async|throws|static|class)\b"),
}
"""By language, the words beside the parameters that change how a call is written."""
_SPECIAL = re.compile(r"__(?!(?:init|call|new)__)\w+__")
"""Methods of Python that the interpreter calls, without names of parameters."""


@frozen
class CallForm:
    """What each call of a function must have, and what it may have.

    Args:
        parameters: The parameters as written, in order.
        effects: The words of a language's `_EFFECTS`.
        results: The number of results in Go; else 1.
    """

    parameters: tuple[str, ...]
    effects: frozenset[str] = frozenset()
    results: int = 1


def accepts_calls(was: Definition, now: Definition, language: str) -> bool:
    """Return whether each call of the former definition may fit the new one. False is certain.

    JavaScript accepts any number of arguments, and a class or type is not called, so they accept all.

    Args:
        was: The former definition.
        now: The new one.
        language: ast-grep's name of the language.
    """
    if language not in _RULES or not was.is_called or not now.is_called or was.is_wrapped or now.is_wrapped:
        return True
    before, after = _read_form(was, language), _read_form(now, language)
    return before is None or after is None or before == after or _RULES[language](before, after, was)


def _read_form(one: Definition, language: str) -> CallForm | None:
    """Return the form of a function's calls; None if its parameters are not found, such as those of a typed value."""
    name = one.name.rpartition(".")[2]
    identity = (_EITHER_STRING if language in _APOSTROPHES else _STRING).sub("_", one.identity)
    if language == "go":
        _, _, rest = _split_parameters(identity)
        _, parameters, tail = _split_parameters(rest)
        return CallForm(parameters, results=len(_split_parameters(tail)[1]))
    for found in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", identity):
        at = _skip_generics(identity, _skip_between(identity, found.end()))
        at = _skip_generics(identity, _skip_between(identity, at))
        if identity.startswith("(", at):
            _, parameters, tail = _split_parameters(identity[at:])
            beside = identity[: found.start()] + ("" if language != "swift" else tail.partition("->")[0])
            effects = _EFFECTS[language].findall(beside) if language in _EFFECTS else ()
            return CallForm(parameters, frozenset(effects))
    return None


def _skip_between(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _skip_generics(text: str, at: int) -> int:
    """Return the index behind type parameters, if they begin at one; a `>` behind `-` or `=` is part of an arrow."""
    depth = 0
    for place in range(at, len(text) if text.startswith("<", at) else at):
        depth += (text[place] == "<") - (text[place] == ">" and text[place - 1] not in "-=")
        if depth == 0:
            return place + 1
    return at


def _split_parameters(signature: str) -> tuple[str, tuple[str, ...], str]:
    """Return the text before the first parentheses, what they list, and the text behind them."""
    begin = signature.find("(")
    depth, angles, parts, at = 0, 0, [], begin + 1
    for place, character in enumerate(signature[begin:] if begin >= 0 else "", begin):
        depth += (character in "([{") - (character in ")]}")
        angles += (character == "<") - (character == ">" and signature[place - 1] not in "-=")
        if depth == 0 or (depth == 1 and angles <= 0 and character == ","):
            parts.append(signature[at:place])
            at = place + 1
        if depth == 0:
            return signature[:begin], tuple(filter(None, parts)), signature[at:]
    return signature, (), ""


def _is_optional(parameter: str) -> bool:
    return "=" in parameter or _OPTIONAL.match(parameter) is not None or _VARIADIC.match(parameter) is not None


def _count_arguments(form: CallForm) -> tuple[int, int]:
    """Return the least and the greatest number of arguments."""
    most = _INFINITE if any(map(_VARIADIC.match, form.parameters)) else len(form.parameters)
    return sum(not _is_optional(one) for one in form.parameters), most


def _accepts_numbers(before: CallForm, after: CallForm, _: Definition) -> bool:
    (was_least, was_most), (now_least, now_most) = _count_arguments(before), _count_arguments(after)
    is_used = before.results in {0, after.results}  # what returns nothing can be called for nothing still
    return is_used and now_least <= was_least and was_most <= now_most and after.effects <= before.effects


def _accepts_components(before: CallForm, after: CallForm, was: Definition) -> bool:
    """Components of a name in upper case are called by the framework, with their properties."""
    return (was.name[:1].isupper() and "." not in was.name) or _accepts_numbers(before, after, was)


def _accepts_labels(before: CallForm, after: CallForm, _: Definition) -> bool:
    """Return whether a function of Swift keeps its labels, in their order, and all other parameters are optional."""
    if (before.effects ^ after.effects) & {"static", "class"} or not after.effects <= before.effects:
        return False
    waiting = [one.partition(":")[0] for one in before.parameters]
    for one in after.parameters:
        if waiting and waiting[0] == one.partition(":")[0]:
            waiting.pop(0)
        elif not ("=" in one or one.endswith("...")):
            return False
    return not waiting


@frozen
class PythonParameters:
    """The parameters of a Python function.

    Args:
        placed: Those that calls may pass by position, with whether each is optional, in order.
        named: Those that calls may pass by name, with whether each is optional.
        is_open: Whether it takes any further arguments, by position or by name.
    """

    placed: Mapping[str, bool]
    named: Mapping[str, bool]
    is_open: bool


def _read_python(form: CallForm) -> PythonParameters:
    placed: dict[str, bool] = {}
    named: dict[str, bool] = {}
    is_open = has_star = False
    for one in form.parameters:
        name = one.partition("=")[0]
        if not placed and name in {"self", "cls"}:
            continue
        if name == "/":
            named.clear()
        elif name.startswith("*"):
            is_open |= name != "*"
            has_star |= not name.startswith("**")
        else:
            named[name] = "=" in one
            placed.update({} if has_star else {name: "=" in one})
    return PythonParameters(placed, named, is_open)


def _accepts_python(before: CallForm, after: CallForm, was: Definition) -> bool:
    if before.effects != after.effects:
        return False
    old, new = _read_python(before), _read_python(after)
    if old.is_open or new.is_open:
        return True
    if _SPECIAL.fullmatch(was.name.rpartition(".")[2]):
        return _accepts_numbers(before, after, was)
    keeps_places = [*new.placed][: len(old.placed)] == [*old.placed]
    keeps_names = old.named.keys() <= new.named.keys()
    before_all, after_all = {**old.placed, **old.named}, {**new.placed, **new.named}
    required = {name for name, is_optional in after_all.items() if not is_optional}
    return keeps_places and keeps_names and all(before_all.get(name) is False for name in required)


_RULES: Mapping[str, Callable[[CallForm, CallForm, Definition], bool]] = {
    **dict.fromkeys(("go", "java", "rust", "csharp", "php", "typescript"), _accepts_numbers),
    "tsx": _accepts_components,
    "swift": _accepts_labels,
    "python": _accepts_python,
}
