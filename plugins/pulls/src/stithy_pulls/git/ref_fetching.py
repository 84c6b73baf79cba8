"""Fetch refs and SHAs into the cache, all that is needed of a repository at once.

A forge moves its ref of a pull request in the background after a push: for some seconds its API names a head that this
ref does not have yet (Forgejo 15 and 16, https://codeberg.org/forgejo/forgejo/src/branch/forgejo/services/pull/pull.go).
So the head of an open pull request is fetched by the commit that the API names, never by what the ref still has.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import anyio
from attrs import Factory, evolve, frozen

from stithy_core.spi import (
    Context,
    FileLock,
    Maybe,
    RepositoryRef,
    StithyError,
    Unknown,
    hold_file_lock,
    map_concurrently,
)
from stithy_pulls.git.fetch_sources import ABSENT_COMMIT, ABSENT_REF, FetchSource, MissingRef
from stithy_pulls.git.git_errors import DamagedCache, GitError, HistoryNeeded, create_git_error
from stithy_pulls.git.git_process import StderrListener
from stithy_pulls.git.git_repository import GitRepository

PROGRESS = re.compile(
    r"(Receiving objects|Resolving deltas|Counting objects|Compressing objects): +(\d+)% \(\d+/(\d+)\)"
    r"(?:, ([\d.]+ [KMGi]*B|\d+ bytes))?"
)
NO_REF = re.compile(r"couldn't find remote ref (\S+)")
NO_SHA = re.compile(r"(?:not our ref|unadvertised object|Could not read) ([0-9a-f]{40,64})")
PAUSES = (0.0, 0.5, 1.0, 2.0, 3.0)
"""Seconds before each further request to a forge whose git does not have the commit of its API yet."""
SPARE = 5
"""Seconds of the call that waiting leaves for the work itself."""
DEEPEST = 10_000
DEPTHS = (100, 1_000, DEEPEST)
"""How many commits behind both sides of a merge are fetched, one after the other, until the merge base is proven."""
DEPTH_FILE = "stithy-depth"
"""Where a cache of the latest commits records the depth it was fetched with."""
UNSHALLOW = "does not support shallow"
MEGABYTE = 1_000_000
UNFILTERED = "filtering not recognized by server"
OPTIONS = (
    *("--progress", "--force", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    *("--no-auto-maintenance", "--stdin"),
)
PARTIAL, WHOLE = "--filter=blob:none", "--no-filter"
UNREAD = MissingRef("the time limit left no time to fetch from another repository", "Try again, or use a clone.")
PROCESSING = "Try again in a minute: the forge is still processing a push."


@frozen
class FetchResult:
    """The result of a fetch.

    Args:
        tips: The SHA of each source that was fetched, by label.
        missing: Why the other sources are missing, by label.
    """

    tips: dict[str, str] = Factory(dict)
    missing: dict[str, MissingRef] = Factory(dict)

    def merge(self, other: "FetchResult") -> "FetchResult":
        """Return both results; of a source that both have, the other one's."""
        tips = self.tips | other.tips
        missing = {label: why for label, why in (self.missing | other.missing).items() if label not in other.tips}
        return FetchResult(tips, missing)


FetchWork: TypeAlias = Callable[[GitRepository, Sequence[FetchSource]], Awaitable[FetchResult]]
"""Work on the sources of one repository, which is opened for it."""


