"""The steps that put a stack in order: lines for a shell in a clone, wherever it was cloned from.

They name commits by their SHA and pull requests by the refs that the forge has for them, so that they do the same in a
fresh clone, in a fork's and in the author's. The work is done in a worktree of its own. Only pushing moves the branch
of a pull request, if nobody has moved it meanwhile; then the author's local branch follows, if it is where it was.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial

from attrs import define, field, frozen

from stithy_core.spi import Forge, PullRequest
from stithy_pulls.git.shell_remotes import ShellRemote, find_remote
from stithy_pulls.phrases import format_count
from stithy_pulls.stacks.ci_duration import CiDuration
from stithy_pulls.stacks.move_plan import PullMove
from stithy_pulls.stacks.rebase_strategy import RebaseWay
from stithy_pulls.stacks.restack_worktree import RestackWorktree, get_branch_ref, plan_worktree
from stithy_pulls.stacks.stack_case import RestackAdvice, Retarget, StackCase
from stithy_pulls.stacks.stack_results import StackCommand

MOST_WAITED = 3
PASSED = "No test failures detected"


@frozen(kw_only=True)
class StepTerms:
    """What the steps depend on beside the commits.

    Args:
        auto_fix: Whether failing tests are mended.
        max_iterations: How often at most.
        pace: How long CI takes.
        home: Where the pull requests are fetched from.
        remotes: Where each is pushed to, by number; none where its branch is gone.
    """

    auto_fix: bool
    max_iterations: int
    pace: CiDuration = field(factory=CiDuration)
    home: ShellRemote = field(factory=partial(ShellRemote, "", ""))
    remotes: Mapping[int, ShellRemote] = field(factory=dict)


@define
class StepScript:
    """Steps as they are written down."""

    rows: list[StackCommand] = field(factory=list)

    def add(self, kind: str, command: str, description: str, **more: object) -> None:
        """Add a step; it can be automated unless it says otherwise."""
        row: dict[str, object] = {"can_automate": True, **more}
        number = len(self.rows) + 1
        self.rows.append(StackCommand(step=number, type=kind, command=command, description=description, **row))  # type: ignore[arg-type]


def build_steps(case: StackCase, terms: StepTerms) -> tuple[StackCommand, ...]:
    """Return all steps.

    Args:
        case: What is to be done.
        terms: What else they depend on.
    """
    script = StepScript()
    if case.advice is not None:
        _move(script, case.advice, terms)
    if case.retarget is not None:  # before the push: else the owners of all that is new are asked
        _retarget(script, case.retarget)
    if case.advice is not None:
        _push(script, case.advice, terms)
        _end(script, case.advice, terms)
        _test(script, case.advice.moves, terms)
    return tuple(script.rows)


def build_recovery(advice: RestackAdvice, terms: StepTerms) -> tuple[str, ...]:
    """Return the lines that break off and undo, each with when it may be used."""
    place, pushed = plan_worktree(advice.moves, advice.target), _pushed(advice.moves, terms)
    ways = dict.fromkeys(_command_of(_way(advice, at)) for at in range(len(advice.moves)))
    lines = [f"(cd {place.folder} && git {word} --abort)  # while it has stopped at a conflict" for word in ways]
    lines.append(f"{place.clean(advice.moves, force=True)}  # before the push: no branch was moved yet")
    if pushed:
        lines.append(f"{place.go_back(pushed)}  # before the worktree is removed: local branches as they were")
    for remote, group in _by_remote(pushed, terms).items():
        leases = " ".join(
            f'{shlex.quote(f"--force-with-lease={get_branch_ref(one)}:")}"$(git rev-parse {place.result(one)})"'
            for one in group
        )
        words = shlex.join(f"{one.head}:{get_branch_ref(one)}" for one in group)
        lines.append(
            f"git push --atomic --no-follow-tags {leases} {remote.to_shell()} {words}"
            "  # after the push, before the worktree is removed: as it was, if nobody pushed since; later, put the"
            " commits that the push printed in place of $(…)"
        )
    return tuple(lines)


async def find_remotes(forge: Forge, moves: Sequence[PullMove]) -> dict[int, ShellRemote]:
    """Return where each is pushed to; those whose branch is gone are left out."""
    found = {}
    for move in moves:
        if (remote := await _remote(forge, move.pull)) is not None:
            found[move.pull.ref.number] = remote
    return found


def format_rebase_line(advice: RestackAdvice, at: int, way: RebaseWay) -> str:
    """Return the line that moves one level: it may stand in place of the step that does, in the way recommended."""
    place, move = plan_worktree(advice.moves, advice.target), advice.moves[at]
    base = place.base_of(advice.moves, at, advice.target)
    if way == "pick":
        return place.pick(base, [step.entry.sha for step in move.steps if step.outcome != "empty"])
    if way == "onto":
        return place.rebase(move.head, "--onto", base, move.fork_point.upstream or "--root")
    # git leaves out whose change the base has had, also where it was reverted there: what is an author's own, it tries
    own = () if move.fork_point.foreign else ("--reapply-cherry-picks",)
    return place.rebase(move.head, "--no-rebase-merges", *own, base)


async def _remote(forge: Forge, pull: PullRequest) -> ShellRemote | None:
    if pull.head.repository is None or not pull.head.branch or pull.head.branch.startswith("refs/"):
        return None
    return await find_remote(forge, pull.head.repository)


def _way(advice: RestackAdvice, at: int) -> RebaseWay:
    """Return how a level is moved: the lowest as chosen, and those above with no commit of those below."""
    return advice.choice.way if not at else "onto" if advice.moves[at].fork_point.straight else "pick"


def _command_of(way: RebaseWay) -> str:
    return "cherry-pick" if way == "pick" else "rebase"


def _move(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    moves, place = advice.moves, plan_worktree(advice.moves, advice.target)
    check = "Check that the clone has all of history, and the branches no change that is not committed"
    script.add("git", place.check(moves), check, retry_on_failure=False)
    made = (
        f"Fetch {advice.target.name} and what is moved from {terms.home.repository}, and make a worktree for the work"
    )
    script.add("git", place.begin(moves, advice.target, terms.home), made, retry_on_failure=False)
    for at, move in enumerate(moves):
        way = _way(advice, at)
        script.add(
            "git", format_rebase_line(advice, at, way), _moving(move, way, is_first=not at), retry_on_failure=False
        )
        line = place.keep(move, place.base_of(moves, at, advice.target))
        script.add("git", line, "Keep the new head; each own commit must be there once", retry_on_failure=False)


def _moving(move: PullMove, way: RebaseWay, *, is_first: bool) -> str:
    own, word = format_count(len(move.fork_point.own), "commit"), _command_of(way)
    skip = "; where a pick is empty now, --skip" if way == "pick" else ""
    stopped = f"; at a conflict, in the worktree: resolve, git add, git {word} --continue{skip}"
    return f"Move the {own} of {move.pull.ref}'s own{stopped if is_first or skip else ''}"


def _push(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    place, pushed = plan_worktree(advice.moves, advice.target), _pushed(advice.moves, terms)
    for move in advice.moves:
        if move not in pushed:
            script.add("verification", *_unpushed(move, place), can_automate=False)
    for remote, group in _by_remote(pushed, terms).items():
        words = ["git", "push", "--no-follow-tags", *(["--atomic"] if len(group) > 1 else [])]
        words += [f"--force-with-lease={get_branch_ref(move)}:{move.head}" for move in group]
        line = f"{shlex.join(words)} {remote.to_shell()}"
        refs = shlex.join(f"{place.result(move)}:{get_branch_ref(move)}" for move in group)
        where = "" if remote == terms.home else "; the fork must let maintainers edit"
        script.add("git", f"{line} {refs}", f"Push, unless somebody pushed meanwhile{where}", retry_on_failure=False)


def _unpushed(move: PullMove, place: RestackWorktree) -> tuple[str, str]:
    """Return what a person must do about a pull request that no step pushes, and why."""
    pull = move.pull.ref
    if not _is_left(move):
        text = f"// {pull} has no commit of its own that its new base lacks: a push would empty it. Close it; give what"
        return f"{text} stands on it another base before its branch is deleted.", "Nothing of it is left"
    text = f"// The branch of {pull} is gone: push {place.result(move)} as a new one, and open a pull request."
    return text, "Its pull request cannot be updated"


def _end(script: StepScript, advice: RestackAdvice, terms: StepTerms) -> None:
    """Add the steps that move the author's branches, and that remove what the steps made; an unpushed head is kept."""
    place, pushed = plan_worktree(advice.moves, advice.target), _pushed(advice.moves, terms)
    along = "Take local branches along that are where the pull requests were: pulling would join old and new commits"
    if pushed:
        script.add("git", place.follow(pushed), along, retry_on_failure=False)
    done = [move for move in advice.moves if move in pushed or not _is_left(move)]
    script.add("git", place.clean(done), "Remove the worktree and the refs of these steps", retry_on_failure=False)


