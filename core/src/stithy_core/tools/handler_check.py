"""The checks of tools and call wrappers without a call: arguments, kind and result of handlers, schemas of wrappers."""

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from stithy_core.errors import InvalidSpec
from stithy_core.spi import Context, SyncContext
from stithy_core.spi.overrides import OverrideFault, find_call_fault
from stithy_core.tools.registry import BoundWrapper, Tool

CONTEXTS = (Context, SyncContext)


def find_handler_faults(tool: Tool) -> Iterator[OverrideFault]:
    """Iterate over what of a tool's handler cannot work; the handler is imported and not called.

    Raises:
        InvalidSpec: The handler cannot be loaded.
    """
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
