"""The use of every recorded exchange, or why no mapper of the plugin applies to it.

Forms are of a method and a path, with `R` for a repository's; each exchange has to have exactly one.
"""

READ = {
    "account": (
        "GET /orgs/[^/]+",
        r"GET /user(/\d+)?",
        "GET /users(/[^/]+(/(orgs|followers|following))?)?",
    ),
    "repository": (
        "(GET|PATCH) R",
        "POST R/forks",
        r"GET /repositories/\d+",
        "POST /orgs/[^/]+/repos",
    ),
    "issue": (r"(GET|POST|PATCH) R/issues(/\d+)?",),
    "pull request": (
        r"(GET|POST|PATCH) R/pulls(/\d+)?",
        r"(POST|DELETE) R/pulls/\d+/requested_reviewers",
        r"GET R/commits/[0-9a-f]+/pulls",
    ),
    "comment": (r"(GET|POST) R/issues/\d+/comments", r"GET R/issues/comments/\d+"),
    "review comment": (r"(GET|POST) R/pulls/\d+/comments",),
    "commit comment": (r"(GET|PATCH) R/comments(/\d+)?", r"(GET|POST) R/commits/[0-9a-f]+/comments"),
    "review": (r"(GET|POST) R/pulls/\d+/reviews(/\d+/events)?",),
    "event": (r"GET R/issues/(\d+/)?events",),
    "commit": (r"GET R/commits(/[0-9a-f]{40})?", r"GET R/pulls/\d+/commits"),
    "file": (r"GET R/pulls/\d+/files",),
    "status": ("(GET|POST) R/statuses/[0-9a-f]+", "GET R/commits/[0-9a-f]+/statuses"),
    "check run": (r"(GET|POST|PATCH) R/check-runs(/\d+)?",),
    "annotation": (r"GET R/check-runs/\d+/annotations",),
    "label": (
        r"\w+ R/issues/\d+/labels(/[^/]+)?",
        r"GET R/milestones/\d+/labels",
        "(GET|POST|PATCH) R/labels(/[^/]+)?",
    ),
}
"""Where the answer is a thing, or a list of things, that a mapper reads."""

WITHIN = {
    r"GET /users/[^/]+/(received_events|events/.*)": "events of an account: its issues, pull requests and comments",
    "GET /user/repository_invitations": "who invites, and where to",
    r"GET R/pulls/\d+/requested_reviewers": "who is asked; the plugin reads it of the pull request itself",
    r"GET R/commits/[0-9a-f]+/status": "its statuses",
    r"GET R/(commits/[0-9a-f]+|check-suites/\d+)/check-runs": "its check runs",
    r"(GET|POST|PATCH) R/(commits/[0-9a-f]+/check-suites|check-suites(/\d+|/preferences)?)": "the name of the place",
    r"(POST|PATCH) R/milestones(/\d+)?": "who made it; the plugin has no more of a milestone than its title",
    r"GET R/branches/.+": "the commit at its end; whether it is protected is read through the forge",
    "GET R/compare/[^ ]+": "commits and files; the whole is read through the forge",
}
"""Where the answer is something else, and what within it a mapper reads."""

THROUGH = {
    "GET /rate_limit": "budgets of a token",
    r"POST /app/installations/\d+/access_tokens": "tokens of an app",
    "GET R/branches": "whether a branch is protected",
    r"GET R/pulls/\d+ as diff": "what a pull request changes",
}
"""What is read by the forge alone, of answers that have no object in them that is told by its fields."""

UNREAD = {
    "GET /meta": "what GitHub tells of its own networks",
    r"PUT /orgs/[^/]+/public_members/.+": "success without a body",
    r"GET /users/[^/]+/following/.+": "success without a body",
    r"GET /users/[^/]+/(gpg_)?keys": "keys",
    r"DELETE R(/(milestones|comments|labels)/.+)?": "success without a body",
    r"(PUT|DELETE) R/issues/\d+/lock": "success without a body",
    r"GET R/(assignees|collaborators)/.+": "success without a body",
    r"GET R/pulls/\d+/merge": "success without a body",
    r"POST R/check-suites/\d+/rerequest": "an object without a field",
    "POST R/merge-upstream": "what came of bringing a fork up to date",
    "GET R/contents/.+": "a file",
    "GET R/stats/.+": "not computed yet",
    "GET R/commits/stable/.+": "a confirmed copy, without a body",
    "GET R/commits/.+ as (sha|diff|patch)": "a commit in a form that the plugin does not ask for",
    "GET R/compare/.+ as (diff|patch)": "a comparison in a form that the plugin does not ask for",
    r"GET R/pulls/\d+ as patch": "a pull request in a form that the plugin does not ask for",
    "GET https://.+": "the web and its files, which are not the API",
}
"""What no mapper applies to, and what it is."""
