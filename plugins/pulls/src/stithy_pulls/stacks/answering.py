"""From what was found to the answer."""

from stithy_core.spi import Page
from stithy_pulls.stacks.case import RestackAdvice, StackCase
from stithy_pulls.stacks.considering import list_considerations
from stithy_pulls.stacks.finding import StackFindings
from stithy_pulls.stacks.parts import (
    build_change_summary,
    build_merge_evidence,
    build_stack_info,
    get_upstream,
    list_dropped_commits,
    list_own_commits,
)
from stithy_pulls.stacks.results import Automation, ManagedStack, RebaseStrategy
from stithy_pulls.stacks.steps import StepTerms, build_recovery, build_steps, format_rebase_line
from stithy_pulls.stacks.survey import StackSurvey
from stithy_pulls.stacks.verdicts import summarize_case


def build_answer(survey: StackSurvey, found: StackFindings, case: StackCase, terms: StepTerms) -> ManagedStack:
    """Give the answer for a stack that git could read."""
    seen, first = found.repository, next(iter(case.moves or case.levels), None)
    dropped, dropped_total = list_dropped_commits(seen, case.advice)
    return ManagedStack(
        base_pr=str(survey.base.ref),
        dependent_pr=str(survey.dependent.ref),
        found_by="git",
        is_stacked=True,
        stack_info=build_stack_info(survey, found.path),
        changes_detected=bool(found.news and found.news.commits),
        change_summary=build_change_summary(seen, found.news, case.moves) if found.news else None,
        upstream_merge_detected=case.outcome.merged,
        squash_merge=case.outcome.squashed,
        merge_evidence=build_merge_evidence(case.outcome),
        last_upstream_commit=get_upstream(first) if first else None,
        upstream_confidence=first.fork_point.confidence if first else None,
        rebase_strategy=_strategy(survey, case, case.advice) if case.advice else None,
        commands=Page(build_steps(case, terms), key=lambda command: str(command.step)),
        recovery=build_recovery(case.advice, terms) if case.advice else (),
        own_commits=list_own_commits(seen, case.levels),
        own_commits_total=sum(len(move.fork_point.own) for move in case.levels),
        dropped=dropped,
        dropped_total=dropped_total,
        automation=Automation(enabled=terms.auto_fix),
        summary=summarize_case(case, terms.pace),
        notes=(*survey.notes, *found.notes, *seen.notes) or None,
    )


def _strategy(survey: StackSurvey, case: StackCase, advice: RestackAdvice) -> RebaseStrategy:
    first, choice = advice.moves[0], advice.choice
    return RebaseStrategy(
        recommended="regular" if choice.way == "regular" else "onto",
        reason=choice.reason,
        regular_command=format_rebase_line(advice, 0, "regular"),
        onto_command=format_rebase_line(advice, 0, "onto" if first.fork_point.straight else "pick"),
        ai_should_decide=choice.open,
        considerations=list_considerations(case, advice, survey.list_pulls()),
    )
