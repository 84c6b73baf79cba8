"""The tool `analyze_pr_impact`: read the diff and its history, and build the result (PULL-60)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from stithy_core.spi import (
    Commit,
    Context,
    Forge,
    ForgeError,
    Listing,
    Maybe,
    PullRequest,
    RepositoryRef,
    Review,
    Unknown,
    Unsupported,
    User,
    excerpt,
    format_count,
    map_concurrently,
    or_unknown,
)
from stithy_pulls.diffs.diff_model import PullDiff
from stithy_pulls.diffs.pull_diff import read_diff
from stithy_pulls.documents.document_quotes import DocumentQuotes, find_quotes, format_quote_notes
from stithy_pulls.facts.fact_rules import collect_facts
from stithy_pulls.facts.risk_facts import Fact, score_risk
from stithy_pulls.facts.told_facts import is_told
from stithy_pulls.impact.branch_activity import BranchActivity, BranchAuthor
from stithy_pulls.impact.covering_tests import CoveringTests, find_covering_tests
from stithy_pulls.impact.impact_areas import AreaMap, build_area_map, group_areas
from stithy_pulls.impact.impact_evidence import ImpactEvidence, ImpactRequest, gather_evidence
from stithy_pulls.impact.impact_results import ChangeAmount, ImpactAnalysis, TouchedSymbol
from stithy_pulls.impact.reverted_files import find_revert_facts
from stithy_pulls.impact.reviewer_candidates import collect_candidates
from stithy_pulls.impact.reviewer_ranking import RankingContext, ReviewerRanking, rank_reviewers
from stithy_pulls.impact.similar_pulls import SimilarPullRequest, find_similar
from stithy_pulls.pulls_settings import PullsSettings
from stithy_pulls.tools import AnalyzePrImpact

FORGE_ERRORS = (ForgeError, Unsupported)
"""Errors of optional requests: the answer is then unknown in parts."""

MOST_COMPARED = 100
"""Commits of one comparison: one page."""
MOST_ASKED = 1
"""Authors outside of that page whose account is requested: reviewers cost six requests in all, with the list of closed
pull requests, this comparison and the reviews of `MOST_REVIEWED`."""


async def find_accounts(
    forge: Forge, repository: RepositoryRef, activity: BranchActivity, wanted: Iterable[str]
) -> Mapping[str, User]:
    """Find the accounts of mail addresses. Addresses without an account on the forge are omitted.

    The newest commits are requested at once, then one commit of each author who is still missing.

    Args:
        forge: The forge.
        repository: The repository with the commits.
        activity: The authors of the base branch.
        wanted: The addresses that matter most.
    """
    recent = activity.recent
    pairs = [(recent[min(MOST_COMPARED, len(recent) - 1)], recent[0])] if len(recent) > 1 else []
    found = await _compare_commits(forge, repository, pairs)
    busiest = sorted(activity.authors.values(), key=lambda author: -author.commits)
    order = [*(activity.authors[mail] for mail in wanted if mail in activity.authors), *busiest]
    missing = [author for author in dict.fromkeys(order) if author.mail not in found and author.parent]
    return found | await _compare_commits(
        forge, repository, [_get_last_range(author) for author in missing[:MOST_ASKED]]
    )


def map_accounts(commits: Iterable[Commit]) -> dict[str, User]:
    """Return the accounts of the commits' authors, by address."""
    return {commit.author_email.lower(): commit.author for commit in commits if commit.author is not None}


def _get_last_range(author: BranchAuthor) -> tuple[str, str]:
    return author.parent, author.sha


async def _compare_commits(
    forge: Forge, repository: RepositoryRef, pairs: Sequence[tuple[str, str]]
) -> dict[str, User]:
    compared = await map_concurrently(
        pairs, lambda pair: or_unknown(forge.changes.compare(repository, *pair), on=FORGE_ERRORS)
    )
    found: dict[str, User] = {}
    for one in compared:
        found |= {} if isinstance(one, Unknown) else map_accounts(one.commits)
    return found


MOST_AREAS = 15
MOST_SYMBOLS = 60
MOST_TESTS = 30


@frozen(kw_only=True)
class ImpactStudy:
    """All evidence for the result.

    Args:
        pull: The pull request.
        diff: Its diff.
        evidence: The evidence from git.
        commits: Its commits.
        ended: Earlier pull requests.
        facts: By path.
        where: The mapping from paths to areas.
        similar: Similar earlier pull requests.
        people: The suggested reviewers.
        quotes: Quotes of the project's documents.
    """

    pull: PullRequest
    diff: PullDiff
    evidence: Maybe[ImpactEvidence]
    commits: Maybe[Listing[Commit]]
    ended: Maybe[Listing[PullRequest]]
    facts: Mapping[str, Sequence[Fact]]
    where: AreaMap
    similar: tuple[SimilarPullRequest, ...]
    people: Maybe[ReviewerRanking]
    quotes: DocumentQuotes


