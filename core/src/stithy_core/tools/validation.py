"""Check the arguments of a call, drop those that its host added, structure them into their class, and check results."""

import json
import math
import operator
import re
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache, lru_cache, partial
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import attrs

from stithy_core.errors import InvalidArguments
from stithy_core.model import Listing
from stithy_core.spi import Page, Unknown
from stithy_core.spi.tools import CURSOR_ARGUMENT, DRY_RUN_ARGUMENT, WORKFLOW_ARGUMENT
from stithy_core.tools.schema import (
    SCALARS,
    field_hints,
    is_optional,
    item_hint,
    split_notes,
    union_members,
    value_schema,
)

if TYPE_CHECKING:
    from cattrs import Converter

RESERVED = frozenset({CURSOR_ARGUMENT, DRY_RUN_ARGUMENT, WORKFLOW_ARGUMENT})
"""Names with a meaning to callers, though no served tool may have them."""
LONGEST = 100
"""Characters of a name that are compared; a longer name resembles none."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ORDER = frozenset({"wait", "for", "on", "until", "previous", "prior", "preceding", "other", "parallel", "sequential"})
_ORDER_OF_CALLS = _ORDER | {"tool", "tools", "call", "calls", "turn", "id", "index"}
"""A name of several of these words, and no other, only orders calls."""


def is_addition(name: str, own: Collection[str], others: Collection[str], *, writes: bool) -> bool:
    """Return whether an unknown argument is an addition of the host, so that the call means the same without it.

    A host cannot tell the server which arguments it adds: Gemini CLI adds `wait_for_previous` to every schema and
    passes it on. What resembles an argument of the tool is a misspelling, and what another tool takes is a mistake.
    Of a tool that writes, anything else could restrict what is written (`preview`, `only_if_open`), so there the name
    must say nothing but in which order calls are made.

    Args:
        name: The argument.
        own: The arguments of the tool.
        others: The arguments of all tools that are served.
        writes: Whether the tool leaves something behind.
    """
    if name in others:
        return False
    words = _words(name)
    if len(words) > 1 and _ORDER_OF_CALLS.issuperset(words):
        return "_".join(words) not in own
    return not writes and find_nearest(name, own) is None


def find_nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar name; None if none is similar.

    Close spellings come first, then those that share all words of the one with the other (`pr_number`, `pr`), then
    those that begin alike (`repo`, `repository`).
    """
    from difflib import get_close_matches

    spelt = {"_".join(_words(one)): one for one in names}
    wanted = _words(name[:LONGEST])
    joined = "_".join(wanted)
    if near := get_close_matches(joined, spelt, n=1):
        return spelt[near[0]]
    shared = (one for key, one in spelt.items() if wanted and _share_words(wanted, key.split("_")))
    begun = (one for key, one in spelt.items() if len(joined) > 1 and key.startswith(joined))
    return next(shared, None) or next(begun, None)


def _words(name: str) -> Sequence[str]:
    """Split a name in any usual case: `dryRun`, `dry-run` and `DRY_RUN` are the same words."""
    return [word.lower() for word in _WORD.findall(name[: LONGEST + 1])]


def _share_words(these: Sequence[str], those: Sequence[str]) -> bool:
    return set(these) <= set(those) or set(those) <= set(these)


SHOWN = 5
LENGTH = 100

EXACT: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
"""Values of exactly these types need no type check by jsonschema, which accepts others, such as 1.0 for an integer."""
UNCHECKED = ("description", "default", "examples")
QUICK: Mapping[str, Callable[[Any, Any], bool]] = {
    "type": lambda _, __: True,
    "minimum": operator.le,
    "maximum": operator.ge,
    "minLength": lambda wanted, text: wanted <= len(text),
    "maxLength": lambda wanted, text: wanted >= len(text),
}
"""Quick checks of a value of exactly its type; jsonschema runs only where one fails, to explain why."""
SAFE = 2**63

Message = Callable[[Sequence[object]], str]

# jsonschema's ValidationError; its stubs allow an `Unset` in every field, which an error that was found never has.
Fault: TypeAlias = Any
Schema: TypeAlias = Mapping[str, Any]


