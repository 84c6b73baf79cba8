"""Offers that need a name of their own: two plugins with one name, and neither is served."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from stithy_core.plugins.outcomes import Failed
from stithy_core.spi.runtime import Contribution

T = TypeVar("T")


def unique(
    offers: Iterable[tuple[T, Contribution]],
    *,
    what: str,
    name: Callable[[T], Hashable],
    chosen: Mapping[str, str] | None = None,
) -> tuple[list[tuple[T, Contribution]], list[Failed]]:
    """Part offers with a name of their own from those that clash.

    Args:
        offers: Each with who gives it.
        what: What they are called in the failure: "tool".
        name: Gives an offer's name.
        chosen: For a name that two give, the distribution whose offer is taken.

    Returns:
        The offers to serve, by name, and a failure for each of the others.
    """
    by_name: dict[str, list[tuple[T, Contribution]]] = defaultdict(list)
    for value, origin in offers:
        by_name[str(name(value))].append((value, origin))
    served: list[tuple[T, Contribution]] = []
    failed: list[Failed] = []
    for key, same in sorted(by_name.items()):
        taken = _choose(same, (chosen or {}).get(key, ""))
        served += taken
        left = dict.fromkeys(origin for value, origin in same if (value, origin) not in taken)
        failed += [_clash(origin, [other for _, other in same], what, key) for origin in left]
    return served, failed


def _clash(origin: Contribution, everyone: Sequence[Contribution], what: str, key: str) -> Failed:
    who = sorted({str(other) for other in everyone})
    if len(who) > 1:
        cause = f"{' and '.join(who)} bring a {what} called {key}"
        remedy = f"disable one of them{_choice(what, key, origin)}"
    else:
        cause, remedy = f"it brings the {what} {key} {len(everyone)} times", "give each a name of its own"
    return Failed(origin=origin, stage="offers", cause=cause, remedy=remedy, offer=f"{what} {key}")


def _choose(same: list[tuple[T, Contribution]], distribution: str) -> list[tuple[T, Contribution]]:
    if len(same) == 1:
        return same
    matching = [offer for offer in same if offer[1].distribution == distribution]
    return matching if len(matching) == 1 else []


def _choice(what: str, key: str, origin: Contribution) -> str:
    if what != "tool":
        return ""
    return f', or choose in stithy.toml: [plugins.tools] {key} = "{origin.distribution}"'
