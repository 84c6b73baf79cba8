"""The parts of the answer, each from what was found."""

from collections.abc import Iterable, Sequence

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.git.commits import CommitEntry, get_visible_text
from stithy_pulls.git.repository import GitRepository
from stithy_pulls.stacks.case import RestackAdvice
from stithy_pulls.stacks.changes import NewCommits
from stithy_pulls.stacks.links import is_stacked_on
from stithy_pulls.stacks.merges import MergeOutcome
from stithy_pulls.stacks.path import StackPath
from stithy_pulls.stacks.picture import draw_mermaid, draw_tree, get_state_label
from stithy_pulls.stacks.plan import PullMove
from stithy_pulls.stacks.replay import ReplayStep
from stithy_pulls.stacks.results import (
    ChangeSummary,
    CommitLine,
    DroppedCommit,
    MergeEvidence,
    OwnCommit,
    StackInfo,
    StackLevel,
)
from stithy_pulls.stacks.survey import StackSurvey
from stithy_pulls.stacks.upstream import DroppedEntry

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


def list_dropped_commits(repository: GitRepository, advice: RestackAdvice | None) -> tuple[tuple[DroppedCommit, ...], int]:
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
