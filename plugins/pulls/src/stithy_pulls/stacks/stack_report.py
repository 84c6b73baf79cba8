"""The parts of the answer, each from what was found."""

from collections.abc import Iterable, Iterator, Sequence

from stithy_core.spi import Maybe, PullRequest, Unknown, excerpt
from stithy_pulls.git.commit_log import CommitEntry, get_visible_text
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.phrases import format_count
from stithy_pulls.stacks.fork_point import DroppedEntry
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.move_plan import PullMove, describe_ended_target
from stithy_pulls.stacks.rebase_replay import ReplayStep
from stithy_pulls.stacks.rebase_strategy import RebaseChoice
from stithy_pulls.stacks.stack_case import NewCommits, RestackAdvice, StackCase
from stithy_pulls.stacks.stack_links import is_stacked_on, list_children
from stithy_pulls.stacks.stack_path import StackPath
from stithy_pulls.stacks.stack_results import (
    ChangeSummary,
    CommitLine,
    DroppedCommit,
    MergeEvidence,
    OwnCommit,
    StackInfo,
    StackLevel,
)
from stithy_pulls.stacks.stack_survey import StackSurvey

MOST_ROWS = 40
MOST_DEEP = 20
SHOWN = 60


def get_state_label(pull: PullRequest) -> str:
    """Give its state in a word."""
    return "merged" if pull.merged else pull.state


def draw_tree(path: StackPath, pulls: Sequence[PullRequest], marks: dict[int, str]) -> str:
    """Draw the stack as a tree below the branch it grows from, those that stand beside the way included.

    Args:
        path: From the bottom up.
        pulls: All that are known.
        marks: What to say of some of them, by number.
    """
    rows = [_name(path.levels[0].base.branch)]
    rows += [f"{'   ' * depth}└─ {_row(pull, marks)}" for depth, pull in _tree(path, pulls)]
    left = len(rows) - MOST_ROWS
    return "\n".join([*rows[:MOST_ROWS], f"… and {left} more"] if left > 0 else rows)


def draw_mermaid(path: StackPath, pulls: Sequence[PullRequest]) -> str:
    """Write the stack as a Mermaid graph; names are quoted, and what Mermaid would read in them is escaped."""
    rows = ["graph TD", f'  base["{_escaped(path.levels[0].base.branch)}"]']
    line = ["base"]
    for depth, pull in list(_tree(path, pulls))[: MOST_ROWS - 2]:
        node = f"p{pull.ref.number}"
        rows.append(
            f'  {line[depth]} --> {node}["#{pull.ref.number} {_escaped(_branch(pull))} ({get_state_label(pull)})"]'
        )
        line[depth + 1 :] = [node]
    return "\n".join(rows)


def _tree(path: StackPath, pulls: Sequence[PullRequest]) -> Iterator[tuple[int, PullRequest]]:
    """Walk over the way and all open ones beside and above it, each with its depth."""
    above = {low.ref: high for low, high in zip(path.levels, path.levels[1:], strict=False)}
    seen = {pull.ref for pull in path.levels}

    def walk(pull: PullRequest, depth: int) -> Iterator[tuple[int, PullRequest]]:
        yield depth, pull
        following = above.get(pull.ref)
        others = [child for child in list_children(pull, pulls) if child.ref not in seen]
        seen.update(child.ref for child in others)
        for child in [*([following] if following else []), *others]:
            if depth < MOST_DEEP:
                yield from walk(child, depth + 1)

    yield from walk(path.levels[0], 0)


def _row(pull: PullRequest, marks: dict[int, str]) -> str:
    mark = marks.get(pull.ref.number, "")
    return f"#{pull.ref.number} {_name(_branch(pull))} ({get_state_label(pull)}){f'  <- {mark}' if mark else ''}"


def _branch(pull: PullRequest) -> str:
    """Give its branch; no branch has a space in its name."""
    return "branch gone" if pull.head.branch.startswith("refs/") else pull.head.branch


def _name(text: str) -> str:
    return excerpt(text, SHOWN)


def _escaped(text: str) -> str:
    """Write each character that is no plain one as Mermaid's entity."""
    return "".join(char if char.isalnum() or char in "-_/. " else f"#{ord(char)};" for char in _name(text))


