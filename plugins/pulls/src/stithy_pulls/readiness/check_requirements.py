"""Whether the required checks passed."""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from stithy_core.spi import CommitCheck, Listing, Maybe, PinnedCheck, Unknown, Verdict, format_count
from stithy_pulls.readiness.forge_globs import matches
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names
from stithy_pulls.readiness.merge_requirements import Actor, Blocker, Category, Requirement, create_met

GOOD = (Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL)
OPEN = (Verdict.PENDING, Verdict.RUNNING)
HELD = Verdict.ACTION_REQUIRED
QUESTION = "whether all required checks passed"
NO_CHECK = "all checks must pass, none was reported on the head, and the forge does not say whether it can be merged so"
ALL = ("*",)
"""How a forge says that every check is required, without names."""


@frozen
class ChecksByVerdict:
    """Names of checks by verdict. `held` checks wait for a person; the verdict of `unclear` ones is unknown."""

    passing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


def group_all_checks(facts: MergeFacts) -> ChecksByVerdict:
    """Group all reported checks by verdict, required or not."""
    checks = facts.whole.checks
    return (
        ChecksByVerdict()
        if isinstance(checks, Unknown)
        else _group_by_verdict((check.name, [check]) for check in checks)
    )


def group_required_checks(facts: MergeFacts) -> Maybe[ChecksByVerdict]:
    """Group the required checks by verdict: those that are required by name, and all if all must pass.

    If all must pass, others may be required by names that are unknown.
    """
    names, every, checks = facts.rules.required_checks, facts.rules.all_checks is True, facts.whole.checks
    if isinstance(names, Unknown) and not every:
        return names
    if not (every or names):
        return ChecksByVerdict()
    if isinstance(checks, Unknown):
        return checks
    by_name = [(name, _select_counting(facts, name, checks)) for name in _list_required_names(facts)]
    others = [(check.name, [check]) for check in checks if every and check.reported]
    return _group_by_verdict([*by_name, *others])


def evaluate_checks(facts: MergeFacts) -> Requirement:
    """Evaluate whether all required checks passed."""
    found = group_required_checks(facts)
    if isinstance(found, Unknown):
        if not _are_rules_hidden(facts):
            return Requirement(question=QUESTION, met=found)
        return (
            create_met(QUESTION) if facts.settled else Requirement(question=QUESTION, met=found, prover="administrator")
        )
    checks = facts.whole.checks
    cut = "" if isinstance(checks, Unknown) else checks.cut
    blockers = tuple(_list_blockers(facts, found, cut))
    notes = tuple(_list_uncounted_failures(facts, found))
    if blockers:
        return Requirement(question=QUESTION, met=False, blockers=blockers, notes=notes)
    if doubt := _explain_doubt(facts, found, cut):
        return Requirement(question=QUESTION, met=Unknown(doubt, "See the pull request's page."), notes=notes)
    hidden = None if facts.settled else _find_hidden_rule(facts)
    if hidden is not None:
        return Requirement(question=QUESTION, met=hidden, prover="administrator", notes=notes)
    return create_met(QUESTION, *notes)


def _explain_doubt(facts: MergeFacts, found: ChecksByVerdict, cut: str) -> str:
    """Return why it is unknown whether all required checks passed; empty if it is known."""
    # Two apps may report a check of the same name, and both count: an unlisted one may have failed.
    if doubt := found.unclear or (_list_required_names(facts) if cut else ()):
        return f"the verdict of {join_names(doubt)} is unknown{f': {cut}' if cut else ''}"
    if facts.rules.all_checks is not True or facts.settled:
        return ""
    return f"not all checks were read: {cut}" if cut else NO_CHECK if found == ChecksByVerdict() else ""


def _find_hidden_rule(facts: MergeFacts) -> Unknown | None:
    """Return why a rule about checks is unknown that may be violated; None if none is."""
    rules, checks, found = facts.rules, facts.whole.checks, group_all_checks(facts)
    if isinstance(rules.required_checks, Unknown):
        return rules.required_checks
    if not isinstance(rules.all_checks, Unknown):
        return None
    doubtful = found.failing or found.pending or found.held or found.unclear
    return rules.all_checks if doubtful or isinstance(checks, Unknown) or checks.cut else None


def is_ci_passing(facts: MergeFacts) -> Maybe[bool]:
    """Return whether all checks that ran and all required checks passed; unknown if none ran."""
    checks, demanded, all_checks = facts.whole.checks, group_required_checks(facts), group_all_checks(facts)
    if isinstance(checks, Unknown):
        return checks
    missing = () if isinstance(demanded, Unknown) or checks.cut else demanded.missing
    if all_checks.failing or all_checks.pending or all_checks.held or missing:
        return False
    if all_checks.unclear or checks.cut:
        return Unknown(checks.cut or f"the verdict of {join_names(all_checks.unclear)} is unknown")
    if not all_checks.passing:
        return Unknown("no check ran on the head, and no required check is known")
    return True


def _is_allowed_failure(check: CommitCheck) -> bool:
    failed = isinstance(check.verdict, Verdict) and check.verdict not in {*GOOD, *OPEN, HELD}
    return failed and check.allowed_to_fail is True


def _list_required_names(facts: MergeFacts) -> tuple[str, ...]:
    names = facts.rules.required_checks
    return () if isinstance(names, Unknown) else names


def _are_rules_hidden(facts: MergeFacts) -> bool:
    return isinstance(facts.rules.required_checks, Unknown)


def _select_by_name(name: str, checks: Listing[CommitCheck], *, patterns: bool) -> list[CommitCheck]:
    reported = [check for check in checks if check.reported]
    return [check for check in reported if (matches(name, check.name) if patterns else check.name == name)]


