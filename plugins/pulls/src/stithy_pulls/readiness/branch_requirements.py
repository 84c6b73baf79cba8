"""What the base demands beside reviews and checks, and what of it is met."""

from collections.abc import Iterable

from stithy_core.spi import Commit, Maybe, Unknown
from stithy_pulls.phrases import format_count
from stithy_pulls.readiness.forge_globs import matches
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names
from stithy_pulls.readiness.merge_requirements import (
    Actor,
    Blocker,
    Requirement,
    create_met,
    create_unmet,
    evaluate_rule,
)


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


SEPARATORS = "./"
"""Where `*` stops in a pattern of protected files."""


def evaluate_branch_rules(facts: MergeFacts) -> list[Requirement]:
    """Ask all that rules can demand beside reviews and checks."""
    return [
        _conversations(facts),
        _behind(facts),
        _signatures(facts),
        _files(facts),
        _locked(facts),
        _linear(facts),
        _others(facts),
        _queue(facts),
    ]


def evaluate_unexplained_block(facts: MergeFacts, parts: Iterable[Requirement]) -> Requirement:
    """Ask whether the forge finds a rule unmet that nothing else here tells of."""
    question = "whether the forge finds another rule unmet"
    if facts.pull.blocked is not True or any(part.blockers for part in parts):
        return create_met(question)
    where = ", ".join((*facts.rules.sources, *facts.rules.others)) or "a protection or a ruleset"
    return create_unmet(
        question,
        Blocker(
            category="protection",
            description=f"The forge says {facts.pull.forge_state!r}: a rule of {facts.base} is unmet, and it does not"
            f" say which ({where}).",
            action_required=f"Look at {facts.pull.url}; an administrator sees all rules.",
            actor="administrator",
        ),
    )


def _conversations(facts: MergeFacts) -> Requirement:
    question, threads = "whether every conversation must be resolved", facts.whole.threads
    if isinstance(threads, Unknown):
        return _weighed_conversations(facts, question, threads, 0)
    still = sum(thread.resolved is False for thread in threads)
    unclear = next((thread.resolved for thread in threads if isinstance(thread.resolved, Unknown)), None)
    unsure = unclear is not None or bool(threads.cut)
    if still and facts.rules.resolved_threads is False:
        many = f"{'At least ' * unsure}{format_count(still, 'conversation')}"
        return create_met(question, f"{many} open; no rule demands that they are resolved.")
    violated: Maybe[bool] = bool(still)
    if not still and unsure:
        violated = unclear if unclear is not None else Unknown(threads.cut)
    return _weighed_conversations(facts, question, violated, still)


def _weighed_conversations(facts: MergeFacts, question: str, violated: Maybe[bool], still: int) -> Requirement:
    blocker = Blocker(
        category="conversations",
        description=f"{format_count(still, 'conversation')} not resolved, and {facts.base} demands that all are.",
        action_required=f'Settle them: find_unresolved_comments(pr="{facts.pull.ref}") lists them.',
        actor="author",
    )
    return evaluate_rule(question, facts.rules.resolved_threads, violated, blocker, settled=facts.settled)


def _behind(facts: MergeFacts) -> Requirement:
    behind = facts.whole.behind
    violated: Maybe[bool] = behind if isinstance(behind, Unknown) else behind > 0
    many = "" if isinstance(behind, Unknown) else format_count(behind, "commit")
    blocker = Blocker(
        category="behind",
        description=f"It is {many} behind {facts.base}, which demands that it holds all of it.",
        action_required=f"Merge or rebase {facts.base} into it.",
        actor="author",
    )
    question = "whether it must hold all of the base"
    part = evaluate_rule(question, facts.rules.up_to_date, violated, blocker, settled=facts.settled)
    noted = part.met is True and violated is True
    return create_met(question, f"It is {many} behind {facts.base}, which no rule forbids.") if noted else part


