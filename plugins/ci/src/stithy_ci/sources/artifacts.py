"""Result files in the artifacts of a run."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import accumulate
from operator import attrgetter
from typing import IO, BinaryIO, cast

from attrs import evolve

from ci_failures.model import Failure
from ci_failures.results.archives import read_archive
from ci_failures.results.tally import Results, UnreadableFile
from ci_failures.source_reports import SourceReport
from stithy_ci.ci_settings import MEGABYTE, CiSettings
from stithy_ci.sources.artifact_owners import FailedRun, RunReport, RunReports, is_old, list_candidate_jobs
from stithy_ci.sources.job_cache import get_token_cache
from stithy_core.spi import (
    Artifact,
    Context,
    Forge,
    ForgeError,
    RepositoryRef,
    TooLarge,
    Unknown,
    Unsupported,
    or_unknown,
)

MOST_ARCHIVES = 20
"""Archives of one run that are read at most."""
MOST_NAMED = 3
"""Archives that are named in a gap."""
IN_MEMORY = 4 * MEGABYTE


async def read_result_files(ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun) -> RunReports:
    """Read the result files of a run in archives whose names show them; a run without artifacts costs one request.

    Args:
        ctx: The call.
        forge: The forge of the repository.
        repository: The repository.
        of: The run.
    """
    settings = ctx.settings(CiSettings)
    if not settings.result_files or not settings.most_artifact_mb:
        return RunReports()
    try:
        listed = await _list_artifacts(ctx, forge, repository, of)
    except ForgeError as error:
        return RunReports(gaps=(f"the artifacts of the run {of.run.id} could not be listed: {error.message}",))
    if isinstance(listed, Unknown):  # this forge has no artifacts, or the token may not read them
        return RunReports()
    named = [one for one in listed if _is_named(one, settings)]
    chosen, gaps = choose_archives(named, of, settings)
    read = await _read_archives(ctx, forge, repository, of, chosen)
    unopened = tuple(one for one in listed if one not in named)
    return RunReports(found=read.found, gaps=(*gaps, *read.gaps), unopened=unopened)


async def search_archives(
    ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun, unopened: Sequence[Artifact]
) -> RunReports:
    """Search archives for result files by their content, since their names do not show them.

    On some forges all archives have the same name. The failures have medium confidence at most: such a file may be a
    sample, and not the result of a test.

    Args:
        ctx: The call.
        forge: The forge of the repository.
        repository: The repository.
        of: The run, with those of its failed jobs that no other source explains.
        unopened: The archives.
    """
    chosen, gaps = choose_unnamed_archives(unopened, of, ctx.settings(CiSettings))
    read = await _read_archives(ctx, forge, repository, of, chosen, named=False)
    return evolve(read, gaps=(*gaps, *read.gaps))


async def _read_archives(
    ctx: Context,
    forge: Forge,
    repository: RepositoryRef,
    of: FailedRun,
    chosen: Sequence[Artifact],
    *,
    named: bool = True,
) -> RunReports:
    found: list[RunReport] = []
    gaps: list[str] = []
    for one in chosen:
        try:
            results = await _read_archive(ctx, forge, repository, one)
        except (ForgeError, Unsupported, UnreadableFile) as error:
            gaps.append(f"artifact {one.name} could not be read: {error}")
            continue
        results = [result for result in results if named or result.form]  # others need not be result files
        checks = list_candidate_jobs(one, of)
        found += [RunReport(_create_report(result, of, named=named), checks) for result in results]
        gaps += [
            result.gap if result.name in result.gap else f"{result.name}: {result.gap}"
            for result in results
            if result.gap
        ]
    return RunReports(found=tuple(found), gaps=tuple(gaps))


async def _list_artifacts(
    ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun
) -> Sequence[Artifact] | Unknown:
    """List the artifacts of a run; those of an ended run are cached."""
    key, kept = (repository, "artifacts", of.run.id, of.settled), await get_token_cache(ctx, forge)
    if of.settled is not None and (before := kept.get(key)) is not None:
        return cast("Sequence[Artifact]", before)
    listed = await or_unknown(forge.checks.artifacts(repository, of.run.id))
    if of.settled is not None and not isinstance(listed, Unknown):
        kept.store(key, listed, 0)
    return listed


def choose_archives(
    listed: Sequence[Artifact], of: FailedRun, settings: CiSettings
) -> tuple[list[Artifact], list[str]]:
    """Return those of the archives with results that are to be read, and why the others are not."""
    chosen: list[Artifact] = []
    gaps: list[str] = []
    for one in listed:
        if is_old(one, of) or not list_candidate_jobs(one, of):
            continue
        if one.expired:
            gaps.append(f"artifact {one.name} has expired")
        elif one.size > settings.most_artifact_mb * MEGABYTE:
            gaps.append(f"artifact {one.name} has {one.size:,} bytes: more than {settings.most_artifact_mb} MB")
        elif len(chosen) == MOST_ARCHIVES:
            gaps.append(f"artifact {one.name} is beyond the {MOST_ARCHIVES} that are read of a run")
        else:
            chosen.append(one)
    return chosen, gaps


def choose_unnamed_archives(
    listed: Sequence[Artifact], of: FailedRun, settings: CiSettings
) -> tuple[list[Artifact], list[str]]:
    """Return the archives to search, the smallest first, and why others are not searched.

    All of a run have `most_unnamed_mb` megabytes together. One that has expired need not have had results.
    """
    if not settings.most_unnamed_mb:
        return [], []
    present = sorted((one for one in listed if not one.expired), key=attrgetter("size"))
    chosen, gaps = choose_archives(present, of, settings)
    most = settings.most_unnamed_mb * MEGABYTE
    count = sum(size <= most for size in accumulate(one.size for one in chosen))
    if left := [one.name for one in chosen[count:]]:
        more = f"more than {settings.most_unnamed_mb} MB together"
        gaps.append(f"artifacts that were not searched for result files, being {more}: {', '.join(left[:MOST_NAMED])}")
    return chosen[:count], gaps


def _is_named(one: Artifact, settings: CiSettings) -> bool:
    """Check whether an archive's name shows that it may contain result files."""
    return any(fnmatchcase(one.name.lower(), pattern.lower()) for pattern in settings.result_files)


