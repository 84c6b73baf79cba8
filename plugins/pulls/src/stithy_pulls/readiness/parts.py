"""What each question about a merge comes to: met, blocked by something, or not known."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Maybe, Unknown

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
class Part:
    """The answer to one question.

    Args:
        question: What is asked, as `whether …`.
        met: Whether nothing of it stands before the merge.
        blockers: What does.
        notes: What does not, and is yet worth knowing.
    """

    question: str
    met: Maybe[bool]
    blockers: tuple[Blocker, ...] = ()
    notes: tuple[str, ...] = ()


def passed(question: str, *notes: str) -> Part:
    """Say that nothing of it stands before the merge."""
    return Part(question=question, met=True, notes=notes)


def blocked(question: str, *blockers: Blocker) -> Part:
    """Say what stands before the merge."""
    return Part(question=question, met=False, blockers=blockers)


def weighed(
    question: str, demanded: Maybe[bool], violated: Maybe[bool], blocker: Blocker, *, settled: bool = False
) -> Part:
    """Weigh what a rule demands against what is.

    Args:
        question: What is asked.
        demanded: Whether a rule demands it.
        violated: Whether it is otherwise.
        blocker: What to say then.
        settled: Whether the forge says that no rule is unmet, so that a rule which nobody here sees does not matter.
    """
    if violated is False or demanded is False:
        return passed(question)
    if demanded is True:
        return blocked(question, blocker) if violated is True else Part(question=question, met=violated)
    return passed(question) if settled else Part(question=question, met=demanded)


def together(parts: Iterable[Part]) -> Maybe[bool]:
    """Answer several questions as one."""
    answers = list(parts)
    if any(part.met is False for part in answers):
        return False
    doubt = undecided(answers)
    return True if doubt is None else doubt


def undecided(parts: Iterable[Part]) -> Unknown | None:
    """Say what of several questions is not known, once for all that have the same reason."""
    doubts: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        if isinstance(part.met, Unknown):
            doubts.setdefault((part.met.reason, part.met.remedy), []).append(part.question)
    if not doubts:
        return None
    reason = "; ".join(f"{_listed(questions)}: {reason}" for (reason, _), questions in doubts.items())
    return Unknown(reason, " ".join(dict.fromkeys(remedy for _, remedy in doubts if remedy)))


def _listed(questions: Sequence[str]) -> str:
    """Write questions one after the other, of which each begins with the same word."""
    return questions[0] + "".join(f", {question.removeprefix('whether ')}" for question in questions[1:])
