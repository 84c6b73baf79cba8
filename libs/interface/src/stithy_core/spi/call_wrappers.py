"""Call wrappers and guards of forge access: what a plugin declares and implements, and what these receive."""

import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from inspect import BoundArguments
from typing import TYPE_CHECKING, Any, Protocol

from attrs import field, frozen

from stithy_core.model import IssueRef, RepositoryRef
from stithy_core.spi.call_state import current_write_guard
from stithy_core.spi.runtime import Context, Contribution, Scope, Workflow
from stithy_core.spi.tools import Ref, ToolSpec

if TYPE_CHECKING:
    from stithy_core.errors import StithyError
    from stithy_core.spi.capabilities import Operation
    from stithy_core.spi.forge import Forge, ForgeConfig

JsonSchema = Mapping[str, Any]


class WrappedTool(Protocol):
    """A tool as wrappers see it."""

    spec: ToolSpec[Any]
    """What its plugin declared."""
    origin: Contribution
    """The plugin."""

    @property
    def input(self) -> JsonSchema:
        """The JSON Schema of its arguments."""
        ...

    @property
    def own_arguments(self) -> Sequence[str]:
        """The names of the arguments that its input class declares; those that wrappers add are not among them."""
        ...

    @property
    def preferable(self) -> Sequence[str]:
        """The names of the arguments that are marked `Meta(preferable=True)`."""
        ...

    @property
    def writes(self) -> bool:
        """Whether its effects are anything but READ."""
        ...

    @property
    def is_async(self) -> bool:
        """Whether its handler runs in the event loop; a plain one runs in a thread."""
        ...

    def argument_fault(self, name: str, value: object) -> str:
        """Return why an argument cannot have a value; empty where it can."""
        ...


class ToolCall:
    """One call of a tool, from its arguments to its answer.

    Args:
        tool: What is called.
        arguments: JSON, as the caller sent it, without nulls. `CallWrapper.before` may change it in place; it is
            validated after that.
        caller: Identifies the caller where several share the server; None is the one user behind it.

    Attributes:
        workflow: What the handler gets as `Context.workflow`.
        dry: Whether the call must not write: then the first write of the call raises `DryRunStop`. Set it in `before`.
        reserved: Bytes of the answer's budget to leave for notes that `after` adds.
        notes: Fields that the answer gets beside those of the tool: by name, the JSON value and a line of text.
    """

    __slots__ = ("arguments", "caller", "dry", "notes", "reserved", "tool", "workflow")

    def __init__(self, tool: WrappedTool, arguments: dict[str, Any], caller: str | None) -> None:
        self.tool = tool
        self.arguments = arguments
        self.caller = caller
        self.workflow: Workflow | None = None
        self.dry = False
        self.reserved = 0
        self.notes: dict[str, tuple[Any, str]] = {}

    def add_note(self, name: str, value: Any, line: str) -> None:
        """Add a field to the answer, or replace it.

        Args:
            name: The field; `CallWrapper.note_schemas` must describe it.
            value: JSON.
            line: The line that the answer's text gets.
        """
        self.notes[name] = (value, line)


class CallWrapper:
    """Base class of wrappers; each server makes one object, at the first call of a tool that it wraps.

    A method that a subclass does not override costs a call nothing.

    Args:
        scope: The plugin's scope.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def note_schemas(self, tool: WrappedTool) -> Mapping[str, JsonSchema]:
        """Return the JSON Schema of each field that `ToolCall.add_note` may add to answers of a tool."""
        return {}

    def result_types(self, tool: WrappedTool) -> Sequence[type]:
        """Return the result classes that `around` may return in place of the tool's own."""
        return ()

    def before(self, call: ToolCall) -> None:
        """Change the arguments before they are validated.

        Raises:
            StithyError: The call is refused; the handler does not run.
        """

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:
        """Run the handler, once or not at all, and return its result or another one.

        It runs within the time limit of the call, after the arguments were validated.

        Args:
            call: The call; its arguments are final.
            context: The context that the handler receives.
            proceed: Runs the next wrapper, at last the handler. It returns a result that fits the handler's return
                annotation, or raises what the handler raised.
        """
        return await proceed()

    def after(self, call: ToolCall, answer: Mapping[str, Any], error: "StithyError | None") -> None:
        """Record how the call ended. The answer is final; only `ToolCall.add_note` adds to it.

        Args:
            call: The call.
            answer: The object that is sent: the result as JSON, cut to its budget, or the error.
            error: Why the call failed; None where it succeeded.
        """

    def extend_prompt(
        self,
        prompt: str,
        arguments: Mapping[str, str],
        caller: str | None,
        tools: Iterable[WrappedTool],
    ) -> str:
        """Return a message to append to a prompt that begins a workflow; empty for none.

        Args:
            prompt: The prompt's name.
            arguments: The prompt's arguments.
            caller: As in `ToolCall`.
            tools: All tools that are served.

        Raises:
            StithyError: The prompt is refused.
        """
        return ""


