"""Fetching by refs and SHAs, all that is needed at once."""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from urllib.parse import quote

import anyio
from attrs import Factory, frozen

from stithy_core.spi import Context
from stithy_pulls.git.faults import failed
from stithy_pulls.git.locks import Lock, held
from stithy_pulls.git.repository import Repository
from stithy_pulls.git.running import Hear

LONGEST = 200
PROGRESS = re.compile(r"(Receiving objects|Resolving deltas|Counting objects): +(\d+)%")
NO_REF = re.compile(r"couldn't find remote ref (\S+)")
NO_SHA = re.compile(r"(?:not our ref|unadvertised object|Could not read) ([0-9a-f]{40,64})")
UNFILTERED = "filtering not recognized by server"
OPTIONS = (
    *("--progress", "--force", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    *("--no-auto-maintenance", "--filter=blob:none", "--stdin"),
)


@frozen
class Fetched:
    """What was fetched.

    Args:
        tips: The commit of each name that was asked for and is there; a SHA stands for itself.
        missing: Why the others are not.
    """

    tips: Mapping[str, str]
    missing: Mapping[str, str] = Factory(dict)


def branch_ref(name: str) -> str:
    """Give the ref of a branch on the forge."""
    return f"refs/heads/{name}"


def pull_ref(number: int) -> str:
    """Give the ref that a forge has for a pull request's head, also of a fork or where the branch is gone."""
    return f"refs/pull/{number}/head"


def kept_as(name: str) -> str:
    """Give the ref under which something is kept here: git shows it to people, so it is short.

    It has no more folders than the kind, since a branch `a` and one `a/b` may follow each other.
    """
    if name.startswith("refs/heads/"):
        return f"refs/heads/base/{_flat(name.removeprefix('refs/heads/'))}"
    if name.startswith("refs/pull/"):
        return f"refs/heads/pull/{name.split('/')[2]}"
    return f"refs/heads/commit/{name}"


def label_of(name: str) -> str:
    """Give the name under which git calls a side: a ref, which no option is."""
    return kept_as(name).removeprefix("refs/heads/")


async def fetch(ctx: Context, repository: Repository, wanted: Iterable[str]) -> Fetched:
    """Fetch refs and SHAs into a cache, with progress; what the forge does not have is named.

    Args:
        ctx: The call.
        repository: The cache.
        wanted: Whole names of refs, such as `refs/heads/main`, or SHAs.

    Raises:
        NoGit: The forge could not be read.
    """
    async with held(repository.folder.with_suffix(".fetch"), Lock.ALONE):
        return await _fetch(ctx, repository, list(dict.fromkeys(wanted)))


async def _fetch(ctx: Context, repository: Repository, names: list[str]) -> Fetched:
    """Fetch, and leave out what is missing until the rest is there: git names one at a time."""
    if not names:
        return Fetched({}, {})
    tips, absent, is_new = await _begun(ctx, repository, names)
    missing = dict[str, str]()
    while absent:
        missing |= absent
        left = [name for name in names if name not in missing]
        missing |= await _unknown(repository, left) if len(left) > 1 else {}
        names = [name for name in left if name not in missing]
        absent, is_new = await _attempt(ctx, repository, names) if names else ({}, False)
    tips = await repository.tips() if is_new else tips
    return Fetched({name: tips[kept_as(name)] for name in names if kept_as(name) in tips}, missing)


async def _begun(
    ctx: Context, repository: Repository, names: list[str]
) -> tuple[Mapping[str, str], Mapping[str, str], bool]:
    """Look at what is kept while git fetches for the first time; give it with what `_attempt` gives."""
    tips: dict[str, str] = {}

    async def look() -> None:
        tips.update(await repository.tips())

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(look)
            absent, is_new = await _attempt(ctx, repository, names)
    except BaseExceptionGroup as error:
        await repository.tips()  # where the cache itself is damaged, that is what counts
        raise error.exceptions[0] from error
    return tips, absent, is_new


async def fetch_whole(ctx: Context, repository: Repository, names: Iterable[str]) -> None:
    """Fetch again, all files with it, where the server gives no single objects.

    Raises:
        NoGit: That fails as well.
    """
    repository.lazy = False
    repository.notes.append("the server gives no single files: all files were fetched")
    given = "".join(f"+{name}:{kept_as(name)}\n" for name in names).encode(errors="surrogateescape")
    words = ("fetch", "--refetch", "--no-filter", *(word for word in OPTIONS if not word.startswith("--filter")))
    await repository.git(*words, "origin", given=given, network=True, times=10, hear=_reporter(ctx))


async def _attempt(ctx: Context, repository: Repository, names: list[str]) -> tuple[Mapping[str, str], bool]:
    """Fetch, and say what is absent, so that nothing was fetched, and whether anything is new."""
    given = "".join(f"+{name}:{kept_as(name)}\n" for name in names).encode(errors="surrogateescape")
    words = ("fetch", *OPTIONS, "origin")
    ran = await repository.git(*words, given=given, network=True, fine=range(256), times=10, hear=_reporter(ctx))
    if UNFILTERED in ran.said:
        repository.notes.append("the server makes no partial clones: all files were fetched")
    if ran.code == 0:
        return {}, bool(ran.said.strip())  # git tells of each ref that it moves
    if found := NO_REF.search(ran.said):
        return {found[1]: "the forge has no such ref"}, False
    if (found := NO_SHA.search(ran.said)) and found[1] in names:
        return {found[1]: "the forge does not give this commit"}, False
    raise failed("fetch", ran.code, ran.said)


async def _unknown(repository: Repository, names: list[str]) -> Mapping[str, str]:
    """Ask which of several refs there are, where one was missing."""
    refs = [name for name in names if name.startswith("refs/")]
    if not refs:
        return {}
    ran = await repository.git("ls-remote", "origin", *refs, network=True, what="list refs")
    there = {line.partition("\t")[2] for line in ran.out.decode(errors="surrogateescape").splitlines()}
    return {ref: "the forge has no such ref" for ref in refs if ref not in there}


def _reporter(ctx: Context) -> Hear:
    async def hear(piece: str) -> None:
        for phase, percent in dict(PROGRESS.findall(piece)).items():  # a piece may hold several
            await ctx.progress(int(percent), 100, f"git: {phase.lower()}")

    return hear


def _flat(name: str) -> str:
    whole = quote(name.encode(errors="surrogateescape"), safe="!#$&'()+,;=@_-.{}|")
    digest = blake2b(whole.encode(), digest_size=8).hexdigest()
    return whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}-{digest}"
