"""What checks come to, and whether those that are required have passed."""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from stithy_core.spi import CommitCheck, Listing, Maybe, PinnedCheck, Unknown, Verdict
from stithy_pulls.phrases import format_count
from stithy_pulls.readiness.forge_globs import matches
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names
from stithy_pulls.readiness.merge_requirements import Actor, Blocker, Category, Requirement, create_met

GOOD = (Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL)
OPEN = (Verdict.PENDING, Verdict.RUNNING)
HELD = Verdict.ACTION_REQUIRED
QUESTION = "whether all required checks passed"
ALL = ("*",)
"""How a forge says that every check is required, without naming one."""


@frozen
class ChecksByVerdict:
    """Checks by what they come to: `held` wait for a person, and of `unclear` ones nobody knows it."""

    passing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


def group_all_checks(facts: MergeFacts) -> ChecksByVerdict:
    """Sort all checks, whether required or not."""
    checks = facts.whole.checks
    return ChecksByVerdict() if isinstance(checks, Unknown) else _sorted((check.name, [check]) for check in checks)


def group_required_checks(facts: MergeFacts) -> Maybe[ChecksByVerdict]:
    """Sort the required checks by their names."""
    names, checks = facts.rules.required_checks, facts.whole.checks
    if isinstance(names, Unknown) or not names:
        return names if isinstance(names, Unknown) else ChecksByVerdict()
    if isinstance(checks, Unknown):
        return checks
    return _sorted((name, _counting(facts, name, checks)) for name in names)


def evaluate_checks(facts: MergeFacts) -> Requirement:
    """Ask whether all required checks passed."""
    found = group_required_checks(facts)
    if isinstance(found, Unknown):
        if not _rules_hidden(facts):
            return Requirement(question=QUESTION, met=found)
        return (
            create_met(QUESTION) if facts.settled else Requirement(question=QUESTION, met=found, prover="administrator")
        )
    checks = facts.whole.checks
    cut = "" if isinstance(checks, Unknown) else checks.cut
    blockers = tuple(_blockers(facts, found, cut))
    # Two programs may use one name, and both count: what is hidden may have failed.
    doubt = found.unclear or (_names(facts) if cut else ())
    if blockers or not doubt:
        return Requirement(question=QUESTION, met=not blockers, blockers=blockers, notes=tuple(_optional(facts, found)))
    reason = f"what came of {join_names(doubt)} is not known{f': {cut}' if cut else ''}"
    return Requirement(question=QUESTION, met=Unknown(reason, "Read them on the pull request's page."))


def is_ci_passing(facts: MergeFacts) -> Maybe[bool]:
    """Say whether CI passed: all that ran, and all that is required. Nothing that ran is nothing that passed."""
    checks, demanded, all_of_it = facts.whole.checks, group_required_checks(facts), group_all_checks(facts)
    if isinstance(checks, Unknown):
        return checks
    missing = () if isinstance(demanded, Unknown) or checks.cut else demanded.missing
    if all_of_it.failing or all_of_it.pending or all_of_it.held or missing:
        return False
    if all_of_it.unclear or checks.cut:
        return Unknown(checks.cut or f"what came of {join_names(all_of_it.unclear)} is not known")
    if not all_of_it.passing:
        return Unknown("no check ran on the head, and none is known to be required")
    return True


def _names(facts: MergeFacts) -> tuple[str, ...]:
    names = facts.rules.required_checks
    return () if isinstance(names, Unknown) else names


def _rules_hidden(facts: MergeFacts) -> bool:
    return isinstance(facts.rules.required_checks, Unknown)


def _of(name: str, checks: Listing[CommitCheck], *, patterns: bool) -> list[CommitCheck]:
    reported = [check for check in checks if check.reported]
    return [check for check in reported if (matches(name, check.name) if patterns else check.name == name)]


def _counting(facts: MergeFacts, name: str, checks: Listing[CommitCheck]) -> list[CommitCheck]:
    """Return the checks that count for a required one: where an app must report it, only those of that app."""
    found = _of(name, checks, patterns=facts.rules.patterns)
    of_apps = [[one for check in found for one in _from_app(check, pin)] for pin in _pins(facts, name)]
    if not of_apps:
        return found
    return [check for of_app in of_apps for check in of_app] if all(of_apps) else []


