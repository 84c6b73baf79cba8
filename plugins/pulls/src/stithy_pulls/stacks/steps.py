"""The steps that put a stack in order: lines for a shell in a clone whose `origin` is the repository.

They name commits by their SHA and pull requests by the refs that the forge has for them, so that they do the same in a
fresh clone and in the author's. What a person has called `feature` is never touched: the work is done on branches of
its own, `restack/<number>`, and only pushing moves the branch of the pull request, if nobody has moved it meanwhile.
"""

import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise

from attrs import define, field, frozen

from stithy_core.spi import Forge, PullRequest, StithyError
from stithy_pulls.stacks.case import Advice, Case, Retarget
from stithy_pulls.stacks.estimates import Pace
from stithy_pulls.stacks.plan import Footing, Move
from stithy_pulls.stacks.results import Command
from stithy_pulls.stacks.strategy import Way
from stithy_pulls.stacks.words import counted

MOST_WAITED = 3
PASSED = "No test failures detected"


@frozen(kw_only=True)
class Terms:
    """What the steps depend on beside the commits.

    Args:
        auto_fix: Whether failing tests are mended.
        max_iterations: How often at most.
        pace: How long CI takes.
        remotes: Where each is pushed to, by number; none where its branch is gone.
    """

    auto_fix: bool
    max_iterations: int
    pace: Pace = field(factory=Pace)
    remotes: Mapping[int, str] = field(factory=dict)


@define
class Script:
    """Steps as they are written down."""

    rows: list[Command] = field(factory=list)

    def add(self, kind: str, command: str, description: str, **more: object) -> None:
        """Add a step; it can be automated unless it says otherwise."""
        row: dict[str, object] = {"can_automate": True, **more}
        self.rows.append(Command(step=len(self.rows) + 1, type=kind, command=command, description=description, **row))  # type: ignore[arg-type]


def steps(case: Case, terms: Terms) -> tuple[Command, ...]:
    """Give all steps.

    Args:
        case: What is to be done.
        terms: What else they depend on.
    """
    script = Script()
    if case.advice is not None:
        _move(script, case.advice, terms)
    if case.retarget is not None:
        _retarget(script, case.retarget)
    if case.advice is not None:
        _test(script, case.advice.moves, terms)
    return tuple(script.rows)


def _move(script: Script, advice: Advice, terms: Terms) -> None:
    moves, way = advice.moves, advice.choice.way
    _fetch(script, moves, advice.foot)
    if len(moves) > 1 and way == "onto" and _in_line(moves):
        _restack_together(script, moves)
    else:
        _restack_each(script, moves, way)
    _push(script, moves, terms.remotes)


def recovery(advice: Advice, remotes: Mapping[int, str]) -> tuple[str, ...]:
    """Give the lines that break off and undo. Before the push nothing of anybody was changed."""
    stopped = "cherry-pick" if advice.choice.way == "pick" else "rebase"
    made = _line("git", "branch", "-D", *(local(move) for move in advice.moves))
    lines = [
        f"git {stopped} --abort  # while it has stopped at a conflict",
        f"git switch --detach && {made}  # before the push: no other branch was touched",
    ]
    for remote, group in _by_remote(advice.moves, remotes).items():
        leases = [
            f'{shlex.quote(f"--force-with-lease={_branch(one)}:")}"$(git rev-parse {local(one)})"' for one in group
        ]
        words = _line(remote, *(f"{one.head}:{_branch(one)}" for one in group))
        lines.append(
            f"git push --atomic {' '.join(leases)} {words}  # after the push: as it was, if nobody pushed since"
        )
    return tuple(lines)


async def remotes_of(forge: Forge, moves: Sequence[Move]) -> dict[int, str]:
    """Say where each is pushed to: `origin`, or the address of its fork; those whose branch is gone have none."""
    found = {}
    for move in moves:
        if (name := await _remote(forge, move.pull)) is not None:
            found[move.pull.ref.number] = name
    return found


def local(move: Move) -> str:
    """Give the branch on which the work is done."""
    return f"restack/{move.pull.ref.number}"


def base_of(moves: Sequence[Move], at: int) -> str:
    """Give what a level is put onto in the clone."""
    return local(moves[at - 1]) if at else f"refs/stithy/onto-{moves[0].pull.ref.number}"


def rebase_line(move: Move, base: str, way: Way) -> str:
    """Give the line that moves one level."""
    begin = _line("git", "switch", "-C", local(move), move.head)
    if way == "regular":
        return f"{begin} && {_line('git', 'rebase', base)}"
    if way == "onto":
        return f"{begin} && {_line('git', 'rebase', '--onto', base, move.border.upstream)}"
    picked = [step.entry.sha for step in move.steps if step.outcome != "empty"]
    begin = _line("git", "switch", "-C", local(move), base)
    return f"{begin} && {_line('git', 'cherry-pick', *picked)}" if picked else begin


async def _remote(forge: Forge, pull: PullRequest) -> str | None:
    if pull.head.repository is None or not pull.head.branch or pull.head.branch.startswith("refs/"):
        return None
    if not pull.from_fork:
        return "origin"
    try:
        return (await forge.changes.git(pull.head.repository)).url
    except StithyError:
        return f"<{pull.head.repository}>"