def _create_report(result: Results, of: FailedRun, *, named: bool) -> SourceReport:
    """Create a report of the run; the logs may show its job."""
    failures = result.failures if named else tuple(map(_lower_confidence, result.failures))
    return SourceReport(
        source="artifact",
        origin=result.name,
        check=of.run.name,
        url=of.run.url,
        failures=failures,
        counted=result.counted,
        gap=result.gap,
    )


def _lower_confidence(failure: Failure) -> Failure:
    return evolve(failure, confidence="medium") if failure.confidence == "high" else failure


async def _read_archive(ctx: Context, forge: Forge, repository: RepositoryRef, one: Artifact) -> Sequence[Results]:
    """Read an archive; the result is cached, since archives do not change."""
    key, kept = (repository, "artifact", one.id, one.size), await get_token_cache(ctx, forge)
    if (before := kept.get(key)) is not None:
        return cast("Sequence[Results]", before)
    most = ctx.settings(CiSettings).most_artifact_mb * MEGABYTE
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as held:
        await _download(ctx, forge.checks.artifact(repository, one.id), held, most)
        results = await ctx.thread(lambda: list(read_archive(f"{one.name}.zip", cast("BinaryIO", held))))
    kept.store(key, results, sum(len(result.failures) for result in results))
    return results


async def _download(ctx: Context, pieces: AsyncIterator[bytes], held: IO[bytes], most: int) -> None:
    size = 0
    try:
        async for piece in pieces:
            size += len(piece)
            if size > most:
                raise TooLarge(f"it has more than {most:,} bytes")
            await ctx.thread(held.write, piece)
    finally:
        with suppress(AttributeError):
            await pieces.aclose()  # type: ignore[attr-defined]
    held.seek(0)
