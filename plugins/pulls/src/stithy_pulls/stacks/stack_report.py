"""Parts of the result: pictures of the stack, considerations, and lists of commits."""

from collections.abc import Iterable, Iterator, Sequence

from stithy_core.spi import Maybe, PullRequest, PullRequestRef, Unknown, excerpt, format_count
from stithy_pulls.git.commit_log import CommitEntry, get_visible_text
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.stacks.fork_point import DroppedEntry
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.move_plan import PullMove, describe_ended_target
from stithy_pulls.stacks.rebase_replay import ReplayStep
from stithy_pulls.stacks.rebase_strategy import RebaseChoice
from stithy_pulls.stacks.stack_case import NewCommits, RestackAdvice, StackCase
from stithy_pulls.stacks.stack_links import have_same_branch, is_stacked_on, list_children
from stithy_pulls.stacks.stack_path import StackPath
from stithy_pulls.stacks.stack_results import (
    ChangeSummary,
    CommitLine,
    DroppedCommit,
    MergeEvidence,
    OwnCommit,
    PredictedMerge,
    StackInfo,
    StackLevel,
)
from stithy_pulls.stacks.stack_survey import StackSurvey

MOST_ROWS = 40
MOST_DEEP = 20
SHOWN = 60


def get_state_label(pull: PullRequest) -> str:
    """Return the state of a pull request: open, merged or closed."""
    return "merged" if pull.merged else pull.state


def draw_tree(paths: Sequence[StackPath], pulls: Sequence[PullRequest], marks: dict[int, str]) -> str:
    """Draw the stack as a tree below its base branch, including pull requests beside the paths.

    Args:
        paths: The paths from the bottom up; at least one.
        pulls: All known pull requests.
        marks: Labels of some pull requests, by number.
    """
    rows = [_shorten(paths[0].levels[0].base.branch)]
    rows += [f"{'   ' * depth}└─ {_format_node(pull, marks)}" for depth, pull in walk_stack(paths, pulls)]
    left = len(rows) - MOST_ROWS
    return "\n".join([*rows[:MOST_ROWS], f"… and {left} more"] if left > 0 else rows)


def draw_mermaid(paths: Sequence[StackPath], pulls: Sequence[PullRequest]) -> str:
    """Return the stack as a Mermaid graph. Names are quoted, and special characters are escaped."""
    rows = ["graph TD", f'  base["{_escape(paths[0].levels[0].base.branch)}"]']
    line = ["base"]
    for depth, pull in list(walk_stack(paths, pulls))[: MOST_ROWS - 2]:
        node = f"p{pull.ref.number}"
        rows.append(
            f'  {line[depth]} --> {node}["{pull.ref.short} {_escape(_label_branch(pull))} ({get_state_label(pull)})"]'
        )
        line[depth + 1 :] = [node]
    return "\n".join(rows)


def walk_stack(paths: Sequence[StackPath], pulls: Sequence[PullRequest]) -> Iterator[tuple[int, PullRequest]]:
    """Yield the pull requests of the paths, and open ones beside and above them, each with its depth."""
    above: dict[PullRequestRef, dict[PullRequestRef, PullRequest]] = {}
    for path in paths:
        for low, high in zip(path.levels, path.levels[1:], strict=False):
            above.setdefault(low.ref, {})[high.ref] = high
    seen = {pull.ref for path in paths for pull in path.levels}

    def walk(pull: PullRequest, depth: int) -> Iterator[tuple[int, PullRequest]]:
        yield depth, pull
        others = [child for child in list_children(pull, pulls) if child.ref not in seen]
        seen.update(child.ref for child in others)
        for child in [*above.get(pull.ref, {}).values(), *others]:
            if depth < MOST_DEEP:
                yield from walk(child, depth + 1)

    yield from walk(paths[0].levels[0], 0)


def _format_node(pull: PullRequest, marks: dict[int, str]) -> str:
    mark = marks.get(pull.ref.number, "")
    return f"{pull.ref.short} {_shorten(_label_branch(pull))} ({get_state_label(pull)}){f'  <- {mark}' if mark else ''}"


