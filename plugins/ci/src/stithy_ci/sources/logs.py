"""The log of one job: read as it comes, parsed beside the event loop, up to a number of bytes."""

from collections.abc import AsyncIterator, Iterator, Sequence

from attrs import frozen

from ci_failures import ParserSet
from ci_failures.logs.log_reader import LogReader
from ci_failures.logs.parser_run import ParserResult
from ci_failures.source_reports import SourceReport
from stithy_ci.sources.hints import Tail
from stithy_ci.sources.steps import Exits
from stithy_core.spi import CommitCheck, Context, Forge, ForgeError, RepositoryRef, TooLarge, Unsupported

PORTION = 256 * 1024
"""Bytes that go to a thread at once."""


@frozen(kw_only=True)
class LogTold:
    """What the log of one job says.

    Args:
        reports: One for each tool that failed.
        hint: The last error, where no tool says more.
        unknown: Why the log does not say what failed; empty where it does.
        exits: The lines that say with what exit code a step failed.
        gap: Why it was not read, or not whole; empty where it was.
    """

    reports: tuple[SourceReport, ...] = ()
    hint: str = ""
    unknown: str = ""
    exits: Sequence[int] = ()
    gap: str = ""


async def read_log(
    ctx: Context, forge: Forge, repository: RepositoryRef, check: CommitCheck, *, parsers: ParserSet, most: int
) -> LogTold:
    """Read the log of a check's job.

    Args:
        ctx: The call, for its threads.
        forge: Where it is.
        repository: Likewise.
        check: Whose; its `job` names the log.
        parsers: What reads it.
        most: Bytes of it at most.
    """
    reader, tail, exits = LogReader(parsers.literals), Tail(), Exits()

    def take(chunk: bytes) -> None:
        reader.feed(chunk)
        tail.feed(chunk)
        exits.feed(chunk)

    gap = ""
    try:
        pieces = forge.checks.log(repository, check.job)
        async for chunk in _portions(pieces, most):
            await ctx.thread(take, chunk)
    except TooLarge:
        gap = f"only the first {most:,} bytes of the log were read"
    except (ForgeError, Unsupported) as error:
        gap = f"the log could not be read to its end: {error.message}"
    told = await ctx.thread(reader.finish)
    return LogTold(
        reports=tuple(_reports(told, check, gap)),
        hint=await ctx.thread(tail.hint),
        unknown="" if gap and not reader.outcome.lines else reader.outcome.unknown,
        exits=exits.finish(),
        gap=gap,
    )


async def _portions(pieces: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    """Put pieces together into portions, up to a number of bytes.

    Raises:
        TooLarge: There are more; what came before was given.
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


def _reports(told: list[ParserResult], check: CommitCheck, gap: str) -> Iterator[SourceReport]:
    for one in told:
        yield SourceReport(
            source="log",
            check=check.name,
            job=check.job,
            url=check.url,
            failures=one.failures,
            tool=one.parser.tool,
            counted=one.counted,
            gap=gap,
        )
