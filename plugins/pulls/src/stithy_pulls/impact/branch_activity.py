"""Who committed to the base branch in the last twelve months, and which files changed lately."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import Factory, frozen

from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import WITHHELD

YEAR = timedelta(days=365)
QUARTER = timedelta(days=90)
MOST_COMMITS = 20_000
MOST_TOUCHING = 2_000
MOST_PATHS = 500
START = "\x1e"
LITERAL = "--literal-pathspecs"


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
        churn: By path, the commits of the last 90 days.
        reverted: By path, the subject of a revert of the last 90 days.
    """

    authors: Mapping[str, BranchAuthor] = Factory(dict)
    recent: tuple[str, ...] = ()
    churn: Mapping[str, int] = Factory(dict)
    reverted: Mapping[str, str] = Factory(dict)


async def read_activity(repository: GitRepository, target: str, paths: Sequence[str], now: datetime) -> BranchActivity:
    """Read the history of a branch.

    Args:
        repository: A repository with the branch.
        target: The tip of the branch.
        paths: The files whose commits are counted.
        now: The forge's time, UTC.
    """
    words = (
        "log",
        "--format=%H%x1f%P%x1f%ae%x1f%an%x1f%ct",
        "-z",
        f"-{MOST_COMMITS}",
        f"--since={_format_time(now - YEAR)}",
    )
    rows = [row.split("\x1f", 4) for row in await repository.run_lines(*words, target, what="read history") if row]
    authors: dict[str, BranchAuthor] = {}
    counts = Counter(row[2].lower() for row in rows)
    for sha, parents, mail, name_in_git, seconds in rows:
        key, last = mail.lower(), datetime.fromtimestamp(int(seconds), UTC)
        name = WITHHELD if repository.remote.lockdown else name_in_git
        authors.setdefault(key, BranchAuthor(key, name, counts[key], last, sha, parents.partition(" ")[0]))
    churn, reverted = await _read_file_activity(repository, target, paths, now)
    return BranchActivity(authors, tuple(row[0] for row in rows), churn, reverted)


async def _read_file_activity(
    repository: GitRepository, target: str, paths: Sequence[str], now: datetime
) -> tuple[Mapping[str, int], Mapping[str, str]]:
    words = (LITERAL, "log", "--format=%x1e%s", "--name-only", "--no-renames", "-z", f"-{MOST_TOUCHING}")
    since = f"--since={_format_time(now - QUARTER)}"
    fields = await repository.run_lines(*words, since, target, "--", *paths[:MOST_PATHS], what="read history")
    churn: Counter[str] = Counter()
    reverted: dict[str, str] = {}
    subject = ""
    for field in fields if paths else ():
        if field.startswith(START):
            subject = field.removeprefix(START)
        elif path := field.removeprefix("\n"):
            churn[path] += 1
            if subject.startswith(("Revert ", "revert:", "revert(")):
                reverted.setdefault(path, WITHHELD if repository.remote.lockdown else subject)
    return churn, reverted


def _format_time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
