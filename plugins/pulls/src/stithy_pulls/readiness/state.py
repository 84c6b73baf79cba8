"""What stands before a merge whatever the rules say: the state of the pull request, and who asks."""

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.readiness.facts import Facts, named
from stithy_pulls.readiness.parts import Blocker, Part, blocked, passed, weighed


def draft_part(facts: Facts) -> Part:
    """Ask whether it is a draft."""
    blocker = Blocker(
        category="draft",
        description="It is a draft.",
        action_required="Mark it as ready for review; on Gitea and Forgejo, take WIP: out of the title.",
        actor="author",
        who=(facts.pull.author.login,),
    )
    return weighed("whether it is a draft", demanded=True, violated=facts.pull.draft, blocker=blocker)


def archived_part(facts: Facts) -> Part:
    """Ask whether the repository takes writes."""
    blocker = Blocker(
        category="archived",
        description=f"{facts.pull.ref.repository} is archived: nothing can be merged.",
        action_required="Unarchive it.",
        actor="administrator",
    )
    question = "whether the repository is archived"
    return weighed(question, demanded=True, violated=facts.pull.archived, blocker=blocker)


def conflict_part(facts: Facts) -> Part:
    """Ask whether the two conflict."""
    blocker = Blocker(
        category="conflicts",
        description=f"It conflicts with {facts.base}.",
        action_required=f'Resolve the conflicts: detect_merge_conflicts(pr="{facts.pull.ref}") names them.',
        actor="author",
        who=(facts.pull.author.login,),
    )
    question = f"whether it conflicts with {facts.base}"
    return weighed(question, demanded=True, violated=facts.conflicts, blocker=blocker, prover="forge")


def permission_part(facts: Facts) -> Part:
    """Ask whether the token's user may merge at all; of a locked base it is said by itself that nobody may."""
    blocker = Blocker(
        category="permission",
        description=f"This token's user may not merge into {facts.base}.",
        action_required="Somebody who may must merge it.",
        actor="maintainer",
    )
    question, may = "whether this token's user may merge", facts.whole.may_merge
    violated: Maybe[bool] = may if isinstance(may, Unknown) else not may and facts.rules.locked is not True
    return weighed(question, demanded=True, violated=violated, blocker=blocker)


def dependency_part(facts: Facts) -> Part:
    """Ask what must be closed before."""
    question, found = "whether what it depends on is closed", facts.waits_for
    if isinstance(found, Unknown):
        return Part(question=question, met=found)
    still = [f"{one.ref} ({one.title})" for one in found if one.state == "open" and one.ref.number]
    if still:
        return blocked(question, _waiting(still))
    if any(not one.ref.number for one in found) or found.cut:
        reason = found.cut or "it depends on something that this token may not see"
        return Part(question=question, met=Unknown(reason, "Use a token that may."))
    return passed(question)


def _waiting(still: list[str]) -> Blocker:
    return Blocker(
        category="dependencies",
        description=f"It depends on what is still open: {named(still)}.",
        action_required="Close them first, or take the dependency away.",
        actor="author",
    )