def _label_branch(pull: PullRequest) -> str:
    """Return the branch, or a label that contains a space, which branch names cannot contain."""
    return f"no branch: {pull.title}" if pull.head.branch.startswith("refs/") else pull.head.branch


def _shorten(text: str) -> str:
    return excerpt(text, SHOWN)


def _escape(text: str) -> str:
    """Replace special characters by Mermaid entities."""
    return "".join(char if char.isalnum() or char in "-_/. " else f"#{ord(char)};" for char in _shorten(text))


MOST_NAMED = 5
DOUBTS = {
    "earlier version": "older than a lower commit with the same author, time and message, but different content.",
    "taken out": "removed from the pull request below by a force push. If moved up, cherry-pick it after the rebase.",
}
"""What to check before the push, by why a commit is dropped."""


def list_considerations(case: StackCase, advice: RestackAdvice, pulls: Sequence[PullRequest]) -> tuple[str, ...]:
    """Return the facts to weigh before the rebase, the most important first.

    Args:
        case: The state of the stack.
        advice: What is rebased, and how.
        pulls: All known pull requests.
    """
    return (
        *_describe_base(case),
        *filter(None, (describe_ended_target(advice.target, pulls),)),
        *(_describe_merges(advice) if advice.merges else _count_commits(advice.moves[0], advice.choice)),
        *(() if advice.merges else _describe_moves(advice.moves)),
        *_list_left_behind(advice.moves, pulls),
    )


def _describe_base(case: StackCase) -> Iterator[str]:
    base, outcome = case.base, case.outcome
    if isinstance(outcome.method, str):
        yield f"{base.ref} was merged by {outcome.method} as {outcome.commit[:12]} (confidence: {outcome.confidence})."
    if outcome.lost:
        yield f"{base.ref} was merged, then reverted: {outcome.lost}. Pull requests above it may not work without it."
    if isinstance(outcome.merged, Unknown):
        yield f"{outcome.merged.reason[0].upper()}{outcome.merged.reason[1:]}."
    elif case.abandoned:
        yield f"{base.ref} was closed without a merge: the rebase drops its commits; to keep them, do not rebase."


def _count_commits(move: PullMove, choice: RebaseChoice) -> Iterator[str]:
    fork_point, pull = move.fork_point, move.pull.ref
    own = format_count(len(fork_point.own), "commit")
    yield f"{pull} has {own} of its own, and {fork_point.foreign} of others that its new base does not have."
    if choice.replayed != len(fork_point.own):
        replayed = format_count(choice.replayed, "commit")
        yield f"A plain rebase would replay {replayed} and stop {_format_times(choice.plain_stops)}."
    yield f"Replaying only its own commits stops {_format_times(choice.own_stops)}."
    if fork_point.confidence != "high":
        yield f"The first own commit has {fork_point.confidence} confidence: {fork_point.evidence}."
    if fork_point.foreign:
        yield "Merging instead of rebasing would keep the old commits in the pull request."


def _describe_merges(advice: RestackAdvice) -> Iterator[str]:
    """Yield what merging costs, beside a rebase."""
    yield "No force push: each branch keeps its commits and gets a merge commit, so branches of others only follow."
    for move in advice.moves:
        pull, merge = move.pull.ref, advice.find_merge(move)
        if merge is not None and merge.joined and move.fork_point.foreign:
            foreign = format_count(move.fork_point.foreign, "commit")
            yield f"{foreign} of others, whose changes {move.target.name} has, stay in the list of commits of {pull}."
        if kept := sum(one.why not in {"below", "merge"} for one in move.fork_point.dropped):
            yield f"{format_count(kept, 'commit')} of {pull} that a rebase would drop stay, with their changes."


def _describe_moves(moves: Sequence[PullMove]) -> Iterator[str]:
    for move in moves:
        yield from _list_doubts(move)
        if move.fork_point.merges:
            many = f"{format_count(move.fork_point.merges, 'merge commit')} of {move.pull.ref} not replayed"
            yield f"{many}: conflicts that were resolved there must be resolved again."
        if move.signed:
            many = f"{format_count(len(move.signed), 'own commit')} of {move.pull.ref}"
            yield f"{many} signed: the rebased commits are unsigned, or signed by the user who runs the steps."
        if empty := sum(step.outcome == "empty" for step in move.steps):
            yield f"{empty} of {move.pull.ref}'s own commits are already in the new base, and become empty."


