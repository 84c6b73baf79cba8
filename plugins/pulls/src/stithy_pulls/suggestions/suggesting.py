"""`get_review_suggestions`: from a pull request to what a reviewer should look at (PULL-70)."""

from stithy_core.spi import Context, Unknown
from stithy_pulls.asking import attempted
from stithy_pulls.code.touching import Code, candidates, contents, read_code
from stithy_pulls.diffs.ends import Ends
from stithy_pulls.diffs.reading import examined
from stithy_pulls.diffs.records import Diff
from stithy_pulls.documents.reading import quotes_about
from stithy_pulls.facts.gathering import facts_of
from stithy_pulls.git.repository import Repository
from stithy_pulls.offers import GetReviewSuggestions
from stithy_pulls.suggestions.composing import Study, composed
from stithy_pulls.suggestions.focusing import focus_of
from stithy_pulls.suggestions.mentions import mentions
from stithy_pulls.suggestions.results import ReviewSuggestions


async def suggest(ctx: Context, args: GetReviewSuggestions) -> ReviewSuggestions:
    """Gather what a reviewer needs."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await attempted(forge.changes.commits(pull.ref))

    async def read(repository: Repository, _: Ends, diff: Diff) -> Code:
        parsed = candidates(diff.changes)
        return await ctx.thread(read_code, parsed, await contents(repository, parsed))

    diff, code = await examined(ctx, forge, pull, read)
    messages = [] if isinstance(commits, Unknown) else [commit.message for commit in commits]
    study = Study(
        pull=pull,
        diff=diff,
        code=code,
        facts=await ctx.thread(facts_of, diff.changes, code),
        messages=(pull.title, *messages),
        unread_commits=commits.reason if isinstance(commits, Unknown) else commits.cut,
        mentions=await mentions(forge, pull, [pull.body, *messages]),
        quotes=await quotes_about(ctx, forge, pull, diff.paths),
        focus=focus_of(args.focus_areas),
        most=args.max_diff_lines if args.include_diff else None,
    )
    return await ctx.thread(composed, study)