MOST_NAMED = 5
DOUBTS = {
    "earlier version": "older than a commit below with the same author, time and message, and with another content.",
    "taken out": "which a force push took out of the one below. If it moved up, cherry-pick it after the rebase.",
}
"""What to look at before the push, by why a commit is dropped."""


def list_considerations(case: StackCase, advice: RestackAdvice, pulls: Sequence[PullRequest]) -> tuple[str, ...]:
    """Give the facts, the most important first.

    Args:
        case: What became of the base.
        advice: What is moved, and how.
        pulls: All pull requests that are known.
    """
    return (
        *_base(case),
        *filter(None, (describe_ended_target(advice.target, pulls),)),
        *_counts(advice.moves[0], advice.choice),
        *_carried(advice.moves),
        *_around(advice.moves, pulls),
    )


def _base(case: StackCase) -> Iterator[str]:
    base, fate = case.base, case.outcome
    if isinstance(fate.method, str):
        yield f"{base.ref} was merged by {fate.method} as {fate.commit[:12]} (confidence: {fate.confidence})."
    if fate.lost:
        yield f"{base.ref} was merged, and taken back: {fate.lost}. What stands on it may not work without it."
    if isinstance(fate.merged, Unknown):
        yield f"{fate.merged.reason[0].upper()}{fate.merged.reason[1:]}."
    elif case.abandoned:
        yield f"{base.ref} was closed without a merge: moving drops its commits; keep them by staying where it is."


def _counts(move: PullMove, choice: RebaseChoice) -> Iterator[str]:
    border, pull = move.fork_point, move.pull.ref
    own = format_count(len(border.own), "commit")
    yield f"{pull} has {own} of its own, and {border.foreign} of others that its new base lacks."
    if choice.replayed != len(border.own):
        replayed = format_count(choice.replayed, "commit")
        yield f"A plain rebase would replay {replayed} and stop {_times(choice.plain_stops)}."
    yield f"Replaying its own alone stops {_times(choice.own_stops)}."
    if border.confidence != "high":
        yield f"Where its own commits begin is of {border.confidence} confidence: {border.evidence}."
    if border.foreign:
        yield "Merging instead of moving would keep the old commits in the pull request."


def _carried(moves: Sequence[PullMove]) -> Iterator[str]:
    for move in moves:
        yield from _doubtful(move)
        if move.fork_point.merges:
            many = f"{format_count(move.fork_point.merges, 'merge commit')} of {move.pull.ref} not replayed"
            yield f"{many}: what was resolved there has to be resolved again."
        if move.signed:
            many = f"{format_count(len(move.signed), 'own commit')} of {move.pull.ref}"
            yield f"{many} signed: the new ones have no signature, or that of whoever runs the steps."
        if empty := sum(step.outcome == "empty" for step in move.steps):
            yield f"{empty} of {move.pull.ref}'s own commits are in the new base already, and fall away."


def _doubtful(move: PullMove) -> Iterator[str]:
    """Name the commits of which only the author can say whether they are to be kept."""
    border, pull = move.fork_point, move.pull.ref
    if border.kept is not None:
        kept, below = border.kept.sha[:12], border.resembled[:12]
        yield (f"{kept} of {pull} has the author, time and message of {below} below, and another content: it is kept.")
    for why, text in DOUBTS.items():
        if names := [one.entry.sha[:12] for one in border.dropped if one.why == why]:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            yield f"Dropped from {pull}: {', '.join(names[:MOST_NAMED])}{more}, {text}"


def _around(moves: Sequence[PullMove], pulls: Sequence[PullRequest]) -> Iterator[str]:
    moved = {move.pull.ref for move in moves}
    for move in moves:
        left = [child for child in list_children(move.pull, pulls) if child.ref not in moved]
        for child in left[:MOST_NAMED]:
            yield f"{child.ref} stands on {move.pull.ref} and stays behind: call again with it as dependent_pr."
        if move.pull.from_fork:
            yield f"{move.pull.ref} comes from a fork: only its author pushes there, or who it lets edit."


def _times(count: Maybe[int]) -> str:
    if isinstance(count, Unknown):
        return f"an unknown number of times ({count.reason})"
    return {0: "nowhere", 1: "at least once"}.get(count, f"at least {count} times")


