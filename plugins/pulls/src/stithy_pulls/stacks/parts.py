"""The parts of the answer, each from what was found."""

from collections.abc import Iterable, Sequence

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.git.commits import Entry, shown
from stithy_pulls.git.repository import Repository
from stithy_pulls.stacks.case import Advice
from stithy_pulls.stacks.changes import News
from stithy_pulls.stacks.links import stands_on
from stithy_pulls.stacks.merges import Fate
from stithy_pulls.stacks.path import Path
from stithy_pulls.stacks.picture import drawn, mermaid, state_of
from stithy_pulls.stacks.plan import Move
from stithy_pulls.stacks.replay import Step
from stithy_pulls.stacks.results import (
    ChangeSummary,
    CommitLine,
    DroppedCommit,
    Level,
    MergeEvidence,
    OwnCommit,
    StackInfo,
)
from stithy_pulls.stacks.survey import Survey
from stithy_pulls.stacks.upstream import Dropped

MOST_FILES = 5
MOST_OWN = 15
MOST_DROPPED = 40
MOST_LEVELS = 12


def stack_info(survey: Survey, path: Path) -> StackInfo:
    """Tell how the two stand to each other, and draw them."""
    marks = {survey.base.ref.number: "base_pr", survey.dependent.ref.number: "dependent_pr"}
    pulls = survey.all()
    return StackInfo(
        base_branch=survey.base.head.branch,
        dependent_base=survey.dependent.base.branch,
        matches=stands_on(survey.dependent, survey.base),
        visualization=drawn(path, pulls, marks),
        mermaid=mermaid(path, pulls),
        levels=tuple(_level(pull, path) for pull in path.levels[-MOST_LEVELS:]),
    )


def change_summary(repository: Repository, news: News, moves: Sequence[Move]) -> ChangeSummary:
    """Tell what is new, and in which files the own commits would conflict."""
    conflicts = dict.fromkeys(path for move in moves for step in move.steps for path in step.conflicts)
    return ChangeSummary(
        new_commits_in_base=news.total,
        commits=tuple(_line(repository, entry) for entry in news.commits),
        files_changed=news.files[:MOST_FILES],
        files_total=len(news.files),
        potential_conflicts=tuple(conflicts),
    )


def own_commits(repository: Repository, moves: Iterable[Move]) -> tuple[OwnCommit, ...]:
    """List own commits in the order in which they are replayed; of many those where somebody must look come first."""
    rows = [_own(repository, move, step) for move in moves for step in move.all_steps()]
    chosen = sorted(range(len(rows)), key=lambda at: (rows[at].predicted in (None, "clean"), at))[:MOST_OWN]
    return tuple(rows[at] for at in sorted(chosen))


def dropped_commits(repository: Repository, advice: Advice | None) -> tuple[tuple[DroppedCommit, ...], int]:
    """List the commits that are not replayed, and count them; the first rows are those that a person must look at."""
    moves = advice.moves if advice else ()
    plain = moves[0] if advice and advice.choice.way == "regular" else None  # which leaves out nothing but merges
    rows = [_dropped(repository, move.pull, one) for move in moves for one in _not_replayed(move, plain=move is plain)]
    order = ("earlier version", "taken out", "contained", "copy", "empty", "merge", "below")
    chosen = sorted(range(len(rows)), key=lambda at: (order.index(rows[at].why), at))[:MOST_DROPPED]
    return tuple(rows[at] for at in chosen), len(rows)


def _not_replayed(move: Move, *, plain: bool) -> list[Dropped | Entry]:
    left_out = [one for one in move.border.dropped if one.why == "merge" or not plain]
    return [*left_out, *(step.entry for step in move.steps if step.outcome == "empty")]


def _dropped(repository: Repository, pull: PullRequest, one: Dropped | Entry) -> DroppedCommit:
    entry = one if isinstance(one, Entry) else one.entry
    message, author = shown(repository, entry)
    return DroppedCommit(
        sha=entry.sha,
        pr=str(pull.ref),
        message=message,
        author=author,
        why="empty" if isinstance(one, Entry) else one.why,
        of=None if isinstance(one, Entry) else one.of or None,
    )


def merge_evidence(fate: Fate) -> MergeEvidence:
    """Tell what became of the base, and how sure that is."""
    return MergeEvidence(
        method=fate.method,
        commit=fate.commit or None,
        confidence=fate.confidence,
        evidence=fate.evidence,
        lost=fate.lost or None,
    )


def upstream_of(move: Move) -> Maybe[str]:
    """Give the last commit before the own ones."""
    return move.border.upstream or Unknown(move.border.evidence, "Say where its own commits begin by hand.")


def _level(pull: PullRequest, path: Path) -> Level:
    return Level(
        pr=str(pull.ref),
        title=pull.title,
        state=state_of(pull),
        branch=pull.head.branch,
        base=pull.base.branch,
        stands_by=path.found.get(pull.ref.number),
    )


def _line(repository: Repository, entry: Entry) -> CommitLine:
    message, author = shown(repository, entry)
    return CommitLine(sha=entry.sha, message=message, author=author, date=entry.at)


def _own(repository: Repository, move: Move, step: Step) -> OwnCommit:
    message, author = shown(repository, step.entry)
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
