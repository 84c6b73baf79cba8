"""The tool `manage_stacked_prs`: read two pull requests and their stack, and build the result (PULL-30)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from stithy_core.spi import Context, Forge, Maybe, Page, StithyError, Unknown, Unsupported, format_count
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.repository_access import with_repository
from stithy_pulls.git.shell_remotes import find_remote
from stithy_pulls.stacks.ci_duration import CiDuration, measure_ci_duration
from stithy_pulls.stacks.merge_offer import list_offers
from stithy_pulls.stacks.rebase_strategy import RebaseWay
from stithy_pulls.stacks.restack_steps import (
    StepTerms,
    build_recovery,
    build_steps,
    find_forks,
    find_targets,
    format_rebase_line,
)
from stithy_pulls.stacks.stack_case import RestackAdvice, StackCase
from stithy_pulls.stacks.stack_findings import StackFindings, find_stack
from stithy_pulls.stacks.stack_links import is_stacked_on
from stithy_pulls.stacks.stack_path import StackPath, trace_path_by_names
from stithy_pulls.stacks.stack_plan import StackPlan, create_plan_store
from stithy_pulls.stacks.stack_report import (
    build_change_summary,
    build_merge_evidence,
    build_stack_info,
    get_upstream,
    list_considerations,
    list_dropped_commits,
    list_own_commits,
    list_predicted_merges,
)
from stithy_pulls.stacks.stack_results import Automation, ManagedStack, RebaseStrategy, Risk, Summary
from stithy_pulls.stacks.stack_survey import StackSurvey, survey_stack, survey_upstack
from stithy_pulls.stacks.upstack import trace_upstack_by_names
from stithy_pulls.tools import ManageStackedPrs

MOST_NAMED = 3


def build_answer(
    survey: StackSurvey, found: StackFindings, case: StackCase, terms: StepTerms, offers: Sequence[str]
) -> ManagedStack:
    """Return the result for a stack that git could read.

    Args:
        survey: The pull requests from the API.
        found: What git found.
        case: What must be done.
        terms: The caller's options.
        offers: Why merging may be better than a rebase.
    """
    repository, first = found.repository, next(iter(case.moves or case.levels), None)
    dropped, dropped_total = list_dropped_commits(repository, case.advice)
    return ManagedStack(
        base_pr=str(survey.base.ref),
        dependent_pr=str(survey.dependent.ref),
        found_by="git",
        is_stacked=True,
        stack_info=build_stack_info(survey, found.paths),
        changes_detected=bool(found.news and found.news.commits),
        change_summary=build_change_summary(repository, found.news, case.moves) if found.news else None,
        upstream_merge_detected=case.outcome.merged,
        squash_merge=case.outcome.squashed,
        merge_evidence=build_merge_evidence(case.outcome),
        last_upstream_commit=get_upstream(first) if first else None,
        upstream_confidence=first.fork_point.confidence if first else None,
        rebase_strategy=_create_strategy(survey, case, case.advice, offers) if case.advice else None,
        commands=Page(build_steps(case, terms), key=lambda command: str(command.step)),
        recovery=build_recovery(case.advice, terms) if case.advice else (),
        own_commits=list_own_commits(repository, case.levels),
        own_commits_total=sum(len(move.fork_point.own) for move in case.levels),
        dropped=dropped,
        dropped_total=dropped_total,
        merges=list_predicted_merges(case.advice) if case.advice else None,
        automation=Automation(enabled=terms.auto_fix),
        summary=summarize_case(case, terms.pace),
        notes=(*survey.notes, *found.notes, *repository.notes) or None,
    )


def _create_strategy(
    survey: StackSurvey, case: StackCase, advice: RestackAdvice, offers: Sequence[str]
) -> RebaseStrategy:
    choice = advice.choice
    onto: RebaseWay = "onto" if advice.moves[0].fork_point.straight else "pick"
    return RebaseStrategy(
        recommended=choice.way if choice.way in {"regular", "merge"} else "onto",
        reason=choice.reason,
        regular_command=None if advice.merges else format_rebase_line(advice, 0, "regular"),
        onto_command=None if advice.merges else format_rebase_line(advice, 0, onto),
        ai_should_decide=choice.open,
        considerations=(*list_considerations(case, advice, survey.list_pulls()), *offers),
    )


def answer_stack_from_forge(
    survey: StackSurvey, fault: StithyError, terms: StepTerms, *, upstack: bool = False
) -> ManagedStack:
    """Return the result from the API only: the stack by branch names, and what was merged. Nothing is recommended.

    Args:
        survey: The pull requests from the API.
        fault: Why git could not answer.
        terms: The caller's options.
        upstack: Whether everything that stands on the base is requested.
    """
    survey, paths = _trace_by_names(survey, upstack=upstack)
    unknown = Unknown(f"git is not available: {fault.message}", fault.suggestion)
    stacked: Maybe[bool] = True if survey.upper and paths[0].find_index(survey.base) >= 0 else unknown
    return ManagedStack(
        **_create_common_fields(survey, paths, terms),
        found_by="forge",
        is_stacked=stacked,
        changes_detected=True if survey.base.merged else unknown,
        squash_merge=unknown if survey.base.merged else False,
        last_upstream_commit=unknown,
        rebase_strategy=unknown,
        summary=Summary(
            action_required=unknown,
            reason="unknown without git whether anything must be rebased",
            estimated_total_time=evolve(unknown, shown="unknown"),
            risk_level="high",
        ),
        notes=(*survey.notes, f"Nothing is recommended without git: {fault.message}"),
    )


def _trace_by_names(survey: StackSurvey, *, upstack: bool) -> tuple[StackSurvey, tuple[StackPath, ...]]:
    """Return the paths by names, that of the upper pull request first, and which one that is."""
    paths: tuple[StackPath, ...] = (trace_path_by_names(survey),) if survey.upper else ()
    if upstack:
        others = trace_upstack_by_names(survey)
        paths += tuple(path for path in others if not any(one.find_index(path.levels[-1]) >= 0 for one in paths))
    if paths and not survey.named:
        survey = evolve(survey, dependent=paths[0].levels[-1])
    return survey, paths or (StackPath(levels=(survey.base,), found={}),)


def answer_unstacked(
    survey: StackSurvey, paths: Sequence[StackPath], terms: StepTerms, notes: Sequence[str]
) -> ManagedStack:
    """Return the result for two pull requests that are not stacked, or are stacked on each other.

    Args:
        survey: The pull requests from the API.
        paths: The path down from the upper pull request first.
        terms: The caller's options.
        notes: What could not be read.
    """
    path = paths[0]
    return ManagedStack(
        **_create_common_fields(survey, paths, terms),
        found_by="git",
        is_stacked=path.circle and path.find_index(survey.base) >= 0,
        changes_detected=False,
        squash_merge=False
        if not survey.base.merged
        else Unknown("not checked", "The pull request is not part of a stack."),
        last_upstream_commit=None,
        rebase_strategy=None,
        summary=Summary(
            action_required=path.circle,
            reason=_explain_unstacked(survey, path),
            estimated_total_time=NOTHING,
            risk_level="low",
        ),
        notes=(*survey.notes, *notes) or None,
    )


def _create_common_fields(survey: StackSurvey, paths: Sequence[StackPath], terms: StepTerms) -> dict[str, Any]:
    return {
        "base_pr": str(survey.base.ref),
        "dependent_pr": str(survey.upper.ref) if survey.upper else None,
        "stack_info": build_stack_info(survey, paths),
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


def _explain_unstacked(survey: StackSurvey, path: StackPath) -> str:
    base, dependent = survey.base, survey.dependent
    if path.circle:
        names = ", ".join(str(pull.ref) for pull in path.levels)
        return f"{names} are stacked in a circle: change the base of one of them"
    if survey.upper is None:
        return f"no open pull request is stacked on {base.ref}: nothing to rebase"
    if is_stacked_on(base, dependent):
        return f"{base.ref} is stacked on {dependent.ref}: swap base_pr and dependent_pr"
    if dependent.base.branch == base.head.branch:
        owner = base.head.repository or "a deleted repository"
        return f"not stacked: the branch {base.head.branch} of {base.ref} belongs to {owner}"
    return f"not stacked: {dependent.ref} targets {dependent.base.branch}, and has no commit of {base.ref} only"


UNTIMED = Unknown("the time to resolve conflicts by hand cannot be predicted", shown="unknown")
NOTHING = Unknown("nothing to do", shown="unknown")


def summarize_case(case: StackCase, pace: CiDuration) -> Summary:
    """Return the summary of a case."""
    return Summary(
        action_required=_is_action_required(case),
        reason=_format_reason(case),
        estimated_total_time=_estimate_time(case, pace),
        risk_level=_assess_risk(case),
    )


def _is_action_required(case: StackCase) -> Maybe[bool]:
    """Return whether something must be done. A pull request that is merely behind need not be rebased."""
    if case.retargets or not case.moves:
        return bool(case.retargets)
    if isinstance(case.outcome.merged, Unknown):
        return case.outcome.merged
    return case.moves[0].fork_point.foreign > 0 or not case.base.merged


def _format_reason(case: StackCase) -> str:
    if case.dependent.state != "open" and not case.levels:
        state = "merged" if case.dependent.merged else "closed"
        return f"{case.dependent.ref} is {state}: nothing to rebase."
    if case.advice is None and not case.retargets:
        return f"{case.dependent.ref} is based on the current head of the pull request below: nothing to do."
    return f"{_describe_base(case)}; {' and '.join(_list_actions(case))}."


def _describe_base(case: StackCase) -> str:
    base, outcome = case.base, case.outcome
    if isinstance(outcome.merged, Unknown):
        return outcome.merged.reason
    if outcome.merged:
        how = f" by {outcome.method}" if isinstance(outcome.method, str) else ""
        return f"{base.ref} was merged{how} into {base.base.branch}"
    if base.state == "closed":
        return f"{base.ref} was closed without a merge"
    return f"{base.ref} has commits that {case.dependent.ref} is not based on"


def _join_names(names: Sequence[str]) -> str:
    """Return up to three pull requests, or the first, the last and their number."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{format_count(len(names), 'pull request')} from {names[0]} up to {names[-1]}"


