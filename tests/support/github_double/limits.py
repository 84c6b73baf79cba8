"""GitHub's rate limit budgets."""

from datetime import datetime

from attrs import define, field

from github_double.requests import API, GRAPHQL, Request
from github_double.rest.routing import Problem

LIMIT, ANONYMOUS = 5_000, 60
HOUR = 3_600
RESOURCES = ("core", "graphql", "search")
FREE = f"{API}/rate_limit"
HASTY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


@define
class Limits:
    """The used requests of each token and budget, and the waits in seconds of coming secondary limits."""

    used: dict[tuple[str, str], int] = field(factory=dict)
    waits: list[int] = field(factory=list)

    def check(self, asked: Request, now: datetime) -> None:
        """Check that requests are left; GraphQL reports its own budget.

        Raises:
            Problem: No request is left, or a secondary limit applies.
        """
        if self.waits:
            raise Problem(403, HASTY, headers={"Retry-After": str(self.waits.pop())})
        if asked.path not in (FREE, GRAPHQL) and (spent := self.describe_spent(asked, now)) is not None:
            raise Problem(403, spent)

    def describe_spent(self, asked: Request, now: datetime) -> str | None:
        """Return the message of a spent budget; None where requests are left."""
        if self.count(asked.identity, asked.resource, now)["remaining"] > 0:
            return None
        return "API rate limit exceeded for user ID 1."

    def spend_all(self, identity: str, resource: str = "core") -> None:
        """Spend a whole budget; `identity` is the authorization header."""
        self.used[identity, resource] = LIMIT

    def spend(self, identity: str, resource: str) -> None:
        """Count a request."""
        key = identity, resource
        self.used[key] = self.used.get(key, 0) + 1

    def count(self, identity: str, resource: str, now: datetime) -> dict[str, int]:
        """Return limit, remaining, used and reset, the latter in seconds since 1970."""
        used = self.used.get((identity, resource), 0)
        reset = int(now.replace(minute=0, second=0).timestamp()) + HOUR
        limit = LIMIT if identity else ANONYMOUS
        return {"limit": limit, "remaining": max(0, limit - used), "used": used, "reset": reset}

    def headers(self, identity: str, resource: str, now: datetime) -> dict[str, str]:
        """Return the budget's headers."""
        shown = self.count(identity, resource, now) | {"resource": resource}
        return {f"X-RateLimit-{name.title()}": str(value) for name, value in shown.items()}

    def list_all(self, identity: str, now: datetime) -> dict[str, dict[str, int]]:
        """Return all budgets, as `/rate_limit` shows them."""
        return {resource: self.count(identity, resource, now) for resource in RESOURCES}
