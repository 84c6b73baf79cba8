"""The tool `list_stacks`: which open pull requests of a repository are stacked on each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal

from attrs import field, frozen

from stithy_core.spi import (
    Context,
    Forge,
    Maybe,
    Meta,
    Page,
    PullRequest,
    RepositoryRef,
    StithyError,
    Unknown,
    Unsupported,
    excerpt,
)
from stithy_pulls.git.fetch_sources import get_head_label
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.repository_access import with_repository
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.stack_links import find_parent_by_name, find_parent_by_stack
from stithy_pulls.stacks.stack_path import LinkEvidence, StackPath, is_branch_reused
from stithy_pulls.stacks.stack_report import draw_tree, get_state_label
from stithy_pulls.stacks.stack_survey import list_pull_requests
from stithy_pulls.tools import ListStacks

MOST_READ = 100
"""Open pull requests whose commits are read."""

MOST_DEEP = 30


@frozen(kw_only=True)
class StackMember:
    """A pull request of a stack.

    Args:
        pr: The pull request.
        title: Its title.
        author: Who opened it.
        state: open, or merged or closed for one that open pull requests still stand on.
        draft: Whether it is a draft.
        branch: Its head branch.
        base: Its base branch.
        stands_on: The one below; omitted for the lowest.
        stands_by: How that was found: by a stack that the forge keeps, by the name of the base branch, or by the
            commits in its history.
        in_place: Whether it has the current head of the one below; false if that was merged or closed. Omitted for the
            lowest.
    """

    pr: str
    title: str
    author: str
    state: str
    draft: Maybe[bool]
    branch: Annotated[str, Meta(cut=False)]
    base: Annotated[str, Meta(cut=False)]
    stands_on: str | None
    stands_by: LinkEvidence | None
    in_place: Maybe[bool] | None


@frozen(kw_only=True)
class OpenStack:
    """Pull requests that stand on each other.

    Args:
        base_pr: The lowest one: `manage_stacked_prs` plans the rebase of all others.
        forge_stack: The number of the stack, where the forge keeps it; omitted otherwise.
        base: The branch that the lowest one is merged into.
        authors: Who opened them.
        depth: The number of levels.
        state: in place, or rebase needed if one of them lacks the head of the one below; unknown without git.
        visualization: A picture.
        pull_requests: All of them, each after the one that it stands on.
    """

    base_pr: str
    forge_stack: int | None
    base: Annotated[str, Meta(cut=False)]
    authors: tuple[str, ...]
    depth: int
    state: Maybe[Literal["in place", "rebase needed"]]
    visualization: Annotated[str, Meta(cut=False)]
    pull_requests: tuple[StackMember, ...]


@frozen(kw_only=True)
class StackList:
    """The open stacks of a repository.

    Args:
        repository: The repository.
        total: The number of stacks.
        stacks: The stacks; that with the newest pull request first.
        notes: What could not be read.
    """

    repository: str
    total: int
    stacks: Page[OpenStack]
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield a line and the picture of each stack."""
        yield f"{self.repository}: {self.total or 'no'} open stack{'' if self.total == 1 else 's'}"
        for stack in self.stacks:
            state = stack.state if isinstance(stack.state, str) else "state unknown"
            number = "" if stack.forge_stack is None else f" (stack {stack.forge_stack} of the forge)"
            yield f"{stack.base_pr}{number}: {stack.depth} levels by {', '.join(stack.authors)}, {state}"
            yield stack.visualization
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"


@frozen(kw_only=True)
class StackLinks:
    """Which pull request stands on which.

    Args:
        below: By number, the one below and how that was found.
        has_head: By number, whether an open pull request has the head of the one below.
        notes: What could not be read.
    """

    below: Mapping[int, tuple[PullRequest, LinkEvidence]]
    has_head: Mapping[int, Maybe[bool]] = field(factory=dict)
    notes: tuple[str, ...] = ()


