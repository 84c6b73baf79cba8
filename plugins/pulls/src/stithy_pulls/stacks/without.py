"""Answers without a plan: where git cannot be asked, and where the one does not stand on the other."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from stithy_core.spi import Maybe, Page, StithyError, Unknown
from stithy_pulls.stacks.links import is_stacked_on
from stithy_pulls.stacks.parts import build_stack_info
from stithy_pulls.stacks.path import StackPath, trace_path_by_names
from stithy_pulls.stacks.results import Automation, ManagedStack, Summary
from stithy_pulls.stacks.steps import StepTerms
from stithy_pulls.stacks.survey import StackSurvey
from stithy_pulls.stacks.verdicts import NOTHING


def answer_stack_from_forge(survey: StackSurvey, fault: StithyError, terms: StepTerms) -> ManagedStack:
    """Answer by the API: who stands on whom by name, and what was merged; nothing is recommended.

    Args:
        survey: What the API told.
        fault: Why git could not answer.
        terms: What the steps depend on.
    """
    path = trace_path_by_names(survey)
    unseen = Unknown(f"git could not look: {fault.message}", fault.suggestion)
    stacked: Maybe[bool] = True if path.find_index(survey.base) >= 0 else unseen
    return ManagedStack(
        **_common(survey, path, terms),
        found_by="forge",
        is_stacked=stacked,
        changes_detected=True if survey.base.merged else unseen,
        squash_merge=unseen if survey.base.merged else False,
        last_upstream_commit=unseen,
        rebase_strategy=unseen,
        summary=Summary(
            action_required=unseen,
            reason="without git it is not known whether anything must be moved",
            estimated_total_time=evolve(unseen, shown="unknown"),
            risk_level="high",
        ),
        notes=(*survey.notes, f"Without git, nothing is recommended: {fault.message}"),
    )


def answer_unstacked(survey: StackSurvey, path: StackPath, terms: StepTerms, notes: Sequence[str]) -> ManagedStack:
    """Answer for two of which the later does not stand on the earlier, or both stand on each other.

    Args:
        survey: What the API told.
        path: The way down from the dependent one.
        terms: What the steps depend on.
        notes: What could not be read.
    """
    return ManagedStack(
        **_common(survey, path, terms),
        found_by="git",
        is_stacked=path.circle and path.find_index(survey.base) >= 0,
        changes_detected=False,
        squash_merge=False if not survey.base.merged else Unknown("it was not looked for", "It is no part of a stack."),
        last_upstream_commit=None,
        rebase_strategy=None,
        summary=Summary(
            action_required=path.circle, reason=_why(survey, path), estimated_total_time=NOTHING, risk_level="low"
        ),
        notes=(*survey.notes, *notes) or None,
    )


def _common(survey: StackSurvey, path: StackPath, terms: StepTerms) -> dict[str, Any]:
    return {
        "base_pr": str(survey.base.ref),
        "dependent_pr": str(survey.dependent.ref),
        "stack_info": build_stack_info(survey, path),
        "change_summary": None,
        "upstream_merge_detected": survey.base.merged,
        "merge_evidence": None,
        "upstream_confidence": None,
        "commands": Page((), key=str),
        "recovery": (),
        "own_commits": (),
        "own_commits_total": 0,
        "dropped": (),
        "dropped_total": 0,
        "automation": Automation(enabled=terms.auto_fix),
    }


def _why(survey: StackSurvey, path: StackPath) -> str:
    base, dependent = survey.base, survey.dependent
    if path.circle:
        names = ", ".join(str(pull.ref) for pull in path.levels)
        return f"{names} stand on each other in a circle: give one of them another base"
    if is_stacked_on(base, dependent):
        return f"it is the other way round: {base.ref} stands on {dependent.ref}; swap base_pr and dependent_pr"
    if dependent.base.branch == base.head.branch:
        owner = base.head.repository or "a repository that is gone"
        return f"not stacked: the branch {base.head.branch} that {base.ref} comes from is one of {owner}"
    return f"not stacked: {dependent.ref} goes into {dependent.base.branch}, and has no commit of {base.ref} alone"
