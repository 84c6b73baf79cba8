"""The tools that are served, by name, each checked at start, and the call wrappers around them."""

import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from stithy_core.errors import InvalidArguments, InvalidSpec, Refused, StithyError, ToolNotFound
from stithy_core.spi import (
    CallWrapper,
    CallWrapperSpec,
    Context,
    Contribution,
    Effects,
    Scope,
    ToolCall,
    ToolSpec,
    WrappedTool,
)
from stithy_core.spi.faults import PluginFault, create_fault, ends_caller
from stithy_core.tools.schema import (
    Schema,
    TypeNotes,
    argument_notes,
    condense_schema,
    error_texts,
    field_hints,
    input_schema,
    output_schema,
    replace_arguments,
    with_alternatives,
)
from stithy_core.tools.validation import Validator, build_result_check

T = TypeVar("T")

log = logging.getLogger("stithy.tools")


@define(eq=False, slots=False)
class BoundWrapper:
    """A call wrapper of one server.

    Args:
        spec: What the plugin declares.
        origin: The plugin.
        scope: The plugin's scope, for the wrapper.
        load: Resolves the reference to the wrapper.

    Attributes:
        last_fault: How the wrapper failed at its last use; None where it did not.
    """

    spec: CallWrapperSpec
    origin: Contribution
    scope: Scope
    load: Callable[[object], Any] = field(repr=False)
    last_fault: PluginFault | None = None

    @cached_property
    def wrapper(self) -> CallWrapper:
        """The wrapper itself.

        Raises:
            PluginFault: It cannot be loaded or created.
        """
        try:
            wrapper: CallWrapper = self.load(self.spec.wrapper)(self.scope)
        except BaseException as error:
            raise self._fault(error) from error
        return wrapper

    def applies(self, tool: WrappedTool) -> bool:
        """Return whether the calls of a tool are wrapped.

        Raises:
            PluginFault: The plugin's `applies` raised.
        """
        try:
            return bool(self.spec.applies(tool))
        except BaseException as error:
            raise self._fault(error) from error

    def is_overridden(self, method: str) -> bool:
        """Return whether the wrapper has its own implementation of a method of `CallWrapper`."""
        return getattr(type(self.wrapper), method, None) is not getattr(CallWrapper, method)

    def before(self, call: ToolCall) -> None:
        """Run the wrapper's `before`.

        Raises:
            StithyError: The call is refused.
            PluginFault: The wrapper failed.
        """
        self.run(lambda wrapper: wrapper.before(call))

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:
        """Run the wrapper's `around`.

        Raises:
            StithyError: The call is refused, or the handler raised it.
            PluginFault: The wrapper failed.
        """
        inner: list[BaseException] = []

        async def run() -> object:
            try:
                return await proceed()
            except BaseException as error:
                inner.append(error)
                raise

        try:
            result = await self.wrapper.around(call, context, run)
        except StithyError:
            raise
        except BaseException as error:
            if any(error is one for one in inner):  # the handler's, which is not the wrapper's fault
                raise
            raise self._fault(error) from error
        self.last_fault = None
        return result

    def extend_prompt(
        self, prompt: str, arguments: Mapping[str, str], caller: str | None, tools: Iterable[WrappedTool]
    ) -> str:
        """Run the wrapper's `extend_prompt`.

        Raises:
            StithyError: The prompt is refused.
            PluginFault: The wrapper failed.
        """
        return self.run(lambda wrapper: wrapper.extend_prompt(prompt, arguments, caller, tools))

    def run(self, method: Callable[[CallWrapper], T]) -> T:
        """Run a method of the wrapper.

        Raises:
            StithyError: The method raised it.
            PluginFault: The wrapper failed.
        """
        try:
            result = method(self.wrapper)
        except StithyError:
            raise
        except BaseException as error:
            raise self._fault(error) from error
        self.last_fault = None
        return result

    def after(self, call: ToolCall, answer: Mapping[str, Any], error: StithyError | None) -> None:
        """Run the wrapper's `after`; its failure is recorded and does not change how the call ended."""
        try:
            self.wrapper.after(call, answer, error)
        except BaseException as failed:  # noqa: BLE001 -- the call has been carried out, and its answer must be sent
            self._fault(failed)
        else:
            self.last_fault = None

    def _fault(self, error: BaseException) -> PluginFault:
        """Record a fault.

        Raises:
            BaseException: The error itself, where it ends the caller.
        """
        if ends_caller(error):
            raise error
        log.error("the call wrapper %s failed inside %s", self.spec.name, self.origin, exc_info=error)
        self.last_fault = create_fault("call wrapper", self.spec.name, self.origin, error)
        return self.last_fault


NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
IGNORED = "ignored_arguments"
FROM_CLONE = "default: this clone"
DURATIONS = {"quick": 10.0, "slow": 30.0, "long": 1_800.0}


@define(eq=False, slots=False)
class Tool:
    """A tool that is served: its spec, its plugin, and what is derived from them.

    Args:
        spec: What its plugin declares.
        origin: The plugin.
        scope: The plugin's scope, which its handler receives.
        input: The JSON Schema of its arguments.
        load: Resolves the spec's handler.
        wrappers: The call wrappers of the server, the outermost first.
    """

    spec: ToolSpec[Any]
    origin: Contribution
    scope: Scope
    input: Schema
    load: Callable[[object], Any]
    wrappers: Sequence[BoundWrapper] = ()

    @cached_property
    def applied(self) -> Sequence[BoundWrapper]:
        """The wrappers of its calls, the outermost first."""
        return [wrapper for wrapper in self.wrappers if wrapper.applies(self)]

    @cached_property
    def before(self) -> Sequence[Callable[[ToolCall], None]]:
        """What its wrappers do before its arguments are validated, the outermost first."""
        return [wrapper.before for wrapper in self.applied if wrapper.is_overridden("before")]

    @cached_property
    def around(self) -> Sequence[BoundWrapper]:
        """The wrappers around its handler, the innermost first."""
        return [wrapper for wrapper in reversed(self.applied) if wrapper.is_overridden("around")]

    @cached_property
    def after(self) -> Sequence[Callable[[ToolCall, Mapping[str, Any], StithyError | None], None]]:
        """What its wrappers do when a call has ended, the innermost first."""
        return [wrapper.after for wrapper in reversed(self.applied) if wrapper.is_overridden("after")]

    @cached_property
    def handler(self) -> Callable[..., Any]:
        """The function itself, imported at the first call."""
        handler: Callable[..., Any] = self.load(self.spec.handler)
        return handler

    def prepare(self) -> None:
        """Import the handler and create what calls use, ahead of the first one.

        Raises:
            Exception: Whatever the plugin's code raises; the first call reports it.
        """
        # Not by `handler`: before Python 3.12 its lock is that of all tools, and a call would wait for this import.
        self.load(self.spec.handler)
        _ = (self.is_async, self.before, self.around, self.after, self.misfit)
        self.validator.prepare()

    @cached_property
    def is_async(self) -> bool:
        """Whether the handler runs in the event loop; a plain one runs in a thread."""
        call = getattr(self.handler, "__call__", None)  # noqa: B004 -- the method is looked at, not called
        return inspect.iscoroutinefunction(self.handler) or inspect.iscoroutinefunction(call)

    @cached_property
    def validator(self) -> Validator:
        """The check of its arguments."""
        return Validator(self.input, error_texts(self.spec.input), self.dispensable)

    @cached_property
    def misfit(self) -> Callable[[Any], str]:
        """The check of its results against the handler's return annotation; without one it accepts anything."""
        try:
            _ = self.output
        except InvalidSpec:
            return lambda _: ""
        return build_result_check(self.result)

    @cached_property
    def output(self) -> Schema:
        """The JSON Schema of its result, from the handler's return annotation.

        Raises:
            InvalidSpec: The handler has no return annotation, or one that cannot be described.
            PluginFault: A wrapper cannot describe what it adds.
        """
        schema = output_schema(self.result)
        for wrapper in self.applied:
            schema["properties"] |= wrapper.run(lambda one: one.note_schemas(self))
        schema["properties"] |= {IGNORED: {"type": "array", "items": {"type": "string"}}}
        others = [cls for wrapper in self.applied for cls in wrapper.run(lambda one: one.result_types(self))]
        return with_alternatives(schema, [output_schema(cls) for cls in others]) if others else schema

    @cached_property
    def result(self) -> type:
        """The class of its result.

        Raises:
            InvalidSpec: The handler has no return annotation.
        """
        handler = self.handler  # raises its own error where it cannot be loaded
        try:
            function = handler if inspect.isroutine(handler) else getattr(handler, "__call__", handler)  # noqa: B004
            hints = inspect.get_annotations(function, eval_str=True)
        except Exception as error:
            raise InvalidSpec(
                f"the annotations of {self.spec.name}'s handler cannot be read: {error}",
                suggestion="import their types where the handler is, not under TYPE_CHECKING",
            ) from error
        if "return" not in hints:
            raise InvalidSpec(f"the handler of {self.spec.name} has no return annotation", suggestion="annotate it")
        cls: type = hints["return"]
        return cls

    @cached_property
    def takes_cursor(self) -> bool:
        """Whether its list can be paged."""
        return "cursor" in field_hints(self.spec.input)

    @cached_property
    def preferable(self) -> Sequence[str]:
        """The arguments that a user may store a preference for."""
        return [name for name, note in self._notes.items() if note.is_preferable]

    @cached_property
    def dispensable(self) -> Mapping[str, Sequence[str]]:
        """The arguments in whose place others may be given, each with those."""
        own = self.input["properties"]  # a remote caller's tool has fewer than its class
        replaceable = {name: [one for one in note.instead if one in own] for name, note in self._notes.items()}
        return {name: others for name, others in replaceable.items() if others}

    @cached_property
    def local(self) -> Sequence[str]:
        """The arguments that name files or folders of the server's machine."""
        return [name for name, note in self._notes.items() if note.is_local]

    @cached_property
    def remote(self) -> "Tool":
        """The tool for callers on other machines: without arguments that name local files, which no clone replaces."""
        needed = [name for name, note in self._notes.items() if note.is_from_clone]
        if not self.local and not needed:
            return self
        properties = {name: one for name, one in self.input["properties"].items() if name not in self.local}
        required = [name for name in properties if name in needed or name in self.input.get("required", ())]
        return evolve(self, input=replace_arguments(self.input, properties, required))

    def check_remote(self, arguments: Mapping[str, Any]) -> None:
        """Check that a caller on another machine passes no argument that names a local file.

        Raises:
            InvalidArguments: It passes one.
        """
        allowed = ", ".join(sorted(self.remote.input["properties"]))
        texts = {name: f"{name} names a path on the server's machine and is not taken over HTTP" for name in self.local}
        refused = [name for name in self.local if name in arguments]
        if refused:
            rows = [{"path": name, "allowed": allowed, "message": texts[name]} for name in refused]
            raise InvalidArguments(texts[refused[0]], suggestion=f"Use {allowed}.", details={"errors": rows})

    @cached_property
    def _from_clone(self) -> Sequence[str]:
        """The arguments that callers on this machine may leave out, since a clone has them."""
        return [name for name, note in self._notes.items() if note.is_from_clone]

    @cached_property
    def own_arguments(self) -> Sequence[str]:
        """The arguments that its input class declares, as they are called on the wire."""
        return list(self._notes)

    @cached_property
    def _notes(self) -> Mapping[str, TypeNotes]:
        return argument_notes(self.spec.input)

    def argument_fault(self, name: str, value: object) -> str:
        """Return why an argument cannot have a value; empty where it can."""
        alone = self.input | {"properties": {name: self.input["properties"][name]}, "required": []}
        try:
            Validator(alone, error_texts(self.spec.input)).check({name: value})
        except InvalidArguments as error:
            return error.message
        return ""

    @cached_property
    def published(self) -> Schema:
        """The JSON Schema of its arguments for callers.

        It does not require what a wrapper may supply, or what another argument may replace.
        """
        required = self.input.get("required", ())
        supplies = self._supplies()
        loose = {name: self._unless(name, supplies) for name in required if supplies or name in self.dispensable}
        properties = dict(self.input["properties"])
        loose |= {name: FROM_CLONE for name in self._from_clone if name in properties and name not in required}
        if not loose:
            return self.input
        for name, remark in loose.items():
            description = f"{properties[name].get('description', '')} ({remark})".lstrip()
            properties[name] = properties[name] | {"description": description}
        strict = [name for name in required if name not in loose]
        return replace_arguments(self.input, properties, strict)

    @cached_property
    def list_schema(self) -> Schema:
        """The JSON Schema of its arguments in `tools/list`, as short as possible: hosts send it to their model."""
        return condense_schema(self.published)

    def _supplies(self) -> list[str]:
        """Return how wrappers may supply required arguments; a faulty wrapper fails calls, not the list of tools."""
        try:
            return [wrapper.spec.supplies for wrapper in self.applied if wrapper.spec.supplies]
        except PluginFault:
            return []

    def _unless(self, name: str, supplies: Sequence[str]) -> str:
        """Describe when a required argument may be left out."""
        others = self.dispensable.get(name)
        if others and not supplies:
            return f"or {' or '.join(others)}"
        given = [f"{', '.join(others)} is given"] if others else []
        return f"required, unless {' or '.join([*given, *supplies])}"

    @property
    def writes(self) -> bool:
        """Whether its effects are anything but READ."""
        return self.spec.effects is not Effects.READ

    @property
    def seconds(self) -> float:
        """The time limit of a call, in seconds."""
        return DURATIONS[self.spec.duration]