async def fetch_refs(ctx: Context, repository: GitRepository, sources: Iterable[FetchSource]) -> FetchResult:
    """Fetch sources into a cache, with progress; what the forge does not have is reported as missing.

    If a commit is not served, the ref is fetched once it has that commit; a ref that still has another one in the end
    is missing. A commit that another repository no longer has may be in the cache's own, since it was merged.

    Args:
        ctx: The call.
        repository: The cache.
        sources: What to fetch.

    Raises:
        GitError: The cache's own repository could not be read. Others that cannot be read only lack their sources.
    """
    wanted = list({source.label: source for source in sources}.values())
    if repository.is_empty and repository.name is not None:
        await _announce(ctx, repository, repository.name)

    async def fetch(opened: GitRepository, group: Sequence[FetchSource]) -> FetchResult:
        fetched = await _fetch_locked(ctx, opened, {source.label: source.commit or source.ref for source in group})
        return FetchResult(fetched.tips, _explain_missing(group, fetched.missing))

    async def fetch_late(opened: GitRepository, group: Sequence[FetchSource]) -> FetchResult:
        return await _fetch_late(ctx, opened, group)

    fetched = await _fetch_by_repository(ctx, repository, wanted, fetch)
    late = [source for source in wanted if fetched.missing.get(source.label) is ABSENT_COMMIT and source.ref]
    for pause in PAUSES:
        if not late or ctx.remaining() < pause + SPARE:
            break
        await anyio.sleep(pause)
        fetched = fetched.merge(await _fetch_by_repository(ctx, repository, late, fetch_late))
        late = [source for source in late if source.label in fetched.missing and fetched.missing[source.label].stale]
    lost = [evolve(source, repository=None, ref="") for source in wanted if _is_lost(source, fetched)]
    merged = await _fetch_by_repository(ctx, repository, lost, fetch)
    return fetched.merge(FetchResult(merged.tips))


def _is_lost(source: FetchSource, fetched: FetchResult) -> bool:
    """Return whether another repository lacks a commit that the cache's own may have."""
    why = fetched.missing.get(source.label)
    return why is not None and not why.stale and source.repository is not None and source.commit != ""


async def _fetch_by_repository(
    ctx: Context, repository: GitRepository, sources: Iterable[FetchSource], work: FetchWork
) -> FetchResult:
    """Run work on the sources of each repository, the cache's own first, and merge the results."""
    groups: dict[RepositoryRef | None, list[FetchSource]] = {None: []}
    found = FetchResult()
    for source in sources:
        if source.ref or source.commit:
            groups.setdefault(source.repository, []).append(source)
        else:
            found.missing[source.label] = source.absent
    for place, group in groups.items():
        if place is not None and ctx.remaining() < SPARE:
            found = found.merge(FetchResult({}, {source.label: UNREAD for source in group}))
        elif group:
            found = found.merge(await _work_on_group(repository, place, group, work))
    return found


async def _work_on_group(
    repository: GitRepository, place: RepositoryRef | None, group: Sequence[FetchSource], work: FetchWork
) -> FetchResult:
    if place is None:
        return await work(repository, group)
    try:
        return await work(await repository.open_other(place), group)
    except DamagedCache:
        raise
    except GitError as error:
        reason = f"{place} cannot be read ({error.message}); this forge keeps no ref of the pull request"
        remedy = (
            f"{error.suggestion} If {place} was deleted, open a new pull request from a clone that has the commits."
        )
        return FetchResult({}, {source.label: MissingRef(reason, remedy) for source in group})


def _explain_missing(group: Sequence[FetchSource], missing: Mapping[str, MissingRef]) -> dict[str, MissingRef]:
    """Return why sources are missing: a missing ref is explained by its source, as is a commit without a ref."""
    sources = {source.label: source for source in group}
    return {
        label: sources[label].absent if why is ABSENT_REF or not sources[label].ref else why
        for label, why in missing.items()
    }


async def _fetch_late(ctx: Context, repository: GitRepository, group: Sequence[FetchSource]) -> FetchResult:
    """Fetch the refs that have the expected commits by now, and report the commits of the others."""
    listed = await list_refs(repository, [source.ref for source in group])
    ready = {source.label: source.ref for source in group if listed.get(source.ref) == source.commit}
    fetched = await _fetch_locked(ctx, repository, ready)
    missing = {}
    for source in group:
        if source.ref not in listed:
            missing[source.label] = source.absent
        elif source.label not in fetched.tips:
            reason = f"the API names {source.commit[:10]} as the head, and git has {listed[source.ref][:10]}"
            remedy = PROCESSING if source.is_moving else source.absent.remedy
            missing[source.label] = MissingRef(reason, remedy, stale=source.is_moving)
    return FetchResult(fetched.tips, missing)


