"""The steps of a rebase: lines for a POSIX shell in any clone of the repository.

They name commits by SHA and pull requests by the forge's refs, so they do the same in a fresh clone, in a fork's clone
and in the author's. The work is done in a worktree of its own. Only the push moves the branch of a pull request, unless
somebody moved it meanwhile; then the author's local branch follows, if it is unchanged. Where each commit is a pull
request, the push creates new versions of them instead.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

from attrs import define, field, frozen

from stithy_core.spi import Forge, RepositoryRef, format_count
from stithy_pulls.git.fetch_sources import FetchSource
from stithy_pulls.git.shell_remotes import PushTarget, ShellRemote, find_push_target, find_remote
from stithy_pulls.stacks.ci_duration import CiDuration
from stithy_pulls.stacks.move_plan import PullMove
from stithy_pulls.stacks.rebase_strategy import RebaseWay
from stithy_pulls.stacks.restack_worktree import RestackWorktree, plan_worktree
from stithy_pulls.stacks.stack_case import RestackAdvice, Retarget, StackCase
from stithy_pulls.stacks.stack_results import StackCommand

MOST_WAITED = 3
PASSED = "No test failures detected"

StepPhase: TypeAlias = Literal["check", "fetch", "move", "store", "push", "follow", "clean", ""]
"""What a shell line does; empty for other steps."""


@frozen(kw_only=True)
class StepTerms:
    """What the steps depend on beside the commits.

    Args:
        auto_fix: Whether to include steps that fix failing tests.
        max_iterations: Maximum number of fix attempts.
        pace: How long CI takes.
        home: The remote of the pull requests' repository.
        forks: The remotes of other repositories that heads are fetched from, because the forge keeps no refs of them.
        targets: By number, where to push; without an entry if the branch was deleted.
    """

    auto_fix: bool
    max_iterations: int
    pace: CiDuration = field(factory=CiDuration)
    home: ShellRemote = field(factory=partial(ShellRemote, "", "", ()))
    forks: Mapping[RepositoryRef, ShellRemote] = field(factory=dict)
    targets: Mapping[int, PushTarget] = field(factory=dict)

    def get_ref(self, move: PullMove) -> str:
        """Return the ref that a pull request is pushed to."""
        return self.targets[move.pull.ref.number].ref


@define
class StepScript:
    """The list of steps, and the phase of each."""

    rows: list[StackCommand] = field(factory=list)
    phases: list[StepPhase] = field(factory=list)

    def add(self, kind: str, command: str, description: str, phase: StepPhase = "", /, **more: object) -> None:
        """Append a step; it can be automated unless `more` says otherwise."""
        row: dict[str, object] = {"can_automate": True, **more}
        if phase:
            row["retry_on_failure"] = False
        number = len(self.rows) + 1
        self.phases.append(phase)
        self.rows.append(StackCommand(step=number, type=kind, command=command, description=description, **row))  # type: ignore[arg-type]


def build_script(case: StackCase, terms: StepTerms) -> StepScript:
    """Return all steps, with their phases.

    Args:
        case: What must be done.
        terms: The options.
    """
    script = StepScript()
    if case.advice is not None:
        _add_moves(script, case.advice, terms)
    # before the push: otherwise the forge requests reviews for all new commits of the old base
    for retarget in case.retargets:
        _add_retarget(script, retarget)
    if case.advice is not None:
        _add_push(script, case.advice, terms)
        _add_cleanup(script, case.advice, terms)
        _add_tests(script, case.advice.moves, terms)
    return script


def build_steps(case: StackCase, terms: StepTerms) -> tuple[StackCommand, ...]:
    """Return all steps, as `build_script` does, without their phases."""
    return tuple(build_script(case, terms).rows)


def build_recovery(advice: RestackAdvice, terms: StepTerms) -> tuple[str, ...]:
    """Return lines that cancel or undo the steps, each with when to use it."""
    place, pushed = plan_worktree(advice.moves), _list_branches(advice.moves, terms)
    ways = dict.fromkeys(_get_git_command(_choose_way(advice, at)) for at in range(len(advice.moves)))
    lines = [f"(cd {place.folder} && git {word} --abort)  # while it is stopped at a conflict" for word in ways]
    lines.append(f"{place.clean(advice.moves, force=True)}  # before the push: no branch was moved yet")
    if pushed:
        lines.append(f"{place.go_back(pushed)}  # before the worktree is removed: restores local branches")
    when = (
        "after the push, before the worktree is removed: restores the branches if nobody pushed since; later,"
        " replace $(…) by the commits that the push printed"
    )
    lines += [f"{line}  # {when}" for line in list_push_reversals(advice, terms)]
    return tuple(lines)


def list_push_reversals(advice: RestackAdvice, terms: StepTerms) -> Iterator[str]:
    """Yield lines that push the old heads, unless somebody pushed after the steps did. They read the stored heads."""
    place = plan_worktree(advice.moves)
    for remote, group in _group_by_remote(_list_branches(advice.moves, terms), terms).items():
        leases = " ".join(
            f'{shlex.quote(f"--force-with-lease={terms.get_ref(one)}:")}"$(git rev-parse {place.result(one)})"'
            for one in group
        )
        words = shlex.join(f"{one.head}:{terms.get_ref(one)}" for one in group)
        yield f"git push --atomic --no-follow-tags {leases} {remote.to_shell()} {words}"


def list_pushed(advice: RestackAdvice, terms: StepTerms) -> list[PullMove]:
    """Return the moves whose new heads a step pushes to their branches."""
    return _list_branches(advice.moves, terms)


async def find_targets(forge: Forge, moves: Sequence[PullMove]) -> dict[int, PushTarget]:
    """Return, by number, where to push. Pull requests that cannot be updated are omitted."""
    found = {move.pull.ref.number: await find_push_target(forge, move.pull) for move in moves}
    return {number: target for number, target in found.items() if target is not None}


async def find_forks(forge: Forge, sources: Iterable[FetchSource]) -> dict[RepositoryRef, ShellRemote]:
    """Return the remotes of the other repositories that sources are fetched from."""
    places = dict.fromkeys(source.repository for source in sources if source.repository)
    return {place: await find_remote(forge, place) for place in places}


def format_rebase_line(advice: RestackAdvice, at: int, way: RebaseWay) -> str:
    """Return the line that moves one level. It can replace the step of the recommended way."""
    place, move = plan_worktree(advice.moves), advice.moves[at]
    base, merge = place.base_of(move), advice.find_merge(move)
    if merge is not None:
        return place.merge(move, merge.joined, _format_merge(move, advice))
    if way == "pick":
        return place.pick(base, [step.entry.sha for step in move.steps if step.outcome != "empty"])
    if way == "onto":
        return place.rebase(move.head, "--onto", base, move.fork_point.upstream or "--root")
    # git omits commits whose change the base had, even if it was reverted there; own commits must be replayed
    own = () if move.fork_point.foreign else ("--reapply-cherry-picks",)
    return place.rebase(move.head, "--no-rebase-merges", *own, base)


def _format_merge(move: PullMove, advice: RestackAdvice) -> str:
    """Return the message of a merge."""
    below = next((one.pull.head.branch for one in advice.moves if one.pull.ref.number == move.below), move.target.name)
    return f"Merge {below} into {move.pull.head.branch}"


def _choose_way(advice: RestackAdvice, at: int) -> RebaseWay:
    """Return how a pull request is moved: the first as chosen, all others without lower commits."""
    if advice.merges:
        return "merge"
    return advice.choice.way if not at else "onto" if advice.moves[at].fork_point.straight else "pick"


def _get_git_command(way: RebaseWay) -> str:
    return {"pick": "cherry-pick", "merge": "merge"}.get(way, "rebase")


def _add_moves(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    moves, place = advice.moves, plan_worktree(advice.moves)
    check = "Check that no earlier run is unfinished, and that the branches have no uncommitted changes"
    script.add("git", place.check(moves), check, "check")
    fetches = _group_fetches(advice, terms)
    places = " and ".join(remote.repository for remote in fetches)
    names = " and ".join(dict.fromkeys(target.name for target in advice.targets))
    setup = f"Fetch {names} and the pull requests from {places}, and create a worktree"
    script.add("git", place.begin(moves, fetches), setup, "fetch")
    for at, move in enumerate(moves):
        way = _choose_way(advice, at)
        script.add("git", format_rebase_line(advice, at, way), _describe_move(move, way, is_first=not at), "move")
        if advice.merges:
            script.add("git", place.keep_merge(move), "Commit the merge, and store the new head", "store")
        else:
            script.add("git", place.keep(move), "Store the new head; check that each own commit is there once", "store")


def _group_fetches(advice: RestackAdvice, terms: StepTerms) -> dict[ShellRemote, list[str]]:
    """Return what the steps need from each remote."""
    found: dict[ShellRemote, list[str]] = {}
    for source in advice.list_sources():
        remote = terms.forks[source.repository] if source.repository else terms.home
        found.setdefault(remote, []).append(source.target)
    return found


def _describe_move(move: PullMove, way: RebaseWay, *, is_first: bool) -> str:
    own, word = format_count(len(move.fork_point.own), "commit"), _get_git_command(way)
    if way == "merge":
        stopped = "; at a conflict, in the worktree: resolve, git add, git commit --no-edit" if is_first else ""
        return f"Merge the new base into the branch of {move.pull.ref}{stopped}"
    skip = "; if a pick is empty, --skip" if way == "pick" else ""
    stopped = f"; at a conflict, in the worktree: resolve, git add, git {word} --continue{skip}"
    return f"Rebase the {own} of {move.pull.ref}'s own{stopped if is_first or skip else ''}"


def _add_push(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    place, pushed = plan_worktree(advice.moves), _list_pushable(advice.moves, terms)
    for move in advice.moves:
        if move not in pushed:
            script.add("verification", *_describe_unpushed(move, place), can_automate=False)
    for remote, group in _group_by_remote(_list_branches(advice.moves, terms), terms).items():
        words = ["git", "push", "--no-follow-tags", *(["--atomic"] if len(group) > 1 else [])]
        if not advice.merges:  # a merge has the former head below it, so nothing is overwritten
            words += [f"--force-with-lease={terms.get_ref(move)}:{move.head}" for move in group]
        line = f"{shlex.join(words)} {remote.to_shell()}"
        refs = shlex.join(f"{place.result(move)}:{terms.get_ref(move)}" for move in group)
        where = "" if remote == terms.home else "; the fork must allow edits by maintainers"
        script.add("git", f"{line} {refs}", f"Push, unless somebody pushed meanwhile{where}", "push")
    # the highest only: its history has the commits of those below, and a push makes new versions of all
    for top in _list_tops(pushed):
        target = terms.targets[top.pull.ref.number]
        if not target.is_branch:
            line = f"git push --no-follow-tags {target.remote.to_shell()} {place.result(top)}:{shlex.quote(target.ref)}"
            script.add("git", line, "Push each commit as a new version of its pull request", "push")


def _describe_unpushed(move: PullMove, place: RestackWorktree) -> tuple[str, str]:
    """Return what a person must do about a pull request that no step pushes, and why."""
    pull = move.pull.ref
    if not _has_commits_left(move):
        text = f"// The new base has all commits of {pull}: a push would make it empty. Close it; change the base of"
        return f"{text} pull requests on it before its branch is deleted.", "No commit is left"
    text = f"// {pull} has no branch to push to: push {place.result(move)} as a new branch, and open a pull request."
    return text, "Its pull request cannot be updated"


def _add_cleanup(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    """Add the steps that update local branches and remove what the steps created, except unpushed heads."""
    place, pushed = plan_worktree(advice.moves), _list_pushable(advice.moves, terms)
    along = "Move unchanged local branches to the new heads: git pull would merge old and new commits"
    if branches := _list_branches(advice.moves, terms):
        script.add("git", place.follow(branches), along, "follow")
    done = [move for move in advice.moves if move in pushed or not _has_commits_left(move)]
    script.add("git", place.clean(done), "Remove the worktree and the refs of these steps", "clean")


def _list_pushable(moves: Sequence[PullMove], terms: StepTerms) -> list[PullMove]:
    """Return the moves that a step pushes: the branch exists, and an own commit is left."""
    return [move for move in moves if move.pull.ref.number in terms.targets and _has_commits_left(move)]


def _list_tops(moves: Sequence[PullMove]) -> list[PullMove]:
    """Return the moves that no other one is stacked on."""
    lower = {move.below for move in moves}
    return [move for move in moves if move.pull.ref.number not in lower]


def _list_branches(moves: Sequence[PullMove], terms: StepTerms) -> list[PullMove]:
    """Return the moves that a step pushes to a branch."""
    return [move for move in _list_pushable(moves, terms) if terms.targets[move.pull.ref.number].is_branch]


def _has_commits_left(move: PullMove) -> bool:
    """Return whether a pull request will have a commit. Commits that were not replayed count."""
    return any(step.outcome != "empty" for step in move.list_steps())


def _group_by_remote(moves: Sequence[PullMove], terms: StepTerms) -> dict[ShellRemote, list[PullMove]]:
    found: dict[ShellRemote, list[PullMove]] = {}
    for move in moves:
        found.setdefault(terms.targets[move.pull.ref.number].remote, []).append(move)
    return found


def _add_retarget(script: StepScript, wanted: Retarget) -> None:
    pull = wanted.pull
    text = f"// Change the base of {pull.ref} from {pull.base.branch} to {wanted.branch} {pull.url}".rstrip()
    why = "On its page, or by the forge's API"
    script.add("verification", text, why, can_automate=False, skip_if=f"Its base is {wanted.branch}")


def _add_tests(script: StepScript, moves: Sequence[PullMove], terms: StepTerms) -> None:
    """Add steps that wait for CI on each level, the lowest first; for a high stack, on the top levels only."""
    took = terms.pace.format_single()
    pushed = _list_pushable(moves, terms)
    for move in pushed if len(pushed) <= MOST_WAITED else _list_tops(pushed):
        call = f"get_failing_tests(pr={str(move.pull.ref)!r}, wait=true, bail_on_first={{}})"
        script.add("ci_wait", call.format("true"), f"Wait for CI on {move.pull.ref}", estimated_duration=took)
        if terms.auto_fix:
            _add_fix(script, move, terms, is_top=move in _list_tops(moves))
        again = {"retry_on_failure": True, "max_retries": terms.max_iterations} if terms.auto_fix else {}
        script.add("test", call.format("false"), "List all failures", skip_if=PASSED, estimated_duration=took, **again)


def _add_fix(script: StepScript, move: PullMove, terms: StepTerms, *, is_top: bool) -> None:
    target, pull = terms.targets[move.pull.ref.number], move.pull
    above = "" if is_top else "; then rebase the pull requests above: call this tool again"
    where = f"On the branch {pull.head.branch} of {target.remote.repository}"
    line, how = f"{where}: fix the failures of {pull.ref}, commit and push", "in separate commits"
    if not target.is_branch:
        line = f"Fix the failures of {pull.ref}, amend its commit without changing its message, push it to {target.ref}"
        how = "in a new version of its commit"
    script.add(
        "fix",
        f"// {line}",
        f"Fix what the rebase broke, {how}{above}",
        skip_if=PASSED,
        retry_on_failure=True,
        max_retries=terms.max_iterations,
    )
