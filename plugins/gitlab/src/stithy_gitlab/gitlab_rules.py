"""What a merge requires: settings of the project, protected branches, and GitLab's own merge checks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from stithy_core.spi import (
    BranchRules,
    EvaluatedRule,
    ForgeError,
    Maybe,
    PullRequestRef,
    RepositoryRef,
    Rules,
    Unknown,
)
from stithy_gitlab.gitlab_mapping import CHECK, Json
from stithy_gitlab.gitlab_merge_request_reads import read_approvals, read_branch
from stithy_gitlab.gitlab_named_rules import (
    STATUS_CHECK,
    count_approvals,
    evaluate_approval_rules,
    matches_branch,
    read_approval_rules,
    read_status_checks,
    select_project_rules,
)
from stithy_gitlab.gitlab_projects import (
    is_enterprise,
    page_query,
    project_path,
    read_if_allowed,
    read_project,
    read_together,
)
from stithy_gitlab.gitlab_push_rules import (
    MergePush,
    evaluate_push_rule,
    find_signature_rule,
    is_licensed_for_push_rules,
    read_push_rule,
)

if TYPE_CHECKING:
    from stithy_core.spi import Forge

MEMBERS = Unknown("GitLab shows this setting to members of the project only", "Use a token of a member.")
APPROVALS = Unknown("GitLab shows the rules for approvals with the merge request only", "Pass the merge request.")
TIER = Unknown("the Enterprise Edition does not report whether its tier has this rule, or whether it is set")
NOBODY = 0
OWN_CHECKS = "GitLab's own merge checks"
CHECKS = """
query($project: ID!, $number: String!) {
  project(fullPath: $project) { mergeRequest(iid: $number) { mergeabilityChecks { identifier status } } }
}
"""
SHOWN_ELSEWHERE = {
    "NOT_OPEN",
    "CONFLICT",
    "DRAFT_STATUS",
    "DISCUSSIONS_NOT_RESOLVED",
    "NEED_REBASE",
    "NOT_APPROVED",
    "MERGE_REQUEST_BLOCKED",
}
"""Checks whose causes are known: from the merge request, its threads, approvals and dependencies."""
RESULTS = {"SUCCESS": True, "WARNING": True, "FAILED": False}
OFF = "INACTIVE"


class GitLabRules(Rules):
    """Rules of a project for all its merge requests, of a branch, and of a merge request."""

    async def get(self, repository: RepositoryRef, branch: str, *, pr: PullRequestRef | None = None) -> BranchRules:
        """Return the rules for merging into a branch; with a merge request, the results of GitLab's other checks."""
        answers, tip = await read_together(
            lambda: read_rule_answers(self.forge, repository, pr), lambda: read_branch(self.forge, repository, branch)
        )
        return combine_rules(answers, tip, branch)


@frozen(kw_only=True)
class RuleAnswers:
    """What GitLab answers about the rules of a project and of one of its merge requests.

    Args:
        project: The project's JSON.
        protected: Its protected branches.
        enterprise: Whether the server runs the Enterprise Edition.
        approval_rules: The rules for approvals: of the merge request their state, without one those of the project.
        push_rule: The rule for pushes; None if none is set.
        approvals: Who approved the merge request; unknown without one.
        checks: The results of its merge checks; None where they could not be read, and without one.
        of_merge_request: Whether there is one.
    """

    project: Json
    protected: Maybe[Sequence[Json]]
    enterprise: Maybe[bool]
    approval_rules: Maybe[Any] = APPROVALS
    push_rule: Maybe[Json | None] = TIER
    approvals: Maybe[Json] = APPROVALS
    checks: tuple[EvaluatedRule, ...] | None = None
    of_merge_request: bool = False


async def read_rule_answers(forge: "Forge", repository: RepositoryRef, pr: PullRequestRef | None) -> RuleAnswers:
    """Read everything that the rules depend on, beside the target branch."""
    reads: dict[str, Callable[[], Any]] = {
        "project": lambda: read_project(forge, repository),
        "protected": lambda: read_if_allowed(_read_protected(forge, repository)),
        "enterprise": lambda: is_enterprise(forge),
        "approval_rules": lambda: read_approval_rules(forge, repository, pr),
        "push_rule": lambda: read_push_rule(forge, repository),
    }
    if pr is not None:
        reads["approvals"] = lambda: read_if_allowed(read_approvals(forge, pr))
        reads["checks"] = lambda: _read_checks(forge, pr)
    found = await read_together(*reads.values())
    return RuleAnswers(**dict(zip(reads, found, strict=True)), of_merge_request=pr is not None)


