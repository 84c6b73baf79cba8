"""Fetch refs and SHAs into the cache, all that is needed at once.

A forge moves `refs/pull/N/head` in the background after a push: for some seconds its API names a head that this ref
does not have yet (Forgejo 15 and 16, https://codeberg.org/forgejo/forgejo/src/branch/forgejo/services/pull/pull.go).
So the head of an open pull request is fetched by the commit that the API names, never by what the ref still has.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from urllib.parse import quote

import anyio
from attrs import Factory, frozen

from stithy_core.spi import Context, FileLock, PullRequest, hold_file_lock
from stithy_pulls.git.git_errors import GitError, StaleHead, create_git_error
from stithy_pulls.git.git_process import StderrListener
from stithy_pulls.git.git_repository import OID, GitRepository

LONGEST = 200
PROGRESS = re.compile(r"(Receiving objects|Resolving deltas|Counting objects): +(\d+)%")
NO_REF = re.compile(r"couldn't find remote ref (\S+)")
NO_SHA = re.compile(r"(?:not our ref|unadvertised object|Could not read) ([0-9a-f]{40,64})")
PAUSES = (0.0, 0.5, 1.0, 2.0, 3.0)
"""Seconds before each further request to a forge whose git does not have the commit of its API yet."""
SPARE = 5
"""Seconds of the call that waiting leaves for the work itself."""
UNFILTERED = "filtering not recognized by server"
OPTIONS = (
    *("--progress", "--force", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    *("--no-auto-maintenance", "--filter=blob:none", "--stdin"),
)


@frozen
class MissingRef:
    """Why something was not fetched.

    Args:
        reason: The reason, as a clause.
        stale: Whether the forge has the ref, but not yet with the commit that its API names.
    """

    reason: str
    stale: bool = False


ABSENT_REF, ABSENT_COMMIT = MissingRef("the forge has no such ref"), MissingRef("the forge does not serve this commit")


@frozen
class FetchResult:
    """The result of a fetch.

    Args:
        tips: The SHA of each requested name that exists; a requested SHA maps to itself.
        missing: Why the other names are missing.
    """

    tips: Mapping[str, str]
    missing: Mapping[str, MissingRef] = Factory(dict)


def branch_ref(name: str) -> str:
    """Return the ref of a branch on the forge."""
    return f"refs/heads/{name}"


def pull_ref(number: int) -> str:
    """Return the forge's ref of a pull request's head. It exists for forks and deleted branches, too."""
    return f"refs/pull/{number}/head"


def get_open_heads(pulls: Iterable[PullRequest]) -> dict[str, str]:
    """Return, by ref, the commit that the API names as head of each open pull request.

    A merged or closed pull request keeps its ref, while its branch may be reused.
    """
    found = {pull_ref(pull.ref.number): pull.head.commit for pull in pulls if pull.state == "open"}
    return {ref: sha for ref, sha in found.items() if OID.fullmatch(sha)}


def get_local_ref(name: str) -> str:
    """Return the ref under which a name is stored in the cache. Users see it in conflict markers, so it is short.

    It has no more levels than the kind, because a branch `a` and a branch `a/b` may follow each other.
    """
    if name.startswith("refs/heads/"):
        return f"refs/heads/base/{_flatten(name.removeprefix('refs/heads/'))}"
    if name.startswith("refs/pull/"):
        return f"refs/heads/pull/{name.split('/')[2]}"
    return f"refs/heads/commit/{name}"


def get_side_label(name: str) -> str:
    """Return the name of a side for git: a ref, which cannot be mistaken for an option."""
    return get_local_ref(name).removeprefix("refs/heads/")


def create_missing_head_error(pull: PullRequest, missing: Mapping[str, MissingRef]) -> GitError:
    """Return the error for a pull request whose head is missing."""
    why = missing.get(pull_ref(pull.ref.number), ABSENT_REF)
    text = f"git cannot fetch the head of {pull.ref}: {why.reason}"
    if why.stale:
        return StaleHead(text, suggestion="Try again in a minute: the forge is still processing a push.")
    return GitError(text, suggestion="Check that the repository exists and is not empty.")


async def fetch_refs(
    ctx: Context, repository: GitRepository, wanted: Iterable[str], heads: Mapping[str, str] | None = None
) -> FetchResult:
    """Fetch refs and SHAs into a cache, with progress; what the forge does not have is reported as missing.

    Args:
        ctx: The call.
        repository: The cache.
        wanted: Full names of refs, such as `refs/heads/main`, or SHAs.
        heads: The commit that must be fetched for a ref, as `get_open_heads` returns it. If the forge does not have it,
            the ref itself is fetched once it has that commit; a ref that still has another one in the end is missing.

    Raises:
        GitError: The forge could not be read.
    """
    sources = {name: (heads or {}).get(name, name) for name in wanted}
    fetched = await _fetch_locked(ctx, repository, sources)
    late = {name: sha for name, sha in sources.items() if sha != name and name in fetched.missing}
    for pause in PAUSES:
        if not late or ctx.remaining() < pause + SPARE:
            break
        await anyio.sleep(pause)
        fetched = await _fetch_late(ctx, repository, fetched, late)
        late = {name: sha for name, sha in late.items() if name in fetched.missing and fetched.missing[name].stale}
    return fetched


async def _fetch_late(
    ctx: Context, repository: GitRepository, before: FetchResult, late: Mapping[str, str]
) -> FetchResult:
    """Fetch the refs that have the expected commits by now, and report the commits of the others."""
    listed = await list_refs(repository, late)
    ready = {name: name for name, sha in late.items() if listed.get(name) == sha}
    fetched = await _fetch_locked(ctx, repository, ready)
    missing = {name: why for name, why in before.missing.items() if name not in late}
    for name, sha in late.items():
        if name not in listed:
            missing[name] = ABSENT_REF
        elif name not in fetched.tips:
            reason = f"the API names {sha[:10]} as the head, and git has {listed[name][:10]}"
            missing[name] = MissingRef(reason, stale=True)
    return FetchResult({**before.tips, **fetched.tips}, missing)


async def _fetch_locked(ctx: Context, repository: GitRepository, sources: Mapping[str, str]) -> FetchResult:
    async with hold_file_lock(repository.folder.with_suffix(".fetch"), FileLock.ALONE):
        return await _fetch(ctx, repository, sources)


async def _fetch(ctx: Context, repository: GitRepository, sources: Mapping[str, str]) -> FetchResult:
    """Fetch, and exclude missing refs until the rest succeeds: git names one missing ref at a time.

    Args:
        ctx: The call.
        repository: The cache.
        sources: What to fetch, a ref or a SHA, by the name under which it is stored.
    """
    if not sources:
        return FetchResult({}, {})
    left = dict(sources)
    tips, absent, is_new = await _fetch_first(ctx, repository, left)
    missing = dict[str, MissingRef]()
    while absent:
        left = {name: source for name, source in left.items() if source not in absent}
        missing |= absent
        absent = await _find_missing_refs(repository, left.values()) if len(left) > 1 else {}
        left = {name: source for name, source in left.items() if source not in absent}
        missing |= absent
        absent, is_new = await _fetch_once(ctx, repository, left) if left else ({}, False)
    tips = await repository.list_tips() if is_new else tips
    found = {name: tips[get_local_ref(name)] for name in left if get_local_ref(name) in tips}
    return FetchResult(found, {name: missing[source] for name, source in sources.items() if source in missing})


async def _fetch_first(
    ctx: Context, repository: GitRepository, sources: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, MissingRef], bool]:
    """Read the refs of the cache while git fetches for the first time.

    Returns:
        The SHAs by ref before the fetch, and the result of `_attempt`.
    """
    tips: dict[str, str] = {}

    async def read_tips() -> None:
        tips.update(await repository.list_tips())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(read_tips)
            absent, is_new = await _fetch_once(ctx, repository, sources)
    except BaseExceptionGroup as error:
        await repository.list_tips()  # raises DamagedCache if the cache itself is damaged, which takes precedence
        raise error.exceptions[0] from error
    return tips, absent, is_new


async def refetch_all_files(ctx: Context, repository: GitRepository, tips: Mapping[str, str]) -> None:
    """Fetch the commits again with all files, because the server does not support partial fetches.

    Args:
        ctx: The call.
        repository: The cache.
        tips: The commits, by the names under which they are stored.

    Raises:
        GitError: The fetch failed, too.
    """
    repository.lazy = False
    repository.notes.append("the server does not support partial fetches: all files were fetched")
    words = ("fetch", "--refetch", "--no-filter", *(word for word in OPTIONS if not word.startswith("--filter")))
    await repository.git(
        *words,
        "origin",
        stdin=_format_refspecs(tips),
        network=True,
        time_factor=10,
        on_stderr=_create_progress_listener(ctx),
    )


def _format_refspecs(sources: Mapping[str, str]) -> bytes:
    """Return the refspecs that git reads by `--stdin`."""
    lines = (f"+{source}:{get_local_ref(name)}\n" for name, source in sources.items())
    return "".join(lines).encode(errors="surrogateescape")


async def _fetch_once(
    ctx: Context, repository: GitRepository, sources: Mapping[str, str]
) -> tuple[Mapping[str, MissingRef], bool]:
    """Fetch once.

    Returns:
        The missing ref or commit, with which git fetched nothing; and whether any ref moved.
    """
    words, refspecs = ("fetch", *OPTIONS, "origin"), _format_refspecs(sources)
    output = await repository.git(
        *words,
        stdin=refspecs,
        network=True,
        allowed_codes=range(256),
        time_factor=10,
        on_stderr=_create_progress_listener(ctx),
    )
    if UNFILTERED in output.stderr:
        repository.notes.append("the server does not support partial clones: all files were fetched")
    if output.exit_code == 0:
        return {}, bool(output.stderr.strip())  # git prints each ref that it moves
    if found := NO_REF.search(output.stderr):
        return {found[1]: ABSENT_REF}, False
    if (found := NO_SHA.search(output.stderr)) and found[1] in sources.values():
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


def _create_progress_listener(ctx: Context) -> StderrListener:
    async def report(piece: str) -> None:
        for phase, percent in dict(PROGRESS.findall(piece)).items():  # a piece may contain several reports
            await ctx.progress(int(percent), 100, f"git: {phase.lower()}")

    return report


def _flatten(name: str) -> str:
    whole = quote(name.encode(errors="surrogateescape"), safe="!#$&'()+,;=@_-.{}|")
    digest = blake2b(whole.encode(), digest_size=8).hexdigest()
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}-{digest}"
