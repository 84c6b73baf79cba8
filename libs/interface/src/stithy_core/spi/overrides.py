"""Overrides of methods of the plugin interface: can the core call them, and which keywords do they lack?

An override repeats the whole signature of its base. A later core may add a keyword to the base and pass it; so each
override is compared with its base when its class is created, and one that lacks a keyword is adapted.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import Parameter
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from attrs import frozen

from stithy_core.errors import Unsupported
from stithy_core.spi.operation_checks import check_answers, gate_of, guard_operation

if TYPE_CHECKING:
    from stithy_core.spi.forge import Forge

F = TypeVar("F", bound=Callable[..., Any])
Function = Callable[..., Any]

OMISSIBLE = "__stithy_omissible__"
RECORD = "__stithy_overrides__"
CUTOFF = 0.75
"""The similarity from which a name is taken for a misspelt one."""
FORMER_NAMES = {"of": ("list", "get")}
"""Names of methods in interface 0, each with those that replace it."""
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def may_omit(*keywords: str) -> Callable[[F], F]:
    """Declare on a method of the interface which keywords an override may lack without a wrong result.

    Such a keyword is left out of the call, whatever its value. A keyword that is not declared so makes the operation
    unsupported for every value but its default.

    Args:
        keywords: The names of keyword-only parameters.
    """

    def mark(function: F) -> F:
        setattr(function, OMISSIBLE, frozenset(keywords))
        return function

    return mark


@frozen
class OverrideFault:
    """Why a method of a plugin's class cannot be called as its base is.

    Args:
        cause: The class, the method and what is wrong with it, on one line.
        remedy: What its author has to change.
    """

    cause: str
    remedy: str


@frozen
class Override:
    """The result of comparing an override with its base.

    Args:
        name: The class and the method: `PondThreads.reply`.
        base: The method of the interface.
        fault: Why it cannot be called; None where it can.
        omitted: Keywords that it does not take, and that are left out of calls.
        refused: Keywords that it does not take, so that it is unsupported for every value but their default.
        is_renamed: Whether it has other names for arguments that callers may pass by name.
    """

    name: str
    base: Function
    fault: OverrideFault | None = None
    omitted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    is_renamed: bool = False

    def describe_keywords(self) -> Iterator[str]:
        """Iterate over notes on the keywords that it does not take."""
        if self.omitted:
            yield f"{self.name} does not take {_join(self.omitted)}: left out of calls"
        if self.refused:
            yield f"{self.name} does not take {_join(self.refused)}: unsupported where a value is passed"


def list_methods(base: type) -> Mapping[str, Function]:
    """Return the public methods that a class of the interface defines itself, and its constructor, by name."""
    return {
        name: value
        for name, value in vars(base).items()
        if inspect.isfunction(value) and (not name.startswith("_") or name == "__init__")
    }


def record_overrides(owner: type, methods: Mapping[str, Function], root: type) -> Mapping[str, Override]:
    """Compare the overrides that a new class adds, record them on it, and return them by name.

    Methods of a class that does not derive from the interface count as the new class's own.

    Args:
        owner: The new class.
        methods: The methods of the interface that it may override, by name.
        root: The class that every class with recorded overrides derives from.
    """
    added: dict[str, Override] = {}
    for name, base in methods.items():
        definer = next(one for one in owner.__mro__ if name in vars(one))
        if vars(definer)[name] is not base and (definer is owner or not issubclass(definer, root)):
            added[name] = inspect_override(owner, name, vars(definer)[name], base)
    recorded: dict[str, Override] = {}
    for ancestor in reversed(owner.__mro__[1:]):
        recorded |= vars(ancestor).get(RECORD, {})
    setattr(owner, RECORD, recorded | added)
    return added


def recorded_overrides(owner: type) -> Mapping[str, Override]:
    """Return the overrides of a class and its ancestors, by name."""
    recorded: Mapping[str, Override] = getattr(owner, RECORD, {})
    return recorded


def inspect_override(owner: type, name: str, override: object, base: Function) -> Override:
    """Compare an override with its base; it is not called.

    Args:
        owner: The class that has it.
        name: The name of the method.
        override: What the class has under this name.
        base: The method of the interface.
    """
    label = f"{owner.__name__}.{name}"
    if _is_written_alike(override, base):
        return Override(label, base)
    if not callable(override) or isinstance(override, staticmethod | classmethod | type):
        fault = OverrideFault(f"{label} is a {type(override).__name__}, not a method", f"write it as {_format(base)}")
        return Override(label, base, fault)
    try:
        taken = list(inspect.signature(override).parameters.values())
    except (TypeError, ValueError):  # of an extension in C, which only a call can try
        return Override(label, base)
    found = _find_kind_fault(override, base) or _find_argument_fault(taken, _parameters(base))
    if found:
        cause, remedy = found
        return Override(label, base, OverrideFault(f"{label} {cause}", remedy or f"write it as {_format(base)}"))
    lacking = _find_lacking_keywords(taken, _parameters(base))
    omissible: frozenset[str] = getattr(base, OMISSIBLE, frozenset())
    return Override(
        label,
        base,
        omitted=tuple(keyword for keyword in lacking if keyword in omissible),
        refused=tuple(keyword for keyword in lacking if keyword not in omissible),
        is_renamed=_is_renamed(_list_places(taken), _list_places(_parameters(base))),
    )


def adapt_override(method: Function, override: Override) -> Function:
    """Return a method that can be called as the base is, whichever keywords the override lacks.

    Args:
        method: The plugin's method.
        override: The result of its comparison.
    """
    if override.fault is not None or not (override.omitted or override.refused or override.is_renamed):
        return method
    signature = inspect.signature(override.base)

    def bind(*args: Any, **kwargs: Any) -> inspect.BoundArguments:
        bound = signature.bind(*args, **kwargs)
        for keyword in override.refused:
            default = signature.parameters[keyword].default
            if keyword in bound.arguments and not _is_default(bound.arguments[keyword], default):
                raise _create_unsupported(args[0], override, keyword)
        for keyword in (*override.omitted, *override.refused):
            bound.arguments.pop(keyword, None)
        return bound

    if not inspect.iscoroutinefunction(override.base):

        @functools.wraps(method)
        def call_plain(*args: Any, **kwargs: Any) -> Any:
            bound = bind(*args, **kwargs)
            return method(*bound.args, **bound.kwargs)

        return call_plain

    @functools.wraps(method)
    async def call(*args: Any, **kwargs: Any) -> Any:
        bound = bind(*args, **kwargs)
        return await method(*bound.args, **bound.kwargs)

    return call


def find_override_fault(owner: type, name: str) -> OverrideFault | None:
    """Return why a class's override of a method cannot be called; None where it can, or where there is no override."""
    override = recorded_overrides(owner).get(name)
    return override.fault if override is not None else None