async def list_stacks(ctx: Context, args: ListStacks) -> StackList:
    """List the open stacks."""
    forge, repository = await ctx.repository(args.repository)
    pulls, notes = await list_pull_requests(forge, repository)
    links = await find_links(ctx, forge, repository, pulls)
    stacks = [_create_stack(paths, links) for paths in list_stack_paths(pulls, links)]
    return StackList(
        repository=str(repository),
        total=len(stacks),
        stacks=Page(stacks, key=lambda stack: stack.base_pr),
        notes=(*notes, *links.notes) or None,
    )


async def find_links(ctx: Context, forge: Forge, repository: RepositoryRef, pulls: Sequence[PullRequest]) -> StackLinks:
    """Return which of the open pull requests stands on which other one."""
    try:
        return await with_repository(ctx, forge, repository, partial(_link_by_commits, ctx, pulls))
    except (GitError, Unsupported) as fault:
        return _link_by_names(pulls, fault)


def _link_by_names(pulls: Sequence[PullRequest], fault: StithyError) -> StackLinks:
    """Link open pull requests by branch names only: a closed one may have had a branch of the same name before."""
    current = [pull for pull in pulls if pull.state == "open"]
    unknown = Unknown(f"git is not available: {fault.message}", fault.suggestion)
    below = _find_named_parents(current, current)
    note = f"Stacks that only commits show are missing, because git is not available: {fault.message}"
    return StackLinks(below=below, has_head=dict.fromkeys(below, unknown), notes=(note,))


async def _link_by_commits(ctx: Context, pulls: Sequence[PullRequest], repository: GitRepository) -> StackLinks:
    """Link pull requests by branch names, and open ones by the heads that are in their histories."""
    current = [pull for pull in pulls if pull.state == "open"]
    read = current[:MOST_READ]
    notes = (
        (f"Only the commits of the newest {MOST_READ} open pull requests were read.",)
        if len(current) > MOST_READ
        else ()
    )
    if not read:
        return StackLinks(below={})
    pool = CommitPool(ctx, repository, read[0].ref.repository)
    await pool.fetch_heads(read)
    possible = [pull for pull in pulls if not is_branch_reused(pool, pull)]
    below = _find_named_parents(current, possible)
    containing = {pull.ref.number: await _list_containing(pool, pull) for pull in read if pool.get_head(pull)}
    for pull in read:
        lower = [other for other in read if not _is_above(other, pull, below)]
        if pull.ref.number not in below and (parent := _find_nearest(pull, lower, containing)):
            below[pull.ref.number] = parent, "history"
    has_head = {number: _has_head(number, parent, containing) for number, (parent, _) in below.items()}
    return StackLinks(below=below, has_head=has_head, notes=notes)


def _find_named_parents(
    pulls: Sequence[PullRequest], possible: Sequence[PullRequest]
) -> dict[int, tuple[PullRequest, LinkEvidence]]:
    """Return, by number, the one below as the forge's own stacks name it, or else the names of branches."""
    found: dict[int, tuple[PullRequest, LinkEvidence]] = {}
    for pull in pulls:
        if (parent := find_parent_by_stack(pull, pulls)) is not None:
            found[pull.ref.number] = parent, "forge"
        elif (parent := find_parent_by_name(pull, possible)) is not None:
            found[pull.ref.number] = parent, "name"
    return found


def _is_above(pull: PullRequest, lower: PullRequest, below: Mapping[int, tuple[PullRequest, LinkEvidence]]) -> bool:
    """Return whether a pull request stands on a lower one, directly or not: commits that say the reverse are wrong."""
    for _ in range(MOST_DEEP):
        link = below.get(pull.ref.number)
        if link is None:
            return False
        pull = link[0]
        if pull.ref == lower.ref:
            return True
    return False


