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


async def pull_request_of(ctx: Context, args: PullRequestPlace) -> tuple[Forge, PullRequest]:
    """Find a pull request, and make sure that it is one, under its present name."""
    forge, repository = await repository_of(ctx, args)
    return forge, await present_pull_request(forge, PullRequestRef(repository, args.pull_request_number))


async def present_pull_request(forge: Forge, ref: PullRequestRef) -> PullRequest:
    """Read a pull request.

    Raises:
        Moved: Its repository has another name now.
        NotFound: There is none; an issue of that number is told from nothing.
    """
    pull = await forge.pull_requests.get(ref)
    _same_name(ref, pull)
    return pull


async def owned_pull_request(ctx: Context, owner: str, repo: str, number: int) -> tuple[Forge, PullRequestRef]:
    """Find the forge of a pull request that is named by owner, repository and number; nothing is read of it.

    The owner may have the alias of a forge before it, `alias:owner`, and be a group with segments, `group/team`.
    """
    forge, repository = await ctx.repository(f"{owner}/{repo}")
    return forge, PullRequestRef(repository, number)


async def issue_of(
    ctx: Context, args: IssuePlace, *, instead: str = "the tools for pull requests"
) -> tuple[Forge, Issue]:
    """Find an issue, and make sure that it is no pull request, under its present name.

    Args:
        ctx: The call.
        args: Where it is.
        instead: What does the same for a pull request.
    """
    forge, repository = await repository_of(ctx, args)
    ref = IssueRef(repository, args.issue_number)
    issue = await forge.issues.get(ref)
    if issue.is_pull_request:
        remedy = f"Use {instead}, or another number."
        raise NotFound(f"{ref} is a pull request, not an issue", suggestion=remedy)
    _same_name(ref, issue)
    return forge, issue


def _same_name(asked: IssueRef, found: Issue) -> None:
    if str(found.ref.repository).lower() == str(asked.repository).lower():
        return
    if found.ref.number == asked.number:
        present, text = str(found.ref.repository), f"{asked.repository} is called {found.ref.repository} now"
    else:  # the issue was moved alone
        present, text = str(found.ref), f"{asked} is {found.ref} now"
    raise Moved(f"{text}; nothing was done", suggestion=f"Call again with {present}.")


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