def compare_class(owner: type, base: type) -> Iterator[OverrideFault]:
    """Iterate over the faults of a class whose overrides were not recorded when it was created.

    Args:
        owner: The class.
        base: The class of the interface that it derives from.
    """
    for name, method in list_methods(base).items():
        definer = next(one for one in owner.__mro__ if name in vars(one))
        if vars(definer)[name] is not method:
            override = inspect_override(owner, name, vars(definer)[name], method)
            if override.fault is not None:
                yield override.fault
    yield from find_misspelt(owner, base)


def find_misspelt(owner: type, base: type) -> Iterator[OverrideFault]:
    """Iterate over the public methods of a class whose name resembles that of a method that it lacks.

    Args:
        owner: The class.
        base: The class of the interface that it derives from.
    """
    methods = list_methods(base)
    missing = [name for name, method in methods.items() if getattr(owner, name) is method and name != "__init__"]
    own = [one for one in owner.__mro__ if issubclass(one, base) and one is not base]
    for name, value in [row for one in own for row in vars(one).items()]:
        if name.startswith("_") or hasattr(base, name) or not callable(value) or gate_of(value) is not None:
            continue
        from difflib import get_close_matches

        former = [one for one in FORMER_NAMES.get(name, ()) if one in missing]
        for near in former[:1] or get_close_matches(name, missing, n=1, cutoff=CUTOFF):
            cause = f"{owner.__name__}.{name} overrides nothing: {base.__name__} has no method {name!r}"
            yield OverrideFault(cause, f"did you mean {near}? Write it as {_format(methods[near])}")