async def _announce(ctx: Context, repository: GitRepository, name: RepositoryRef) -> None:
    """Report how much the first fetch may take, before it begins."""
    size: Maybe[int]
    try:
        size = (await repository.forge.changes.repository(name)).size
    except StithyError as error:
        size = Unknown(error.message)
    told = f"unknown ({size.reason})" if isinstance(size, Unknown) else f"{size / MEGABYTE:,.1f} MB"
    part = f"the latest {repository.depth} commits of each side" if repository.depth else "the whole history"
    await ctx.progress(0, 100, f"git: first fetch of {name}: {part}, without files; size on the forge: {told}")


def read_depth(repository: GitRepository) -> int:
    """Return the depth with which a cache of the latest commits was fetched; 0 for none."""
    file = repository.folder / DEPTH_FILE
    return int(file.read_text() or 0) if file.exists() else 0


def record_depth(repository: GitRepository) -> None:
    """Record the depth after everything was fetched with it, so that an interrupted fetch is repeated."""
    if repository.depth:
        (repository.folder / DEPTH_FILE).write_text(str(repository.depth))


async def _fetch_locked(ctx: Context, repository: GitRepository, wanted: Mapping[str, str]) -> FetchResult:
    async with hold_file_lock(repository.folder.with_suffix(".fetch"), FileLock.ALONE):
        if repository.depth and (tips := await _find_unmoved(repository, wanted)):
            return FetchResult(tips)
        return await _fetch(ctx, repository, wanted)


