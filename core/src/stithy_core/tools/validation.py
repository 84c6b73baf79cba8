"""Arguments that do not fit, each as path, what was given and what is allowed."""

import json
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from stithy_core.errors import InvalidArguments

SHOWN = 5
LENGTH = 100

EXACT: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
"""Values of these very types need no further look at their type; jsonschema knows of others, such as 1.0."""
UNCHECKED = ("description", "default", "examples")
QUICK: Mapping[str, Callable[[Any, Any], bool]] = {
    "type": lambda _, __: True,
    "minimum": operator.le,
    "maximum": operator.ge,
    "minLength": lambda wanted, text: wanted <= len(text),
    "maxLength": lambda wanted, text: wanted >= len(text),
}
"""What may be said of a value of exactly its type without asking jsonschema, which explains what does not fit."""
SAFE = 2**63

Message = Callable[[Sequence[object]], str]

# jsonschema's ValidationError; its stubs allow an `Unset` in every field, which an error that was found never has.
Fault: TypeAlias = Any
Schema: TypeAlias = Mapping[str, Any]


class Validator:
    """Checks arguments against one schema; jsonschema is imported at the first check.

    Args:
        schema: What `input_schema` gave.
        message: The text that a field's note wants, by its path.
        instead: What makes a required argument dispensable.
    """

    def __init__(
        self, schema: Mapping[str, Any], message: Message, instead: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._schema = schema
        self._instead = instead or {}
        self._message = message
        self._errors: Callable[[Any], Iterable[Fault]] | None = None

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Pass, or list everything that does not fit.

        Raises:
            InvalidArguments: `details["errors"]` has path, given, allowed and message of each.
        """
        if self._errors is None:
            self._errors = errors_of(self._schema)
        if not _is_plain(arguments) and (odd := list(_odd_numbers(arguments, ""))):
            raise _invalid(odd)  # jsonschema cannot even name some of them
        errors = sorted(self._errors(arguments), key=lambda error: list(map(str, error.absolute_path)))
        if not errors:
            return
        found = [problem for error in errors for problem in self._problems(error)]
        if not found:  # all that was missing is dispensable
            return
        # jsonschema reports each required field by itself, and each of its reports lists all that are missing.
        raise _invalid(list({(problem["path"], problem["message"]): problem for problem in found}.values()))

    def _problems(self, error: Fault) -> Iterable[dict[str, Any]]:
        path = shortened(".".join(map(str, error.absolute_path)))
        if error.validator == "required":
            for name in error.validator_value:
                others = () if path else self._instead.get(name, ())
                if name not in error.instance and not any(other in error.instance for other in others):
                    text = f"{_join(path, name)} is required{_in_its_place(others)}"
                    yield _problem(_join(path, name), None, "a value", text)
        elif error.validator == "additionalProperties":
            allowed = sorted(error.schema["properties"])
            for name in sorted(set(error.instance) - set(allowed)):
                text = f"{shortened(_join(path, name))} is not an argument{_meant(name, allowed)}"
                yield _problem(_join(path, name), error.instance[name], ", ".join(allowed), text)
        elif error.validator == "anyOf":
            yield _problem(path, error.instance, _forms(error), f"{path} fits none of its forms: {_forms(error)}")
        else:
            own = "" if error.validator == "type" else self._message(error.absolute_path)
            allowed_here = _allowed(error)
            text = own or f"{path or 'the arguments'} must be {allowed_here}, not {shown(error.instance)}"
            yield _problem(path, error.instance, allowed_here, text)


def errors_of(schema: Mapping[str, Any]) -> Callable[[Any], Iterable[Fault]]:
    """Give what lists the faults of a value by one schema."""
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.validators import extend

    formats = FormatChecker(formats=())
    formats.checks("date-time", raises=(ValueError, OverflowError))(
        lambda value: not isinstance(value, str) or bool(moment(value))
    )
    words = {"properties": _properties, "additionalProperties": _additional}
    validator = extend(Draft202012Validator, words)  # type: ignore[no-untyped-call]
    listed: Callable[[Any], Iterable[Fault]] = validator(dict(schema), format_checker=formats).iter_errors
    return listed


def _properties(validator: Any, properties: Mapping[str, Schema], instance: Any, _: Schema) -> Iterable[Fault]:
    """Check properties as jsonschema does, but by one validator for all.

    Its own way makes a validator for each property, to follow references; our schemas have none, and that was half the
    cost of a call.
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
                if not isinstance(error.validator, str):  # one that comes from further in has its own
                    error.validator, error.validator_value = word, wanted
                    error.instance, error.schema = value, schema
                error.path.appendleft(name)
                yield error


def _additional(validator: Any, wanted: Any, instance: Any, schema: Schema) -> Iterable[Fault]:
    """Look for what is no property, as jsonschema does, only where there is some."""
    if isinstance(instance, dict) and not instance.keys() <= schema.get("properties", {}).keys():
        from jsonschema import Draft202012Validator

        yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, wanted, instance, schema)


def moment(text: str) -> datetime:
    """Read a time; one that names no zone is taken to be in UTC.

    Raises:
        ValueError: It is none.
        OverflowError: In UTC it lies before the first year or after the last.
    """
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _is_plain(arguments: Mapping[str, Any]) -> bool:
    """Say quickly whether there is no odd number: most arguments are texts and small numbers."""
    return all(
        type(value) is str or type(value) is bool or (type(value) is int and -SAFE < value < SAFE)
        for value in arguments.values()
    )


def _odd_numbers(value: Any, path: str) -> Iterable[dict[str, Any]]:
    """Find the numbers that JSON does not have, or that not every reader of it can hold."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _odd_numbers(inner, _join(path, str(key)))
    elif isinstance(value, int | float) and not _is_finite(value):
        allowed = "a finite number"
        yield _problem(path, value, allowed, f"{shortened(path)} must be {allowed}, not {shown(value)}")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int that no float can hold
        return False


def _invalid(found: Sequence[Mapping[str, Any]]) -> InvalidArguments:
    said = "; ".join(problem["message"] for problem in found[:SHOWN])
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return InvalidArguments(said + more, suggestion="Correct the arguments.", details={"errors": found})


def _problem(path: str, given: object, allowed: str, message: str) -> dict[str, Any]:
    return {"path": shortened(path), "given": shown(given), "allowed": allowed, "message": message}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _meant(name: str, allowed: Sequence[str]) -> str:
    from stithy_core.tools.extra_arguments import nearest

    near = nearest(name, allowed)
    return f"; did you mean {near}?" if near else f"; the arguments are {', '.join(allowed) or 'none'}"


def _in_its_place(others: Sequence[str]) -> str:
    """Name what may be given in the place of a required argument."""
    if len(others) < 2:  # noqa: PLR2004 -- one of several
        return "".join(f", or {name} in its place" for name in others)
    return f", or one of {', '.join(others)}"


def _forms(error: Fault) -> str:
    return " or ".join(
        ", ".join(branch.get("required", ())) or str(branch.get("type", "a value")) for branch in error.validator_value
    )


def _allowed(error: Fault) -> str:
    """Say what a schema's word wants, in words."""
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


def shown(value: object) -> str:
    """Show what was given, shortened: it may be long, and it comes from a stranger."""
    try:
        return shortened(json.dumps(value))
    except ValueError:  # more digits than Python is willing to write
        return "a number too long to show"


def shortened(text: str) -> str:
    """Return a text cut to its first 100 characters; a cut one tells its length."""
    return text if len(text) <= LENGTH else f"{text[:LENGTH]}… [{len(text)} chars]"