def _signatures(facts: MergeFacts) -> Requirement:
    commits = facts.whole.commits
    unsigned = [] if isinstance(commits, Unknown) else [one.sha[:10] for one in commits if one.verified is False]
    blocker = Blocker(
        category="signatures",
        description=f"{format_count(len(unsigned), 'commit')} without a verified signature: {join_names(unsigned)}.",
        action_required="Sign them and push again (git rebase --exec 'git commit --amend --no-edit -S' BASE).",
        actor="author",
    )
    question = "whether commits must be signed"
    return evaluate_rule(question, facts.rules.signed, _unsigned(facts, unsigned), blocker, settled=facts.settled)


def _unsigned(facts: MergeFacts, unsigned: list[str]) -> Maybe[bool]:
    commits = facts.whole.commits
    if isinstance(commits, Unknown):
        return commits
    unclear = next((_doubt(one) for one in commits if isinstance(one.verified, Unknown)), None)
    if unsigned or not (unclear is not None or commits.cut):
        return bool(unsigned)
    return unclear if unclear is not None else Unknown(commits.cut)


def _doubt(commit: Commit) -> Unknown:
    assert isinstance(commit.verified, Unknown)
    return Unknown(f"of {commit.sha[:10]}, {commit.verified.reason}", commit.verified.remedy)


def _files(facts: MergeFacts) -> Requirement:
    question, patterns = "whether it changes protected files", facts.rules.protected_files
    if isinstance(patterns, Unknown):
        return (
            create_met(question)
            if facts.settled
            else Requirement(question=question, met=patterns, prover="administrator")
        )
    if isinstance(facts.files, Unknown):
        return Requirement(question=question, met=facts.files) if patterns else create_met(question)
    paths = [path for file in facts.files for path in (file.path, file.previous_path) if path]
    hit = [path for path in paths if any(matches(pattern, path.lower(), SEPARATORS) for pattern in patterns)]
    if not hit and patterns and facts.files.cut:
        return Requirement(question=question, met=Unknown(facts.files.cut))
    return create_unmet(question, _protected(facts, hit)) if hit else create_met(question)


def _protected(facts: MergeFacts, hit: list[str]) -> Blocker:
    return Blocker(
        category="protected_files",
        description=f"It changes {format_count(len(hit), 'protected file')}: {join_names(hit)}.",
        action_required=f"Take the changes out, or let an administrator change the rule of {facts.base}.",
        actor="administrator",
    )


def _locked(facts: MergeFacts) -> Requirement:
    blocker = Blocker(
        category="locked",
        description=f"{facts.base} is locked: nobody may change it.",
        action_required="Unlock it.",
        actor="administrator",
    )
    seen = facts.settled or not isinstance(facts.whole.may_merge, Unknown)
    return evaluate_rule("whether the base is locked", facts.rules.locked, violated=True, blocker=blocker, settled=seen)


def _linear(facts: MergeFacts) -> Requirement:
    """Tell how it must be merged, which stands in nobody's way."""
    note = f"{facts.base} takes no merge commits: squash or rebase."
    return create_met("whether merge commits are taken", *([note] if facts.rules.linear is True else []))


def _others(facts: MergeFacts) -> Requirement:
    question, others = "whether all other rules are met", facts.rules.others
    if not others or facts.settled:
        return create_met(question)
    return Requirement(
        question=question,
        met=Unknown(f"only the forge knows whether it is met: {join_names(others)}", "Look at its page."),
    )


def _queue(facts: MergeFacts) -> Requirement:
    question, entry = "whether merging goes through a queue", facts.whole.queued
    if entry is not None:
        said, action = f"It is number {entry.position} in the merge queue ({entry.state}).", "Wait for the queue."
        return create_unmet(question, _queueing(said, action, in_queue=True))
    said = f"{facts.base} is merged into through a queue: it cannot be merged directly."
    queueing = _queueing(said, f"Add it to the queue at {facts.pull.url}.", in_queue=False)
    return evaluate_rule(question, facts.rules.merge_queue, violated=True, blocker=queueing)


def _queueing(said: str, action: str, *, in_queue: bool) -> Blocker:
    actor: Actor = "forge" if in_queue else "maintainer"
    return Blocker(category="merge_queue", description=said, action_required=action, actor=actor)
