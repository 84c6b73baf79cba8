"""What is new where a pull request is to stand."""

from attrs import frozen

from stithy_pulls.git.commits import Entry, count, log
from stithy_pulls.git.history import changed, merge_base
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.plan import Footing, Move

MOST_COMMITS = 10


@frozen(kw_only=True)
class News:
    """The newest commits that it has not, how many there are, and the files that differ since the two parted."""

    commits: tuple[Entry, ...]
    total: int
    files: tuple[str, ...]


async def news_of(ground: Ground, move: Move, foot: Footing) -> News:
    """List what is new in what a pull request is to stand on."""
    commits = await log(ground.repository, [foot.sha], [move.head], most=MOST_COMMITS)
    total = await count(ground.repository, move.head, foot.sha)
    parted = await merge_base(ground.repository, foot.sha, move.head)
    files = await changed(ground.repository, parted, foot.sha) if parted and commits else set()
    return News(commits=tuple(commits), total=total, files=tuple(sorted(files)))
