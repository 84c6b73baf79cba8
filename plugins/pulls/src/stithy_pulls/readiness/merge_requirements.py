"""What each question about a merge comes to: met, blocked by something, or not known."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown

LOOK = "Look at the pull request's page."
LISTED = Unknown("see unproven")
"""The answer to several questions of which one is not known: the reason stands in `MergeReadiness.unproven` alone."""

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
    """One thing that stands before the merge.

    Args:
        category: What sort of thing.
        description: What it is.
        action_required: What ends it.
        actor: Who can do that.
        who: By name, where it is known: logins, and teams.
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
        questions: What is not known, each to be read after "whether": `commits must be signed`.
        reason: Why it is not known.
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
        question: What is asked, as `whether …`.
        met: Whether nothing of it stands before the merge.
        blockers: What does.
        notes: What does not, and is yet worth knowing.
        prover: Who can answer the question, where `met` is unknown.
    """

    question: str
    met: Maybe[bool]
    blockers: tuple[Blocker, ...] = ()
    notes: tuple[str, ...] = ()
    prover: Actor = "maintainer"


def create_met(question: str, *notes: str) -> Requirement:
    """Say that nothing of it stands before the merge."""
    return Requirement(question=question, met=True, notes=notes)


def create_unmet(question: str, *blockers: Blocker) -> Requirement:
    """Say what stands before the merge."""
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
    """Weigh what a rule demands against what is.

    Args:
        question: What is asked.
        demanded: Whether a rule demands it.
        violated: Whether it is otherwise.
        blocker: What to say then.
        settled: Whether the forge says that no rule is unmet, so that a rule which nobody here sees does not matter.
        prover: Who can tell whether it is violated; whether a hidden rule demands it, an administrator can.
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


def combine_answers(parts: Iterable[Requirement]) -> Maybe[bool]:
    """Answer several questions as one."""
    answers = [part.met for part in parts]
    if any(met is False for met in answers):
        return False
    return LISTED if any(isinstance(met, Unknown) for met in answers) else True


def list_unproven(parts: Iterable[Requirement]) -> tuple[Unproven, ...]:
    """List what is not known, in one row for all questions that have the same reason."""
    rows: dict[tuple[str, str, Actor], list[str]] = {}
    for part in parts:
        if isinstance(part.met, Unknown):
            rows.setdefault((part.met.reason, part.met.remedy, part.prover), []).append(
                part.question.removeprefix("whether ")
            )
    return tuple(
        Unproven(questions=tuple(questions), reason=reason, action_required=remedy or LOOK, actor=actor)
        for (reason, remedy, actor), questions in rows.items()
    )
