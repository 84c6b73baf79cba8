"""The tools that are served, by name, each checked before anything of it is shown."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import define, evolve, frozen

from stithy_core.errors import InvalidArguments, InvalidSpec, Refused, ToolNotFound
from stithy_core.spi import Contribution, Effects, Scope, ToolSpec
from stithy_core.tools.hints import dispensable_in, hints_of, local_in, messages, preferable_in
from stithy_core.tools.schema import Schema, input_schema, output_schema
from stithy_core.tools.validation import Validator

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
WORKFLOW = "workflow_handle"
NOTE = "workflow_note"
PREFERRED = "applied_preferences"
WITHHELD = "withheld_texts"
IGNORED = "ignored_arguments"
DRY_RUN = "dry_run"
DRY_RUN_ARGUMENT: Schema = {
    "type": "boolean",
    "default": False,
    "description": "Write nothing: show the request that would be sent",
}
DURATIONS = {"quick": 10.0, "slow": 30.0, "long": 1_800.0}


@define(eq=False, slots=False)
class Tool:
    """A tool that is served: its spec, whose it is, and what was worked out from it.

    Args:
        spec: As its plugin declares it.
        origin: Whose it is.
        scope: The plugin's corner, that its handler is handed.
        input: The JSON Schema of its arguments.
        load: Resolves the spec's handler.
    """

    spec: ToolSpec[Any]
    origin: Contribution
    scope: Scope
    input: Schema
    load: Callable[[object], Any]

    @cached_property
    def handler(self) -> Callable[..., Any]:
        """The function itself, imported at the first call."""
        handler: Callable[..., Any] = self.load(self.spec.handler)
        return handler

    @cached_property
    def is_async(self) -> bool:
        """Whether the handler runs in the event loop; a plain one runs in a thread."""
        call = getattr(self.handler, "__call__", None)  # noqa: B004 -- the method is looked at, not called
        return inspect.iscoroutinefunction(self.handler) or inspect.iscoroutinefunction(call)

    @cached_property
    def validator(self) -> Validator:
        """The check of its arguments."""
        return Validator(self.input, messages(self.spec.input), self.dispensable)

    @cached_property
    def misfit(self) -> Callable[[Any], str]:
        """What does not fit of a result, by the handler's return annotation; nothing where that says nothing."""
        from stithy_core.tools.fitting import misfit_of

        try:
            _ = self.output
        except InvalidSpec:
            return lambda _: ""
        return misfit_of(self.result)

    @cached_property
    def output(self) -> Schema:
        """The JSON Schema of its result, from the handler's return annotation.

        Raises:
            InvalidSpec: The handler does not say what it returns, or that cannot be described.
        """
        schema = output_schema(self.result)
        schema["properties"] |= self._beside()
        if not self.writes:
            return schema
        from stithy_core.tools.rehearsing import with_dry_answer

        return with_dry_answer(schema)

    def _beside(self) -> Schema:
        """Describe what an answer says of the call itself."""
        taken = {name: self.input["properties"][name] for name in self.preferable}
        preferred = {"type": "object", "properties": taken, "additionalProperties": False}
        beside: Schema = {PREFERRED: preferred} if taken else {}
        if self.takes_workflow:
            beside[NOTE] = {"type": "string"}
        if self.spec.needs:
            beside[WITHHELD] = {"type": "integer"}
        return beside | {IGNORED: {"type": "array", "items": {"type": "string"}}}

    @cached_property
    def result(self) -> type:
        """The class of its result.

        Raises:
            InvalidSpec: The handler does not say it.
        """
        handler = self.handler  # what cannot be loaded says so itself
        try:
            hints = inspect.get_annotations(handler, eval_str=True)
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
        return "cursor" in hints_of(self.spec.input)

    @cached_property
    def preferable(self) -> Sequence[str]:
        """The arguments that a user may store a preference for."""
        return preferable_in(self.spec.input)

    @cached_property
    def dispensable(self) -> Mapping[str, Sequence[str]]:
        """What makes required arguments dispensable."""
        taken = self.input["properties"]  # a remote caller's tool has fewer than its class
        found = {
            name: [one for one in others if one in taken] for name, others in dispensable_in(self.spec.input).items()
        }
        return {name: others for name, others in found.items() if others}

    @cached_property
    def local(self) -> Sequence[str]:
        """The arguments that name files or folders of the server's machine."""
        return local_in(self.spec.input)

    @cached_property
    def remote(self) -> "Tool":
        """The tool as it is offered to callers on other machines: without the arguments that are local."""
        if not self.local:
            return self
        properties = {name: one for name, one in self.input["properties"].items() if name not in self.local}
        return evolve(self, input=self.input | {"properties": properties})

    def check_remote(self, arguments: Mapping[str, Any]) -> None:
        """Check that a caller on another machine names no file or folder of this one; nothing is looked up.

        Raises:
            InvalidArguments: It does.
        """
        allowed = ", ".join(sorted(self.remote.input["properties"]))
        texts = {name: f"{name} names a path on the server's machine and is not taken over HTTP" for name in self.local}
        found = [name for name in self.local if name in arguments]
        if found:
            rows = [{"path": name, "allowed": allowed, "message": texts[name]} for name in found]
            raise InvalidArguments(texts[found[0]], suggestion=f"Use {allowed}.", details={"errors": rows})

    @property
    def takes_workflow(self) -> bool:
        """Whether it takes part in workflows."""
        return WORKFLOW in self.input["properties"]

    @cached_property
    def published(self) -> Schema:
        """The JSON Schema of its arguments as callers are told.

        What a workflow may bring, or another argument make dispensable, is not required of them.
        """
        required = self.input.get("required", ())
        loose = [name for name in required if self.takes_workflow or name in self.dispensable]
        if not loose:
            return self.input
        properties = dict(self.input["properties"])
        for name in loose:
            said = f"{properties[name].get('description', '')} ({self._unless(name)})".lstrip()
            properties[name] = properties[name] | {"description": said}
        strict = [name for name in required if name not in loose]
        rest = {word: value for word, value in self.input.items() if word != "required"}
        return rest | {"properties": properties} | ({"required": strict} if strict else {})

    def _unless(self, name: str) -> str:
        """Say when a required argument may be left out."""
        ways = [f"{WORKFLOW} brings it"] if self.takes_workflow else []
        if others := self.dispensable.get(name):
            ways.insert(0, f"{', '.join(others)} is given")
        return f"required, unless {' or '.join(ways)}"

    @property
    def writes(self) -> bool:
        """Whether it leaves something behind."""
        return self.spec.effects is not Effects.READ

    @property
    def seconds(self) -> float:
        """How long a call may take."""
        return DURATIONS[self.spec.duration]


