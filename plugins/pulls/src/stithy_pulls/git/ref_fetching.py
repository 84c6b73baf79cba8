"""Fetching by refs and SHAs, all that is needed at once.

A forge moves `refs/pull/N/head` in the background after a push: for some seconds its API names a head that this ref
does not have yet (Forgejo 15 and 16, https://codeberg.org/forgejo/forgejo/src/branch/forgejo/services/pull/pull.go).
So the head of an open pull request is fetched by the commit that the API names, and is never what the ref still has.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from urllib.parse import quote

import anyio
from attrs import Factory, frozen

from stithy_core.spi import Context, PullRequest
from stithy_pulls.git.git_errors import GitError, StaleHead, create_git_error
from stithy_pulls.git.git_process import StderrListener
from stithy_pulls.git.git_repository import OID, GitRepository
from stithy_pulls.git.locks import Lock, held

LONGEST = 200
PROGRESS = re.compile(r"(Receiving objects|Resolving deltas|Counting objects): +(\d+)%")
NO_REF = re.compile(r"couldn't find remote ref (\S+)")
NO_SHA = re.compile(r"(?:not our ref|unadvertised object|Could not read) ([0-9a-f]{40,64})")
PAUSES = (0.0, 0.5, 1.0, 2.0, 3.0)
"""Seconds before each further look at a forge whose git does not have the commit of its API yet."""
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
        reason: As a clause.
        stale: Whether the forge has the ref, but not yet with the commit that its API names.
    """

    reason: str
    stale: bool = False


ABSENT_REF, ABSENT_COMMIT = MissingRef("the forge has no such ref"), MissingRef("the forge does not give this commit")


@frozen
class FetchResult:
    """What was fetched.

    Args:
        tips: The commit of each name that was asked for and is there; a SHA stands for itself.
        missing: Why the others are not.
    """

    tips: Mapping[str, str]
    missing: Mapping[str, MissingRef] = Factory(dict)


def branch_ref(name: str) -> str:
    """Give the ref of a branch on the forge."""
    return f"refs/heads/{name}"


def pull_ref(number: int) -> str:
    """Give the ref that a forge has for a pull request's head, also of a fork or where the branch is gone."""
    return f"refs/pull/{number}/head"


def get_open_heads(pulls: Iterable[PullRequest]) -> dict[str, str]:
    """Return the commit that the API names as head, by ref, of each open pull request.

    One that is merged or closed keeps its ref, while its branch may be used for something else.
    """
    found = {pull_ref(pull.ref.number): pull.head.commit for pull in pulls if pull.state == "open"}
    return {ref: sha for ref, sha in found.items() if OID.fullmatch(sha)}


def get_local_ref(name: str) -> str:
    """Give the ref under which something is kept here: git shows it to people, so it is short.

    It has no more folders than the kind, since a branch `a` and one `a/b` may follow each other.
    """
    if name.startswith("refs/heads/"):
        return f"refs/heads/base/{_flat(name.removeprefix('refs/heads/'))}"
    if name.startswith("refs/pull/"):
        return f"refs/heads/pull/{name.split('/')[2]}"
    return f"refs/heads/commit/{name}"


def get_side_label(name: str) -> str:
    """Give the name under which git calls a side: a ref, which no option is."""
    return get_local_ref(name).removeprefix("refs/heads/")


def create_missing_head_error(pull: PullRequest, missing: Mapping[str, MissingRef]) -> GitError:
    """Return the error for a pull request whose head is missing."""
    why = missing.get(pull_ref(pull.ref.number), ABSENT_REF)
    text = f"git cannot fetch the head of {pull.ref}: {why.reason}"
    if why.stale:
        return StaleHead(text, suggestion="Ask again in a minute: the forge is still processing a push.")
    return GitError(text, suggestion="The repository may be empty, or it was deleted.")


async def fetch_refs(
    ctx: Context, repository: GitRepository, wanted: Iterable[str], heads: Mapping[str, str] | None = None
) -> FetchResult:
    """Fetch refs and SHAs into a cache, with progress; what the forge does not have is named.

    Args:
        ctx: The call.
        repository: The cache.
        wanted: Whole names of refs, such as `refs/heads/main`, or SHAs.
        heads: The commit that must be fetched for a ref, as `heads_of` returns it. Where the forge does not give it,
            the ref itself is fetched once it has that commit; one that still has another in the end is missing.

    Raises:
        NoGit: The forge could not be read.
    """
    sources = {name: (heads or {}).get(name, name) for name in wanted}
    fetched = await _fetch_alone(ctx, repository, sources)
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
    """Fetch the refs that have their commits by now, and name the commits that the others have."""
    listed = await list_refs(repository, late)
    ready = {name: name for name, sha in late.items() if listed.get(name) == sha}
    fetched = await _fetch_alone(ctx, repository, ready)
    missing = {name: why for name, why in before.missing.items() if name not in late}
    for name, sha in late.items():
        if name not in listed:
            missing[name] = ABSENT_REF
        elif name not in fetched.tips:
            reason = f"the API names {sha[:10]} as the head, and git has {listed[name][:10]}"
            missing[name] = MissingRef(reason, stale=True)
    return FetchResult({**before.tips, **fetched.tips}, missing)


