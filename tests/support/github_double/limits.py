"""The budgets of GitHub, which its answers count."""

from attrs import define, field

LIMIT = 5_000
HOUR = 3_600
RESOURCES = ("core", "graphql", "search")


@define
class Limits:
    """What each token has used of each budget."""

    used: dict[tuple[str, str], int] = field(factory=dict)

    def spend(self, identity, resource):
        """Count a request."""
        key = identity, resource
        self.used[key] = self.used.get(key, 0) + 1

    def left(self, identity, resource, now):
        """Say how much there is, was used and is left, and when it begins anew, in seconds since 1970."""
        used = self.used.get((identity, resource), 0)
        reset = int(now.replace(minute=0, second=0).timestamp()) + HOUR
        return {"limit": LIMIT, "remaining": LIMIT - used, "used": used, "reset": reset}

    def headers(self, identity, resource, now):
        """Write it as headers."""
        shown = self.left(identity, resource, now) | {"resource": resource}
        return {f"X-RateLimit-{name.title()}": str(value) for name, value in shown.items()}

    def all(self, identity, now):
        """Give all budgets, as `/rate_limit` shows them."""
        return {resource: self.left(identity, resource, now) for resource in RESOURCES}
