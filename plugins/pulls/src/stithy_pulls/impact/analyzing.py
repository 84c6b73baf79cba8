"""`analyze_pr_impact`: from a pull request to what it touches and who knows it (PULL-60)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from attrs import evolve

from stithy_core.spi import Commit, Context, Forge, Listing, Maybe, PullRequest, Review, Unknown, map_concurrently
from stithy_pulls.asking import attempted
from stithy_pulls.diffs.reading import examined
from stithy_pulls.documents.reading import quotes_about
from stithy_pulls.facts.gathering import facts_of
from stithy_pulls.impact.accounts import accounts_in, accounts_of
from stithy_pulls.impact.areas import map_of
from stithy_pulls.impact.composing import Study, composed
from stithy_pulls.impact.gathering import Asked, Told, gather
from stithy_pulls.impact.history import facts_of_history
from stithy_pulls.impact.people import people_of
from stithy_pulls.impact.results import Impact
from stithy_pulls.impact.reviewers import Circumstances, Suggested, suggested
from stithy_pulls.impact.similar import similar_to
from stithy_pulls.offers import AnalyzePrImpact
from stithy_pulls.settings import PullsSettings

MOST_EARLIER = 100
MOST_REVIEWED = 10


async def analyze(ctx: Context, args: AnalyzePrImpact) -> Impact:
    """Analyze a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await attempted(forge.changes.commits(pull.ref))
    ended = await attempted(forge.pull_requests.list(pull.ref.repository, state="closed", most=MOST_EARLIER))
    earlier = () if isinstance(ended, Unknown) else ended.items
    diff, told = await examined(ctx, forge, pull, partial(gather, Asked(ctx, forge, pull, earlier)))
    facts = await ctx.thread(facts_of, diff.changes, told if isinstance(told, Unknown) else told.code)
    for fact in () if isinstance(told, Unknown) else facts_of_history(told):
        facts.setdefault(fact.path, []).append(fact)
    paths = [change.path for change in diff.changes]
    files = {} if isinstance(told, Unknown) else told.earlier
    study = Study(
        pull=pull,
        diff=diff,
        told=told,
        commits=commits,
        ended=ended,
        facts=facts,
        where=map_of(ctx.settings(PullsSettings).areas, () if isinstance(told, Unknown) else told.paths),
        similar=tuple(similar_to(pull, paths, earlier, files)),
        quotes=await quotes_about(ctx, forge, pull, diff.paths),
        people=await _people(forge, pull, told, commits, [one for one in earlier if one.ref != pull.ref]),
    )
    return composed(study, detailed=args.depth == "detailed")


async def _people(
    forge: Forge,
    pull: PullRequest,
    told: Maybe[Told],
    commits: Maybe[Listing[Commit]],
    earlier: Sequence[PullRequest],
) -> Maybe[Suggested]:
    """Find who should review it; without git, nobody knows who owns or wrote anything."""
    if isinstance(told, Unknown):
        return told
    accounts = {} if isinstance(commits, Unknown) else accounts_in(commits)
    mails = sum(told.blame.lines.values(), Counter())
    wanted = [mail for mail, _ in mails.most_common()]
    accounts |= await accounts_of(forge, pull.ref.repository, told.activity, wanted)
    asked = await _reviews(forge, told, earlier, set(told.owned.files))
    reviews = {number: found for number, found in asked.items() if not isinstance(found, Unknown)}
    around = Circumstances(
        pull=pull,
        weights=told.blame.weights,
        now=forge.now(),
        unmapped=sum(mail not in accounts for mail in told.activity.authors),
    )
    people = people_of(told, accounts, earlier, reviews)
    return evolve(suggested(people, around), unread_reviews=len(asked) - len(reviews))


async def _reviews(
    forge: Forge, told: Told, earlier: Iterable[PullRequest], paths: set[str]
) -> Mapping[int, Maybe[Listing[Review]]]:
    """Read the reviews of the newest pull requests that changed a file of these, by number."""
    alike = [pull for pull in earlier if told.earlier.get(pull.ref.number, frozenset()) & paths][:MOST_REVIEWED]
    found = await map_concurrently(alike, lambda pull: attempted(forge.reviews.list(pull.ref)))
    return {pull.ref.number: reviews for pull, reviews in zip(alike, found, strict=True)}
