"""From what was found to the answer."""

from stithy_core.spi import Page
from stithy_pulls.stacks.case import Advice, Case
from stithy_pulls.stacks.considering import considerations
from stithy_pulls.stacks.finding import Findings
from stithy_pulls.stacks.parts import (
    change_summary,
    dropped_commits,
    merge_evidence,
    own_commits,
    stack_info,
    upstream_of,
)
from stithy_pulls.stacks.results import Automation, ManagedStack, RebaseStrategy
from stithy_pulls.stacks.steps import Terms, rebase_line, recovery, steps
from stithy_pulls.stacks.survey import Survey
from stithy_pulls.stacks.verdicts import judged


def answer(survey: Survey, found: Findings, case: Case, terms: Terms) -> ManagedStack:
    """Give the answer for a stack that git could read."""
    seen, first = found.repository, next(iter(case.moves or case.levels), None)
    dropped, dropped_total = dropped_commits(seen, case.advice)
    return ManagedStack(
        base_pr=str(survey.base.ref),
        dependent_pr=str(survey.dependent.ref),
        found_by="git",
        is_stacked=True,
        stack_info=stack_info(survey, found.path),
        changes_detected=bool(found.news and found.news.commits),
        change_summary=change_summary(seen, found.news, case.moves) if found.news else None,
        upstream_merge_detected=case.fate.merged,
        squash_merge=case.fate.squashed,
        merge_evidence=merge_evidence(case.fate),
        last_upstream_commit=upstream_of(first) if first else None,
        upstream_confidence=first.border.confidence if first else None,
        rebase_strategy=_strategy(survey, case, case.advice) if case.advice else None,
        commands=Page(steps(case, terms), key=lambda command: str(command.step)),
        recovery=recovery(case.advice, terms) if case.advice else (),
        own_commits=own_commits(seen, case.levels),
        own_commits_total=sum(len(move.border.own) for move in case.levels),
        dropped=dropped,
        dropped_total=dropped_total,
        automation=Automation(enabled=terms.auto_fix),
        summary=judged(case, terms.pace),
        notes=(*survey.notes, *found.notes, *seen.notes) or None,
    )


def _strategy(survey: Survey, case: Case, advice: Advice) -> RebaseStrategy:
    first, choice = advice.moves[0], advice.choice
    return RebaseStrategy(
        recommended="regular" if choice.way == "regular" else "onto",
        reason=choice.reason,
        regular_command=rebase_line(advice, 0, "regular"),
        onto_command=rebase_line(advice, 0, "onto" if first.border.straight else "pick"),
        ai_should_decide=choice.open,
        considerations=considerations(case, advice, survey.all()),
    )