def find_misspelt_attributes(owner: type, base: type) -> Iterator[OverrideFault]:
    """Iterate over the attributes of a class whose name resembles that of an attribute that it leaves at its default.

    Args:
        owner: The class.
        base: The class of the interface that it derives from, with an annotation for each attribute.
    """
    defaults = {name: value for name, value in vars(base).items() if name in base.__annotations__}
    unset = [name for name, value in defaults.items() if getattr(owner, name) is value]
    own = [one for one in owner.__mro__ if issubclass(one, base) and one is not base]
    for name, value in [row for one in own for row in vars(one).items()]:
        if name.startswith("_") or hasattr(base, name) or callable(value):
            continue
        from difflib import get_close_matches

        for near in get_close_matches(name, unset, n=1, cutoff=CUTOFF):
            cause = f"{owner.__name__}.{name} sets nothing: {base.__name__} has no attribute {name!r}"
            yield OverrideFault(cause, f"did you mean {near}?")


def find_call_fault(function: Any, arguments: Sequence[str], *, is_async: bool | None) -> tuple[str, str] | None:
    """Return why a function cannot be called with positional arguments, and the remedy; None where it can.

    Args:
        function: The function; it is not called.
        arguments: The names or types of the arguments, for the remedy.
        is_async: Whether its result is awaited; None if either kind is right.
    """
    if not callable(function):
        return f"is a {type(function).__name__}, not a function", "name a function"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of an extension in C, which only a call can try
        return None
    expected = ", ".join(arguments)
    try:
        signature.bind(*arguments)
    except TypeError:
        return f"takes {_strip(signature)}, and is called with ({expected})", f"declare it with ({expected})"
    inner = inspect.unwrap(function)
    if inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner):
        return "is a generator", "return the result, and yield nothing"
    return None if is_async is None else _find_wait_fault(inner, is_async=is_async)


def _find_wait_fault(function: Function, *, is_async: bool) -> tuple[str, str] | None:
    call = getattr(function, "__call__", None)  # noqa: B004 -- the method is looked at, not called
    is_coroutine = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
    if is_async and not is_coroutine and not _may_be_awaitable(function):
        return "is not async", "write it as async def"
    return ("is async", "write it without async") if is_coroutine and not is_async else None


def is_stream(base: Function) -> bool:
    """Return whether a method of the interface returns an async iterator."""
    return inspect.isasyncgenfunction(base) or "AsyncIterator" in str(base.__annotations__.get("return", ""))


_KINDS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE
_KINDS |= inspect.CO_ASYNC_GENERATOR


def _is_written_alike(override: object, base: Function) -> bool:
    """Return whether an override has the kind and the names of its base, which most have.

    It takes a microsecond, and `inspect.signature` some ten of them for each of a forge's overrides.
    """
    if not isinstance(override, FunctionType) or hasattr(override, "__wrapped__"):
        return False
    own, expected = override.__code__, base.__code__
    named = own.co_argcount + own.co_kwonlyargcount
    return (
        (own.co_argcount, own.co_kwonlyargcount, own.co_posonlyargcount, own.co_flags & _KINDS)
        == (expected.co_argcount, expected.co_kwonlyargcount, 0, expected.co_flags & _KINDS)
        and own.co_varnames[1:named] == expected.co_varnames[1:named]
        and override.__defaults__ == base.__defaults__ is None
        and (override.__kwdefaults__ or {}).keys() == (base.__kwdefaults__ or {}).keys()
    )


@functools.cache
def _parameters(base: Function) -> list[Parameter]:
    return list(inspect.signature(base).parameters.values())


def _find_kind_fault(override: Function, base: Function) -> tuple[str, str] | None:
    """Return cause and remedy of an override that is async where its base is not, or the other way around."""
    inner = inspect.unwrap(override)
    if inspect.isgeneratorfunction(inner):
        return "is a plain generator", ""
    if is_stream(base):
        remedy = "yield the chunks of bytes, or write it without async and return an async iterator"
        return ("is a coroutine, not an async generator", remedy) if inspect.iscoroutinefunction(inner) else None
    if inspect.isasyncgenfunction(inner):
        return "is an async generator", "return the result, and yield nothing"
    is_async = inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(override)
    if not inspect.iscoroutinefunction(base):
        return ("is async", "") if is_async else None
    return None if is_async or _may_be_awaitable(inner) else ("is not async", "")


def _may_be_awaitable(function: Function) -> bool:
    """Return whether a plain function may return an awaitable: it declares one, or is a decorator's or an object's."""
    returned = str(getattr(function, "__annotations__", {}).get("return", ""))
    if "Awaitable" in returned or "Coroutine" in returned or not inspect.isfunction(function):
        return True
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    return kinds.issuperset(_VARIABLE)


