"""The REST API: a module a field, each with its endpoints and the JSON they give."""

from github_double.rest import (
    account,
    actions,
    apps,
    checks,
    code,
    conversations,
    pulls,
    repositories,
    reviews,
    rules,
    timeline,
)

__all__ = [
    "account",
    "actions",
    "apps",
    "checks",
    "code",
    "conversations",
    "pulls",
    "repositories",
    "reviews",
    "rules",
    "timeline",
]