async def _fetch_alone(ctx: Context, repository: GitRepository, sources: Mapping[str, str]) -> FetchResult:
    async with held(repository.folder.with_suffix(".fetch"), Lock.ALONE):
        return await _fetch(ctx, repository, sources)


async def _fetch(ctx: Context, repository: GitRepository, sources: Mapping[str, str]) -> FetchResult:
    """Fetch, and leave out what is missing until the rest is there: git names one at a time.

    Args:
        ctx: The call.
        repository: The cache.
        sources: What is asked for, by the name under which it is kept: a ref, or a SHA.
    """
    if not sources:
        return FetchResult({}, {})
    left = dict(sources)
    tips, absent, is_new = await _begun(ctx, repository, left)
    missing = dict[str, MissingRef]()
    while absent:
        left = {name: source for name, source in left.items() if source not in absent}
        missing |= absent
        absent = await _unknown(repository, left.values()) if len(left) > 1 else {}
        left = {name: source for name, source in left.items() if source not in absent}
        missing |= absent
        absent, is_new = await _attempt(ctx, repository, left) if left else ({}, False)
    tips = await repository.list_tips() if is_new else tips
    found = {name: tips[get_local_ref(name)] for name in left if get_local_ref(name) in tips}
    return FetchResult(found, {name: missing[source] for name, source in sources.items() if source in missing})


async def _begun(
    ctx: Context, repository: GitRepository, sources: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, MissingRef], bool]:
    """Look at what is kept while git fetches for the first time; give it with what `_attempt` gives."""
    tips: dict[str, str] = {}

    async def look() -> None:
        tips.update(await repository.list_tips())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(look)
            absent, is_new = await _attempt(ctx, repository, sources)
    except BaseExceptionGroup as error:
        await repository.list_tips()  # where the cache itself is damaged, that is what counts
        raise error.exceptions[0] from error
    return tips, absent, is_new


async def refetch_all_files(ctx: Context, repository: GitRepository, tips: Mapping[str, str]) -> None:
    """Fetch again, all files with it, where the server gives no single objects.

    Args:
        ctx: The call.
        repository: The cache.
        tips: The commits, by the names under which they are kept.

    Raises:
        NoGit: That fails as well.
    """
    repository.lazy = False
    repository.notes.append("the server gives no single files: all files were fetched")
    words = ("fetch", "--refetch", "--no-filter", *(word for word in OPTIONS if not word.startswith("--filter")))
    await repository.git(*words, "origin", given=_refspecs(tips), network=True, times=10, hear=_reporter(ctx))


def _refspecs(sources: Mapping[str, str]) -> bytes:
    """Write what git reads by `--stdin`: where each comes from, and as what it is kept."""
    lines = (f"+{source}:{get_local_ref(name)}\n" for name, source in sources.items())
    return "".join(lines).encode(errors="surrogateescape")


async def _attempt(
    ctx: Context, repository: GitRepository, sources: Mapping[str, str]
) -> tuple[Mapping[str, MissingRef], bool]:
    """Fetch, and say what is absent, so that nothing was fetched, and whether anything is new."""
    words, given = ("fetch", *OPTIONS, "origin"), _refspecs(sources)
    ran = await repository.git(*words, given=given, network=True, fine=range(256), times=10, hear=_reporter(ctx))
    if UNFILTERED in ran.said:
        repository.notes.append("the server makes no partial clones: all files were fetched")
    if ran.code == 0:
        return {}, bool(ran.said.strip())  # git tells of each ref that it moves
    if found := NO_REF.search(ran.said):
        return {found[1]: ABSENT_REF}, False
    if (found := NO_SHA.search(ran.said)) and found[1] in sources.values():
        return {found[1]: ABSENT_COMMIT}, False
    raise create_git_error("fetch", ran.code, ran.said)


async def _unknown(repository: GitRepository, sources: Iterable[str]) -> Mapping[str, MissingRef]:
    """Ask which of several refs there are, where one was missing."""
    refs = [source for source in sources if source.startswith("refs/")]
    if not refs:
        return {}
    there = await list_refs(repository, refs)
    return {ref: ABSENT_REF for ref in refs if ref not in there}


async def list_refs(repository: GitRepository, refs: Iterable[str]) -> dict[str, str]:
    """Return the commit of each ref that the forge has.

    Raises:
        NoGit: The forge could not be read.
    """
    ran = await repository.git("ls-remote", "origin", *refs, network=True, what="list refs")
    rows = [line.partition("\t") for line in ran.out.decode(errors="surrogateescape").splitlines()]
    return {ref: sha for sha, _, ref in rows}


def _reporter(ctx: Context) -> StderrListener:
    async def hear(piece: str) -> None:
        for phase, percent in dict(PROGRESS.findall(piece)).items():  # a piece may hold several
            await ctx.progress(int(percent), 100, f"git: {phase.lower()}")

    return hear


def _flat(name: str) -> str:
    whole = quote(name.encode(errors="surrogateescape"), safe="!#$&'()+,;=@_-.{}|")
    digest = blake2b(whole.encode(), digest_size=8).hexdigest()
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}-{digest}"
