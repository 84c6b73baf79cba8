"""All that git tells for an impact analysis."""

from collections.abc import Mapping, Sequence

from attrs import Factory, frozen

from stithy_core.spi import Context, Forge, PullRequest
from stithy_pulls.code.touching import TouchedCode, compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.ends import DiffRange
from stithy_pulls.diffs.records import PullDiff
from stithy_pulls.git.fetching import branch_ref, fetch_refs
from stithy_pulls.git.repository import GitRepository
from stithy_pulls.impact.activity import BranchActivity, read_activity
from stithy_pulls.impact.blaming import BlameResult, blame_files
from stithy_pulls.impact.earlier import list_files_of_pulls
from stithy_pulls.owners.reading import read_code_owners
from stithy_pulls.owners.records import CodeOwners, FileOwnership, resolve_ownership


@frozen(kw_only=True)
class ImpactEvidence:
    """What git told.

    Args:
        ends: Between which commits.
        owned: Who owns the files.
        blame: Who wrote the touched lines.
        activity: Who commits, and where.
        earlier: By number, the files that earlier pull requests changed.
        paths: All files of the head.
        code: The definitions that are touched.
        writers: The mail addresses of whoever wrote a commit of it.
    """

    ends: DiffRange
    owned: FileOwnership
    blame: BlameResult
    activity: BranchActivity
    earlier: Mapping[int, frozenset[str]] = Factory(dict)
    paths: tuple[str, ...] = ()
    code: TouchedCode
    writers: frozenset[str] = frozenset()


@frozen
class ImpactRequest:
    """Whose impact it is: the call, the forge, the pull request, and those that ended before."""

    ctx: Context
    forge: Forge
    pull: PullRequest
    earlier: Sequence[PullRequest]


async def gather_evidence(asked: ImpactRequest, repository: GitRepository, ends: DiffRange, diff: PullDiff) -> ImpactEvidence:
    """Ask git for all of it.

    Args:
        asked: The question.
        repository: Which has both ends.
        ends: These.
        diff: What changed.
    """
    ctx = asked.ctx
    paths = [change.path for change in diff.changes]
    parsed = select_parsable(diff.changes)
    owners = await _owners(asked, repository, ends)
    return ImpactEvidence(
        ends=ends,
        owned=await ctx.thread(resolve_ownership, owners, paths),
        blame=await blame_files(repository, diff.changes, ends.merge_base),
        activity=await read_activity(repository, ends.target, paths, asked.forge.now()),
        earlier=await list_files_of_pulls(ctx, repository, ends.target, asked.earlier),
        paths=tuple(await repository.run_lines("ls-tree", "-r", "-z", "--name-only", ends.head, what="list files")),
        code=await ctx.thread(compare_definitions, parsed, await read_versions(repository, parsed)),
        writers=await _writers(repository, ends),
    )


async def _writers(repository: GitRepository, ends: DiffRange) -> frozenset[str]:
    words = ("log", "--no-merges", "--format=%ae", "-z", f"{ends.target}..{ends.head}")
    return frozenset(mail.lower() for mail in await repository.run_lines(*words, what="list commits"))


async def _owners(asked: ImpactRequest, repository: GitRepository, ends: DiffRange) -> CodeOwners:
    """Read the code owners of the branch that the forge reads them of."""
    forge, pull = asked.forge, asked.pull
    file = await forge.owners_file()
    default = (await forge.changes.repository(pull.ref.repository)).default_branch if file.of_default else ""
    if default in ("", pull.base.branch):
        return await read_code_owners(repository, file, ends.target)
    ref = branch_ref(default)
    tips = (await fetch_refs(asked.ctx, repository, [ref])).tips
    return await read_code_owners(repository, file, tips[ref]) if ref in tips else CodeOwners()
