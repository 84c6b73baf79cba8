"""The log of one job: read as it arrives, parsed in a thread, up to a number of bytes."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial

from attrs import frozen

from ci_failures import Failure, ParserSet
from ci_failures.logs.log_reader import LogReader
from ci_failures.logs.parser_run import ParserResult
from ci_failures.source_reports import SourceReport
from stithy_ci.sources.failed_step import Exits
from stithy_ci.sources.log_tail import Tail
from stithy_core.spi import CommitCheck, Context, Forge, ForgeError, RepositoryRef, TooLarge, Unsupported

PORTION = 256 * 1024
"""Bytes that are parsed at once."""


@frozen(kw_only=True)
class JobLog:
    """What the log of one job shows.

    Args:
        reports: One report for each tool that failed.
        hint: The last error, if no tool reports more.
        unknown: Why the log does not show what failed; empty if it does.
        missed: The totals of tools that count failures of which none was read, where failures of other tools were.
        cuts: What was left out of it at a bound, a sentence each.
        first_error: The error of the only step that failed, if no known tool tells what failed.
        exits: The numbers of lines with the exit code of a step.
        gap: Why it was not read, or not completely; empty if it was.
    """

    reports: tuple[SourceReport, ...] = ()
    hint: str = ""
    unknown: str = ""
    missed: Sequence[str] = ()
    cuts: Sequence[str] = ()
    first_error: Failure | None = None
    exits: Sequence[int] = ()
    gap: str = ""


async def read_log(
    ctx: Context, forge: Forge, repository: RepositoryRef, check: CommitCheck, *, parsers: ParserSet, most: int
) -> JobLog:
    """Read the log of a check's job.

    Args:
        ctx: The call, for its threads.
        forge: The forge of the repository.
        repository: The repository.
        check: The check; its `job` names the log.
        parsers: The parsers.
        most: Bytes that are read at most.
    """
    reader, tail, exits = LogReader(parsers.literals), Tail(), Exits()

    def take(chunk: bytes) -> None:
        reader.feed(chunk)
        tail.feed(chunk)
        exits.feed(chunk)

    gap = await _read_pieces(
        partial(forge.checks.log, repository, check.job), lambda chunk: ctx.thread(take, chunk), most
    )
    results = await ctx.thread(reader.finish)
    hints = tuple(reader.outcome.hints)
    is_only = len(hints) == 1 and not any(one.failures for one in results)
    return JobLog(
        reports=tuple(_create_reports(results, () if is_only else hints, check, gap)),
        hint=await ctx.thread(tail.hint),
        unknown="" if gap and not reader.outcome.lines else reader.outcome.unknown,
        missed=reader.outcome.missed,
        cuts=reader.outcome.cuts,
        first_error=hints[0] if is_only else None,
        exits=exits.finish(),
        gap=gap,
    )


async def _read_pieces(
    log: Callable[[], AsyncIterator[bytes]], take: Callable[[bytes], Awaitable[None]], most: int
) -> str:
    """Pass a log on in portions, and return why not all of it was read; empty if it was."""
    try:
        async for chunk in _join_pieces(log(), most):
            await take(chunk)
    except TooLarge:
        return f"only the first {most:,} bytes of the log were read"
    except (ForgeError, Unsupported) as error:
        return f"the log could not be read to its end: {error.message}"
    return ""


async def _join_pieces(pieces: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    """Join pieces to portions, up to a number of bytes.

    Raises:
        TooLarge: There are more; the bytes before were yielded.
    """
    held, size = bytearray(), 0
    try:
        async for piece in pieces:
            held += piece[: most - size]
            size += len(piece)
            if len(held) >= PORTION or size > most:
                portion, held = bytes(held), bytearray()
                yield portion
            if size > most:
                raise TooLarge(f"there are more than {most:,} bytes")
    except ForgeError:
        if held:
            yield bytes(held)
        raise
    finally:
        if close := getattr(pieces, "aclose", None):
            await close()
    if held:
        yield bytes(held)


def _create_reports(
    results: list[ParserResult], hints: tuple[Failure, ...], check: CommitCheck, gap: str
) -> Iterator[SourceReport]:
    """Yield a report for each tool, and one for the steps that failed without a failure of their own."""
    report = partial(SourceReport, source="log", check=check.name, job=check.job, url=check.url)
    for one in results:
        yield report(failures=one.failures, tool=one.parser.tool, counted=one.counted, gap=gap)
    if hints:
        yield report(failures=hints, tool=hints[0].tool)