def _fetch(script: Script, moves: Sequence[Move], foot: Footing) -> None:
    base = f"+{foot.ref}:refs/stithy/onto-{moves[0].pull.ref.number}"
    heads = [f"+refs/pull/{move.pull.ref.number}/head:refs/stithy/pull-{move.pull.ref.number}" for move in moves]
    script.add(
        "git",
        _line("git", "fetch", "--no-tags", "origin", base, *heads),
        f"Fetch {foot.name} and what is moved; origin is {moves[0].pull.ref.repository}",
    )


def _in_line(moves: Sequence[Move]) -> bool:
    """Say whether each begins where the one below ends, so that one rebase moves all."""
    straight = all(move.border.straight for move in moves)
    return straight and all(high.border.upstream == low.head for low, high in pairwise(moves))


def _restack_together(script: Script, moves: Sequence[Move]) -> None:
    base, top = base_of(moves, 0), moves[-1]
    begin = [_line("git", "switch", "--detach", base)]
    begin += [_line("git", "branch", "-f", local(move), move.head) for move in moves[:-1]]
    begin.append(_line("git", "switch", "-C", local(top), top.head))
    script.add("git", " && ".join(begin), "Begin a branch for each level: --update-refs moves local branches alone")
    script.add(
        "git",
        _line("git", "rebase", "--update-refs", "--onto", base, moves[0].border.upstream),
        f"Move all {len(moves)} levels at once (git 2.38); at a conflict: resolve, git add, git rebase --continue",
        retry_on_failure=False,
    )
    _compare(script, top, moves[0].border.upstream, base)


def _restack_each(script: Script, moves: Sequence[Move], way: Way) -> None:
    for at, move in enumerate(moves):
        how: Way = way if not at else "onto" if move.border.straight else "pick"
        again = "git cherry-pick --continue" if how == "pick" else "git rebase --continue"
        script.add(
            "git",
            rebase_line(move, base_of(moves, at), how),
            f"Move the {counted(len(move.border.own), 'commit')} of {move.pull.ref}'s own; at a conflict: resolve,"
            f" git add, {again}",
            retry_on_failure=False,
        )
        _compare(script, move, move.border.upstream, base_of(moves, at))


def _compare(script: Script, move: Move, since: str, base: str) -> None:
    script.add(
        "verification",
        _line("git", "range-diff", f"{since}..{move.head}", f"{base}..{local(move)}"),
        "Compare before and after: each own commit once, and no other",
    )


def _push(script: Script, moves: Sequence[Move], remotes: Mapping[int, str]) -> None:
    for move in moves:
        if move.pull.ref.number in remotes:
            continue
        text = f"// The branch of {move.pull.ref} is gone: push {local(move)} as a new one, and open a pull request."
        script.add("verification", text, "Its pull request cannot be updated", can_automate=False)
    for remote, group in _by_remote(moves, remotes).items():
        words = ["git", "push", *(["--atomic"] if len(group) > 1 else [])]
        words += [f"--force-with-lease={_branch(move)}:{move.head}" for move in group]
        line = _line(*words, remote, *(f"{local(move)}:{_branch(move)}" for move in group))
        where = "" if remote == "origin" else "; the fork must let maintainers edit"
        script.add("git", line, f"Push, unless somebody pushed meanwhile{where}", retry_on_failure=False)


def _by_remote(moves: Sequence[Move], remotes: Mapping[int, str]) -> dict[str, list[Move]]:
    found: dict[str, list[Move]] = {}
    for move in moves:
        if (remote := remotes.get(move.pull.ref.number)) is not None:
            found.setdefault(remote, []).append(move)
    return found


def _retarget(script: Script, wanted: Retarget) -> None:
    pull = wanted.pull
    text = f"// Give {pull.ref} the base {wanted.branch} in place of {pull.base.branch} {pull.url}".rstrip()
    why = f'On its page, or PATCH repos/{pull.ref.repository}/pulls/{pull.ref.number} with {{"base": …}} by the API'
    script.add("verification", text, why, can_automate=False, skip_if=f"Its base is {wanted.branch}")


def _test(script: Script, moves: Sequence[Move], terms: Terms) -> None:
    """Wait for CI on each level, the lowest first; of a high stack on the topmost, which holds all the others."""
    took = terms.pace.once()
    pushed = [move for move in moves if move.pull.ref.number in terms.remotes]
    for move in pushed if len(pushed) <= MOST_WAITED else pushed[-1:]:
        call = f"get_failing_tests(pr={str(move.pull.ref)!r}, wait=true, bail_on_first={{}})"
        script.add("ci_wait", call.format("true"), f"Wait for CI on {move.pull.ref}", estimated_duration=took)
        if terms.auto_fix:
            _mend(script, move, terms, is_top=move is moves[-1])
        again = {"retry_on_failure": True, "max_retries": terms.max_iterations} if terms.auto_fix else {}
        script.add(
            "test", call.format("false"), "Tell all that fails", skip_if=PASSED, estimated_duration=took, **again
        )


def _mend(script: Script, move: Move, terms: Terms, *, is_top: bool) -> None:
    push = _line("git", "push", terms.remotes[move.pull.ref.number], f"{local(move)}:{_branch(move)}")
    above = "" if is_top else "; what stands above must then be moved again: call this tool once more"
    script.add(
        "fix",
        f"// On {local(move)}: mend what fails on {move.pull.ref}, commit it, then {push}",
        f"Mend what the move broke, in commits of their own{above}",
        skip_if=PASSED,
        retry_on_failure=True,
        max_retries=terms.max_iterations,
    )


def _branch(move: Move) -> str:
    return f"refs/heads/{move.pull.head.branch}"


def _line(*words: str) -> str:
    return shlex.join(words)