def _select_counting(facts: MergeFacts, name: str, checks: Listing[CommitCheck]) -> list[CommitCheck]:
    """Return the checks that count for a required one: if an app must report it, only the checks of that app."""
    found = _select_by_name(name, checks, patterns=facts.rules.patterns)
    of_apps = [[one for check in found for one in _filter_by_app(check, pin)] for pin in _list_pins(facts, name)]
    if not of_apps:
        return found
    return [check for of_app in of_apps for check in of_app] if all(of_apps) else []


def _filter_by_app(check: CommitCheck, pin: PinnedCheck) -> Iterable[CommitCheck]:
    """Yield a check if the app reported it; with an unknown verdict if the forge does not name its app.

    A commit status has no app id. Its author's login is the app's name, with `[bot]` in REST and without it in GraphQL.
    """
    author = check.source.removesuffix("[bot]")
    if check.app_id or (author and pin.app):
        if check.app_id == pin.app_id or (not check.app_id and author == pin.app):
            yield check
    else:
        yield evolve(check, verdict=Unknown("the forge does not name the app that reported it"))


def _list_pins(facts: MergeFacts, name: str) -> Sequence[PinnedCheck]:
    """Return the apps that must report a check, with the name that a check of the same app on the head gives."""
    checks = facts.whole.checks
    names = {} if isinstance(checks, Unknown) else {check.app_id: check.source for check in checks if check.app_id}
    pins = {pin.app_id: pin for pin in facts.rules.pinned_checks if pin.name == name}
    return [evolve(pin, app=pin.app or names.get(pin.app_id, "")) for pin in pins.values()]


def _format_with_apps(facts: MergeFacts, names: Iterable[str]) -> tuple[str, ...]:
    """Format the names of required checks, each with the apps that must report it."""
    apps = {name: " and ".join(f"app {pin.app or pin.app_id}" for pin in _list_pins(facts, name)) for name in names}
    return tuple(f"{name} of {of}" if of else name for name, of in apps.items())


def _group_by_verdict(found: Iterable[tuple[str, Sequence[CommitCheck]]]) -> ChecksByVerdict:
    """Group checks by name and verdict. If several have the same name, the worst verdict counts."""
    kinds: dict[str, list[str]] = {}
    for name, checks in found:
        kinds.setdefault(_classify(checks), []).append(name)
    return ChecksByVerdict(**{kind: tuple(dict.fromkeys(names)) for kind, names in kinds.items()})


def _classify(checks: Sequence[CommitCheck]) -> str:
    if not checks:
        return "missing"
    known = [_get_counting_verdict(check.verdict, check) for check in checks if isinstance(check.verdict, Verdict)]
    if any(verdict not in {*GOOD, *OPEN, HELD} for verdict in known):
        return "failing"
    if HELD in known:
        return "held"
    if len(known) < len(checks):
        return "unclear"
    return "pending" if any(verdict in OPEN for verdict in known) else "passing"


def _get_counting_verdict(verdict: Verdict, check: CommitCheck) -> Verdict:
    """Return the verdict of a check as rules count it: a failure that is allowed counts as neutral."""
    return Verdict.NEUTRAL if check.allowed_to_fail is True and verdict not in {*GOOD, *OPEN} else verdict


def _list_blockers(facts: MergeFacts, found: ChecksByVerdict, cut: str) -> Iterable[Blocker]:
    if found.failing:
        action = f'Fix the failures: get_failing_tests(pr="{facts.pull.ref}") lists the errors.'
        yield _create_blocker("checks_failing", _format_with_apps(facts, found.failing), "failed", action, "author")
    if found.missing and not cut:
        yield _create_missing(facts, found.missing)
    if found.held:
        action = "Approve the run on its page."
        yield _create_blocker(
            "checks_pending",
            _format_with_apps(facts, found.held),
            "must be approved before it runs",
            action,
            "maintainer",
        )
    if found.pending:
        yield _create_blocker(
            "checks_pending",
            _format_with_apps(facts, found.pending),
            "has not finished",
            "Wait, then check again.",
            "ci",
        )


def _create_missing(facts: MergeFacts, names: tuple[str, ...]) -> Blocker:
    action = "Push, or start its workflow. If filters by path or branch skip it, an administrator must change the rule."
    condition = "never reported on the head" if names != ALL else "is required, and no check was reported on the head"
    checks = facts.whole.checks
    others = () if isinstance(checks, Unknown) else {check.name for check in checks if check.reported} & set(names)
    if others and not facts.rules.patterns:
        condition += f" ({join_names(sorted(others))} was reported by another app, which does not count)"
    return _create_blocker("checks_missing", _format_with_apps(facts, names), condition, action, "author")


def _create_blocker(category: Category, names: tuple[str, ...], condition: str, action: str, actor: Actor) -> Blocker:
    what = "Any check" if names == ALL else f"{format_count(len(names), 'required check')}: {join_names(names)}"
    return Blocker(category=category, description=f"{what} {condition}.", action_required=action, actor=actor)


def _list_uncounted_failures(facts: MergeFacts, found: ChecksByVerdict) -> Iterable[str]:
    """Yield notes about failed checks that are allowed to fail, or are not required.

    A job is required if its run as a whole is.
    """
    checks = () if isinstance(facts.whole.checks, Unknown) else facts.whole.checks
    allowed = [one.name for one in checks if _is_allowed_failure(one)]
    blamed = {one.run for one in checks if one.kind == "run" and one.name in found.failing}
    shown = {one.name for one in checks if one.run in blamed}
    if allowed:
        yield f"Failed, and allowed to fail: {join_names(allowed)}."
    if facts.rules.patterns:
        return
    others = [name for name in group_all_checks(facts).failing if name not in {*found.failing, *shown}]
    if others:
        yield f"Failed but not required: {join_names(others)}."
