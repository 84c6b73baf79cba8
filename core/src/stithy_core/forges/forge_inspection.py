"""Inspection of a forge's classes: what of them cannot work is found without a request."""

from collections.abc import Iterable, Iterator, Sequence

from stithy_core.spi import CAPABILITIES, Capability, Dialect, Forge
from stithy_core.spi.operation_checks import gate_of
from stithy_core.spi.overrides import (
    Override,
    OverrideFault,
    find_misspelt,
    find_misspelt_attributes,
    list_methods,
    recorded_overrides,
)


def find_forge_faults(forge: object) -> Iterator[OverrideFault]:
    """Iterate over what of a forge's class and its capabilities cannot work.

    Args:
        forge: What a `ForgeKind` names.
    """
    if not isinstance(forge, type) or not issubclass(forge, Forge):
        shown = forge.__name__ if isinstance(forge, type) else type(forge).__name__
        yield OverrideFault(f"the kind's forge is a {shown}, not a class of Forge", "derive it from Forge")
        return
    yield from _find_declaration_faults(forge)
    yield from find_misspelt_attributes(forge, Forge)
    yield from _find_class_faults(forge, [Forge])
    taken: dict[type[Capability], type[Capability]] = {}
    for capability in list_capabilities(forge):
        bases = [base for base in CAPABILITIES if issubclass(capability, base)]
        yield from _find_class_faults(capability, bases)
        yield from _find_gated(capability, bases)
        for base in bases:
            if (first := taken.setdefault(base, capability)) is not capability:
                cause = (
                    f"{forge.__name__}.capabilities has {first.__name__} and {capability.__name__} for {base.__name__}"
                )
                yield OverrideFault(cause, "merge them into one class, or derive one from the other and keep that one")


def describe_lacking_keywords(forge: object) -> Iterator[str]:
    """Iterate over notes on the keywords that the operations of a forge do not take."""
    for _, _, override in list_overrides(forge):
        yield from override.describe_keywords()


def list_overrides(forge: object) -> Sequence[tuple[type, str, Override]]:
    """Return the overrides of a forge's class and of its capabilities, each with the class that has it and its name."""
    if not isinstance(forge, type) or not issubclass(forge, Forge):
        return ()
    owners = (forge, *list_capabilities(forge))
    return [(owner, name, override) for owner in owners for name, override in recorded_overrides(owner).items()]


def list_capabilities(forge: type[Forge]) -> Sequence[type[Capability]]:
    """Return the classes of a forge's capabilities, without anything else that its declaration holds."""
    declared: object = forge.capabilities
    items = list(declared) if isinstance(declared, Iterable) else []
    return [one for one in items if isinstance(one, type) and issubclass(one, Capability)]


def _find_declaration_faults(forge: type[Forge]) -> Iterator[OverrideFault]:
    name = forge.__name__
    for missing in sorted(getattr(forge, "__abstractmethods__", ())):
        yield OverrideFault(f"{name} has no method {missing!r}", f"write {missing} as {list_methods(Forge)[missing]}")
    if not isinstance(forge.dialect, Dialect):
        yield OverrideFault(f"{name}.dialect is a {type(forge.dialect).__name__}", "write dialect = Dialect(…)")
    declared: object = forge.capabilities
    if not isinstance(declared, Sequence):
        cause = f"{name}.capabilities is a {type(declared).__name__}"
        yield OverrideFault(cause, "write it as a tuple of classes: capabilities = (PondIssues,)")
        return
    known = ", ".join(base.__name__ for base in CAPABILITIES)
    for one in declared:
        if not isinstance(one, type) or not issubclass(one, CAPABILITIES):
            shown = getattr(one, "__name__", type(one).__name__)
            yield OverrideFault(
                f"{name}.capabilities has {shown}, which is not a capability", f"derive it from {known}"
            )


def _find_class_faults(owner: type, bases: Iterable[type]) -> Iterator[OverrideFault]:
    for override in recorded_overrides(owner).values():
        if override.fault is not None:
            yield override.fault
    for base in bases:
        yield from find_misspelt(owner, base)


def _find_gated(capability: type[Capability], bases: Sequence[type[Capability]]) -> Iterator[OverrideFault]:
    """Iterate over the methods that have a condition without being operations."""
    known = [name for base in bases for name in list_methods(base)]
    for name, value in vars(capability).items():
        if gate_of(value) is not None and name not in known:
            cause = f"{capability.__name__}.{name} has a condition (since or probed) and is not an operation"
            yield OverrideFault(cause, f"name it as one of {', '.join(known)}, or remove the condition")
