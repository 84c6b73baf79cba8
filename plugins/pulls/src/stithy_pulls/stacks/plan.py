"""Which pull requests must be moved, and onto what."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from stithy_core.spi import NotFound, PullRequest
from stithy_pulls.git.commits import is_ancestor, signed
from stithy_pulls.git.fetching import branch_ref, pull_ref
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.merges import Fate
from stithy_pulls.stacks.path import Path
from stithy_pulls.stacks.replay import Replay, Step, tree_of
from stithy_pulls.stacks.upstream import Below, Border, border_of


@frozen(kw_only=True)
class Footing:
    """What the lowest one that is moved is to stand on.

    Args:
        ref: Its name on the forge, whole.
        name: What people call it.
        sha: Its commit now.
        branch: The branch that the pull request should go into; empty where it is that of a fork.
    """

    ref: str
    name: str
    sha: str
    branch: str


@frozen(kw_only=True)
class Move:
    """A pull request that is moved.

    Args:
        pull: Which one.
        head: Its head as it was fetched.
        border: Where its own commits begin.
        onto: The commit that it is to stand on: for all but the first, the present head of the one below.
        stands: Whether it stands there already.
        steps: What happens to each of its own commits.
        signed: The SHAs of its own commits that are signed, where it is moved.
    """

    pull: PullRequest
    head: str
    border: Border
    onto: str
    stands: bool
    steps: tuple[Step, ...]
    signed: frozenset[str] = frozenset()

    def all_steps(self) -> tuple[Step, ...]:
        """Give a step for each own commit, also where it is not replayed."""
        return self.steps or tuple(Step(entry=entry) for entry in self.border.own)


async def footing(
    ground: Ground, path: Path, fates: Mapping[int, Fate], first: PullRequest, onto_base: str | None
) -> Footing:
    """Choose what the lowest one is to stand on: what was asked for, the nearest open one, or where the merge went.

    Raises:
        NotFound: There is no such branch.
    """
    if onto_base:
        return await _branch(ground, onto_base, asked=True)
    lower = None
    for pull in reversed(path.below(first)):
        if lower is not None and not await _went_into(ground, fates[lower.ref.number], pull):
            return await _branch(ground, lower.base.branch)
        if pull.state == "open":
            ours = pull.head.branch if pull.head.repository == pull.base.repository else ""
            sha = ground.needed(pull)
            return Footing(ref=pull_ref(pull.ref.number), name=str(pull.ref), sha=sha, branch=ours)
        lower = pull
    assert lower is not None
    return await _branch(ground, lower.base.branch)


async def moves(
    ground: Ground,
    levels: Sequence[PullRequest],
    below: Mapping[int, Below],
    trunk: str,
    foot: Footing,
) -> list[Move]:
    """Follow each own commit of what is moved, from the lowest level up.

    Args:
        ground: Where all heads are.
        levels: The open ones above the base, the lowest first.
        below: By number, what is known of those below it.
        trunk: The tip of the branch at the bottom.
        foot: What the lowest is to stand on.
    """
    replay = Replay(ground.repository, await tree_of(ground.repository, foot.sha))
    onto, found = foot.sha, list[Move]()
    for pull in levels:
        head = ground.needed(pull)
        border = await border_of(ground, head, evolve(below[pull.ref.number], trunk=trunk, onto=onto))
        stands = await is_ancestor(ground.repository, onto, head) and not border.foreign
        moved = not stands or any(not move.stands for move in found)
        steps = await replay.all(border.own) if moved else []
        if not moved:
            replay.tree = await tree_of(ground.repository, head)
        signatures = await signed(ground.repository, border.own) if moved else frozenset[str]()
        move = Move(pull=pull, head=head, border=border, onto=onto, stands=not moved, steps=tuple(steps))
        found.append(evolve(move, signed=signatures))
        onto = head
    return found


def ended_with(foot: Footing, pulls: Iterable[PullRequest]) -> str:
    """Say it where the branch to stand on was merged itself, once, so that what it has now may be nowhere else."""
    ours = [pull for pull in pulls if pull.head.branch == foot.branch and not pull.from_fork]
    if len(ours) != 1 or ours[0].state == "open":
        return ""
    return f"{foot.branch} has ended with {ours[0].ref}: what went into it afterwards is there alone."


async def _branch(ground: Ground, name: str, *, asked: bool = False) -> Footing:
    await ground.gather([], [name])
    sha = ground.branch(name)
    if not sha:
        remedy = "Check onto_base." if asked else "Give the branch that it should stand on as onto_base."
        raise NotFound(f"{ground.home} has no branch {name}", suggestion=remedy)
    return Footing(ref=branch_ref(name), name=name, sha=sha, branch=name)


async def _went_into(ground: Ground, fate: Fate, pull: PullRequest) -> bool:
    """Say whether a merge is in the head of the one that it went into, where that was merged itself."""
    head = ground.head(pull)
    if pull.state == "open" or not fate.commit or not head:
        return True
    return await is_ancestor(ground.repository, fate.commit, head)
