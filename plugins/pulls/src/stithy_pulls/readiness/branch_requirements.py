"""Requirements about the state of the pull request, and about rules of its base branch beside reviews and checks."""

from collections.abc import Iterable

from stithy_core.spi import Commit, EvaluatedRule, Maybe, Thread, Unknown, excerpt, format_count
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
    """Evaluate whether the pull request is a draft."""
    blocker = Blocker(
        category="draft",
        description="The pull request is a draft.",
        action_required="Mark it as ready for review; on Gitea and Forgejo, remove WIP: from the title.",
        actor="author",
        who=(facts.pull.author.login,),
    )
    return evaluate_rule("whether it is a draft", demanded=True, violated=facts.pull.draft, blocker=blocker)


def evaluate_archived(facts: MergeFacts) -> Requirement:
    """Evaluate whether the repository accepts writes."""
    blocker = Blocker(
        category="archived",
        description=f"{facts.pull.ref.repository} is archived: nothing can be merged.",
        action_required="Unarchive it.",
        actor="administrator",
    )
    question = "whether the repository is archived"
    return evaluate_rule(question, demanded=True, violated=facts.pull.archived, blocker=blocker)


def evaluate_conflicts(facts: MergeFacts) -> Requirement:
    """Evaluate whether the pull request conflicts with its base branch."""
    blocker = Blocker(
        category="conflicts",
        description=f"The pull request conflicts with {facts.base}.",
        action_required=f'Resolve the conflicts: detect_merge_conflicts(pr="{facts.pull.ref}") lists them.',
        actor="author",
        who=(facts.pull.author.login,),
    )
    question = f"whether it conflicts with {facts.base}"
    return evaluate_rule(question, demanded=True, violated=facts.conflicts, blocker=blocker, prover="forge")


def evaluate_permission(facts: MergeFacts) -> Requirement:
    """Evaluate whether the token's user may merge. A locked base branch is a blocker of its own."""
    blocker = Blocker(
        category="permission",
        description=f"The user of this token may not merge into {facts.base}.",
        action_required="Ask a user with permission to merge it.",
        actor="maintainer",
    )
    question, may = "whether the user of this token may merge", facts.whole.may_merge
    violated: Maybe[bool] = may if isinstance(may, Unknown) else not may and facts.rules.locked is not True
    return evaluate_rule(question, demanded=True, violated=violated, blocker=blocker)


def evaluate_dependencies(facts: MergeFacts) -> Requirement:
    """Evaluate whether all dependencies are closed."""
    question, found = "whether what it depends on is closed", facts.waits_for
    if isinstance(found, Unknown):
        return Requirement(question=question, met=found)
    still_open = [f"{one.ref} ({one.title})" for one in found if one.state == "open" and one.ref.number]
    if still_open:
        return create_unmet(question, _create_dependency_blocker(still_open))
    if any(not one.ref.number for one in found) or found.cut:
        reason = found.cut or "it depends on something that this token cannot see"
        return Requirement(question=question, met=Unknown(reason, "Use a token with access to it."))
    return create_met(question)


def _create_dependency_blocker(still_open: list[str]) -> Blocker:
    return Blocker(
        category="dependencies",
        description=f"The pull request depends on open issues or pull requests: {join_names(still_open)}.",
        action_required="Close them first, or remove the dependency.",
        actor="author",
    )


SEPARATORS = "./"
"""Characters that `*` does not match in a pattern for protected files."""


def evaluate_branch_rules(facts: MergeFacts) -> list[Requirement]:
    """Evaluate all rules of the base branch beside reviews and checks."""
    return [
        _evaluate_conversations(facts),
        _evaluate_up_to_date(facts),
        _evaluate_signatures(facts),
        _evaluate_protected_files(facts),
        _evaluate_lock(facts),
        _note_linear_history(facts),
        *(_evaluate_result(facts, rule) for rule in facts.rules.evaluated),
        _evaluate_other_rules(facts),
        _evaluate_merge_queue(facts),
    ]


