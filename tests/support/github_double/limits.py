"""The budgets of GitHub, which its answers count."""

from attrs import define, field

from github_double.asked import API, GRAPHQL
from github_double.rest.routing import Problem

LIMIT, ANONYMOUS = 5_000, 60
HOUR = 3_600
RESOURCES = ("core", "graphql", "search")
FREE = f"{API}/rate_limit"
HASTY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


@define
class Limits:
    """What each token has used of each budget, and for how many seconds the next one has asked too much at once."""

    used: dict[tuple[str, str], int] = field(factory=dict)
    waits: list[int] = field(factory=list)

    def demand(self, asked, now):
        """Pass where there is something left; GraphQL says itself that there is not.

        Raises:
            Problem: There is not, or too much was asked at once.
        """
        if self.waits:
            raise Problem(403, HASTY, headers={"Retry-After": str(self.waits.pop())})
        if asked.path not in (FREE, GRAPHQL) and (spent := self.spent(asked, now)) is not None:
            raise Problem(403, spent)

    def spent(self, asked, now):
        """Say that a budget is spent; None where it is not."""
        if self.left(asked.identity, asked.resource, now)["remaining"] > 0:
            return None
        return "API rate limit exceeded for user ID 1."

    def spend_all(self, identity, resource="core"):
        """Leave nothing of a budget; `identity` as the header has it."""
        self.used[identity, resource] = LIMIT

    def spend(self, identity, resource):
        """Count a request."""
        key = identity, resource
        self.used[key] = self.used.get(key, 0) + 1

    def left(self, identity, resource, now):
        """Say how much there is, was used and is left, and when it begins anew, in seconds since 1970."""
        used = self.used.get((identity, resource), 0)
        reset = int(now.replace(minute=0, second=0).timestamp()) + HOUR
        limit = LIMIT if identity else ANONYMOUS
        return {"limit": limit, "remaining": max(0, limit - used), "used": used, "reset": reset}

    def headers(self, identity, resource, now):
        """Write it as headers."""
        shown = self.left(identity, resource, now) | {"resource": resource}
        return {f"X-RateLimit-{name.title()}": str(value) for name, value in shown.items()}

    def all(self, identity, now):
        """Give all budgets, as `/rate_limit` shows them."""
        return {resource: self.left(identity, resource, now) for resource in RESOURCES}
