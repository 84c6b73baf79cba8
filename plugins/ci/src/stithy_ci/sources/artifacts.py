"""Result files in the artifacts of a run."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import IO, BinaryIO, cast

from attrs import frozen

from ci_failures.results.archives import read_archive
from ci_failures.results.tally import Results, UnreadableFile
from ci_failures.source_reports import SourceReport
from stithy_ci.ci_settings import MEGABYTE, CiSettings
from stithy_ci.sources.artifact_owners import FailedRun, is_old, list_candidate_jobs
from stithy_ci.sources.job_cache import get_token_cache
from stithy_core.spi import (
    Artifact,
    CommitCheck,
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
IN_MEMORY = 4 * MEGABYTE


@frozen
class FileReport:
    """The report of a result file, and the failed jobs that may have uploaded it."""

    report: SourceReport
    checks: Sequence[CommitCheck]


@frozen(kw_only=True)
class ResultFiles:
    """The reports of a run's result files, and what could not be read of them."""

    found: tuple[FileReport, ...] = ()
    gaps: tuple[str, ...] = ()


async def read_result_files(ctx: Context, forge: Forge, repository: RepositoryRef, of: FailedRun) -> ResultFiles:
    """Read the result files of a run; a run without artifacts costs one request.

    Args:
        ctx: The call.
        forge: The forge of the repository.
        repository: The repository.
        of: The run.
    """
    settings = ctx.settings(CiSettings)
    if not settings.result_files or not settings.most_artifact_mb:
        return ResultFiles()
    try:
        listed = await _list_artifacts(ctx, forge, repository, of)
    except ForgeError as error:
        return ResultFiles(gaps=(f"the artifacts of the run {of.run.id} could not be listed: {error.message}",))
    if isinstance(listed, Unknown):  # this forge has no artifacts, or the token may not read them
        return ResultFiles()
    chosen, gaps = choose_archives(listed, of, settings)
    found: list[FileReport] = []
    for one in chosen:
        try:
            results = await _read_archive(ctx, forge, repository, one)
        except (ForgeError, Unsupported, UnreadableFile) as error:
            gaps.append(f"artifact {one.name} could not be read: {error}")
            continue
        checks = list_candidate_jobs(one, of)
        found += [FileReport(_create_report(result, of), checks) for result in results]
        gaps += [
            result.gap if result.name in result.gap else f"{result.name}: {result.gap}"
            for result in results
            if result.gap
        ]
    return ResultFiles(found=tuple(found), gaps=tuple(gaps))


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
    """Return the archives to read, and why others that may contain results are not read."""
    chosen: list[Artifact] = []
    gaps: list[str] = []
    for one in listed:
        name = one.name.lower()
        named = any(fnmatchcase(name, pattern.lower()) for pattern in settings.result_files)
        if not named or is_old(one, of) or not list_candidate_jobs(one, of):
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


def _create_report(result: Results, of: FailedRun) -> SourceReport:
    """Create a report of the run; the logs may show its job."""
    return SourceReport(
        source="artifact",
        origin=result.name,
        check=of.run.name,
        url=of.run.url,
        failures=result.failures,
        counted=result.counted,
        gap=result.gap,
    )


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
