"""JSON Schemas of argument and result classes, from their type hints and the notes in these."""

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, Literal, Union

import attrs
from attrs import frozen

from stithy_core.errors import InvalidSpec
from stithy_core.spi import Meta, Page, Unknown


@frozen
class TypeNotes:
    """A type and its notes."""

    plain: Any
    metas: tuple[Meta, ...]

    @property
    def name(self) -> str | None:
        """Its name on the wire, if a note sets one."""
        return next((meta.name for meta in reversed(self.metas) if meta.name), None)

    @property
    def message(self) -> str:
        """The error text for a value that does not fit."""
        return next((meta.message for meta in reversed(self.metas) if meta.message), "")

    @property
    def instead(self) -> tuple[str, ...]:
        """The arguments that may be given in its place."""
        return tuple(name for meta in self.metas for name in meta.instead)

    @property
    def is_local(self) -> bool:
        """Whether it names a file or a folder of the server's machine."""
        return any(meta.local for meta in self.metas)

    @property
    def is_from_clone(self) -> bool:
        """Whether callers on the server's machine may leave it out."""
        return any(meta.from_clone for meta in self.metas)

    @property
    def is_preferable(self) -> bool:
        """Whether a user may store a preference for it."""
        return any(meta.preferable for meta in self.metas)


def split_notes(hint: Any) -> TypeNotes:
    """Separate a type from its notes, also inside an optional."""
    if typing.get_origin(hint) is not Annotated:
        options = union_members(hint)
        return split_notes(options[0]) if len(options) == 1 and options[0] is not hint else TypeNotes(hint, ())
    inner = split_notes(typing.get_args(hint)[0])
    return TypeNotes(inner.plain, inner.metas + tuple(note for note in hint.__metadata__ if isinstance(note, Meta)))


def field_hints(cls: type) -> Mapping[str, Any]:
    """Return the types of an attrs class's fields, with their notes.

    Raises:
        InvalidSpec: A field has no type, or its type cannot be resolved in the class's module.
    """
    if cls not in _HINTS:
        _HINTS[cls] = _resolve_hints(cls)
    return _HINTS[cls]


# Resolving takes a third of the time of describing a class, and each class is described several times.
_HINTS: dict[type, Mapping[str, Any]] = {}


def _resolve_hints(cls: type) -> Mapping[str, Any]:
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception as error:
        raise InvalidSpec(
            f"{cls.__qualname__}: {error}", suggestion="import the type where the class is, not under TYPE_CHECKING"
        ) from error
    names = [attribute.name for attribute in attrs.fields(cls)]
    if untyped := [name for name in names if name not in hints]:
        raise InvalidSpec(f"{cls.__qualname__}: {untyped[0]} has no type", suggestion="annotate it")
    return {name: hints[name] for name in names}