def _list_doubts(move: PullMove) -> Iterator[str]:
    """Yield notes on commits of which only the author knows whether to keep them."""
    fork_point, pull = move.fork_point, move.pull.ref
    if fork_point.kept is not None:
        kept, below = fork_point.kept.sha[:12], fork_point.resembled[:12]
        yield (
            f"{kept} of {pull} has the author, time and message of {below} below, but different content: it is kept."
        )
    for why, text in DOUBTS.items():
        if names := [one.entry.sha[:12] for one in fork_point.dropped if one.why == why]:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"Dropped from {pull}: {', '.join(names[:MOST_NAMED])}{more}, {text}"


def _list_left_behind(moves: Sequence[PullMove], pulls: Sequence[PullRequest]) -> Iterator[str]:
    moved = {move.pull.ref for move in moves}
    for move in moves:
        for other in pulls:
            if other.state == "open" and other.ref not in moved and have_same_branch(other, move.pull):
                yield f"{other.ref} into {other.base.branch} has the branch of {move.pull.ref}: the push changes both."
        left = [child for child in list_children(move.pull, pulls) if child.ref not in moved]
        for child in left[:MOST_NAMED]:
            yield f"{child.ref} is stacked on {move.pull.ref} and is not rebased: call again with upstack=true."
        if (more := len(left) - MOST_NAMED) > 0:
            yield f"Not rebased either: {format_count(more, 'more pull request')} stacked on {move.pull.ref}."
        if move.pull.from_fork:
            yield f"{move.pull.ref} comes from a fork: only its author can push, or maintainers if the fork allows it."


def _format_times(count: Maybe[int]) -> str:
    if isinstance(count, Unknown):
        return f"an unknown number of times ({count.reason})"
    return {0: "0 times", 1: "at least once"}.get(count, f"at least {count} times")


MOST_FILES = 5
MOST_OWN = 15
MOST_DROPPED = 40
MOST_LEVELS = 24


def build_stack_info(survey: StackSurvey, paths: Sequence[StackPath]) -> StackInfo:
    """Return how the pull requests are related, with pictures."""
    marks = {survey.dependent.ref.number: "dependent_pr"} if survey.named else {}
    marks[survey.base.ref.number] = "base_pr"
    found = {pull.ref.number: (pull, path) for path in paths for pull in path.levels}
    levels = tuple(found.values())[-MOST_LEVELS:]
    pulls = survey.list_pulls()
    return StackInfo(
        base_branch=survey.base.head.branch,
        dependent_base=survey.dependent.base.branch,
        matches=is_stacked_on(survey.dependent, survey.base),
        visualization=draw_tree(paths, pulls, marks),
        mermaid=draw_mermaid(paths, pulls),
        levels=tuple(_create_level(pull, path, show_below=len(paths) > 1) for pull, path in levels),
    )


def build_change_summary(repository: GitRepository, news: NewCommits, moves: Sequence[PullMove]) -> ChangeSummary:
    """Return the new commits below, and the files in which own commits would conflict."""
    conflicts = dict.fromkeys(path for move in moves for step in move.steps for path in step.conflicts)
    return ChangeSummary(
        new_commits_in_base=news.total,
        commits=tuple(_create_commit_line(repository, entry) for entry in news.commits),
        files_changed=news.files[:MOST_FILES],
        files_total=len(news.files),
        potential_conflicts=tuple(conflicts),
    )


def list_own_commits(repository: GitRepository, moves: Iterable[PullMove]) -> tuple[OwnCommit, ...]:
    """Return own commits in replay order. If there are too many, those that need attention are kept."""
    rows = [_create_own_commit(repository, move, step) for move in moves for step in move.list_steps()]
    chosen = sorted(range(len(rows)), key=lambda at: (rows[at].predicted in (None, "clean"), at))[:MOST_OWN]
    return tuple(rows[at] for at in sorted(chosen))