def _from_app(check: CommitCheck, pin: PinnedCheck) -> Iterable[CommitCheck]:
    """Yield a check if the app reported it, with an unknown verdict where nobody says which app did.

    A commit status has no app id; its author's login is the app's name, with `[bot]` in REST and without it in GraphQL.
    """
    author = check.source.removesuffix("[bot]")
    if check.app_id or (author and pin.app):
        if check.app_id == pin.app_id or (not check.app_id and author == pin.app):
            yield check
    else:
        yield evolve(check, verdict=Unknown("the forge does not say which app reported it"))


def _pins(facts: MergeFacts, name: str) -> Sequence[PinnedCheck]:
    """Return the apps that must report a check, by name where a check of theirs on the head tells it."""
    checks = facts.whole.checks
    names = {} if isinstance(checks, Unknown) else {check.app_id: check.source for check in checks if check.app_id}
    pins = {pin.app_id: pin for pin in facts.rules.pinned_checks if pin.name == name}
    return [evolve(pin, app=pin.app or names.get(pin.app_id, "")) for pin in pins.values()]


def _pinned_names(facts: MergeFacts, names: Iterable[str]) -> tuple[str, ...]:
    """Write the names of required checks, each with the apps that must report it."""
    apps = {name: " and ".join(f"app {pin.app or pin.app_id}" for pin in _pins(facts, name)) for name in names}
    return tuple(f"{name} of {of}" if of else name for name, of in apps.items())


def _sorted(found: Iterable[tuple[str, Sequence[CommitCheck]]]) -> ChecksByVerdict:
    """Sort checks by name: several may have one name, and then the worst of them counts."""
    kinds: dict[str, list[str]] = {}
    for name, checks in found:
        kinds.setdefault(_kind(checks), []).append(name)
    return ChecksByVerdict(**{kind: tuple(dict.fromkeys(names)) for kind, names in kinds.items()})


def _kind(checks: Sequence[CommitCheck]) -> str:
    if not checks:
        return "missing"
    known = [check.verdict for check in checks if isinstance(check.verdict, Verdict)]
    if any(verdict not in {*GOOD, *OPEN, HELD} for verdict in known):
        return "failing"
    if HELD in known:
        return "held"
    if len(known) < len(checks):
        return "unclear"
    return "pending" if any(verdict in OPEN for verdict in known) else "passing"


def _blockers(facts: MergeFacts, found: ChecksByVerdict, cut: str) -> Iterable[Blocker]:
    if found.failing:
        action = f'Fix what failed: get_failing_tests(pr="{facts.pull.ref}") has the errors.'
        yield _blocker("checks_failing", _pinned_names(facts, found.failing), "failed", action, "author")
    if found.missing and not cut:
        yield _missing(facts, found.missing)
    if found.held:
        action = "Open it on its page, and let it run."
        yield _blocker(
            "checks_pending",
            _pinned_names(facts, found.held),
            "may not run before somebody lets it",
            action,
            "maintainer",
        )
    if found.pending:
        yield _blocker(
            "checks_pending", _pinned_names(facts, found.pending), "did not end yet", "Wait, and ask again.", "ci"
        )


def _missing(facts: MergeFacts, names: tuple[str, ...]) -> Blocker:
    action = (
        "Push, or start its workflow; where paths or branches filter it out, an administrator must change the rule."
    )
    said = "never reported on the head" if names != ALL else "is demanded, and none was reported on the head"
    checks = facts.whole.checks
    others = () if isinstance(checks, Unknown) else {check.name for check in checks if check.reported} & set(names)
    if others and not facts.rules.patterns:
        said += f" (another app reported {join_names(sorted(others))}, which does not count)"
    return _blocker("checks_missing", _pinned_names(facts, names), said, action, "author")


def _blocker(category: Category, names: tuple[str, ...], said: str, action: str, actor: Actor) -> Blocker:
    what = "Any check" if names == ALL else f"{format_count(len(names), 'required check')}: {join_names(names)}"
    return Blocker(category=category, description=f"{what} {said}.", action_required=action, actor=actor)


def _optional(facts: MergeFacts, found: ChecksByVerdict) -> Iterable[str]:
    """Tell of checks that failed and that nothing demands."""
    if facts.rules.patterns:
        return
    others = [name for name in group_all_checks(facts).failing if name not in found.failing]
    if others:
        yield f"Failed, and not required: {join_names(others)}."
