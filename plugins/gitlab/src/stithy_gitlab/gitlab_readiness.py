"""What a merge depends on, read in two waves of requests.

The first wave needs the number of the merge request only. The second needs its head, its branches and its pipelines.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from stithy_core.spi import (
    NOT_REPORTED,
    BranchRules,
    CommitCheck,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    Queued,
    Readiness,
    RepositoryRef,
    Unknown,
    Verdict,
)
from stithy_gitlab.gitlab_changes import to_commit
from stithy_gitlab.gitlab_checks import collect_checks, read_merge_pipelines, select_current
from stithy_gitlab.gitlab_discussions import map_threads
from stithy_gitlab.gitlab_mapping import MET, PIPELINE_CHECK, Json, find_repository
from stithy_gitlab.gitlab_merge_request_reads import (
    complete_merge_request,
    map_dependencies,
    map_reviews,
    read_branch,
    read_open_into,
    read_reviewers,
)
from stithy_gitlab.gitlab_projects import (
    list_subject_rows,
    project_path,
    read_if_allowed,
    read_merge_request,
    read_together,
)
from stithy_gitlab.gitlab_push_rules import drop_hidden_signature_rule
from stithy_gitlab.gitlab_rules import RuleAnswers, combine_rules, read_rule_answers

if TYPE_CHECKING:
    from stithy_core.spi import Forge

PASSING = (Verdict.PASSED, Verdict.SKIPPED, Verdict.NEUTRAL)
CHANGED = Unknown("GitLab's merge status and its merge checks contradict each other", "Read it again in a few seconds.")
UNCOVERED = Unknown("GitLab's merge status does not cover push rules")
UNCOUNTED = Unknown("this version of GitLab does not count the commits that the branch lacks")


async def read_readiness(forge: "Forge", pr: PullRequestRef) -> Readiness:
    """Return everything that a merge depends on; what the token may not read is unknown.

    Raises:
        NotFound: There is no such merge request.
    """
    raw, answers, reviewers, discussions, rows, commits, blocks, queued = await read_together(
        lambda: read_merge_request(forge, pr, include_diverged_commits_count="true"),
        lambda: read_rule_answers(forge, pr.repository, pr),
        lambda: read_if_allowed(read_reviewers(forge, pr)),
        lambda: read_if_allowed(list_subject_rows(forge, pr, "discussions")),
        lambda: read_if_allowed(read_merge_pipelines(forge, pr)),
        lambda: read_if_allowed(list_subject_rows(forge, pr, "commits")),
        lambda: read_if_allowed(list_subject_rows(forge, pr, "blocks")),
        lambda: _read_queue(forge, pr),
    )
    repository, sha = find_repository(raw, pr.repository), raw.get("sha") or ""
    pull, checks, tip, children = await read_together(
        lambda: complete_merge_request(forge, pr, raw, project=answers.project, reviewers=reviewers),
        lambda: read_if_allowed(_collect(forge, repository, sha, rows, answers)),
        lambda: read_if_allowed(read_branch(forge, repository, raw["target_branch"])),
        lambda: read_if_allowed(read_open_into(forge, repository, raw, answers.project)),
    )
    squash = raw.get("squash_on_merge", raw.get("squash"))
    rules = tip
    if not isinstance(tip, Unknown):
        rules = drop_hidden_signature_rule(combine_rules(answers, tip, raw["target_branch"], squash=squash))
    rules = _drop_shown_result(_add_status(rules, raw), checks)
    is_open = raw["state"] == "opened"
    return Readiness(
        pull_request=_doubt_status(pull, rules),
        reviews=answers.approvals
        if isinstance(answers.approvals, Unknown)
        else map_reviews(answers.approvals, reviewers),
        threads=discussions if isinstance(discussions, Unknown) else map_threads(forge, pr, raw, discussions),
        checks=checks,
        rules=rules,
        behind=raw.get("diverged_commits_count", UNCOUNTED),
        commits=commits
        if isinstance(commits, Unknown)
        else Listing(tuple(map(to_commit, reversed(commits))), cut=commits.cut),
        decision=_find_decision(raw, answers.approvals),
        may_merge=(raw.get("user") or {}).get("can_merge", NOT_REPORTED),
        owners=(),
        queued=queued if is_open else None,
        auto_merge=is_open and raw.get("merge_when_pipeline_succeeds") is True,
        dependencies=map_dependencies(forge, pr, blocks),
        children=children,
    )


async def _collect(
    forge: "Forge", repository: RepositoryRef, sha: str, rows: Maybe[Sequence[Json]], answers: RuleAnswers
) -> Listing[CommitCheck]:
    runs = () if isinstance(rows, Unknown) else select_current(rows, sha)
    return await collect_checks(forge, repository, sha, runs, answers.project["id"])


def _add_status(rules: Maybe[BranchRules], raw: Json) -> Maybe[BranchRules]:
    """Add GitLab's own verdict as a requirement, unless all are met: its word hides the rules that come after it."""
    word = raw.get("detailed_merge_status") or ""
    if isinstance(rules, Unknown) or word == MET:
        return rules
    named = f"the merge status {word!r}, which hides further rules" if word else "GitLab's own merge checks"
    return evolve(rules, others=(*rules.others, named))


def _drop_shown_result(rules: Maybe[BranchRules], checks: Maybe[Listing[CommitCheck]]) -> Maybe[BranchRules]:
    """Leave out GitLab's own result for CI if a check shows why: not so if no pipeline ran, or one was skipped."""
    if isinstance(rules, Unknown) or isinstance(checks, Unknown):
        return rules
    verdicts = [check.verdict for check in checks if check.reported and check.allowed_to_fail is not True]
    if not any(isinstance(verdict, Verdict) and verdict not in PASSING for verdict in verdicts):
        return rules
    return evolve(rules, evaluated=tuple(rule for rule in rules.evaluated if rule.name != PIPELINE_CHECK))


def _doubt_status(pull: PullRequest, rules: Maybe[BranchRules]) -> PullRequest:
    """Return a merge request that is not known to be mergeable if a rule is not met that its word should include."""
    if pull.blocked is not False or isinstance(rules, Unknown):
        return pull
    unmet = [rule for rule in rules.evaluated if rule.met is not True]
    if not unmet:
        return pull
    return evolve(pull, blocked=UNCOVERED if all(rule.at_merge for rule in unmet) else CHANGED)


def _find_decision(raw: Json, approvals: Maybe[Json]) -> str:
    if raw.get("detailed_merge_status") == "requested_changes":
        return "CHANGES_REQUESTED"
    if isinstance(approvals, Unknown) or not approvals.get("approvals_required"):
        return ""
    return "APPROVED" if approvals.get("approvals_left") == 0 else "REVIEW_REQUIRED"


async def _read_queue(forge: "Forge", pr: PullRequestRef) -> Queued | None:
    """Read the place on a merge train; 404 without one, and without the tier Premium."""
    path = f"{project_path(pr.repository)}/merge_trains/merge_requests/{pr.number}"
    raw = await read_if_allowed(forge.http.get(path, shape=dict))
    if isinstance(raw, Unknown) or raw["status"] in {"merged", "skip_merged"}:
        return None
    return Queued(position=NOT_REPORTED, state=raw["status"])
