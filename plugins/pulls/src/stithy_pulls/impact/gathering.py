"""All that git tells for an impact analysis."""

from collections.abc import Mapping, Sequence

from attrs import Factory, frozen

from stithy_core.spi import Context, Forge, PullRequest
from stithy_pulls.code.touching import Code, candidates, contents, read_code
from stithy_pulls.diffs.ends import Ends
from stithy_pulls.diffs.records import Diff
from stithy_pulls.git.fetching import branch_ref, fetch
from stithy_pulls.git.repository import Repository
from stithy_pulls.impact.activity import Activity, activity
from stithy_pulls.impact.blaming import Blame, blame
from stithy_pulls.impact.earlier import files_of_pulls
from stithy_pulls.owners.reading import read_owners
from stithy_pulls.owners.records import Owned, Owners, owned


@frozen(kw_only=True)
class Told:
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

    ends: Ends
    owned: Owned
    blame: Blame
    activity: Activity
    earlier: Mapping[int, frozenset[str]] = Factory(dict)
    paths: tuple[str, ...] = ()
    code: Code
    writers: frozenset[str] = frozenset()


@frozen
class Asked:
    """Whose impact it is: the call, the forge, the pull request, and those that ended before."""

    ctx: Context
    forge: Forge
    pull: PullRequest
    earlier: Sequence[PullRequest]


async def gather(asked: Asked, repository: Repository, ends: Ends, diff: Diff) -> Told:
    """Ask git for all of it.

    Args:
        asked: The question.
        repository: Which has both ends.
        ends: These.
        diff: What changed.
    """
    ctx = asked.ctx
    paths = [change.path for change in diff.changes]
    parsed = candidates(diff.changes)
    owners = await _owners(asked, repository, ends)
    return Told(
        ends=ends,
        owned=await ctx.thread(owned, owners, paths),
        blame=await blame(repository, diff.changes, ends.parted),
        activity=await activity(repository, ends.target, paths, asked.forge.now()),
        earlier=await files_of_pulls(ctx, repository, ends.target, asked.earlier),
        paths=tuple(await repository.lines("ls-tree", "-r", "-z", "--name-only", ends.head, what="list files")),
        code=await ctx.thread(read_code, parsed, await contents(repository, parsed)),
        writers=await _writers(repository, ends),
    )


async def _writers(repository: Repository, ends: Ends) -> frozenset[str]:
    words = ("log", "--no-merges", "--format=%ae", "-z", f"{ends.target}..{ends.head}")
    return frozenset(mail.lower() for mail in await repository.lines(*words, what="list commits"))


async def _owners(asked: Asked, repository: Repository, ends: Ends) -> Owners:
    """Read the code owners of the branch that the forge reads them of."""
    forge, pull = asked.forge, asked.pull
    file = await forge.owners_file()
    default = (await forge.changes.repository(pull.ref.repository)).default_branch if file.of_default else ""
    if default in ("", pull.base.branch):
        return await read_owners(repository, file, ends.target)
    ref = branch_ref(default)
    tips = (await fetch(asked.ctx, repository, [ref])).tips
    return await read_owners(repository, file, tips[ref]) if ref in tips else Owners()