def _pushed(moves: Sequence[PullMove], terms: StepTerms) -> list[PullMove]:
    """Keep those that a step pushes: whose branch is there, and that have something of their own."""
    return [move for move in moves if move.pull.ref.number in terms.remotes and _is_left(move)]


def _is_left(move: PullMove) -> bool:
    """Check whether a pull request will have a commit; what was not tried may be one."""
    return any(step.outcome != "empty" for step in move.list_steps())


def _by_remote(moves: Sequence[PullMove], terms: StepTerms) -> dict[ShellRemote, list[PullMove]]:
    found: dict[ShellRemote, list[PullMove]] = {}
    for move in moves:
        found.setdefault(terms.remotes[move.pull.ref.number], []).append(move)
    return found


def _retarget(script: StepScript, wanted: Retarget) -> None:
    pull = wanted.pull
    text = f"// Give {pull.ref} the base {wanted.branch} in place of {pull.base.branch} {pull.url}".rstrip()
    why = f'On its page, or PATCH repos/{pull.ref.repository}/pulls/{pull.ref.number} with {{"base": …}} by the API'
    script.add("verification", text, why, can_automate=False, skip_if=f"Its base is {wanted.branch}")


def _test(script: StepScript, moves: Sequence[PullMove], terms: StepTerms) -> None:
    """Wait for CI on each level, the lowest first; of a high stack on the topmost, which holds all the others."""
    took = terms.pace.format_single()
    pushed = _pushed(moves, terms)
    for move in pushed if len(pushed) <= MOST_WAITED else pushed[-1:]:
        call = f"get_failing_tests(pr={str(move.pull.ref)!r}, wait=true, bail_on_first={{}})"
        script.add("ci_wait", call.format("true"), f"Wait for CI on {move.pull.ref}", estimated_duration=took)
        if terms.auto_fix:
            _mend(script, move, terms, is_top=move is moves[-1])
        again = {"retry_on_failure": True, "max_retries": terms.max_iterations} if terms.auto_fix else {}
        script.add(
            "test", call.format("false"), "Tell all that fails", skip_if=PASSED, estimated_duration=took, **again
        )


def _mend(script: StepScript, move: PullMove, terms: StepTerms, *, is_top: bool) -> None:
    where = f"{move.pull.head.branch} of {terms.remotes[move.pull.ref.number].repository}"
    above = "" if is_top else "; what stands above must then be moved again: call this tool once more"
    script.add(
        "fix",
        f"// On the branch {where}: mend what fails on {move.pull.ref}, commit it and push it",
        f"Mend what the move broke, in commits of their own{above}",
        skip_if=PASSED,
        retry_on_failure=True,
        max_retries=terms.max_iterations,
    )