def union_members(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, without None and Unknown; of any other type, the type itself."""
    if typing.get_origin(hint) in (Union, types.UnionType):
        return tuple(option for option in typing.get_args(hint) if option not in (types.NoneType, Unknown))
    return (hint,)


def argument_notes(cls: type) -> Mapping[str, TypeNotes]:
    """Return the types of a class's fields with their notes, by their names on the wire."""
    return _read_notes(cls)


@lru_cache(maxsize=512)
def _read_notes(cls: type) -> Mapping[str, TypeNotes]:
    """Read the notes of a class: several wrappers ask for those of each tool, in each app of a process."""
    notes = {name: split_notes(hint) for name, hint in field_hints(cls).items()}
    return {note.name or name: note for name, note in notes.items()}


def is_optional(hint: Any) -> bool:
    """Return whether a value may be None or Unknown, and so be left out."""
    if typing.get_origin(hint) is Annotated:
        return is_optional(typing.get_args(hint)[0])
    return len(union_members(hint)) < len(typing.get_args(hint)) and typing.get_origin(hint) in (Union, types.UnionType)


def item_hint(hint: Any) -> Any:
    """Return the type of a list's items; None for a type that is not a list."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, Sequence, Iterable, Page) and arguments:
        return arguments[0]
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 -- tuple[T, ...]
        return arguments[0]
    return None


def error_texts(cls: type) -> Callable[[Sequence[object]], str]:
    """Return a function from a path in the arguments to the error text that a note sets for it."""
    texts = dict(_iterate_messages(cls, ()))
    return lambda path: texts.get(tuple(part for part in path if isinstance(part, str)), "")


def _iterate_messages(cls: type, path: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], str]]:
    for name, hint in field_hints(cls).items():
        note = split_notes(hint)
        here = (*path, note.name or name)
        if note.message:
            yield here, note.message
        for inner in (note.plain, split_notes(item_hint(note.plain)).plain):
            if isinstance(inner, type) and attrs.has(inner):
                yield from _iterate_messages(inner, here)


Schema = dict[str, Any]

SCALARS: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    Any: {},
    object: {},
}
KEYWORDS = {
    "ge": "minimum",
    "le": "maximum",
    "pattern": "pattern",
    "description": "description",
}

META_VALUES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "description": ((str,), "a text"),
    "ge": ((int, float), "a number"),
    "le": ((int, float), "a number"),
    "pattern": ((str,), "a text"),
    "min_length": ((int,), "a whole number"),
    "max_length": ((int,), "a whole number"),
    "examples": ((tuple, list), "a tuple"),
}
"""The types that the fields of a note must have for its schema to be valid, and a noun for each."""

PREFERABLE = "Preferable."


def input_schema(cls: type) -> Schema:
    """Return the schema of a tool's arguments: a closed object, whose optional fields have a single type each.

    Raises:
        InvalidSpec: The class is not an attrs class, or a field's type cannot be described; the field is named.
    """
    return _build_schema(cls, output=False)


LIMITS = frozenset({"pattern", "minLength", "maxLength", "minItems", "maxItems"})


def condense_schema(schema: Schema) -> Schema:
    """Return a schema of arguments as hosts list it: without what a caller need not know before a call is refused.

    Left out are limits of texts and lists, smallest numbers up to 1, false as a default, and that an object is closed.
    """
    short = {word: value for word, value in schema.items() if not _is_needless(word, value)}
    if "properties" in short:
        short["properties"] = {name: condense_schema(one) for name, one in short["properties"].items()}
    if "items" in short:
        short["items"] = condense_schema(short["items"])
    if "anyOf" in short:
        short["anyOf"] = [condense_schema(one) for one in short["anyOf"]]
    return short


def _is_needless(word: str, value: object) -> bool:
    return (
        word in LIMITS
        or (word in ("default", "additionalProperties") and value is False)
        or (word == "minimum" and isinstance(value, int) and value <= 1)
    )


def output_schema(cls: type) -> Schema:
    """Return the schema of a tool's result, with what the server adds: `nextCursor` beside a page, and `NOTES`.

    Raises:
        InvalidSpec: As for `input_schema`.
    """
    schema = _build_schema(cls, output=True)
    if taken := (NOTES.keys() - {HINTS}) & schema["properties"].keys():
        what = f"{cls.__qualname__}.{min(taken)}: the server adds a field of this name to every result"
        raise InvalidSpec(what, suggestion="rename the field")
    if any(_is_page(hint) for hint in field_hints(cls).values()):
        schema["properties"]["nextCursor"] = {"type": "string"}
    schema["properties"] |= {name: note for name, note in NOTES.items() if name not in schema["properties"]}
    return schema


UNKNOWN: Schema = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("field", "reason", "remedy")},
    "required": ["field", "reason"],
    "additionalProperties": False,
}
HIDDEN = "hidden_characters_removed"
HINTS = "note"
CUT: Schema = {
    "type": "object",
    "properties": {
        "field": {"type": "string"},
        "sent": {"type": "integer"},
        "of": {"type": "integer"},
        "rest": {"type": "string"},
    },
    "required": ["field"],
    "additionalProperties": False,
}
NOTES: Schema = {
    "unknown": {"type": "array", "items": UNKNOWN},
    "cuts": {"type": "array", "items": CUT},
    HIDDEN: {"type": "integer"},
    HINTS: {"type": "string"},
}


def value_schema(hint: Any) -> Schema:
    """Describe a single value of the arguments.

    Raises:
        InvalidSpec: As for `input_schema`.
    """
    return _SchemaBuilder(output=False).describe(hint)


def _build_schema(cls: type, *, output: bool) -> Schema:
    """Return the schema of a class; its properties may be replaced, and nothing in them changed."""
    schema = _describe_class(cls, output=output)
    return schema | {"properties": dict(schema["properties"])}


@lru_cache(maxsize=512)
def _describe_class(cls: type, *, output: bool) -> Schema:
    """Describe a class: the check of a plugin, and each app in a process, asks for the same ones."""
    return _SchemaBuilder(output=output).build(cls)


def _is_page(hint: Any) -> bool:
    return typing.get_origin(split_notes(hint).plain) is Page


class _SchemaBuilder:
    """Builds one schema, of input or output; it knows its path in the class."""

    def __init__(self, *, output: bool) -> None:
        self.output = output
        self.path: list[str] = []
        self.open: list[type] = []

    def build(self, cls: type) -> Schema:
        if not attrs.has(cls):
            raise InvalidSpec(f"{cls!r} is not an attrs class", suggestion="decorate it with @attrs.frozen")
        return self._describe_object(cls)

    def _describe_object(self, cls: type) -> Schema:
        if cls in self.open:
            raise self._create_error(f"{cls.__qualname__} contains itself", "use ids instead of nesting")
        self.open.append(cls)
        properties: Schema = {}
        required = []
        hints = field_hints(cls)
        for attribute in attrs.fields(cls):
            hint = hints[attribute.name]
            note = split_notes(hint)
            wire = note.name or attribute.name
            self.path.append(wire)
            if wire in properties:
                raise self._create_error("two fields have this name", "rename one of them")
            properties[wire] = self._describe_field(attribute, note)
            if self._is_required(attribute, hint, note):
                required.append(wire)
            self.path.pop()
        self.open.pop()
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return schema | ({"required": required} if required else {})

    def _is_required(self, attribute: "attrs.Attribute[Any]", hint: Any, note: TypeNotes) -> bool:
        if self.output:
            return not is_optional(hint)
        if attribute.default is attrs.NOTHING and is_optional(hint):
            raise self._create_error("it may be None, but has no default", "write `= None` behind it")
        return attribute.default is attrs.NOTHING or (bool(note.instead) and not note.is_from_clone)

    def _describe_field(self, attribute: "attrs.Attribute[Any]", note: TypeNotes) -> Schema:
        schema = self._describe_noted(note)
        if self.output:
            return schema
        if note.is_preferable:
            schema |= {"description": self._describe_preferable(attribute, schema.get("description", ""))}
        default = _get_default(attribute)
        return schema if default is None else schema | {"default": default}

    def _describe_preferable(self, attribute: "attrs.Attribute[Any]", description: str) -> str:
        if attribute.default is attrs.NOTHING:
            raise self._create_error("it is preferable, but has no default", "set the default for users without one")
        if len(self.path) > 1:
            raise self._create_error("it is preferable, but inside another argument", "mark arguments of the tool")
        stop = "." if description[-1:].isalnum() else ""
        return f"{description}{stop} {PREFERABLE}".lstrip()

    def describe(self, hint: Any) -> Schema:
        return self._describe_noted(split_notes(hint))

    def _describe_noted(self, note: TypeNotes) -> Schema:
        schema = dict(self._describe_plain(note.plain))
        for meta in note.metas:
            schema |= self._describe_limits(meta, schema)
        return schema

    def _describe_plain(self, hint: Any) -> Schema:  # noqa: PLR0911 -- one return a kind of type reads best
        origin = typing.get_origin(hint)
        options = union_members(hint)
        if len(options) > 1:
            return self._describe_union(options)
        if hint in SCALARS:
            return SCALARS[hint]
        if origin is Literal:
            return self._describe_enum(typing.get_args(hint))
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self._describe_enum(tuple(member.value for member in hint))
        if attrs.has(hint) and origin is not Page:
            return self._describe_object(hint)
        if (items := item_hint(hint)) is not None and (self.output or origin not in (Iterable, Page)):
            return {"type": "array", "items": self.describe(items)}
        if origin in (dict, Mapping) and typing.get_args(hint)[0] is str:
            return {"type": "object", "additionalProperties": self.describe(typing.get_args(hint)[1])}
        raise self._create_error(
            f"{hint!r} has no JSON Schema", "use str, int, float, bool, enums, lists or attrs classes"
        )

    def _describe_enum(self, values: tuple[Any, ...]) -> Schema:
        kinds = {type(value) for value in values}
        if not kinds <= {str, int, float, bool}:
            raise self._create_error(f"{values!r} cannot be written in JSON", "use strings, numbers and booleans")
        schema: Schema = dict(SCALARS[kinds.pop()]) if len(kinds) == 1 else {}
        return schema | {"enum": list(values)}

    def _describe_union(self, options: tuple[Any, ...]) -> Schema:
        branches = [self.describe(option) for option in options]
        if not self.output and all(attrs.has(split_notes(option).plain) for option in options):
            self._check_distinct(branches)
        return {"anyOf": branches}

    def _check_distinct(self, branches: Sequence[Schema]) -> None:
        """Check that each class of a union has a required field of its own, or a Literal with values of its own."""
        for branch in branches:
            others = [other for other in branches if other is not branch]
            if not any(_distinguishes(name, branch, others) for name in branch.get("required", ())):
                raise self._create_error("the classes of the union cannot be told apart", "give each a required field")

    def _describe_limits(self, meta: Meta, schema: Schema) -> Schema:
        self._check_meta(meta)
        limits = {word: getattr(meta, name) for name, word in KEYWORDS.items() if getattr(meta, name) not in (None, "")}
        sizes = "Items" if schema.get("type") == "array" else "Length"
        if meta.min_length is not None:
            limits[f"min{sizes}"] = meta.min_length
        if meta.max_length is not None:
            limits[f"max{sizes}"] = meta.max_length
        if meta.examples:
            limits["examples"] = list(meta.examples)
        return limits

    def _check_meta(self, meta: Meta) -> None:
        """Check the values of a note that its schema gets: a host may refuse all tools for one that is not valid."""
        for name, (kinds, noun) in META_VALUES.items():
            value = getattr(meta, name)
            if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
                raise self._create_error(f"{name} of its Meta is {value!r}", f"make it {noun}")
        for name in ("min_length", "max_length"):
            if (getattr(meta, name) or 0) < 0:
                raise self._create_error(f"{name} of its Meta is {getattr(meta, name)}", "make it 0 or greater")
        self._check_pattern(meta)

    def _check_pattern(self, meta: Meta) -> None:
        import re

        try:
            re.compile(meta.pattern or "")
        except re.error as error:
            raise self._create_error(f"the pattern {meta.pattern!r} is malformed: {error}", "correct it") from error

    def _create_error(self, what: str, suggestion: str) -> InvalidSpec:
        where = ".".join(self.path) or "the class"
        return InvalidSpec(f"{where}: {what}", suggestion=suggestion)


def _get_default(attribute: "attrs.Attribute[Any]") -> Any:
    default = attribute.default
    if default is attrs.NOTHING or isinstance(default, attrs.Factory):  # type: ignore[arg-type] # NOTHING is an Enum, too
        return None
    if isinstance(default, Enum):
        return default.value
    return default if isinstance(default, str | int | float) and default != "" else None


def _distinguishes(name: str, branch: Schema, others: Sequence[Schema]) -> bool:
    values = set(branch["properties"][name].get("enum", ()))
    same = [other["properties"][name] for other in others if name in other["properties"]]
    return not same or (bool(values) and all(values.isdisjoint(other.get("enum", values)) for other in same))


def replace_arguments(schema: Schema, properties: Mapping[str, Any], required: Sequence[str]) -> Schema:
    """Return a schema of arguments with others in their place; the word `required` is left out if none is."""
    rest = {word: value for word, value in schema.items() if word != "required"}
    return rest | {"properties": properties} | ({"required": required} if required else {})


def with_alternatives(schema: Schema, others: Sequence[Schema]) -> Schema:
    """Return the schema of a result that other results may replace.

    Args:
        schema: Describes the tool's own result; it wins where several have a field of one name.
        others: Describe the results in its place.
    """
    own = [{"required": schema["required"]}] if schema.get("required") else [{}]
    properties = schema["properties"]
    for other in others:
        properties = properties | other["properties"] | schema["properties"]
    return {word: value for word, value in schema.items() if word != "required"} | {
        "properties": properties,
        "anyOf": [*own, *({"required": other["required"]} for other in others)],
    }
