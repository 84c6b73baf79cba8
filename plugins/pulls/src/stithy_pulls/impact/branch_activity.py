"""Who committed to the base branch in the last twelve months."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from attrs import Factory, frozen

from stithy_pulls.git.commit_log import parse_git_time
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD

YEAR = timedelta(days=365)
MOST_COMMITS = 20_000


@frozen
class BranchAuthor:
    """An author of commits on the base branch.

    Args:
        mail: The address, in lower case.
        name: The name in git.
        commits: Commits of the last twelve months.
        last: The time of the newest commit, UTC.
        sha: The newest commit.
        parent: Its first parent; empty for a root commit.
    """

    mail: str
    name: str
    commits: int
    last: datetime
    sha: str
    parent: str


@frozen
class BranchActivity:
    """The activity on the base branch.

    Args:
        authors: By mail address.
        recent: The newest commits, newest first.
    """

    authors: Mapping[str, BranchAuthor] = Factory(dict)
    recent: tuple[str, ...] = ()


async def read_activity(repository: GitRepository, target: str, now: datetime) -> BranchActivity:
    """Read the history of a branch.

    Args:
        repository: A repository with the branch.
        target: The tip of the branch.
        now: The forge's time, UTC.
    """
    words = (
        "log",
        "--format=%H%n%P%n%ae%n%an%n%ct",
        "-z",
        f"-{MOST_COMMITS}",
        f"--since={_format_time(now - YEAR)}",
    )
    rows = [row.split("\n", 4) for row in await repository.run_lines(*words, target, what="read history") if row]
    authors: dict[str, BranchAuthor] = {}
    counts = Counter(row[2].lower() for row in rows)
    for sha, parents, mail, name_in_git, seconds in rows:
        key, last = mail.lower(), parse_git_time(seconds)
        name = WITHHELD if repository.remote.lockdown else name_in_git
        authors.setdefault(key, BranchAuthor(key, name, counts[key], last, sha, parents.partition(" ")[0]))
    return BranchActivity(authors, tuple(row[0] for row in rows))


def _format_time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
