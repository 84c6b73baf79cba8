"""From what was found to the answer: what is shown of it, and what is said to be missing."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from stithy_core.spi import Commit, Listing, Maybe, PullRequest, Unknown
from stithy_pulls.diffs.records import PullDiff
from stithy_pulls.documents.reading import DocumentQuotes
from stithy_pulls.documents.rendering import format_quote_notes
from stithy_pulls.facts.records import Fact, score_risk
from stithy_pulls.impact.areas import AreaMap, group_areas
from stithy_pulls.impact.covering import CoveringTests, find_covering_tests
from stithy_pulls.impact.gathering import ImpactEvidence
from stithy_pulls.impact.results import ChangeAmount, ImpactAnalysis, TouchedSymbol
from stithy_pulls.impact.reviewers import ReviewerRanking
from stithy_pulls.impact.similar import SimilarPullRequest
from stithy_pulls.words import many

MOST_AREAS = 15
MOST_SYMBOLS = 60
MOST_TESTS = 30


@frozen(kw_only=True)
class ImpactStudy:
    """All that was found.

    Args:
        pull: The pull request.
        diff: What it changes.
        told: What else git told.
        commits: Its commits.
        ended: Earlier pull requests.
        facts: By path.
        where: How paths become areas.
        similar: Earlier ones that are like it.
        people: Who should review it.
        quotes: What the project's documents say of it.
    """

    pull: PullRequest
    diff: PullDiff
    told: Maybe[ImpactEvidence]
    commits: Maybe[Listing[Commit]]
    ended: Maybe[Listing[PullRequest]]
    facts: Mapping[str, Sequence[Fact]]
    where: AreaMap
    similar: tuple[SimilarPullRequest, ...]
    people: Maybe[ReviewerRanking]
    quotes: DocumentQuotes


def build_impact(study: ImpactStudy, *, detailed: bool) -> ImpactAnalysis:
    """Put the answer together."""
    risk = score_risk(fact for found in study.facts.values() for fact in found)
    owners = {} if isinstance(study.told, Unknown) else study.told.owned.files
    areas = group_areas(study.diff.changes, study.where, study.facts, owners)
    people = study.people
    return ImpactAnalysis(
        pr=str(study.pull.ref),
        found_by=study.diff.found_by,
        changes=_amount(study),
        risk_level=risk.level,
        risk_score=risk.score,
        risk_terms=risk.terms,
        impact_areas=tuple(areas[:MOST_AREAS]),
        suggested_reviewers=people if isinstance(people, Unknown) else people.reviewers,
        left_out=None if isinstance(people, Unknown) else people.left_out or None,
        similar_prs=study.ended if isinstance(study.ended, Unknown) else study.similar,
        documents=study.quotes.quotes or None,
        symbols=_symbols(study) if detailed else None,
        tests=_tests(study) if detailed else None,
        notes=tuple(_notes(study, len(areas), detailed=detailed)) or None,
    )


def _amount(study: ImpactStudy) -> ChangeAmount:
    """Count what was read; where the forge's list was cut, only the forge knows the sums."""
    pull, changes, commits = study.pull, study.diff.changes, study.commits
    whole = not study.diff.cut
    return ChangeAmount(
        files_changed=len(changes) if whole else pull.changed_files,
        additions=sum(change.additions for change in changes) if whole else pull.additions,
        deletions=sum(change.deletions for change in changes) if whole else pull.deletions,
        commits=commits if isinstance(commits, Unknown) else _count(commits),
    )


def _count(commits: Listing[Commit]) -> Maybe[int]:
    if commits.total is not None:
        return commits.total
    return Unknown(commits.cut) if commits.cut else len(commits)


def _symbols(study: ImpactStudy) -> Maybe[tuple[TouchedSymbol, ...]]:
    if isinstance(study.told, Unknown):
        return study.told
    ordered = sorted(study.told.code.touched, key=lambda one: (not one.breaks, not one.symbol.exposed))
    return tuple(
        TouchedSymbol(
            path=one.path,
            line=one.symbol.first,
            name=one.symbol.name,
            kind=one.symbol.kind,
            what=one.what,
            exposed=one.symbol.exposed,
        )
        for one in ordered[:MOST_SYMBOLS]
    )


def _tests(study: ImpactStudy) -> Maybe[tuple[CoveringTests, ...]]:
    if isinstance(study.told, Unknown):
        return study.told
    changed = [change.path for change in study.diff.changes if change.status != "deleted"]
    return tuple(find_covering_tests(changed, study.told.paths)[:MOST_TESTS])


def _notes(study: ImpactStudy, areas: int, *, detailed: bool) -> Iterator[str]:
    if study.pull.state != "open":
        yield "It is merged." if study.pull.merged else "It is closed."
    if not study.diff.changes:
        yield "It changes no file."
    if study.diff.cut:
        yield f"Only {len(study.diff.changes):,} files were read: {study.diff.cut}"
    yield from study.diff.notes
    if areas > MOST_AREAS:
        yield f"{areas - MOST_AREAS} areas of less risk are not shown; pull_request_read (get_files) lists all files."
    if not isinstance(study.told, Unknown):
        yield from _told_notes(study.told, detailed=detailed)
    yield from format_quote_notes(study.quotes)
    if not isinstance(study.people, Unknown) and study.people.unread_reviews:
        yield f"The reviews of {many(study.people.unread_reviews, 'earlier pull request')} could not be read."
    if not isinstance(study.ended, Unknown) and study.ended.cut:
        yield f"Similar pull requests were looked for among the last {len(study.ended)} that ended."


def _told_notes(told: ImpactEvidence, *, detailed: bool) -> Iterator[str]:
    owners = told.owned.owners
    if not owners.path:
        yield "There is no file of code owners."
    if told.owned.unread:
        yield f"Who owns {many(told.owned.unread, 'file')} was not looked up: {owners.path} takes too long."
    if lines := told.owned.timed_out_lines:
        named = ", ".join(map(str, lines[:5]))
        yield f"{owners.path}: {many(len(lines), 'pattern')} took too long, and count for nothing: line {named}."
    if owners.errors:
        wrong = "; ".join(owners.errors[:3])
        yield f"{owners.path}: {many(len(owners.errors), 'line')} of it count for nothing: {wrong}"
    if told.blame.unread:
        yield f"{many(told.blame.unread, 'changed file')} could not be blamed, or were too many for that."
    if told.code.unread:
        path, why = next(iter(told.code.unread.items()))
        yield f"The definitions of {many(len(told.code.unread), 'file')} were not read ({path}: {why})."
    if detailed and len(told.code.touched) > MOST_SYMBOLS:
        yield f"{len(told.code.touched) - MOST_SYMBOLS} more definitions are touched."