def create_tool(
    spec: ToolSpec[Any],
    origin: Contribution,
    scope: Scope,
    load: Callable[[object], Any],
    wrappers: Sequence[BoundWrapper] = (),
) -> Tool:
    """Create a tool from its spec.

    Raises:
        InvalidSpec: Its name, duration, keywords, input class or needs are not valid.
    """
    if not NAME.fullmatch(str(spec.name)):
        raise InvalidSpec(f"invalid tool name {spec.name!r}", suggestion=f"use a name that matches {NAME.pattern}")
    if spec.duration not in DURATIONS:
        raise InvalidSpec(f"invalid duration {spec.duration!r}", suggestion=f"use one of {', '.join(DURATIONS)}")
    if isinstance(spec.keywords, str) or not all(isinstance(phrase, str) for phrase in spec.keywords):
        raise InvalidSpec(f"invalid keywords of {spec.name}", suggestion='write keywords=("CI failures", ...)')
    if not all(hasattr(operation, "__qualname__") for operation in spec.needs):
        raise InvalidSpec(f"invalid needs of {spec.name}: not an operation", suggestion="write needs=[Threads.list]")
    tool = Tool(spec=spec, origin=origin, scope=scope, input=input_schema(spec.input), load=load, wrappers=wrappers)
    adding = [wrapper for wrapper in wrappers if wrapper.spec.arguments and wrapper.applies(tool)]
    return evolve(tool, input=_with_arguments(tool, adding)) if adding else tool


