"""What of the forges' classes cannot work, found without asking a server: for those who install or write a plugin."""

from collections.abc import Iterable, Iterator

from stithy_core.forges.fault_boundary import find_forge_faults
from stithy_core.plugins import Failed, PluginError, contain_faults, resolve
from stithy_core.spi import Contribution, Forge, ForgeKind

REMEDY = "write it as its base class has it, with every argument; mypy shows the difference"


def find_unsuitable_forges(offers: Iterable[tuple[ForgeKind, Contribution]]) -> Iterator[Failed]:
    """Iterate over the faults of forges' classes; each class is imported for that.

    Args:
        offers: The kinds, with whose they are.
    """
    for kind, origin in offers:
        for cause, remedy in _faults(kind):
            offer = f"forge kind {kind.name}"
            yield Failed(origin=origin, stage="interface", cause=cause, remedy=remedy, offer=offer)


def _faults(kind: ForgeKind) -> Iterator[tuple[str, str]]:
    try:
        with contain_faults("", "correct the kind's forge"):
            found = list(find_forge_faults(_class_of(kind)))
    except PluginError as error:
        yield error.cause, error.remedy
        return
    for cause in found:
        yield cause, REMEDY


def _class_of(kind: ForgeKind) -> type[Forge]:
    found: object = resolve(kind.forge)
    if isinstance(found, type) and issubclass(found, Forge):
        return found
    raise PluginError(f"its forge is a {type(found).__name__}, not a class of Forge", "derive it from Forge")