def _list_actions(case: StackCase) -> Iterator[str]:
    if case.advice is not None:
        names = _join_names([str(move.pull.ref) for move in case.moves])
        onto, optional = case.advice.target.name, case.moves[0].fork_point.foreign == 0 and case.base.merged
        if case.advice.merges:
            yield f"merge {onto} into {names}, each into the next"
        else:
            yield f"{names} can be rebased onto {onto}, but need not" if optional else f"rebase {names} onto {onto}"
    for retarget in case.retargets:
        pull, branch = retarget.pull, retarget.branch
        yield f"change the base of {pull.ref} from {pull.base.branch} to {branch}"


def _estimate_time(case: StackCase, pace: CiDuration) -> Maybe[str]:
    if not case.moves:
        return NOTHING
    if any(count != 0 for count in case.list_stops()):
        return UNTIMED
    return pace.format_total(len(case.moves))


def _assess_risk(case: StackCase) -> Risk:
    """Return the risk: high if it is unknown what is dropped, medium if a person must decide."""
    stops = case.list_stops()
    unsure = any(move.fork_point.confidence == "low" for move in case.moves) or isinstance(case.outcome.merged, Unknown)
    if case.moves and (unsure or case.outcome.lost or case.abandoned):
        return "high"
    guessed = any(move.fork_point.confidence == "medium" or move.fork_point.merges for move in case.moves)
    wrong_way = case.advice is not None and case.advice.choice.way == "regular" and case.moves[0].fork_point.foreign > 0
    return "medium" if guessed or wrong_way or any(count != 0 for count in stops) else "low"