def combine_rules(answers: RuleAnswers, tip: Json, branch: str, *, squash: bool | None = None) -> BranchRules:
    """Return the rules for merging into a branch, which `tip` is the JSON of.

    Args:
        answers: What GitLab answers.
        tip: The branch's JSON.
        branch: Its name.
        squash: Whether the merge request is set to be squashed; None if that is not known.
    """
    rules = _read_settings(answers.project, answers.enterprise)
    rules = _add_protection(rules, tip, answers.protected, branch)
    is_community = answers.enterprise is False
    licensed = is_licensed_for_push_rules(answers.project, answers.enterprise)
    rules = evolve(rules, signed=find_signature_rule(answers.push_rule, licensed))
    if not answers.of_merge_request:
        return _add_project_rules(rules, answers.approval_rules, branch, is_community=is_community)
    count: Any = 0 if is_community else TIER
    if not isinstance(answers.approvals, Unknown):
        count = answers.approvals.get("approvals_required", count)
    checks = answers.checks
    named = evaluate_approval_rules(answers.approval_rules)
    push = MergePush(project=answers.project, branch=branch, squash=squash)
    named += evaluate_push_rule(answers.push_rule, licensed, push)
    others = (*rules.others, OWN_CHECKS) if checks is None else rules.others
    return evolve(rules, required_approvals=count, others=others, evaluated=(*(checks or ()), *named))


def _add_project_rules(rules: BranchRules, rows: Maybe[Any], branch: str, *, is_community: bool) -> BranchRules:
    if is_community or isinstance(rows, Unknown):
        return evolve(rules, required_approvals=0 if is_community else APPROVALS)
    mine = select_project_rules(rows, branch, is_protected=rules.protected is True)
    sources = (*rules.sources, *(f"approval rule {row['name']}" for row in mine if row.get("approvals_required")))
    return evolve(rules, required_approvals=count_approvals(mine), sources=sources)


async def _read_protected(forge: "Forge", repository: RepositoryRef) -> Sequence[Json]:
    return await forge.http.items(f"{project_path(repository)}/protected_branches", **page_query())


async def _read_checks(forge: "Forge", pr: PullRequestRef) -> tuple[EvaluatedRule, ...] | None:
    """Ask for all merge checks at once; None where that fails: servers before 16.5 lack them."""
    query = {"project": str(pr.repository), "number": str(pr.number)}
    try:
        data = await forge.http.graphql(CHECKS, query)
        rows = data["project"]["mergeRequest"]["mergeabilityChecks"]
    except (ForgeError, KeyError, TypeError):
        return None
    shown = [row for row in rows if row["status"] != OFF and row["identifier"] not in SHOWN_ELSEWHERE]
    external = [row for row in shown if row["identifier"] == STATUS_CHECK and row["status"] != "SUCCESS"]
    named = await read_status_checks(forge, pr) if external else []
    if any(rule.met is not True for rule in named):  # else GitLab's own result says more
        shown = [row for row in shown if row not in external]
        return (*map(_to_rule, shown), *named)
    return tuple(map(_to_rule, shown))


def _to_rule(row: Json) -> EvaluatedRule:
    status = row["status"]
    met = RESULTS[status] if status in RESULTS else Unknown(f"GitLab reports {status!r} for this check")
    return EvaluatedRule(name=f"{CHECK}{row['identifier'].lower()}", met=met)


def _read_settings(project: Json, enterprise: Maybe[bool]) -> BranchRules:
    """Return the rules that hold for every branch; a field that this token is not shown stays unknown."""
    only_enterprise: Maybe[bool] = False if enterprise is False else TIER
    method = project.get("merge_method")
    pipelines = project.get("only_allow_merge_if_pipeline_succeeds", MEMBERS)
    threads = project.get("only_allow_merge_if_all_discussions_are_resolved", MEMBERS)
    found = {"pipelines must succeed": pipelines, "all threads must be resolved": threads}
    return evolve(
        BranchRules.none(),
        all_checks=_as_flag(pipelines),
        resolved_threads=_as_flag(threads),
        up_to_date=method in {"ff", "rebase_merge"} if method else MEMBERS,
        linear=method == "ff" if method else MEMBERS,
        merge_queue=_as_flag(project.get("merge_trains_enabled", False)),
        code_owners=only_enterprise,
        rejection_blocks=only_enterprise,
        dismisses_stale=only_enterprise,
        sources=tuple(f"project setting: {name}" for name, value in found.items() if value is True),
    )


def _as_flag(value: Any) -> Any:
    """Return a setting; null means that it is off: https://docs.gitlab.com/api/rest/."""
    return False if value is None else value


def _add_protection(rules: BranchRules, tip: Json, rows: Maybe[Sequence[Json]], branch: str) -> BranchRules:
    if not tip.get("protected"):  # GitLab requires code owners on protected branches only
        return evolve(rules, code_owners=False) if tip.get("protected") is False else rules
    if isinstance(rows, Unknown):
        return evolve(rules, protected=True, locked=rows, sources=(*rules.sources, "protected branch"))
    mine = [row for row in rows if matches_branch(row["name"], branch)]
    levels = [level.get("access_level") for row in mine for level in row.get("merge_access_levels") or ()]
    needs_owners = [row["code_owner_approval_required"] for row in mine if "code_owner_approval_required" in row]
    return evolve(
        rules,
        protected=True,
        locked=bool(levels) and all(level == NOBODY for level in levels),
        code_owners=any(needs_owners) if needs_owners else rules.code_owners,
        sources=(*rules.sources, *(f"protected branch {row['name']}" for row in mine)),
    )