def evaluate_unexplained_block(facts: MergeFacts, requirements: Iterable[Requirement]) -> Requirement:
    """Evaluate whether the forge finds a rule unmet that no other requirement explains."""
    question = "whether the forge finds another rule unmet"
    if facts.pull.blocked is not True or any(requirement.blockers for requirement in requirements):
        return create_met(question)
    where = ", ".join((*facts.rules.sources, *facts.rules.others)) or "a branch protection or a ruleset"
    return create_unmet(
        question,
        Blocker(
            category="protection",
            description=f"The forge reports {facts.pull.forge_state!r}: a rule of {facts.base} is not met, but the API"
            f" does not say which ({where}).",
            action_required=f"See {facts.pull.url}; an administrator sees all rules.",
            actor="administrator",
        ),
    )


def _is_draft(thread: Thread) -> bool:
    """Return whether all comments are known, and none was submitted: the forge may hide those of a thread."""
    return bool(thread.comments) and not thread.cut and all(comment.pending for comment in thread.comments)


def _evaluate_conversations(facts: MergeFacts) -> Requirement:
    question, threads = "whether every conversation must be resolved", facts.whole.threads
    if isinstance(threads, Unknown):
        return _evaluate_resolution_rule(facts, question, threads, 0)
    # A draft does not count before it is submitted; administrators of Gitea see those of others as well.
    shared = [thread for thread in threads if not _is_draft(thread)]
    still_open = sum(thread.resolved is False for thread in shared)
    unclear = next((thread.resolved for thread in shared if isinstance(thread.resolved, Unknown)), None)
    unsure = unclear is not None or bool(threads.cut)
    if still_open and facts.rules.resolved_threads is False:
        many = f"{'At least ' * unsure}{format_count(still_open, 'conversation')}"
        return create_met(question, f"{many} open; no rule requires them to be resolved.")
    violated: Maybe[bool] = bool(still_open)
    if not still_open and unsure:
        violated = unclear if unclear is not None else Unknown(threads.cut)
    return _evaluate_resolution_rule(facts, question, violated, still_open)


def _evaluate_resolution_rule(facts: MergeFacts, question: str, violated: Maybe[bool], still_open: int) -> Requirement:
    blocker = Blocker(
        category="conversations",
        description=f"{format_count(still_open, 'conversation')} unresolved; {facts.base} requires all to be resolved.",
        action_required=f'Resolve them: find_unresolved_comments(pr="{facts.pull.ref}") lists them.',
        actor="author",
    )
    return evaluate_rule(question, facts.rules.resolved_threads, violated, blocker, settled=facts.settled)


def _evaluate_up_to_date(facts: MergeFacts) -> Requirement:
    behind = facts.whole.behind
    violated: Maybe[bool] = behind if isinstance(behind, Unknown) else behind > 0
    many = "" if isinstance(behind, Unknown) else format_count(behind, "commit")
    blocker = Blocker(
        category="behind",
        description=f"The pull request is {many} behind {facts.base}, which requires it to be up to date.",
        action_required=f"Merge {facts.base} into it, or rebase it onto {facts.base}.",
        actor="author",
    )
    question = "whether it must be up to date with the base"
    requirement = evaluate_rule(question, facts.rules.up_to_date, violated, blocker, settled=facts.settled)
    noted = requirement.met is True and violated is True
    return (
        create_met(question, f"The pull request is {many} behind {facts.base}, which no rule forbids.")
        if noted
        else requirement
    )


def _evaluate_signatures(facts: MergeFacts) -> Requirement:
    commits = facts.whole.commits
    unsigned = [] if isinstance(commits, Unknown) else [one.sha[:10] for one in commits if one.verified is False]
    blocker = Blocker(
        category="signatures",
        description=f"{format_count(len(unsigned), 'commit')} without a verified signature: {join_names(unsigned)}.",
        action_required="Sign them with git rebase --exec 'git commit --amend --no-edit -S' BASE and push again.",
        actor="author",
    )
    question = "whether commits must be signed"
    return evaluate_rule(question, facts.rules.signed, _has_unsigned(facts, unsigned), blocker, settled=facts.settled)