def list_dropped_commits(
    repository: GitRepository, advice: RestackAdvice | None
) -> tuple[tuple[DroppedCommit, ...], int]:
    """Return the commits that are not replayed, those that need attention first, and their number."""
    moves = advice.moves if advice and not advice.merges else ()  # a merge drops nothing
    plain = moves[0] if advice and advice.choice.way == "regular" else None  # a plain rebase omits merge commits only
    rows = [
        _create_dropped(repository, move.pull, one)
        for move in moves
        for one in _list_not_replayed(move, plain=move is plain)
    ]
    order = ("earlier version", "taken out", "contained", "copy", "empty", "merge", "below")
    chosen = sorted(range(len(rows)), key=lambda at: (order.index(rows[at].why), at))[:MOST_DROPPED]
    return tuple(rows[at] for at in chosen), len(rows)


def list_predicted_merges(advice: RestackAdvice) -> tuple[PredictedMerge, ...] | None:
    """Return the predicted result of each merge; None if nothing is merged."""
    rows = ((move, advice.find_merge(move)) for move in advice.moves)
    found = [
        PredictedMerge(pr=str(move.pull.ref), predicted=merge.outcome, conflicting_files=merge.conflicts[:MOST_FILES])
        for move, merge in rows
        if merge is not None
    ]
    return tuple(found) or None


def _list_not_replayed(move: PullMove, *, plain: bool) -> list[DroppedEntry | CommitEntry]:
    left_out = [one for one in move.fork_point.dropped if one.why == "merge" or not plain]
    return [*left_out, *(step.entry for step in move.steps if step.outcome == "empty")]


def _create_dropped(repository: GitRepository, pull: PullRequest, one: DroppedEntry | CommitEntry) -> DroppedCommit:
    entry = one if isinstance(one, CommitEntry) else one.entry
    message, author = get_visible_text(repository, entry)
    return DroppedCommit(
        sha=entry.sha,
        pr=str(pull.ref),
        message=message,
        author=author,
        why="empty" if isinstance(one, CommitEntry) else one.why,
        of=None if isinstance(one, CommitEntry) else one.of or None,
    )


def build_merge_evidence(outcome: MergeOutcome) -> MergeEvidence:
    """Return what happened to the base, and how certain that is."""
    return MergeEvidence(
        method=outcome.method,
        commit=outcome.commit or None,
        confidence=outcome.confidence,
        evidence=outcome.evidence,
        lost=outcome.lost or None,
    )


def get_upstream(move: PullMove) -> Maybe[str]:
    """Return the last commit before the own ones; unknown without one."""
    return move.fork_point.upstream or Unknown(
        move.fork_point.evidence, "Pass the first own commit to git rebase explicitly."
    )


def _create_level(pull: PullRequest, path: StackPath, *, show_below: bool) -> StackLevel:
    below = path.list_below(pull)[-1:] if show_below else ()
    return StackLevel(
        pr=str(pull.ref),
        title=pull.title,
        state=get_state_label(pull),
        branch=pull.head.branch,
        base=pull.base.branch,
        stands_by=path.found.get(pull.ref.number),
        stands_on=str(below[0].ref) if below else None,
    )


def _create_commit_line(repository: GitRepository, entry: CommitEntry) -> CommitLine:
    message, author = get_visible_text(repository, entry)
    return CommitLine(sha=entry.sha, message=message, author=author, date=entry.at)


def _create_own_commit(repository: GitRepository, move: PullMove, step: ReplayStep) -> OwnCommit:
    message, author = get_visible_text(repository, step.entry)
    return OwnCommit(
        sha=step.entry.sha,
        pr=str(move.pull.ref),
        message=message,
        author=author,
        date=step.entry.at,
        files=step.files[:MOST_FILES],
        files_total=len(step.files) if step.outcome is not None else None,
        predicted=step.outcome,
        conflicting_files=step.conflicts[:MOST_FILES],
        signed=step.entry.sha in move.signed or None,
    )