def build_impact(study: ImpactStudy, *, detailed: bool) -> ImpactAnalysis:
    """Build the result."""
    risk = score_risk(fact for found in study.facts.values() for fact in found)
    owners = {} if isinstance(study.evidence, Unknown) else study.evidence.owned.files
    areas = group_areas(study.diff.changes, study.where, study.facts, owners)
    people = study.people
    return ImpactAnalysis(
        pr=str(study.pull.ref),
        found_by=study.diff.found_by,
        changes=_count_changes(study),
        risk_level=risk.level,
        risk_score=risk.score,
        risk_terms=risk.terms,
        impact_areas=tuple(areas[:MOST_AREAS]),
        suggested_reviewers=people if isinstance(people, Unknown) else people.reviewers,
        suggested_teams=None if isinstance(people, Unknown) else people.teams or None,
        left_out=None if isinstance(people, Unknown) else people.left_out or None,
        similar_prs=study.ended if isinstance(study.ended, Unknown) else study.similar,
        documents=study.quotes.quotes or None,
        symbols=_list_symbols(study) if detailed else None,
        tests=_list_tests(study) if detailed else None,
        notes=tuple(_list_notes(study, len(areas), detailed=detailed)) or None,
    )


def _count_changes(study: ImpactStudy) -> ChangeAmount:
    """Count the changes; if the forge's list was truncated, use the forge's own sums."""
    pull, changes, commits = study.pull, study.diff.changes, study.commits
    whole = not study.diff.cut
    return ChangeAmount(
        files_changed=len(changes) if whole else pull.changed_files,
        additions=sum(change.additions for change in changes) if whole else pull.additions,
        deletions=sum(change.deletions for change in changes) if whole else pull.deletions,
        commits=commits if isinstance(commits, Unknown) else _count_listed(commits),
    )


def _count_listed(commits: Listing[Commit]) -> Maybe[int]:
    if commits.total is not None:
        return commits.total
    return Unknown(commits.cut) if commits.cut else len(commits)


def _list_symbols(study: ImpactStudy) -> Maybe[tuple[TouchedSymbol, ...]]:
    if isinstance(study.evidence, Unknown):
        return study.evidence
    ordered = sorted(study.evidence.code.touched, key=lambda one: (not one.breaks, not one.symbol.exposed))
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


def _list_tests(study: ImpactStudy) -> Maybe[tuple[CoveringTests, ...]]:
    if isinstance(study.evidence, Unknown):
        return study.evidence
    changed = [change.path for change in study.diff.changes if change.status != "deleted"]
    return tuple(find_covering_tests(changed, study.evidence.paths)[:MOST_TESTS])


def _list_notes(study: ImpactStudy, areas: int, *, detailed: bool) -> Iterator[str]:
    if study.pull.state != "open":
        yield "The pull request is merged." if study.pull.merged else "The pull request is closed."
    if not study.diff.changes:
        yield "The pull request changes no file."
    if study.diff.cut:
        yield f"Only {len(study.diff.changes):,} files were read: {study.diff.cut}"
    yield from study.diff.notes
    if areas > MOST_AREAS:
        yield f"{areas - MOST_AREAS} areas of lower risk are omitted; pull_request_read (get_files) lists all files."
    if not isinstance(study.evidence, Unknown):
        yield from _list_evidence_notes(study.evidence, detailed=detailed)
    yield from format_quote_notes(study.quotes)
    if not isinstance(study.people, Unknown) and study.people.unsuggested:
        yield f"No reviewer is suggested: {study.people.unsuggested}."
    if not isinstance(study.people, Unknown) and study.people.unread_reviews:
        yield f"The reviews of {format_count(study.people.unread_reviews, 'earlier pull request')} could not be read."
    if not isinstance(study.ended, Unknown) and study.ended.cut:
        yield f"Similar pull requests were searched among the last {len(study.ended)} closed ones."


MOST_SECTIONS = 5