def _with_arguments(tool: Tool, wrappers: Iterable[BoundWrapper]) -> Schema:
    """Return the schema of a tool's arguments with those that wrappers add.

    Raises:
        InvalidSpec: The tool, or another wrapper, has an argument of such a name and another type.
    """
    own: dict[str, Mapping[str, Any]] = tool.input["properties"]
    added: dict[str, Mapping[str, Any]] = {}
    for wrapper in wrappers:
        for name, schema in wrapper.spec.arguments.items():
            known = own.get(name, added.get(name))
            if known is None:
                added[name] = schema
            elif known.get("type") != schema.get("type"):
                text = f"{tool.spec.name}: the argument {name!r} must be a {schema.get('type')}"
                raise InvalidSpec(text, suggestion=f"change its type: {wrapper.spec.name} adds {name} to tools")
    return tool.input | {"properties": own | added} if added else tool.input


@frozen
class Registry:
    """The tools that are served, in alphabetical order, and why others are not.

    Args:
        tools: By name.
        refused: The setting that switched a tool off, by the tool's name.
    """

    tools: Mapping[str, Tool]
    refused: Mapping[str, str]

    def get(self, name: str) -> Tool:
        """Return a tool.

        Raises:
            ToolNotFound: The name is unknown; the error suggests the nearest one.
            Refused: A setting switched it off.
        """
        if name in self.tools:
            return self.tools[name]
        if name in self.refused:
            raise Refused(f"{name} is switched off: {self.refused[name]}", suggestion="Ask the server's user.")
        from difflib import get_close_matches

        near = get_close_matches(name[:100], self.tools, n=1)
        listed = "tools/list, or `stithy tools`, lists the tools of the installed plugins."
        raise ToolNotFound(f"unknown tool {name[:100]!r}", suggestion=f"Did you mean {near[0]}?" if near else listed)


def build_registry(tools: Iterable[Tool], refuse: Callable[[Tool], str] = lambda _: "") -> Registry:
    """Create a registry.

    Args:
        tools: Checked tools, no two of one name.
        refuse: Returns the setting that switches a tool off; empty where none does.
    """
    ordered = sorted(tools, key=lambda tool: tool.spec.name)
    refused = {tool.spec.name: why for tool in ordered if (why := refuse(tool))}
    return Registry({tool.spec.name: tool for tool in ordered if tool.spec.name not in refused}, refused)
