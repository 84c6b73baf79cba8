"""What a request costs, and what is known of what is left: the rules are those of `localbudgets`."""

from typing import Protocol

from attrs import frozen

from stithy_core.http.areas import Area
from stithy_core.http.waits import Budget


@frozen
class Cost:
    """What a request costs, and whom.

    Args:
        account: The host and whose token it is.
        area: What is asked for; answers tell which limit it falls under.
        points: How much of the points of a minute.
        write: Whether it counts among the writes of a minute.
        most_points: How many there are in a minute; None where nobody knows.
        most_writes: The same for writes.
        concurrent: How many requests at once.
        free: Whether it costs nothing of that limit.
    """

    account: str
    area: Area = ("", "")
    points: int = 1
    write: bool = False
    most_points: int | None = None
    most_writes: int | None = None
    concurrent: int = 16
    free: bool = False


@frozen
class Grant:
    """What was said to a cost.

    Args:
        wait: Seconds until it may be asked again; 0 where it was granted.
        reason: What is used up.
        soon: Whether it is worth waiting here: a slot becomes free, and points do, yet no write waits for those.
        resource: The limit that was paid from; "" where it is not known.
        lease: What is given back when the request ended; "" where nothing is.
    """

    wait: float = 0.0
    reason: str = ""
    soon: bool = False
    resource: str = ""
    lease: str = ""


def used_up(code: str, cost: Cost, resource: str = "") -> str:
    """Say what is used up; `code` is what the rules call it."""
    return {
        "blocked": "the forge asked to be left alone",
        "limit": f"its limit {resource} is spent" if resource else "its limit is spent",
        "writes": f"{cost.most_writes} writes were sent within a minute",
        "points": f"{cost.most_points} points were spent within a minute",
        "slots": f"{cost.concurrent} requests are under way",
    }[code]


class Budgets(Protocol):
    """Where the limits are counted."""

    async def take(self, cost: Cost, now: float) -> Grant:
        """Pay for a request, unless it is known that there is nothing left."""
        ...

    async def settle(self, cost: Cost, grant: Grant, now: float, told: Budget | None, *, free: bool) -> None:
        """Hear what the answer told; `free` gives back what was paid (304)."""
        ...

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Hear that the forge wants to be left alone, and give for how long: as it said, or else ever longer."""
        ...
