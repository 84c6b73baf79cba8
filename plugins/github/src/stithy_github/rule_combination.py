"""Putting together what several sources demand of a branch: whatever one of them demands is demanded."""

from typing import Any

from attrs import fields

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, Unknown

NOTHING = BranchRules.none()


def unknown_rules(why: Unknown) -> BranchRules:
    """Give what is known of demands that nobody lets us read: nothing, with the reason."""
    unknown: dict[str, Any] = {field.name: why for field in fields(BranchRules) if field.default is NOT_REPORTED}
    return BranchRules(**unknown)


def combine_rules(one: BranchRules, other: BranchRules) -> BranchRules:
    """Demand what either demands, where both hold at once.

    Where one side is unknown, only what the other demands in full is known: a `True` stays, and a count or a list
    becomes unknown with what is known of it in the reason.
    """
    return BranchRules(
        **{field.name: _combine(getattr(one, field.name), getattr(other, field.name)) for field in fields(BranchRules)}
    )


def fill_unknown(first: BranchRules, second: BranchRules) -> BranchRules:
    """Fill in what the first view of the same thing leaves unknown from a second one."""
    pairs = {field.name: (getattr(first, field.name), getattr(second, field.name)) for field in fields(BranchRules)}
    return BranchRules(**{name: two if isinstance(one, Unknown) else one for name, (one, two) in pairs.items()})


def _combine(one: Any, other: Any) -> Any:
    if isinstance(one, Unknown):
        return _combine_unknown(one, other)
    if isinstance(other, Unknown):
        return _combine_unknown(other, one)
    return tuple(dict.fromkeys(one + other)) if isinstance(one, tuple) else max(one, other)


def _combine_unknown(unknown: Unknown, seen: Maybe[Any]) -> Any:
    if seen is True:
        return True
    if isinstance(seen, bool | Unknown) or not seen:
        return unknown
    known = f"among them are {', '.join(seen)}" if isinstance(seen, tuple) else f"it is at least {seen}"
    return Unknown(f"{unknown.reason}; {known}", unknown.remedy)