async def _find_unmoved(repository: GitRepository, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the SHAs by label if the cache has all that is wanted at its depth; else nothing.

    git sends a pack for each fetch with a depth, even if there is nothing new.
    """
    if read_depth(repository) < repository.depth:
        return {}
    refs = [source for source in wanted.values() if source.startswith("refs/")]
    questions: list[Callable[[], Awaitable[dict[str, str]]]] = [
        repository.list_tips,
        partial(list_refs, repository, refs),
    ]
    tips, listed = await map_concurrently(questions, lambda question: question())
    found = {label: tips.get(get_local_ref(label), "") for label in wanted}
    return found if all(found[label] == listed.get(source, source) for label, source in wanted.items()) else {}


async def _fetch(ctx: Context, repository: GitRepository, wanted: Mapping[str, str]) -> FetchResult:
    """Fetch, and exclude missing refs until the rest succeeds: git names one missing ref at a time.

    Args:
        ctx: The call.
        repository: The cache.
        wanted: What to fetch, a ref or a SHA, by label.
    """
    if not wanted:
        return FetchResult()
    left = dict(wanted)
    tips, absent, is_new = await _fetch_first(ctx, repository, left)
    missing = dict[str, MissingRef]()
    while absent:
        left = {label: source for label, source in left.items() if source not in absent}
        missing |= absent
        absent = await _find_missing_refs(repository, left.values()) if len(left) > 1 else {}
        left = {label: source for label, source in left.items() if source not in absent}
        missing |= absent
        absent, is_new = await _fetch_once(ctx, repository, left) if left else ({}, False)
    tips = await repository.list_tips() if is_new else tips
    found = {label: tips[get_local_ref(label)] for label in left if get_local_ref(label) in tips}
    return FetchResult(found, {label: missing[source] for label, source in wanted.items() if source in missing})


async def _fetch_first(
    ctx: Context, repository: GitRepository, wanted: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, MissingRef], bool]:
    """Read the refs of the cache while git fetches for the first time.

    Returns:
        The SHAs by ref before the fetch, and the result of `_fetch_once`.
    """
    tips: dict[str, str] = {}

    async def read_tips() -> None:
        tips.update(await repository.list_tips())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(read_tips)
            absent, is_new = await _fetch_once(ctx, repository, wanted)
    except BaseExceptionGroup as error:
        await repository.list_tips()  # raises DamagedCache if the cache itself is damaged, which takes precedence
        raise error.exceptions[0] from error
    return tips, absent, is_new


async def refetch_all_files(ctx: Context, repository: GitRepository, sources: Iterable[FetchSource]) -> None:
    """Fetch commits again with all files, because the server does not support partial fetches.

    Args:
        ctx: The call.
        repository: The cache.
        sources: The sources that were fetched, each with its commit.

    Raises:
        GitError: The fetch failed, too.
    """
    repository.lazy = False
    repository.notes.append("the server does not support partial fetches: all files were fetched")

    async def refetch(opened: GitRepository, group: Sequence[FetchSource]) -> FetchResult:
        await opened.git(
            *("fetch", "--refetch", WHOLE, *OPTIONS, "origin"),
            stdin=_format_refspecs({source.label: source.commit for source in group}),
            network=True,
            time_factor=10,
            on_stderr=_create_progress_listener(ctx),
        )
        return FetchResult()

    await _fetch_by_repository(ctx, repository, sources, refetch)


def get_local_ref(label: str) -> str:
    """Return the ref under which a source is stored in the cache."""
    return f"refs/heads/{label}"


def _format_refspecs(wanted: Mapping[str, str]) -> bytes:
    """Return the refspecs that git reads by `--stdin`."""
    lines = (f"+{source}:{get_local_ref(label)}\n" for label, source in wanted.items())
    return "".join(lines).encode(errors="surrogateescape")


async def _fetch_once(
    ctx: Context, repository: GitRepository, wanted: Mapping[str, str]
) -> tuple[Mapping[str, MissingRef], bool]:
    """Fetch once.

    Returns:
        The missing ref or commit, with which git fetched nothing; and whether any ref moved.
    """
    depth = [f"--depth={repository.depth}"] if repository.depth else []
    output = await repository.git(
        *("fetch", PARTIAL if repository.partial else WHOLE, *depth, *OPTIONS, "origin"),
        stdin=_format_refspecs(wanted),
        network=True,
        allowed_codes=range(256),
        time_factor=10,
        on_stderr=_create_progress_listener(ctx),
    )
    if UNFILTERED in output.stderr:
        repository.notes.append("the server does not support partial clones: all files were fetched")
    if repository.depth and UNSHALLOW in output.stderr:
        raise HistoryNeeded("the server does not support fetches of the latest commits alone: all history was fetched")
    if output.exit_code == 0:
        return {}, bool(output.stderr.strip())  # git prints each ref that it moves
    if found := NO_REF.search(output.stderr):
        return {found[1]: ABSENT_REF}, False
    if (found := NO_SHA.search(output.stderr)) and found[1] in wanted.values():
        return {found[1]: ABSENT_COMMIT}, False
    raise create_git_error("fetch", output.exit_code, output.stderr)


async def _find_missing_refs(repository: GitRepository, sources: Iterable[str]) -> Mapping[str, MissingRef]:
    """Return those of several refs that do not exist, after one was missing."""
    refs = [source for source in sources if source.startswith("refs/")]
    if not refs:
        return {}
    there = await list_refs(repository, refs)
    return {ref: ABSENT_REF for ref in refs if ref not in there}


async def list_refs(repository: GitRepository, refs: Iterable[str]) -> dict[str, str]:
    """Return the commit of each ref that the forge has.

    Raises:
        GitError: The forge could not be read.
    """
    output = await repository.git("ls-remote", "origin", *refs, network=True, what="list refs")
    rows = [line.partition("\t") for line in output.stdout.decode(errors="surrogateescape").splitlines()]
    return {ref: sha for sha, _, ref in rows}


async def read_remote_tip(repository: GitRepository, source: FetchSource) -> str:
    """Return the commit that the ref of a source has on the forge; empty if there is no such ref.

    Raises:
        GitError: The forge could not be read.
    """
    if not source.ref:
        return ""
    opened = await repository.open_other(source.repository) if source.repository else repository
    return (await list_refs(opened, [source.ref])).get(source.ref, "")


def _create_progress_listener(ctx: Context) -> StderrListener:
    async def report(piece: str) -> None:
        last = {found[0]: found for found in PROGRESS.findall(piece)}  # a piece may contain several reports
        for phase, percent, count, size in last.values():
            read = f", {size} of {int(count):,} objects" if size else ""
            await ctx.progress(int(percent), 100, f"git: {phase.lower()}{read}")

    return report