MOST_FILES = 5
MOST_OWN = 15
MOST_DROPPED = 40
MOST_LEVELS = 12


def build_stack_info(survey: StackSurvey, path: StackPath) -> StackInfo:
    """Tell how the two stand to each other, and draw them."""
    marks = {survey.base.ref.number: "base_pr", survey.dependent.ref.number: "dependent_pr"}
    pulls = survey.list_pulls()
    return StackInfo(
        base_branch=survey.base.head.branch,
        dependent_base=survey.dependent.base.branch,
        matches=is_stacked_on(survey.dependent, survey.base),
        visualization=draw_tree(path, pulls, marks),
        mermaid=draw_mermaid(path, pulls),
        levels=tuple(_level(pull, path) for pull in path.levels[-MOST_LEVELS:]),
    )


def build_change_summary(repository: GitRepository, news: NewCommits, moves: Sequence[PullMove]) -> ChangeSummary:
    """Tell what is new, and in which files the own commits would conflict."""
    conflicts = dict.fromkeys(path for move in moves for step in move.steps for path in step.conflicts)
    return ChangeSummary(
        new_commits_in_base=news.total,
        commits=tuple(_line(repository, entry) for entry in news.commits),
        files_changed=news.files[:MOST_FILES],
        files_total=len(news.files),
        potential_conflicts=tuple(conflicts),
    )


def list_own_commits(repository: GitRepository, moves: Iterable[PullMove]) -> tuple[OwnCommit, ...]:
    """List own commits in the order in which they are replayed; of many those where somebody must look come first."""
    rows = [_own(repository, move, step) for move in moves for step in move.list_steps()]
    chosen = sorted(range(len(rows)), key=lambda at: (rows[at].predicted in (None, "clean"), at))[:MOST_OWN]
    return tuple(rows[at] for at in sorted(chosen))


def list_dropped_commits(
    repository: GitRepository, advice: RestackAdvice | None
) -> tuple[tuple[DroppedCommit, ...], int]:
    """List the commits that are not replayed, and count them; the first rows are those that a person must look at."""
    moves = advice.moves if advice else ()
    plain = moves[0] if advice and advice.choice.way == "regular" else None  # which leaves out nothing but merges
    rows = [_dropped(repository, move.pull, one) for move in moves for one in _not_replayed(move, plain=move is plain)]
    order = ("earlier version", "taken out", "contained", "copy", "empty", "merge", "below")
    chosen = sorted(range(len(rows)), key=lambda at: (order.index(rows[at].why), at))[:MOST_DROPPED]
    return tuple(rows[at] for at in chosen), len(rows)


def _not_replayed(move: PullMove, *, plain: bool) -> list[DroppedEntry | CommitEntry]:
    left_out = [one for one in move.fork_point.dropped if one.why == "merge" or not plain]
    return [*left_out, *(step.entry for step in move.steps if step.outcome == "empty")]


def _dropped(repository: GitRepository, pull: PullRequest, one: DroppedEntry | CommitEntry) -> DroppedCommit:
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


def build_merge_evidence(fate: MergeOutcome) -> MergeEvidence:
    """Tell what became of the base, and how sure that is."""
    return MergeEvidence(
        method=fate.method,
        commit=fate.commit or None,
        confidence=fate.confidence,
        evidence=fate.evidence,
        lost=fate.lost or None,
    )


def get_upstream(move: PullMove) -> Maybe[str]:
    """Give the last commit before the own ones."""
    return move.fork_point.upstream or Unknown(move.fork_point.evidence, "Say where its own commits begin by hand.")


def _level(pull: PullRequest, path: StackPath) -> StackLevel:
    return StackLevel(
        pr=str(pull.ref),
        title=pull.title,
        state=get_state_label(pull),
        branch=pull.head.branch,
        base=pull.base.branch,
        stands_by=path.found.get(pull.ref.number),
    )


def _line(repository: GitRepository, entry: CommitEntry) -> CommitLine:
    message, author = get_visible_text(repository, entry)
    return CommitLine(sha=entry.sha, message=message, author=author, date=entry.at)


def _own(repository: GitRepository, move: PullMove, step: ReplayStep) -> OwnCommit:
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