async def _list_containing(pool: CommitPool, pull: PullRequest) -> frozenset[str]:
    """Return the labels of the heads whose history has a pull request's head; empty if its base has it, too."""
    words = ["for-each-ref", "--format=%(refname:lstrip=2)", f"--contains={pool.get_head(pull)}"]
    if trunk := pool.get_branch_tip(pull.base.branch):
        words.append(f"--no-merged={trunk}")
    output = await pool.repository.git(*words, "refs/heads/pull/", what="find what stands on a commit")
    return frozenset(output.stdout.decode(errors="surrogateescape").split())


def _find_nearest(
    pull: PullRequest, pulls: Iterable[PullRequest], containing: Mapping[int, frozenset[str]]
) -> PullRequest | None:
    """Return the pull request into the same branch whose head is the highest of those that this one's history has."""
    label = get_head_label(pull)
    found = [
        other
        for other in pulls
        if other.ref != pull.ref
        and other.base.branch == pull.base.branch
        and label in containing.get(other.ref.number, ())
        and other.head.commit != pull.head.commit
    ]
    return min(found, key=lambda other: (len(containing[other.ref.number]), other.ref.number), default=None)


def _has_head(number: int, parent: PullRequest, containing: Mapping[int, frozenset[str]]) -> Maybe[bool]:
    if parent.state != "open":
        return False
    if parent.ref.number not in containing:
        return Unknown("the commits of the one below were not read", "Pass both to manage_stacked_prs.")
    return f"pull/{number}" in containing[parent.ref.number]


def list_stack_paths(pulls: Iterable[PullRequest], links: StackLinks) -> list[list[StackPath]]:
    """Return the paths of each stack from the bottom up; the stack with the newest pull request first."""
    stood_on = {parent.ref.number for parent, _ in links.below.values()}
    tops = [pull for pull in pulls if pull.ref.number in links.below and pull.ref.number not in stood_on]
    groups: dict[int, list[StackPath]] = {}
    for top in tops:
        path = _trace(top, links)
        groups.setdefault(path.levels[0].ref.number, []).append(path)
    return sorted(groups.values(), key=lambda paths: -max(path.levels[-1].ref.number for path in paths))


def _trace(top: PullRequest, links: StackLinks) -> StackPath:
    levels, found = [top], dict[int, LinkEvidence]()
    while (link := links.below.get(levels[-1].ref.number)) and len(levels) < MOST_DEEP:
        if link[0] in levels:
            break
        found[levels[-1].ref.number] = link[1]
        levels.append(link[0])
    return StackPath(levels=tuple(reversed(levels)), found=found)


def _create_stack(paths: Sequence[StackPath], links: StackLinks) -> OpenStack:
    members = tuple({pull.ref.number: pull for path in paths for pull in path.levels}.values())
    rows = tuple(_create_member(pull, links) for pull in members)
    marks = {pull.ref.number: "rebase needed" for pull in members if links.has_head.get(pull.ref.number) is False}
    doubts = [row.in_place for row in rows if isinstance(row.in_place, Unknown)]
    state: Maybe[Literal["in place", "rebase needed"]] = "rebase needed" if marks else "in place"
    return OpenStack(
        base_pr=rows[0].pr,
        forge_stack=next((pull.stack.number for pull in members if pull.stack is not None), None),
        base=rows[0].base,
        authors=tuple(dict.fromkeys(row.author for row in rows)),
        depth=max(len(path.levels) for path in paths),
        state=doubts[0] if doubts and not marks else state,
        visualization=draw_tree(paths, (), marks),
        pull_requests=rows,
    )


def _create_member(pull: PullRequest, links: StackLinks) -> StackMember:
    parent, how = links.below.get(pull.ref.number, (None, None))
    return StackMember(
        pr=str(pull.ref),
        title=pull.title,
        author=pull.author.login,
        state=get_state_label(pull),
        draft=pull.draft,
        branch=pull.head.branch,
        base=pull.base.branch,
        stands_on=str(parent.ref) if parent else None,
        stands_by=how,
        in_place=links.has_head.get(pull.ref.number),
    )
