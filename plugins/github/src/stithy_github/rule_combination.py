"""Combines the branch rules of several sources: a branch requires whatever one of them requires."""

from typing import Any

from attrs import fields

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, Unknown

NOTHING = BranchRules.none()


def unknown_rules(reason: Unknown) -> BranchRules:
    """Return rules that the token may not read: every rule that GitHub has is unknown, with the reason."""
    unknown: dict[str, Any] = {field.name: reason for field in fields(BranchRules) if field.default is NOT_REPORTED}
    return BranchRules(**unknown | {"all_checks": False})  # GitHub requires checks by name only


def combine_rules(one: BranchRules, other: BranchRules) -> BranchRules:
    """Return the rules of a branch to which both apply: the stricter value of each rule.

    If a rule is unknown on one side, a `True` of the other side stays. A count or a list becomes unknown, and the
    reason has the known part.
    """
    return BranchRules(
        **{field.name: _combine(getattr(one, field.name), getattr(other, field.name)) for field in fields(BranchRules)}
    )


def fill_unknown(first: BranchRules, second: BranchRules) -> BranchRules:
    """Return the first view of the same rules, with its unknown values taken from the second one."""
    pairs = {field.name: (getattr(first, field.name), getattr(second, field.name)) for field in fields(BranchRules)}
    return BranchRules(**{name: two if isinstance(one, Unknown) else one for name, (one, two) in pairs.items()})


def _combine(one: Any, other: Any) -> Any:
    if isinstance(one, Unknown):
        return _combine_unknown(one, other)
    if isinstance(other, Unknown):
        return _combine_unknown(other, one)
    return tuple(dict.fromkeys(one + other)) if isinstance(one, tuple) else max(one, other)


def _combine_unknown(unknown: Unknown, value: Maybe[Any]) -> Any:
    if value is True:
        return True
    if isinstance(value, bool | Unknown) or not value:
        return unknown
    part = f"among them are {', '.join(value)}" if isinstance(value, tuple) else f"it is at least {value}"
    return Unknown(f"{unknown.reason}; {part}", unknown.remedy)