def _find_argument_fault(taken: list[Parameter], given: list[Parameter]) -> tuple[str, str] | None:
    """Return cause and remedy of an override that cannot be called with the arguments of its base.

    Args:
        taken: The parameters of the override.
        given: Those of the base.
    """
    places, expected = _list_places(taken), _list_places(given)
    if not places and not _has(taken, Parameter.VAR_POSITIONAL):
        return "does not take self", ""
    if len(places) < len(expected) and not _has(taken, Parameter.VAR_POSITIONAL):
        lacking = [name for name in expected if name not in places] or expected[len(places) :]
        return f"does not take {_join(lacking)}", ""
    if swapped := [name for name, own in zip(expected, places, strict=False) if name != own and name in places]:
        return f"takes {_join(swapped)} at another place", ""
    if required := [one.name for one in taken[len(expected) :] if _is_required(one)]:
        names = _join(required)
        return f"requires {names}, which callers do not pass or may leave out", f"declare a default for {names}"
    return None


def _is_required(parameter: Parameter) -> bool:
    return parameter.default is Parameter.empty and parameter.kind not in _VARIABLE


def _find_lacking_keywords(taken: list[Parameter], given: list[Parameter]) -> list[str]:
    if _has(taken, Parameter.VAR_KEYWORD):
        return []
    names = {one.name for one in taken if one.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)}
    return [one.name for one in given if one.kind is Parameter.KEYWORD_ONLY and one.name not in names]


def _list_places(parameters: list[Parameter]) -> list[str]:
    return [one.name for one in parameters if one.kind in _BY_PLACE]


def _is_renamed(places: list[str], expected: list[str]) -> bool:
    """Return whether positional arguments have other names than in the base; that of `self` does not count."""
    return places[1 : len(expected)] != expected[1:]


def _has(parameters: list[Parameter], kind: object) -> bool:
    return any(parameter.kind is kind for parameter in parameters)


def _is_default(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def _create_unsupported(owner: Any, override: Override, keyword: str) -> Unsupported:
    config = getattr(owner, "forge", owner).config
    operation = override.base.__qualname__
    return Unsupported(
        f"{config.alias} ({config.kind} at {config.url}) does not support {operation} with {keyword}:"
        f" {override.name} does not take it",
        suggestion=f"Leave {keyword} out, or upgrade the plugin of {config.kind}.",
        details={"forge": config.alias, "kind": config.kind, "operation": operation},
    )


def _format(base: Function) -> str:
    """Return the beginning of a method's definition, without annotations."""
    definition = "async def" if inspect.iscoroutinefunction(base) else "def"
    return f"{definition} {base.__name__}{_strip(inspect.signature(base))}"


def _strip(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature without annotations."""
    return inspect.Signature([one.replace(annotation=Parameter.empty) for one in signature.parameters.values()])


def _join(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


class Capability:
    """A group of operations of a forge, which creates it.

    Attributes:
        forge: The forge.
    """

    attribute: ClassVar[str]
    """The attribute of the forge that has it: "issues"."""

    def __init__(self, forge: "Forge") -> None:
        self.forge = forge

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        roots = [base for base in cls.__mro__ if Capability in base.__bases__ and base is not cls]
        methods = {name: method for root in reversed(roots) for name, method in list_methods(root).items()}
        if methods:
            constructor = {"__init__": Capability.__init__}
            for name, override in record_overrides(cls, methods | constructor, Capability).items():
                if override.fault is None and name not in constructor:
                    setattr(cls, name, _wrap_operation(getattr(cls, name), override))

    def lacks(self, operation: str, *, reason: str = "", instead: str = "") -> Unsupported:
        """Return the error to raise for an operation that the server does not have.

        Args:
            operation: The method's name.
            reason: Why it is missing, if that is known.
            instead: What a caller should do instead; by default, use the forge's web pages.
        """
        link = self.forge.config
        text = f"{link.alias} ({link.kind} at {link.url}) does not support {self.attribute}.{operation}"
        details = {"forge": link.alias, "kind": link.kind, "operation": f"{self.attribute}.{operation}"}
        remedy = instead or f"Use its web pages: {link.url}"
        return Unsupported(f"{text}: {reason}" if reason else text, suggestion=remedy, details=details)


def _wrap_operation(method: Callable[..., Any], override: Override) -> Callable[..., Any]:
    gate = gate_of(method)
    admitted = method if gate is None else guard_operation(method, gate)
    return adapt_override(check_answers(admitted, override.base), override)
