"""Which accounts commit under which mail addresses, as the forge itself says it of commits."""

from collections.abc import Iterable, Mapping, Sequence

from stithy_core.spi import Commit, Forge, RepositoryRef, Unknown, User, map_concurrently
from stithy_pulls.asking import attempted
from stithy_pulls.impact.activity import BranchActivity, BranchAuthor

MOST_COMPARED = 100
"""Commits that one comparison is to have: a page of them."""
MOST_ASKED = 10


async def find_accounts(
    forge: Forge, repository: RepositoryRef, activity: BranchActivity, wanted: Iterable[str]
) -> Mapping[str, User]:
    """Find the accounts behind mail addresses; what the forge does not know is left out.

    The newest commits are asked for at once, and then one commit of each author who is still missing.

    Args:
        forge: The forge.
        repository: Whose commits.
        activity: Who commits there.
        wanted: The addresses that matter most.
    """
    recent = activity.recent
    pairs = [(recent[min(MOST_COMPARED, len(recent) - 1)], recent[0])] if len(recent) > 1 else []
    found = await _asked(forge, repository, pairs)
    busiest = sorted(activity.authors.values(), key=lambda author: -author.commits)
    order = [*(activity.authors[mail] for mail in wanted if mail in activity.authors), *busiest]
    missing = [author for author in dict.fromkeys(order) if author.mail not in found and author.parent]
    return found | await _asked(forge, repository, [_last(author) for author in missing[:MOST_ASKED]])


def map_accounts(commits: Iterable[Commit]) -> dict[str, User]:
    """Give the accounts of commits' authors by their addresses."""
    return {commit.author_email.lower(): commit.author for commit in commits if commit.author is not None}


def _last(author: BranchAuthor) -> tuple[str, str]:
    return author.parent, author.sha


async def _asked(forge: Forge, repository: RepositoryRef, pairs: Sequence[tuple[str, str]]) -> dict[str, User]:
    compared = await map_concurrently(pairs, lambda pair: attempted(forge.changes.compare(repository, *pair)))
    found: dict[str, User] = {}
    for one in compared:
        found |= {} if isinstance(one, Unknown) else map_accounts(one.commits)
    return found
