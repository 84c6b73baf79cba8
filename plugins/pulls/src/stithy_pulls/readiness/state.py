"""What stands before a merge whatever the rules say: the state of the pull request, and who asks."""

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.readiness.facts import MergeFacts, join_names
from stithy_pulls.readiness.parts import Blocker, Requirement, create_met, create_unmet, evaluate_rule


def evaluate_draft(facts: MergeFacts) -> Requirement:
    """Ask whether it is a draft."""
    blocker = Blocker(
        category="draft",
        description="It is a draft.",
        action_required="Mark it as ready for review; on Gitea and Forgejo, take WIP: out of the title.",
        actor="author",
        who=(facts.pull.author.login,),
    )
    return evaluate_rule("whether it is a draft", demanded=True, violated=facts.pull.draft, blocker=blocker)


def evaluate_archived(facts: MergeFacts) -> Requirement:
    """Ask whether the repository takes writes."""
    blocker = Blocker(
        category="archived",
        description=f"{facts.pull.ref.repository} is archived: nothing can be merged.",
        action_required="Unarchive it.",
        actor="administrator",
    )
    question = "whether the repository is archived"
    return evaluate_rule(question, demanded=True, violated=facts.pull.archived, blocker=blocker)


def evaluate_conflicts(facts: MergeFacts) -> Requirement:
    """Ask whether the two conflict."""
    blocker = Blocker(
        category="conflicts",
        description=f"It conflicts with {facts.base}.",
        action_required=f'Resolve the conflicts: detect_merge_conflicts(pr="{facts.pull.ref}") names them.',
        actor="author",
        who=(facts.pull.author.login,),
    )
    question = f"whether it conflicts with {facts.base}"
    return evaluate_rule(question, demanded=True, violated=facts.conflicts, blocker=blocker, prover="forge")


def evaluate_permission(facts: MergeFacts) -> Requirement:
    """Ask whether the token's user may merge at all; of a locked base it is said by itself that nobody may."""
    blocker = Blocker(
        category="permission",
        description=f"This token's user may not merge into {facts.base}.",
        action_required="Somebody who may must merge it.",
        actor="maintainer",
    )
    question, may = "whether this token's user may merge", facts.whole.may_merge
    violated: Maybe[bool] = may if isinstance(may, Unknown) else not may and facts.rules.locked is not True
    return evaluate_rule(question, demanded=True, violated=violated, blocker=blocker)


def evaluate_dependencies(facts: MergeFacts) -> Requirement:
    """Ask what must be closed before."""
    question, found = "whether what it depends on is closed", facts.waits_for
    if isinstance(found, Unknown):
        return Requirement(question=question, met=found)
    still = [f"{one.ref} ({one.title})" for one in found if one.state == "open" and one.ref.number]
    if still:
        return create_unmet(question, _waiting(still))
    if any(not one.ref.number for one in found) or found.cut:
        reason = found.cut or "it depends on something that this token may not see"
        return Requirement(question=question, met=Unknown(reason, "Use a token that may."))
    return create_met(question)


def _waiting(still: list[str]) -> Blocker:
    return Blocker(
        category="dependencies",
        description=f"It depends on what is still open: {join_names(still)}.",
        action_required="Close them first, or take the dependency away.",
        actor="author",
    )