def _list_evidence_notes(evidence: ImpactEvidence, *, detailed: bool) -> Iterator[str]:
    owners = evidence.owned.owners
    if not owners.path:
        yield "The repository has no CODEOWNERS file."
    if sections := evidence.owned.sections:
        more = f" and {len(sections) - MOST_SECTIONS} more" if len(sections) > MOST_SECTIONS else ""
        named = ", ".join(excerpt(str(section), 60) for section in sections[:MOST_SECTIONS])
        yield f"{owners.path}: the changed files are in the sections {named}{more}."
    if evidence.owned.unread:
        unread = format_count(evidence.owned.unread, "file")
        yield f"The owners of {unread} are unknown: evaluating {owners.path} takes too long."
    if lines := evidence.owned.timed_out_lines:
        named = ", ".join(map(str, lines[:5]))
        yield f"{owners.path}: {format_count(len(lines), 'pattern')} timed out and are ignored: line {named}."
    if owners.errors:
        wrong = "; ".join(owners.errors[:3])
        yield f"{owners.path}: {format_count(len(owners.errors), 'invalid line')} ignored: {wrong}"
    if evidence.blame.unread:
        yield f"{format_count(evidence.blame.unread, 'changed file')} without blame: unreadable, or too many."
    if evidence.code.unread:
        path, why = next(iter(evidence.code.unread.items()))
        yield f"The definitions of {format_count(len(evidence.code.unread), 'file')} are unknown ({path}: {why})."
    if detailed and len(evidence.code.touched) > MOST_SYMBOLS:
        yield f"{len(evidence.code.touched) - MOST_SYMBOLS} more definitions are changed."


MOST_EARLIER = 100
MOST_REVIEWED = 3


async def analyze_impact(ctx: Context, args: AnalyzePrImpact) -> ImpactAnalysis:
    """Analyze the impact of a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await or_unknown(forge.changes.commits(pull.ref), on=FORGE_ERRORS)
    ended = await or_unknown(
        forge.pull_requests.list(pull.ref.repository, state="closed", most=MOST_EARLIER), on=FORGE_ERRORS
    )
    earlier = () if isinstance(ended, Unknown) else ended.items
    diff, evidence = await read_diff(
        ctx, forge, pull, partial(gather_evidence, ImpactRequest(ctx, forge, pull, earlier))
    )
    code, tree = (evidence, evidence) if isinstance(evidence, Unknown) else (evidence.code, evidence.paths)
    facts = await ctx.thread(collect_facts, diff.changes, code, tree)
    for fact in () if isinstance(evidence, Unknown) else find_revert_facts(diff.changes, evidence.history):
        if not is_told(fact, pull.title):
            facts.setdefault(fact.path, []).append(fact)
    paths = [change.path for change in diff.changes]
    files = {} if isinstance(evidence, Unknown) else evidence.earlier
    study = ImpactStudy(
        pull=pull,
        diff=diff,
        evidence=evidence,
        commits=commits,
        ended=ended,
        facts=facts,
        where=build_area_map(ctx.settings(PullsSettings).areas, () if isinstance(tree, Unknown) else tree),
        similar=tuple(find_similar(pull, paths, earlier, files)),
        quotes=await find_quotes(ctx, forge, pull, diff.paths),
        people=await _rank_people(forge, pull, evidence, commits, [one for one in earlier if one.ref != pull.ref]),
    )
    return build_impact(study, detailed=args.depth == "detailed")


async def _rank_people(
    forge: Forge,
    pull: PullRequest,
    evidence: Maybe[ImpactEvidence],
    commits: Maybe[Listing[Commit]],
    earlier: Sequence[PullRequest],
) -> Maybe[ReviewerRanking]:
    """Rank reviewers; unknown without git, which has owners and authors."""
    if isinstance(evidence, Unknown):
        return evidence
    accounts = {} if isinstance(commits, Unknown) else map_accounts(commits)
    mergers = Counter(decision.merger for decision in evidence.decisions if decision.merger)
    mails = mergers.most_common() + sum(evidence.blame.lines.values(), Counter()).most_common()
    wanted = [mail for mail, _ in mails]
    accounts |= await find_accounts(forge, pull.ref.repository, evidence.activity, wanted)
    reviews_by_number = await _read_reviews(forge, evidence, earlier, set(evidence.owned.files))
    reviews = {number: found for number, found in reviews_by_number.items() if not isinstance(found, Unknown)}
    around = RankingContext(
        pull=pull,
        weights=evidence.blame.weights,
        now=forge.now(),
        unmapped=sum(mail not in accounts for mail in evidence.activity.authors),
    )
    people = collect_candidates(evidence, accounts, earlier, reviews)
    return evolve(
        rank_reviewers(people, evidence.decisions, around), unread_reviews=len(reviews_by_number) - len(reviews)
    )


async def _read_reviews(
    forge: Forge, evidence: ImpactEvidence, earlier: Iterable[PullRequest], paths: set[str]
) -> Mapping[int, Maybe[Listing[Review]]]:
    """Return, by number, the reviews of the newest pull requests that changed one of these files."""
    alike = [pull for pull in earlier if evidence.earlier.get(pull.ref.number, frozenset()) & paths][:MOST_REVIEWED]
    found = await map_concurrently(alike, lambda pull: or_unknown(forge.reviews.list(pull.ref), on=FORGE_ERRORS))
    return {pull.ref.number: reviews for pull, reviews in zip(alike, found, strict=True)}
