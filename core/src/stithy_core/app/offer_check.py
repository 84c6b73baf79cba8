"""The check of offers without a call: references, handlers of tools, call wrappers, and the names of forges."""

import functools
import inspect
import json
import re
import typing
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import product
from types import UnionType
from typing import Any
from urllib.parse import unquote

import attrs
from attrs import fields

from stithy_core.errors import InvalidSpec, StithyError
from stithy_core.forges.forge_inspection import find_forge_faults, list_overrides
from stithy_core.plugins import PluginError, contain_faults, resolve
from stithy_core.plugins.hook_calls import find_field_types, find_return_type
from stithy_core.spi import Context, Forge, ForgeNames, NamedPlace, RepositoryRef, Segments, SyncContext
from stithy_core.spi.overrides import OverrideFault, compare_class, find_call_fault, list_methods
from stithy_core.tools.registry import BoundWrapper, Tool

CORRECT = "correct the reference"


def find_offer_faults(offer: object) -> Iterator[OverrideFault]:
    """Iterate over the faults of what an offer refers to; it is imported, and nothing of it is called.

    The annotation of each field decides: `type[Base]` wants a class whose overrides fit `Base`, `Callable[[A, B], C]` a
    function that can be called with two arguments, async if `C` is an awaitable.

    Args:
        offer: What a hook returned.
    """
    types = find_field_types(type(offer))
    for attribute in fields(type(offer)):  # type: ignore[arg-type]
        wanted = [one for one in _list_options(types[attribute.name]) if _is_code(one)]
        value = getattr(offer, attribute.name)
        if not wanted or value is None:
            continue
        try:
            with contain_faults(f"its {attribute.name} raised", f"repair the module that {attribute.name} names"):
                loaded = _resolve(value)
        except PluginError as error:
            yield OverrideFault(error.cause, error.remedy)
            continue
        yield from _compare(attribute.name, loaded, wanted[0])


def _resolve(value: object) -> Any:
    """Return what a reference names.

    Raises:
        PluginError: It is malformed, or cannot be loaded.
    """
    try:
        return resolve(value)
    except StithyError as error:
        raise PluginError(error.message, error.suggestion or CORRECT) from error


def _list_options(annotation: Any) -> Sequence[Any]:
    is_union = typing.get_origin(annotation) in (typing.Union, UnionType)
    return typing.get_args(annotation) if is_union else (annotation,)


def _is_code(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (type, Callable)


def _compare(field: str, value: Any, wanted: Any) -> Iterable[OverrideFault]:
    """Return the faults of a class or a function.

    Args:
        field: The field of the offer that has it.
        value: The class or the function.
        wanted: `type[Base]` or `Callable[[A, B], C]`.
    """
    if typing.get_origin(wanted) is type:
        return _compare_class(value, typing.get_args(wanted)[0])
    arguments, returned = typing.get_args(wanted)
    if isinstance(value, type) and isinstance(returned, type) and list_methods(returned):
        return _compare_class(value, returned)
    names = [getattr(one, "__name__", str(one)) for one in arguments]
    kinds = {typing.get_origin(one) is Awaitable for one in _list_options(returned)}
    found = find_call_fault(value, names, is_async=kinds.pop() if len(kinds) == 1 else None)
    if found is None:
        return []
    return [OverrideFault(f"its {field} {found[0]}", found[1])]


def _compare_class(value: object, base: type) -> Iterable[OverrideFault]:
    if base is Forge:
        return [*find_forge_faults(value), *_find_result_faults(value)]
    if isinstance(value, type) and issubclass(value, base):
        return compare_class(value, base)
    if getattr(base, "_is_protocol", False):
        return []
    shown = getattr(value, "__qualname__", type(value).__name__)
    return [OverrideFault(f"{shown} is not a class of {base.__name__}", f"derive it from {base.__name__}")]


def _find_result_faults(forge: object) -> Iterator[OverrideFault]:
    """Iterate over the operations of a forge that are annotated to return another class than their base."""
    for owner, name, override in list_overrides(forge):
        if override.fault is not None:
            continue
        own, expected = _read_result(inspect.unwrap(getattr(owner, name))), find_return_type(override.base)
        if all(_is_other_class(*pair) for pair in product(_list_options(own), _list_options(expected))):
            shown, wanted = _format_type(own), _format_type(expected)
            yield OverrideFault(f"{override.name} is annotated to return {shown}, not {wanted}", f"return a {wanted}")


def _read_result(function: Callable[..., Any]) -> Any:
    """Return the annotation of a function's result; None without one, or if it uses types that only mypy imports."""
    try:
        return typing.get_type_hints(function).get("return")
    except Exception:  # noqa: BLE001 -- a third party's annotation may raise any error
        return None


def _is_other_class(own: Any, expected: Any) -> bool:
    """Return whether neither of two types is a class that derives from the other; anything else may fit."""
    own, expected = typing.get_origin(own) or own, typing.get_origin(expected) or expected
    if not isinstance(own, type) or not isinstance(expected, type) or issubclass(own, Awaitable):
        return False
    return not issubclass(own, expected) and not issubclass(expected, own)


def _format_type(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))


CONTEXTS = (Context, SyncContext)


