"""`analyze_pr_impact`: from a pull request to what it touches and who knows it (PULL-60)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from attrs import evolve

from stithy_core.spi import Commit, Context, Forge, Listing, Maybe, PullRequest, Review, Unknown, map_concurrently
from stithy_pulls.asking import attempted
from stithy_pulls.diffs.reading import read_diff
from stithy_pulls.documents.reading import find_quotes
from stithy_pulls.facts.gathering import collect_facts
from stithy_pulls.impact.accounts import find_accounts, map_accounts
from stithy_pulls.impact.areas import build_area_map
from stithy_pulls.impact.composing import ImpactStudy, build_impact
from stithy_pulls.impact.gathering import ImpactEvidence, ImpactRequest, gather_evidence
from stithy_pulls.impact.history import find_history_facts
from stithy_pulls.impact.people import collect_candidates
from stithy_pulls.impact.results import ImpactAnalysis
from stithy_pulls.impact.reviewers import RankingContext, ReviewerRanking, rank_reviewers
from stithy_pulls.impact.similar import find_similar
from stithy_pulls.offers import AnalyzePrImpact
from stithy_pulls.settings import PullsSettings

MOST_EARLIER = 100
MOST_REVIEWED = 10


async def analyze_impact(ctx: Context, args: AnalyzePrImpact) -> ImpactAnalysis:
    """Analyze a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await attempted(forge.changes.commits(pull.ref))
    ended = await attempted(forge.pull_requests.list(pull.ref.repository, state="closed", most=MOST_EARLIER))
    earlier = () if isinstance(ended, Unknown) else ended.items
    diff, told = await read_diff(ctx, forge, pull, partial(gather_evidence, ImpactRequest(ctx, forge, pull, earlier)))
    facts = await ctx.thread(collect_facts, diff.changes, told if isinstance(told, Unknown) else told.code)
    for fact in () if isinstance(told, Unknown) else find_history_facts(told):
        facts.setdefault(fact.path, []).append(fact)
    paths = [change.path for change in diff.changes]
    files = {} if isinstance(told, Unknown) else told.earlier
    study = ImpactStudy(
        pull=pull,
        diff=diff,
        told=told,
        commits=commits,
        ended=ended,
        facts=facts,
        where=build_area_map(ctx.settings(PullsSettings).areas, () if isinstance(told, Unknown) else told.paths),
        similar=tuple(find_similar(pull, paths, earlier, files)),
        quotes=await find_quotes(ctx, forge, pull, diff.paths),
        people=await _people(forge, pull, told, commits, [one for one in earlier if one.ref != pull.ref]),
    )
    return build_impact(study, detailed=args.depth == "detailed")


async def _people(
    forge: Forge,
    pull: PullRequest,
    told: Maybe[ImpactEvidence],
    commits: Maybe[Listing[Commit]],
    earlier: Sequence[PullRequest],
) -> Maybe[ReviewerRanking]:
    """Find who should review it; without git, nobody knows who owns or wrote anything."""
    if isinstance(told, Unknown):
        return told
    accounts = {} if isinstance(commits, Unknown) else map_accounts(commits)
    mails = sum(told.blame.lines.values(), Counter())
    wanted = [mail for mail, _ in mails.most_common()]
    accounts |= await find_accounts(forge, pull.ref.repository, told.activity, wanted)
    asked = await _reviews(forge, told, earlier, set(told.owned.files))
    reviews = {number: found for number, found in asked.items() if not isinstance(found, Unknown)}
    around = RankingContext(
        pull=pull,
        weights=told.blame.weights,
        now=forge.now(),
        unmapped=sum(mail not in accounts for mail in told.activity.authors),
    )
    people = collect_candidates(told, accounts, earlier, reviews)
    return evolve(rank_reviewers(people, around), unread_reviews=len(asked) - len(reviews))


async def _reviews(
    forge: Forge, told: ImpactEvidence, earlier: Iterable[PullRequest], paths: set[str]
) -> Mapping[int, Maybe[Listing[Review]]]:
    """Read the reviews of the newest pull requests that changed a file of these, by number."""
    alike = [pull for pull in earlier if told.earlier.get(pull.ref.number, frozenset()) & paths][:MOST_REVIEWED]
    found = await map_concurrently(alike, lambda pull: attempted(forge.reviews.list(pull.ref)))
    return {pull.ref.number: reviews for pull, reviews in zip(alike, found, strict=True)}
