"""The use of each exchange: the operation that it tries, or why no operation needs it."""

import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

from gitea_recorded import ci_runs, code, conversations, servers, subjects, threads
from gitea_recorded.exchanges import Exchange
from stithy_core.spi import (
    Changes,
    Checks,
    Comments,
    Identity,
    Issues,
    PullRequests,
    Reviews,
    Rules,
    Threads,
)


@frozen
class Use:
    """The use of a route's exchanges: `ask` tries them, or `why` explains that stithy does not need them."""

    method: str
    route: str
    ask: Callable[..., Any] | None = None
    operation: Callable[..., Any] | None = None
    statuses: tuple[int, ...] = (200, 201)
    why: str = ""


def find_use(exchange: Exchange) -> Use | None:
    """Return the first use that fits; None without one."""
    for use in USES:
        fits = re.fullmatch(use.method, exchange.method) and re.fullmatch(use.route, exchange.route)
        if fits and (not use.statuses or exchange.status in use.statuses):
            return use
    return None


INLINE = "R/pulls/N/reviews/N/comments"
MAKES = "creates the world of the test"
FAILED = (400, 401, 403, 404, 409, 422, 423, 500)

USES = (
    Use("GET", "/api/v1/user", subjects.user, Identity.me),
    Use("GET", "/api/v1/user", subjects.no_user, Identity.me, FAILED),
    Use("POST", "/api/v1/admin/users", subjects.user, Identity.me),
    Use("GET|PATCH", "R", subjects.repository, Changes.repository),
    Use("POST", "/api/v1/(user|orgs/.+)/repos", subjects.repository, Changes.repository),
    Use("GET", "R", subjects.no_repository, Changes.repository, FAILED),
    Use("GET", "R|R/issues/N", subjects.follow_redirect, Changes.repository, (301, 307)),
    Use("GET|PATCH", "R/issues/N", subjects.issue, Issues.get),
    Use("POST", "R/issues", subjects.issue, Issues.get),
    Use("GET", "R/issues/N", subjects.no_issue, Issues.get, FAILED),
    Use("GET", "R/issues", subjects.issues, Issues.list),
    Use("GET", "R/issues/N/timeline", subjects.timeline, Issues.timeline),
    Use("GET", "R/issues/N/timeline", subjects.no_timeline, Issues.timeline, FAILED),
    Use("GET|PATCH", "R/pulls/N", subjects.pull, PullRequests.get),
    Use("POST", "R/pulls", subjects.pull, PullRequests.get),
    Use("GET", "R/pulls/N", subjects.no_pull, PullRequests.get, FAILED),
    Use("GET", "R/pulls", subjects.pulls, PullRequests.list),
    Use("GET", "R/pulls", subjects.no_pulls, PullRequests.list, FAILED),
    Use("GET", "R/issues/N/comments", conversations.comments, Comments.list),
    Use("GET", "R/issues/N/comments", conversations.no_comments, Comments.list, FAILED),
    Use("GET", "R/issues/comments(/N)?", conversations.comment, Comments.get),
    Use("PATCH", "R/issues/N/comments/N", conversations.comment, Comments.get),
    Use("GET", "R/issues/comments/N", conversations.no_comment, Comments.get, (204,)),
    Use("POST", "R/issues/N/comments", conversations.create, Comments.create),
    Use("POST", "R/issues/N/comments", conversations.no_creation, Comments.create, (*FAILED, 301)),
    Use("PATCH", "R/issues/comments/N", conversations.edit, Comments.edit, (*FAILED, 200, 204)),
    Use("GET|POST", "R/pulls/N/reviews(/N/dismissals)?", threads.reviews, Reviews.list),
    Use("GET", INLINE, threads.threads, Threads.list),
    Use("POST", f"{INLINE}|R/pulls/N/comments/N/replies", threads.reply, Threads.reply),
    Use("POST", f"{INLINE}|R/pulls/N/comments/N/replies", threads.no_native_reply, Threads.reply, (405,)),
    Use("POST", "R/pulls/N/comments/N/replies", threads.no_reply, Threads.reply, FAILED),
    Use("POST", "R/pulls/comments/N/(un)?resolve", threads.no_resolving, Threads.resolve, (405,)),
    Use("POST", "R/pulls/comments/N/resolve", threads.resolve, Threads.resolve, (*FAILED, 204)),
    Use("POST", "R/pulls/comments/N/unresolve", threads.resolve, Threads.unresolve, (*FAILED, 204)),
    Use("GET", "R/pulls/N/files", code.files, Changes.files),
    Use("GET", "R/pulls/N/commits", code.commits, Changes.commits),
    Use("GET", "R/commits/[0-9a-f]+/status(es)?", ci_runs.statuses, Checks.list),
    Use("POST", "R/statuses/[0-9a-f]+", ci_runs.statuses, Checks.list),
    Use("GET", "R/actions/runs(/N)?", ci_runs.runs, Checks.runs),
    Use("GET", "R/actions/runs", ci_runs.no_runs, Checks.runs, (403,)),
    Use("GET", "R/actions/runs/N", ci_runs.no_run, Checks.jobs, (404,)),
    Use("GET", "R/actions/tasks", ci_runs.tasks, Checks.runs),
    Use("GET", "R/actions/(runs/N/jobs|jobs/N)", ci_runs.jobs, Checks.jobs),
    Use("GET", "R/actions/runs/N/(jobs|artifacts)", ci_runs.no_jobs, Checks.jobs, (404,)),
    Use("GET", "R/actions/jobs/N/logs", ci_runs.log, Checks.log),
    Use("GET", "R/actions/jobs/N(/logs)?", ci_runs.no_log, Checks.log, (404, 500)),
    Use("GET", "R/actions/runs/N/artifacts", ci_runs.artifacts, Checks.artifacts),
    Use("GET", "R/branches/.+", code.branch, Rules.get),
    Use("GET|POST", "R/branch_protections", code.rule, Rules.get),
    Use("GET", "R/branch_protections", code.no_rule, Rules.get, (403,)),
    Use("GET", "/api/v1/version|/api/forgejo/v1/version", servers.version),
    Use("GET", "/api/v1/version|/api/forgejo/v1/version", servers.no_version, None, FAILED),
    Use("GET", "/api/v1/settings/api", servers.settings),
    Use("GET", ".+%2[ef].+", why="an impossible name is refused when it is parsed", statuses=()),
    Use("GET", "/api/v1/users/.+", why=MAKES, statuses=()),
    Use("POST", "/api/v1/(orgs|orgs/.+/labels|admin/users/.+/rename)", why=MAKES, statuses=()),
    Use("PUT", "R/collaborators/.+|/api/v1/user/(un)?blocks?/.+", why=MAKES, statuses=()),
    Use("DELETE", ".+", why="no operation deletes", statuses=()),
    Use("PUT", "R/issues/N/lock", why="no operation locks", statuses=()),
    Use("GET", "R/labels", why="no operation lists a repository's labels", statuses=()),
    Use("GET|POST", "R/pulls/N/(merge|update)", why="no operation merges or updates a branch", statuses=()),
    Use("POST", "R/issues/N/reactions", why="no operation reacts", statuses=()),
    Use("POST", "R/issues|R/pulls", why="no operation opens an issue or a pull request", statuses=()),
    Use("POST", "R/pulls/N/reviews(/N/dismissals)?", why="no operation gives or dismisses a verdict", statuses=()),
    Use("POST", "/.+/issues/resolve_conversation", why="a page of the web, which takes no token", statuses=()),
    Use("GET", "R/actions/jobs/N/logs", why="no operation reads a part of a log", statuses=(206,)),
)
"""The first use that fits counts."""