def find_handler_faults(tool: Tool) -> Iterator[OverrideFault]:
    """Iterate over what of a tool's handler cannot work; the handler is imported and not called.

    Raises:
        InvalidSpec: The handler, or `prepare`, cannot be loaded.
    """
    if (further := tool.spec.prepare) is not None and (
        fault := find_call_fault(tool.load(further), (), is_async=False)
    ):
        cause, remedy = fault
        yield OverrideFault(f"its prepare {cause}", remedy)
    handler = tool.handler
    fault = find_call_fault(handler, ("ctx", "args"), is_async=None) or _find_annotation_fault(tool, handler)
    if fault is not None:
        cause, remedy = fault
        yield OverrideFault(f"its handler {cause}", remedy)
    if not callable(handler):
        return
    try:
        _ = tool.output
    except InvalidSpec as error:
        yield OverrideFault(error.message, error.suggestion)
        return
    if attrs.has(tool.result) and not callable(getattr(tool.result, "render", None)):
        cause = f"its handler returns {tool.result.__name__}, which has no method render"
        yield OverrideFault(cause, "add def render(self) -> Iterator[str], which yields the lines of the text")


def _find_annotation_fault(tool: Tool, handler: Callable[..., Any]) -> tuple[str, str] | None:
    """Return cause and remedy of a handler whose annotations contradict how it is called."""
    names = list(inspect.signature(handler).parameters)[:2]
    hints = _read_annotations(handler)
    context, arguments = (hints.get(name) for name in names) if len(names) > 1 else (None, None)
    expected = tool.spec.input
    signature = f"(ctx: {'Context' if tool.is_async else 'SyncContext'}, args: {expected.__name__})"
    if arguments in CONTEXTS or context is expected:
        return "has its arguments in the wrong order", f"declare it with {signature}"
    if context is SyncContext and tool.is_async:
        return "is async and takes a SyncContext", "annotate Context, or write it without async"
    if context is Context and not tool.is_async:
        return "is a plain function and takes a Context", "annotate SyncContext, or write it as async def"
    if isinstance(arguments, type) and attrs.has(arguments) and not issubclass(expected, arguments):
        return (
            f"takes {arguments.__name__}, and the tool's input is {expected.__name__}",
            f"declare it with {signature}",
        )
    return None


def _read_annotations(handler: Callable[..., Any]) -> dict[str, Any]:
    try:
        return inspect.get_annotations(handler, eval_str=True)
    except Exception:  # noqa: BLE001 -- the schema of the result reports it
        return {}


def find_wrapper_faults(wrapper: BoundWrapper, tools: Iterable[Tool]) -> Iterator[OverrideFault]:
    """Iterate over the schemas that a call wrapper adds to tools and that are not valid.

    Raises:
        PluginFault: The wrapper cannot be created.
    """
    for tool in tools:
        if wrapper not in tool.applied:
            continue
        for name, schema in (*wrapper.spec.arguments.items(), *wrapper.wrapper.note_schemas(tool).items()):
            if message := _find_schema_fault(json.dumps(schema, default=repr)):
                cause = f"its schema of {name!r} is not valid: {message}"
                yield OverrideFault(cause, f"correct the schema of {name!r}")


@functools.lru_cache(maxsize=100)  # wrappers add the same to many tools, and a check takes milliseconds
def _find_schema_fault(schema: str) -> str:
    """Return why a JSON Schema is not valid; empty where it is."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path))
        return f"{place}: {error.message}" if place else error.message
    return ""


_MARK = re.compile(r"[!#$&*+~^]")


def find_name_faults(names: ForgeNames) -> Iterator[OverrideFault]:
    """Iterate over what of a kind's names cannot work: each fault has its cause and its remedy.

    Args:
        names: The `names` of a `ForgeKind`.
    """
    owner = type(names).__name__
    if not _MARK.fullmatch(names.mark):
        yield OverrideFault(f"{owner}.mark is {names.mark!r}", "write one of the characters ! # $ & * + ~ ^")
    repository = names.parse_name(tuple(names.form.split("/")))
    if repository is None or str(repository) != names.form:
        cause = f"{owner}.form {names.form!r} is parsed by {owner}.parse_name as {_show(repository)}"
        yield OverrideFault(cause, "write the name of a repository that parse_name accepts")
        return
    path = names.format_repository_path(repository)
    yield from _check_path(names, "repository", path, NamedPlace(repository=repository))
    path = names.format_pull_request_path(names.create_pull_request_ref(repository, 7))
    yield from _check_path(names, "pull_request", path, NamedPlace(repository=repository, pull_request=7))


def _check_path(names: ForgeNames, what: str, path: str, expected: NamedPlace) -> Iterator[OverrideFault]:
    """Check that a formatted path is parsed as what it was formatted from."""
    segments: Segments = tuple(map(unquote, path.split("/")))
    found = names.parse_path(segments)
    if found != expected:
        owner = type(names).__name__
        cause = f"{owner}.format_{what}_path writes {path!r}, and {owner}.parse_path parses it as {found}"
        yield OverrideFault(cause, f"change both so that parse_path reads what format_{what}_path writes")


def _show(repository: RepositoryRef | None) -> str:
    return "no name" if repository is None else repr(str(repository))
