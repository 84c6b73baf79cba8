"""Resolve the arguments of a call to the repository, issue or pull request that they name, before any write."""

from pathlib import Path

from stithy_comments.tools.shared_arguments import IssuePlace, PullRequestPlace, RepositoryPlace
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


async def find_repository(ctx: Context, args: RepositoryPlace) -> tuple[Forge, RepositoryRef]:
    """Return the forge and the repository that `repository` or `directory` names."""
    return await ctx.repository(_place(args))


async def find_pull_request(ctx: Context, args: PullRequestPlace) -> tuple[Forge, PullRequest]:
    """Return the forge and the pull request; its `ref` has the repository's current name, even after a rename.

    Raises:
        NotFound: The repository has no such pull request; the message says if the number is an issue's.
    """
    forge, repository = await find_repository(ctx, args)
    ref = forge.names.create_pull_request_ref(repository, args.pull_request_number)
    return forge, await forge.pull_requests.get(ref)


async def find_writable_pull_request(ctx: Context, args: PullRequestPlace) -> tuple[Forge, PullRequest]:
    """Return the forge and the pull request, for a write.

    Raises:
        Moved: Its repository was renamed (docs/adr/0005).
        NotFound: The repository has no such pull request; the message says if the number is an issue's.
    """
    forge, repository = await find_repository(ctx, args)
    ref = forge.names.create_pull_request_ref(repository, args.pull_request_number)
    pull = await forge.pull_requests.get(ref)
    _refuse_other_name(ref, pull)
    return forge, pull


async def find_pull_request_ref(ctx: Context, owner: str, repo: str, number: int) -> tuple[Forge, PullRequestRef]:
    """Return the forge and the reference of a pull request, without reading the pull request.

    Args:
        ctx: The call.
        owner: The owner, with or without a forge's alias: `alias:owner`; a group may have segments: `group/team`. It is
            `alias:` for a repository without an owner.
        repo: The repository's name.
        number: The pull request's number.
    """
    forge, repository = await ctx.repository(f"{owner}{'' if owner.endswith(':') else '/'}{repo}")
    return forge, forge.names.create_pull_request_ref(repository, number)


async def find_issue(
    ctx: Context, args: IssuePlace, *, instead: str = "the tools for pull requests"
) -> tuple[Forge, Issue]:
    """Return the forge and the issue; its `ref` has the repository's current name, even after a rename.

    Args:
        ctx: The call.
        args: The arguments that name it.
        instead: The tool to suggest if the number is a pull request's.

    Raises:
        NotFound: The repository has no such issue, or it is a pull request.
    """
    forge, repository = await find_repository(ctx, args)
    return forge, await _read_issue(forge, IssueRef(repository, args.issue_number), instead)


async def find_writable_issue(ctx: Context, args: IssuePlace, *, instead: str) -> tuple[Forge, Issue]:
    """Return the forge and the issue, for a write; arguments as for `find_issue`.

    Raises:
        Moved: Its repository was renamed, or the issue was transferred to another one (docs/adr/0005).
        NotFound: The repository has no such issue, or it is a pull request.
    """
    forge, repository = await find_repository(ctx, args)
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


def _refuse_other_name(wanted: IssueRef, issue: Issue) -> None:
    if str(issue.ref.repository).lower() == str(wanted.repository).lower():
        return
    if issue.ref.number == wanted.number:
        current, text = str(issue.ref.repository), f"{wanted.repository} was renamed to {issue.ref.repository}"
    else:  # GitHub gives a transferred issue a new number; a rename of the repository keeps it
        current, text = str(issue.ref), f"{wanted} was moved to {issue.ref}"
    raise Moved(f"{text}; nothing was written", suggestion=f"Call again with {current}.")


def _place(args: RepositoryPlace) -> str | None:
    """Return `repository`, or `directory` in a form that cannot be mistaken for owner/repo; None without both.

    Raises:
        InvalidArguments: Both are set.
    """
    if args.directory is None:
        return args.repository
    if args.repository is None:
        return _as_directory(args.directory)
    message = "pass either repository or directory"
    problem = {"path": "repository", "given": "both", "allowed": "one of both"}
    raise InvalidArguments(message, details={"errors": [problem | {"message": message}]})


def _as_directory(text: str) -> str:
    """Return a directory in a form that means nothing else; `Context.repository` checks that it exists."""
    if Path(text).is_absolute():
        return "/" + text.lstrip("/")
    return text if text.startswith("~") else f"./{text}"