@frozen(kw_only=True, eq=False, repr=False)
class CallWrapperSpec:
    """A wrapper around the calls of tools.

    Args:
        name: What errors and logs call it.
        wrapper: A `CallWrapper` class, or a `Ref` to it: anything that makes a wrapper of a scope.
        applies: Whether calls of a tool are wrapped; asked once for each tool. Other tools are not slowed down.
        order: Wrappers of lower order are further out: `before` runs first, `after` last.
        arguments: The JSON Schema of each argument that the tools get beside their own. A tool that declares an
            argument of that name itself keeps its own; it must have the same JSON type.
        supplies: How the wrapper may supply required arguments, "workflow_handle brings it": then `tools/list` requires
            none of them. They are required all the same when `before` has run.
    """

    name: str
    wrapper: Ref | Callable[[Scope], CallWrapper]
    applies: Callable[[WrappedTool], bool] = lambda tool: True  # noqa: ARG005 -- all tools
    order: int = 0
    arguments: Mapping[str, JsonSchema] = field(factory=dict)
    supplies: str = ""


def current_call() -> ToolCall | None:
    """Return the call under way; None outside of calls of tools."""
    guard = current_write_guard()
    return guard.call if guard is not None else None


def parse_argument(text: str, schema: JsonSchema) -> Any:
    """Parse a text from a command line or a prompt: a string where the schema wants one, else JSON if it is JSON."""
    if schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


class ForgeGuard:
    """Base class of guards; each forge has one object for each guard, created at the forge's first use.

    Args:
        forge: The forge itself, without guards. The forge's own plugin calls that one, too.
    """

    def __init__(self, forge: "Forge") -> None:
        self.forge = forge

    def before(self, operation: "Operation", arguments: BoundArguments) -> None:
        """Check a call before the forge is asked.

        Args:
            operation: The operation, as its base class has it: `Comments.create`.
            arguments: The arguments that were passed; defaults are not among them.

        Raises:
            StithyError: The call is refused.
        """

    async def after(self, operation: "Operation", arguments: BoundArguments, answer: Any) -> Any:
        """Return the answer as tools may see it. Streams, of which nothing is checked, do not pass here.

        Raises:
            StithyError: The answer is withheld.
        """
        return answer


@frozen(kw_only=True, eq=False, repr=False)
class ForgeGuardSpec:
    """A guard of forge access.

    Args:
        name: What errors and logs call it.
        guard: A `ForgeGuard` class, or a `Ref` to it: anything that makes a guard of a forge.
        applies: Whether a forge gets the guard; asked once for each forge. Other forges are not slowed down.
        order: Guards of lower order are asked first.
    """

    name: str
    guard: "Ref | Callable[[Forge], ForgeGuard]"
    applies: "Callable[[ForgeConfig], bool]" = lambda config: True  # noqa: ARG005 -- all forges
    order: int = 0


def repositories_in(arguments: BoundArguments) -> Iterator[RepositoryRef]:
    """Iterate over the repositories that the arguments of an operation name."""
    for value in arguments.arguments.values():
        if isinstance(value, IssueRef):
            yield value.repository
        elif isinstance(value, RepositoryRef):
            yield value
