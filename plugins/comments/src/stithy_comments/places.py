"""From what a caller wrote to what is meant, checked before anything is done to it."""

from pathlib import Path

from stithy_comments.offers.places import IssuePlace, PullRequestPlace, RepositoryPlace
from stithy_core.spi import (
    Context,
    Forge,
    InvalidArguments,
    Issue,
    IssueRef,
    Moved,
    NotFound,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
)


async def repository_of(ctx: Context, args: RepositoryPlace) -> tuple[Forge, RepositoryRef]:
    """Find a repository by its name or by a local clone."""
    return await ctx.repository(_place(args))


async def find_pull_request(ctx: Context, args: PullRequestPlace) -> tuple[Forge, PullRequest]:
    """Read a pull request, which has its present name, also where a former one was asked for.

    Raises:
        NotFound: There is none; an issue of that number is told from nothing.
    """
    forge, repository = await repository_of(ctx, args)
    return forge, await forge.pull_requests.get(PullRequestRef(repository, args.pull_request_number))


async def find_writable_pull_request(ctx: Context, args: PullRequestPlace) -> tuple[Forge, PullRequest]:
    """Read a pull request before something is written to it.

    Raises:
        Moved: Its repository has another name now (docs/adr/0005).
        NotFound: There is none; an issue of that number is told from nothing.
    """
    forge, repository = await repository_of(ctx, args)
    ref = PullRequestRef(repository, args.pull_request_number)
    pull = await forge.pull_requests.get(ref)
    _refuse_other_name(ref, pull)
    return forge, pull


async def owned_pull_request(ctx: Context, owner: str, repo: str, number: int) -> tuple[Forge, PullRequestRef]:
    """Find the forge of a pull request that is named by owner, repository and number; nothing is read of it.

    The owner may have the alias of a forge before it, `alias:owner`, and be a group with segments, `group/team`.
    """
    forge, repository = await ctx.repository(f"{owner}/{repo}")
    return forge, PullRequestRef(repository, number)


async def find_issue(
    ctx: Context, args: IssuePlace, *, instead: str = "the tools for pull requests"
) -> tuple[Forge, Issue]:
    """Read an issue, which has its present name, also where a former one was asked for.

    Args:
        ctx: The call.
        args: Where it is.
        instead: What does the same for a pull request.

    Raises:
        NotFound: There is none, or it is a pull request.
    """
    forge, repository = await repository_of(ctx, args)
    return forge, await _read_issue(forge, IssueRef(repository, args.issue_number), instead)


async def find_writable_issue(ctx: Context, args: IssuePlace, *, instead: str) -> tuple[Forge, Issue]:
    """Read an issue before something is written to it; arguments as of `find_issue`.

    Raises:
        Moved: Its repository has another name now, or it was moved to another one (docs/adr/0005).
        NotFound: There is none, or it is a pull request.
    """
    forge, repository = await repository_of(ctx, args)
    ref = IssueRef(repository, args.issue_number)
    issue = await _read_issue(forge, ref, instead)
    _refuse_other_name(ref, issue)
    return forge, issue


async def _read_issue(forge: Forge, ref: IssueRef, instead: str) -> Issue:
    issue = await forge.issues.get(ref)
    if issue.is_pull_request:
        remedy = f"Use {instead}, or another number."
        raise NotFound(f"{ref} is a pull request, not an issue", suggestion=remedy)
    return issue


def _refuse_other_name(asked: IssueRef, found: Issue) -> None:
    if str(found.ref.repository).lower() == str(asked.repository).lower():
        return
    if found.ref.number == asked.number:
        present, text = str(found.ref.repository), f"{asked.repository} is called {found.ref.repository} now"
    else:  # the issue was moved alone
        present, text = str(found.ref), f"{asked} is {found.ref} now"
    raise Moved(f"{text}; nothing was written", suggestion=f"Call again with {present}.")


def _place(args: RepositoryPlace) -> str:
    """Return what was written of repository and directory; a directory so that it cannot be taken for owner/repo."""
    if args.repository is not None and args.directory is None:
        return args.repository
    if args.directory is not None and args.repository is None:
        return _as_directory(args.directory)
    message = "repository is required, or directory in its place: one of the two"
    problem = {"path": "repository", "given": "both" if args.repository else "neither", "allowed": "one of the two"}
    raise InvalidArguments(message, details={"errors": [problem | {"message": message}]})


def _as_directory(text: str) -> str:
    """Write a directory in a form that means nothing else; whether there is one, `Context.repository` finds out."""
    if Path(text).is_absolute():
        return "/" + text.lstrip("/")
    return text if text.startswith("~") else f"./{text}"
