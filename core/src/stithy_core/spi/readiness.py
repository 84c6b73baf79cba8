"""What stands before a merge, put together from the other capabilities, for forges that have no one question for it."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from stithy_core.model import Maybe
from stithy_core.model.verdicts import Readiness
from stithy_core.spi.concurrency import map_concurrently
from stithy_core.spi.support import or_unknown

if TYPE_CHECKING:
    from stithy_core.model import PullRequestRef
    from stithy_core.spi.forge import Forge


async def composed_readiness(forge: "Forge", pr: "PullRequestRef") -> Readiness:
    """Read the pull request, then all the rest at once; what the forge or the token does not give is unknown."""
    pull = await forge.pull_requests.get(pr)
    repository, base = pull.ref.repository, pull.base.branch

    async def behind() -> Maybe[int]:
        return (await forge.changes.compare(repository, base, pull.head.commit)).behind

    questions: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: forge.reviews.list(pull.ref),
        lambda: forge.threads.list(pull.ref),
        lambda: forge.checks.list(repository, pull.head.commit),
        lambda: forge.rules.get(repository, base),
        behind,
        lambda: forge.changes.commits(pull.ref),
    )
    reviews, threads, checks, rules, missing, commits = await map_concurrently(
        questions, lambda question: or_unknown(question())
    )
    return Readiness(
        pull_request=pull,
        reviews=reviews,
        threads=threads,
        checks=checks,
        rules=rules,
        behind=missing,
        commits=commits,
    )