def check(spec: ToolSpec[Any], origin: Contribution, scope: Scope, load: Callable[[object], Any]) -> Tool:
    """Make a spec into a tool that can be served.

    Raises:
        InvalidSpec: Its name, duration, input class or needs are not valid.
    """
    if not NAME.fullmatch(str(spec.name)):
        raise InvalidSpec(f"{spec.name!r} is no tool name", suggestion=f"use a name that matches {NAME.pattern}")
    if spec.duration not in DURATIONS:
        raise InvalidSpec(f"{spec.duration!r} is no duration", suggestion=f"use one of {', '.join(DURATIONS)}")
    if not all(hasattr(operation, "__qualname__") for operation in spec.needs):
        raise InvalidSpec(f"{spec.name} needs what is no operation", suggestion="write needs=[Threads.list]")
    return Tool(spec=spec, origin=origin, scope=scope, input=_with_dry_run(spec, input_schema(spec.input)), load=load)


def _with_dry_run(spec: ToolSpec[Any], schema: Schema) -> Schema:
    """Give the arguments of a tool with `dry_run`, if it writes and has none of its own.

    Raises:
        InvalidSpec: It has another argument of that name.
    """
    if spec.effects is Effects.READ:
        return schema
    if DRY_RUN in schema["properties"]:
        if schema["properties"][DRY_RUN].get("type") != "boolean":
            raise InvalidSpec(f"{spec.name}: {DRY_RUN} is no bool", suggestion=f"write {DRY_RUN}: bool = False")
        return schema
    return schema | {"properties": schema["properties"] | {DRY_RUN: DRY_RUN_ARGUMENT}}


@frozen
class Registry:
    """The tools that are served, in the order of their names, and why others are not.

    Args:
        tools: By name.
        refused: The setting that switched a tool off, by the tool's name.
    """

    tools: Mapping[str, Tool]
    refused: Mapping[str, str]

    def get(self, name: str) -> Tool:
        """Find a tool.

        Raises:
            ToolNotFound: There is none of that name; the nearest is proposed.
            Refused: A setting switched it off.
        """
        if name in self.tools:
            return self.tools[name]
        if name in self.refused:
            raise Refused(f"{name} is switched off: {self.refused[name]}", suggestion="Ask the server's user.")
        from difflib import get_close_matches

        near = get_close_matches(name[:100], self.tools, n=1)
        raise ToolNotFound(
            f"no tool is called {name[:100]!r}",
            suggestion=f"Did you mean {near[0]}?" if near else "tools/list says what there is.",
        )


def registry(tools: Iterable[Tool], refuse: Callable[[Tool], str] = lambda _: "") -> Registry:
    """Gather tools, in the order of their names.

    Args:
        tools: Those that were checked, no two of one name.
        refuse: Gives the setting that switches a tool off, or nothing.
    """
    ordered = sorted(tools, key=lambda tool: tool.spec.name)
    refused = {tool.spec.name: why for tool in ordered if (why := refuse(tool))}
    return Registry({tool.spec.name: tool for tool in ordered if tool.spec.name not in refused}, refused)