class Validator:
    """Checks arguments against one schema; jsonschema is imported at the first check.

    Args:
        schema: What `input_schema` returned.
        message: Returns the error text that a field's note sets, by its path.
        instead: The arguments that may be given in place of a required one.
    """

    def __init__(
        self, schema: Mapping[str, Any], message: Message, instead: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._schema = schema
        self._instead = instead or {}
        self._message = message
        self._errors: Callable[[Any], Iterable[Fault]] | None = None

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Check arguments.

        Raises:
            InvalidArguments: Some do not fit. `details["errors"]` has path, given, allowed and message of each fault.
        """
        errors_of = self.prepare()
        if not _is_plain(arguments) and (odd := list(_iterate_odd_numbers(arguments, ""))):
            raise _create_error(odd)  # jsonschema cannot even name some of them
        errors = sorted(errors_of(arguments), key=lambda error: list(map(str, error.absolute_path)))
        if not errors:
            return
        problems = [problem for error in errors for problem in self._problems(error)]
        if not problems:  # others are given in place of all that is missing
            return
        # jsonschema reports each required field by itself, and each of its reports lists all that are missing.
        raise _create_error(list({(problem["path"], problem["message"]): problem for problem in problems}.values()))

    def prepare(self) -> Callable[[Any], Iterable[Fault]]:
        """Return the function that iterates over the faults of arguments; the first time, create it."""
        if self._errors is None:
            self._errors = build_checker(self._schema)
        return self._errors

    def _problems(self, error: Fault) -> Iterable[dict[str, Any]]:
        path = shorten(".".join(map(str, error.absolute_path)))
        if error.validator == "required":
            for name in error.validator_value:
                others = () if path else self._instead.get(name, ())
                if name not in error.instance and not any(other in error.instance for other in others):
                    text = f"{_join(path, name)} is required{_describe_alternatives(others)}"
                    yield _create_problem(_join(path, name), None, "a value", text)
        elif error.validator == "additionalProperties":
            allowed = sorted(error.schema["properties"])
            for name in sorted(set(error.instance) - set(allowed)):
                text = f"{shorten(_join(path, name))} is not an argument{_suggest_name(name, allowed)}"
                yield _create_problem(_join(path, name), error.instance[name], ", ".join(allowed), text)
        elif error.validator == "anyOf":
            forms = _describe_forms(error)
            yield _create_problem(path, error.instance, forms, f"{path} fits none of its forms: {forms}")
        else:
            own = "" if error.validator == "type" else self._message(error.absolute_path)
            allowed_here = _describe_limit(error)
            text = own or f"{path or 'the arguments'} must be {allowed_here}, not {format_value(error.instance)}"
            yield _create_problem(path, error.instance, allowed_here, text)


def build_checker(schema: Mapping[str, Any]) -> Callable[[Any], Iterable[Fault]]:
    """Return a function that iterates over the faults of a value by a schema."""
    listed: Callable[[Any], Iterable[Fault]] = _load_validator()(dict(schema)).iter_errors
    return listed


@cache
def _load_validator() -> Callable[[Schema], Any]:
    """Return the class of validators: creating it takes as long as several calls, and all schemas share it."""
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.validators import extend

    formats = FormatChecker(formats=())
    formats.checks("date-time", raises=(ValueError, OverflowError))(
        lambda value: not isinstance(value, str) or bool(parse_time(value))
    )
    words = {"properties": _properties, "additionalProperties": _additional}
    return partial(extend(Draft202012Validator, words), format_checker=formats)  # type: ignore[no-untyped-call]


def _properties(validator: Any, properties: Mapping[str, Schema], instance: Any, _: Schema) -> Iterable[Fault]:
    """Check properties as jsonschema does, with one validator for all.

    jsonschema creates a validator for each property, to follow references. Our schemas have none, and that was half of
    the CPU time of a call.
    """
    if not isinstance(instance, dict):
        return
    for name, schema in properties.items():
        if name not in instance:
            continue
        value = instance[name]
        quick = QUICK if type(value) is EXACT.get(schema.get("type", "")) else {}
        for word, wanted in schema.items():
            if word in UNCHECKED or (word in quick and quick[word](wanted, value)):
                continue
            check = validator.VALIDATORS.get(word)
            for error in (check and check(validator, wanted, value, schema)) or ():
                if not isinstance(error.validator, str):  # an error of an inner value has its own
                    error.validator, error.validator_value = word, wanted
                    error.instance, error.schema = value, schema
                error.path.appendleft(name)
                yield error


def _additional(validator: Any, wanted: Any, instance: Any, schema: Schema) -> Iterable[Fault]:
    """Check for unknown properties as jsonschema does, if there are any."""
    if isinstance(instance, dict) and not instance.keys() <= schema.get("properties", {}).keys():
        from jsonschema import Draft202012Validator

        yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, wanted, instance, schema)


def parse_time(text: str) -> datetime:
    """Parse a time; one without a zone is UTC.

    Raises:
        ValueError: The text is not a time.
        OverflowError: In UTC it is before the year 1 or after 9999.
    """
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _is_plain(arguments: Mapping[str, Any]) -> bool:
    """Return whether all arguments are texts, booleans and small numbers, as most are: then none is an odd number."""
    return all(
        type(value) is str or type(value) is bool or (type(value) is int and -SAFE < value < SAFE)
        for value in arguments.values()
    )


def _iterate_odd_numbers(value: Any, path: str) -> Iterable[dict[str, Any]]:
    """Iterate over faults of numbers that JSON does not have, or that not every reader can hold."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _iterate_odd_numbers(inner, _join(path, str(key)))
    elif isinstance(value, int | float) and not _is_finite(value):
        allowed = "a finite number"
        yield _create_problem(path, value, allowed, f"{shorten(path)} must be {allowed}, not {format_value(value)}")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int that no float can hold
        return False


def _create_error(problems: Sequence[Mapping[str, Any]]) -> InvalidArguments:
    messages = "; ".join(problem["message"] for problem in problems[:SHOWN])
    more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    return InvalidArguments(messages + more, suggestion="Correct the arguments.", details={"errors": problems})


def _create_problem(path: str, given: object, allowed: str, message: str) -> dict[str, Any]:
    return {"path": shorten(path), "given": format_value(given), "allowed": allowed, "message": message}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _suggest_name(name: str, allowed: Sequence[str]) -> str:

    near = find_nearest(name, allowed)
    return f"; did you mean {near}?" if near else f"; the arguments are {', '.join(allowed) or 'none'}"


def _describe_alternatives(others: Sequence[str]) -> str:
    """Return which arguments may be given in place of a required one, as the end of a sentence."""
    if len(others) < 2:  # noqa: PLR2004 -- one of several
        return "".join(f", or {name} in its place" for name in others)
    return f", or one of {', '.join(others)}"


def _describe_forms(error: Fault) -> str:
    return " or ".join(
        ", ".join(branch.get("required", ())) or str(branch.get("type", "a value")) for branch in error.validator_value
    )


def _describe_limit(error: Fault) -> str:
    """Describe what a schema allows: "at least 1"."""
    value = error.validator_value
    texts = {
        "type": f"{'an' if str(value)[0] in 'aio' else 'a'} {value}",
        "minimum": f"at least {value}",
        "maximum": f"at most {value}",
        "minLength": f"at least {value} characters long",
        "maxLength": f"at most {value} characters long",
        "minItems": f"a list of at least {value}",
        "maxItems": f"a list of at most {value}",
        "pattern": f"text that matches {value}",
        "format": "a date and time such as 2026-01-31T12:00:00Z",
    }
    if error.validator == "enum":
        return "one of " + ", ".join(one if isinstance(one, str) else json.dumps(one) for one in value)
    return texts.get(str(error.validator), f"{error.validator} {value}")


def format_value(value: object) -> str:
    """Format a given value for an error: shortened, since it may be long."""
    try:
        return shorten(json.dumps(value))
    except ValueError:  # more digits than Python is willing to write
        return "a number too long to show"


def shorten(text: str) -> str:
    """Return a text, cut to its first 100 characters, then with its length."""
    return text if len(text) <= LENGTH else f"{text[:LENGTH]}… [{len(text)} chars]"


T = TypeVar("T")


def structure(arguments: dict[str, Any], cls: type[T]) -> T:
    """Structure checked arguments into their class."""
    return _converter().structure(arguments, cls)


@cache
def _converter() -> "Converter":
    from cattrs import Converter, override
    from cattrs.gen import make_dict_structure_fn

    converter = Converter(detailed_validation=False)
    converter.register_structure_hook(datetime, lambda text, _: parse_time(text))
    converter.register_structure_hook_func(lambda hint: hint is object, lambda value, _: value)

    @converter.register_structure_hook_factory(attrs.has)
    def rename_fields(cls: type) -> Any:
        names = {name: split_notes(hint).name for name, hint in field_hints(cls).items()}
        overrides = {name: override(rename=wire) for name, wire in names.items() if wire}
        return make_dict_structure_fn(cls, converter, _cattrs_detailed_validation=False, **overrides)  # type: ignore[arg-type]

    @converter.register_structure_hook_factory(lambda hint: len(union_members(hint)) > 1)
    def choose_member(union: Any) -> Any:
        # The schemas decide, as they did in the check: cattrs knows neither limits nor notes.
        options = [(option, build_checker(value_schema(option))) for option in union_members(union)]
        return lambda value, _: next(
            converter.structure(value, option) for option, errors in options if not any(errors(value))
        )

    return converter


def drop_nulls(value: Any) -> Any:
    """Return a value without nulls, which agents send for what they leave out."""
    if isinstance(value, dict):
        return {key: drop_nulls(inner) for key, inner in value.items() if inner is not None}
    return [drop_nulls(inner) for inner in value] if isinstance(value, list) else value


ResultFault: TypeAlias = Callable[[Any], str]
"""Describes what does not fit, `.threads[2].line is str, not int`; empty where all does. It never quotes a value."""


def build_result_check(hint: Any) -> ResultFault:
    """Create the check for one type of a result, of those that `output_schema` describes."""
    check, lacking = _plain(split_notes(hint).plain), is_optional(hint)

    def misfit(value: Any) -> str:
        if lacking and value is None:
            return ""
        fault = check(value)
        if fault and isinstance(value, Unknown):
            # An unknown value may stand anywhere if it has a value to show.
            return "" if lacking else check(value.shown) if value.shown is not None else fault
        return fault

    return misfit


def _plain(hint: Any) -> ResultFault:  # noqa: PLR0911 -- one return a kind of type reads best
    origin, options = typing.get_origin(hint), union_members(hint)
    if len(options) > 1:
        checks = [build_result_check(option) for option in options]
        return lambda value: "" if any(not check(value) for check in checks) else checks[0](value)
    if hint in (Any, object):
        return lambda _: ""
    if hint in SCALARS:
        return _scalar(hint)
    if origin is Literal or (isinstance(hint, type) and issubclass(hint, Enum)):
        allowed = typing.get_args(hint) if origin is Literal else (*hint, *(member.value for member in hint))
        return lambda value: "" if value in allowed else f" is {_kind(value)}, not one of those allowed"
    if origin is Listing:
        return _items(build_result_check(typing.get_args(hint)[0]), (Listing,), enumerate)
    if origin is not Page and attrs.has(hint):
        return _object(hint)
    if origin in (dict, Mapping):
        return _items(build_result_check(typing.get_args(hint)[1]), (dict, Mapping), _values)
    return _items(build_result_check(item_hint(hint)), (Sequence, Page, set, frozenset), enumerate)


def _scalar(hint: Any) -> ResultFault:
    kinds = (int, float) if hint is float else (hint,)

    def check(value: Any) -> str:
        fits = type(value) is hint or (isinstance(value, kinds) and not isinstance(value, bool))
        return "" if fits else f" is {_kind(value)}, not {hint.__name__}"

    return check


@lru_cache(maxsize=512)  # results of many tools have the same records
def _object(cls: type) -> ResultFault:
    fields = [(name, _plain_types(hint), build_result_check(hint)) for name, hint in field_hints(cls).items()]
    read = operator.attrgetter(*(name for name, _, _ in fields), "__class__", "__class__")  # two more: always a tuple
    pending: dict[tuple[type, ...], list[tuple[int, str, ResultFault]]] = {}
    """By the types of the values, the fields that need a call of their check: lists have thousands of records."""

    def check(value: Any) -> str:
        if not isinstance(value, cls):
            return f" is {_kind(value)}, not {cls.__name__}"
        inner = read(value)
        types = (*map(type, inner),)
        if (rest := pending.get(types)) is None:
            given = enumerate(zip(types, fields, strict=False))  # without the two
            rest = [(at, name, field) for at, (kind, (name, plain, field)) in given if kind not in plain]
            pending[types] = rest
        for at, name, field in rest:
            if fault := field(inner[at]):
                return f".{name}{fault}"
        return ""

    return check


def _plain_types(hint: Any) -> frozenset[type]:
    """Return the types of which any value fits a hint: most fields hold one, and need no call of their check."""
    options = (split_notes(option).plain for option in union_members(split_notes(hint).plain))
    plain = {
        option for option in options if option in SCALARS or (isinstance(option, type) and issubclass(option, Enum))
    }
    return frozenset(plain | ({NoneType, Unknown} if is_optional(hint) else set()))


def _items(item: ResultFault, kinds: tuple[type, ...], pairs: Callable[[Any], Any]) -> ResultFault:
    def check(value: Any) -> str:
        if isinstance(value, str) or not isinstance(value, kinds):
            return f" is {_kind(value)}, not {kinds[0].__name__}"
        for key, one in pairs(value):
            if fault := item(one):
                return f"[{key}]{fault}"
        return ""

    return check


def _values(mapping: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    # Its keys may be texts of third parties.
    return (("…", value) for value in mapping.values())


def _kind(value: object) -> str:
    return type(value).__name__
