"""Who committed to the base branch in the last twelve months, and which files that touched lately."""

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
    """Somebody who commits.

    Args:
        mail: In lower case.
        name: As git has it.
        commits: How many in the last twelve months.
        last: When the newest was made.
        sha: That commit.
        parent: What it stands on; empty where it is the first of all.
    """

    mail: str
    name: str
    commits: int
    last: datetime
    sha: str
    parent: str


@frozen
class BranchActivity:
    """What happened on the base branch.

    Args:
        authors: By mail address.
        recent: The newest commits, newest first.
        churn: How many commits of the last ninety days touched each file.
        reverted: By path, the subject of a commit of that time that took something back.
    """

    authors: Mapping[str, BranchAuthor] = Factory(dict)
    recent: tuple[str, ...] = ()
    churn: Mapping[str, int] = Factory(dict)
    reverted: Mapping[str, str] = Factory(dict)


async def read_activity(repository: GitRepository, target: str, paths: Sequence[str], now: datetime) -> BranchActivity:
    """Read the history of a branch.

    Args:
        repository: Which has it.
        target: Its tip.
        paths: The files to count commits of.
        now: By the forge's clock.
    """
    words = ("log", "--format=%H%x1f%P%x1f%ae%x1f%an%x1f%ct", "-z", f"-{MOST_COMMITS}", f"--since={_text(now - YEAR)}")
    rows = [row.split("\x1f", 4) for row in await repository.run_lines(*words, target, what="read history") if row]
    authors: dict[str, BranchAuthor] = {}
    counts = Counter(row[2].lower() for row in rows)
    for sha, parents, mail, said, seconds in rows:
        key, last = mail.lower(), datetime.fromtimestamp(int(seconds), UTC)
        name = WITHHELD if repository.remote.lockdown else said
        authors.setdefault(key, BranchAuthor(key, name, counts[key], last, sha, parents.partition(" ")[0]))
    churn, reverted = await _touching(repository, target, paths, now)
    return BranchActivity(authors, tuple(row[0] for row in rows), churn, reverted)


async def _touching(
    repository: GitRepository, target: str, paths: Sequence[str], now: datetime
) -> tuple[Mapping[str, int], Mapping[str, str]]:
    words = (LITERAL, "log", "--format=%x1e%s", "--name-only", "--no-renames", "-z", f"-{MOST_TOUCHING}")
    since = f"--since={_text(now - QUARTER)}"
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


def _text(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
