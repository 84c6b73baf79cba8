"""Requirements of a merge: each is met, unmet with blockers, or unknown."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown

LOOK = "See the pull request's page."
LISTED = Unknown("see unproven")
"""The combined answer to several questions of which one is unknown. `MergeReadiness.unproven` has the reason."""

Actor: TypeAlias = Literal["author", "reviewer", "maintainer", "administrator", "ci", "forge", "nobody"]
Category: TypeAlias = Literal[
    "merged",
    "closed",
    "archived",
    "draft",
    "conflicts",
    "changes_requested",
    "approvals",
    "code_owners",
    "last_push",
    "review_requested",
    "checks_failing",
    "checks_missing",
    "checks_pending",
    "conversations",
    "behind",
    "signatures",
    "protected_files",
    "dependencies",
    "locked",
    "protection",
    "merge_queue",
    "permission",
]


@frozen(kw_only=True)
class Blocker:
    """One thing that blocks the merge.

    Args:
        category: The kind of blocker.
        description: What blocks the merge.
        action_required: What removes the blocker.
        actor: Who can do that.
        who: Their names, if known: logins and teams.
    """

    category: Category
    description: str
    action_required: str
    actor: Actor
    who: tuple[str, ...] | None = None


@frozen(kw_only=True)
class Unproven:
    """Questions about the merge that this token, this forge or git could not answer, for one reason.

    Args:
        questions: What is unknown, each worded to follow "whether": `commits must be signed`.
        reason: Why it is unknown.
        action_required: What answers the questions.
        actor: Who can answer them.
    """

    questions: tuple[str, ...]
    reason: str
    action_required: str
    actor: Actor


@frozen(kw_only=True)
class Requirement:
    """The answer to one question.

    Args:
        question: The question, as `whether …`.
        met: Whether nothing about it blocks the merge.
        blockers: What blocks the merge.
        notes: What does not block the merge but is worth knowing.
        prover: Who can answer the question if `met` is unknown.
    """

    question: str
    met: Maybe[bool]
    blockers: tuple[Blocker, ...] = ()
    notes: tuple[str, ...] = ()
    prover: Actor = "maintainer"


def create_met(question: str, *notes: str) -> Requirement:
    """Create a requirement that is met."""
    return Requirement(question=question, met=True, notes=notes)


def create_unmet(question: str, *blockers: Blocker) -> Requirement:
    """Create a requirement that is not met."""
    return Requirement(question=question, met=False, blockers=blockers)


def evaluate_rule(
    question: str,
    demanded: Maybe[bool],
    violated: Maybe[bool],
    blocker: Blocker,
    *,
    settled: bool = False,
    prover: Actor = "maintainer",
) -> Requirement:
    """Compare a rule with the facts.

    Args:
        question: The question.
        demanded: Whether a rule demands it.
        violated: Whether the facts violate it.
        blocker: The blocker if it is violated.
        settled: Whether the forge says that all rules are met, so a hidden rule makes no difference.
        prover: Who can tell whether it is violated. Whether a hidden rule demands it, an administrator can tell.
    """
    if violated is False or demanded is False:
        return create_met(question)
    if demanded is True:
        return (
            create_unmet(question, blocker)
            if violated is True
            else Requirement(question=question, met=violated, prover=prover)
        )
    return create_met(question) if settled else Requirement(question=question, met=demanded, prover="administrator")


def combine_answers(requirements: Iterable[Requirement]) -> Maybe[bool]:
    """Combine several answers: False if one is False, else `LISTED` if one is unknown, else True."""
    answers = [requirement.met for requirement in requirements]
    if any(met is False for met in answers):
        return False
    return LISTED if any(isinstance(met, Unknown) for met in answers) else True


def list_unproven(requirements: Iterable[Requirement]) -> tuple[Unproven, ...]:
    """List the unknown answers, one row for all questions with the same reason."""
    rows: dict[tuple[str, str, Actor], list[str]] = {}
    for requirement in requirements:
        if isinstance(requirement.met, Unknown):
            rows.setdefault((requirement.met.reason, requirement.met.remedy, requirement.prover), []).append(
                requirement.question.removeprefix("whether ")
            )
    return tuple(
        Unproven(questions=tuple(questions), reason=reason, action_required=remedy or LOOK, actor=actor)
        for (reason, remedy, actor), questions in rows.items()
    )