async def _survey(ctx: Context, args: ManageStackedPrs) -> tuple[Forge, StackSurvey]:
    if args.dependent_pr is None:
        return await survey_upstack(ctx, args.base_pr)
    return await survey_stack(ctx, args.base_pr, args.dependent_pr)


async def manage_stack(ctx: Context, args: ManageStackedPrs) -> ManagedStack:
    """Read a stack, and plan its rebase."""
    forge, survey = await _survey(ctx, args)
    store = ctx.shared(create_plan_store)
    store.config = forge.config
    terms = StepTerms(auto_fix=args.auto_fix, max_iterations=args.max_iterations)
    try:
        work = partial(find_stack, ctx, forge, survey, args)
        found = await with_repository(ctx, forge, survey.base.ref.repository, work)
    except (GitError, Unsupported) as fault:
        return answer_stack_from_forge(survey, fault, terms, upstack=args.upstack or not survey.named)
    survey = found.survey
    if found.case is None:
        return answer_unstacked(survey, found.paths, terms, found.notes)
    moves = found.case.moves
    pace = await measure_ci_duration(forge, [survey.base, *(move.pull for move in moves)])
    base_remote = await find_remote(forge, survey.base.ref.repository)
    forks = await find_forks(forge, found.case.advice.list_sources() if found.case.advice else ())
    terms = evolve(terms, pace=pace, home=base_remote, forks=forks, targets=await find_targets(forge, moves))
    if store.requested:
        store.plan = StackPlan(base=str(survey.base.ref), config=forge.config, case=found.case, terms=terms)
    return build_answer(survey, found, found.case, terms, await list_offers(forge, found.case.advice))
