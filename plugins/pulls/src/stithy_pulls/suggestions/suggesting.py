"""`get_review_suggestions`: from a pull request to what a reviewer should look at (PULL-70)."""

from stithy_core.spi import Context, Unknown
from stithy_pulls.asking import attempted
from stithy_pulls.code.touching import TouchedCode, compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.ends import DiffRange
from stithy_pulls.diffs.reading import read_diff
from stithy_pulls.diffs.records import PullDiff
from stithy_pulls.documents.reading import find_quotes
from stithy_pulls.facts.gathering import collect_facts
from stithy_pulls.git.repository import GitRepository
from stithy_pulls.offers import GetReviewSuggestions
from stithy_pulls.suggestions.composing import ReviewStudy, build_suggestions
from stithy_pulls.suggestions.focusing import parse_focus
from stithy_pulls.suggestions.mentions import find_mentions
from stithy_pulls.suggestions.results import ReviewSuggestions


async def suggest_review(ctx: Context, args: GetReviewSuggestions) -> ReviewSuggestions:
    """Gather what a reviewer needs."""
    forge, ref = await ctx.pull_request(args.pr)
    pull = await forge.pull_requests.get(ref)
    commits = await attempted(forge.changes.commits(pull.ref))

    async def read(repository: GitRepository, _: DiffRange, diff: PullDiff) -> TouchedCode:
        parsed = select_parsable(diff.changes)
        return await ctx.thread(compare_definitions, parsed, await read_versions(repository, parsed))

    diff, code = await read_diff(ctx, forge, pull, read)
    messages = [] if isinstance(commits, Unknown) else [commit.message for commit in commits]
    study = ReviewStudy(
        pull=pull,
        diff=diff,
        code=code,
        facts=await ctx.thread(collect_facts, diff.changes, code),
        messages=(pull.title, *messages),
        unread_commits=commits.reason if isinstance(commits, Unknown) else commits.cut,
        mentions=await find_mentions(forge, pull, [pull.body, *messages]),
        quotes=await find_quotes(ctx, forge, pull, diff.paths),
        focus=parse_focus(args.focus_areas),
        most=args.max_diff_lines if args.include_diff else None,
    )
    return await ctx.thread(build_suggestions, study)