def _has_unsigned(facts: MergeFacts, unsigned: list[str]) -> Maybe[bool]:
    commits = facts.whole.commits
    if isinstance(commits, Unknown):
        return commits
    unclear = next((_explain_unverified(one) for one in commits if isinstance(one.verified, Unknown)), None)
    if unsigned or not (unclear is not None or commits.cut):
        return bool(unsigned)
    return unclear if unclear is not None else Unknown(commits.cut)


def _explain_unverified(commit: Commit) -> Unknown:
    assert isinstance(commit.verified, Unknown)
    return Unknown(f"commit {commit.sha[:10]}: {commit.verified.reason}", commit.verified.remedy)


def _evaluate_protected_files(facts: MergeFacts) -> Requirement:
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
    return create_unmet(question, _create_protected_blocker(facts, hit)) if hit else create_met(question)


def _create_protected_blocker(facts: MergeFacts, hit: list[str]) -> Blocker:
    return Blocker(
        category="protected_files",
        description=f"The pull request changes {format_count(len(hit), 'protected file')}: {join_names(hit)}.",
        action_required=f"Remove these changes, or ask an administrator to change the rule of {facts.base}.",
        actor="administrator",
    )


def _evaluate_lock(facts: MergeFacts) -> Requirement:
    blocker = Blocker(
        category="locked",
        description=f"{facts.base} is locked: nobody can push to it.",
        action_required="Unlock it.",
        actor="administrator",
    )
    seen = facts.settled or not isinstance(facts.whole.may_merge, Unknown)
    return evaluate_rule("whether the base is locked", facts.rules.locked, violated=True, blocker=blocker, settled=seen)


def _note_linear_history(facts: MergeFacts) -> Requirement:
    """Return a met requirement, with a note if the base branch requires a linear history."""
    note = f"{facts.base} requires a linear history: squash or rebase."
    return create_met("whether merge commits are allowed", *([note] if facts.rules.linear is True else []))


def _evaluate_result(facts: MergeFacts, rule: EvaluatedRule) -> Requirement:
    """Evaluate a rule whose result the forge reports."""
    name = excerpt(rule.name, 120)
    blocker = Blocker(
        category="protection",
        description=f"A rule of {facts.base} is not met: {name}.",
        action_required=rule.action or f"See {facts.pull.url}.",
        actor="author",
    )
    violated: Maybe[bool] = rule.met if isinstance(rule.met, Unknown) else not rule.met
    return evaluate_rule(f"whether {name}", not facts.settled, violated, blocker)


def _evaluate_other_rules(facts: MergeFacts) -> Requirement:
    question, others = "whether all other rules are met", facts.rules.others
    if not others or facts.settled:
        return create_met(question)
    return Requirement(
        question=question,
        met=Unknown(f"only the forge can evaluate these rules: {join_names(others)}", "See the pull request's page."),
    )


def _evaluate_merge_queue(facts: MergeFacts) -> Requirement:
    question, entry = "whether merging goes through a queue", facts.whole.queued
    if entry is not None:
        place = "" if isinstance(entry.position, Unknown) else f"number {entry.position} "
        description = f"The pull request is {place}in the merge queue ({entry.state})."
        return create_unmet(question, _create_queue_blocker(description, "Wait for the queue.", in_queue=True))
    description = f"{facts.base} has a merge queue: the pull request cannot be merged directly."
    queue_blocker = _create_queue_blocker(description, f"Add it to the queue at {facts.pull.url}.", in_queue=False)
    return evaluate_rule(question, facts.rules.merge_queue, violated=True, blocker=queue_blocker)


def _create_queue_blocker(description: str, action: str, *, in_queue: bool) -> Blocker:
    actor: Actor = "forge" if in_queue else "maintainer"
    return Blocker(category="merge_queue", description=description, action_required=action, actor=actor)
