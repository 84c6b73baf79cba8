"""Counts lines of files, and comments of pull requests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from attrs import frozen
from stithy_core.spi import Comments, Context, InvalidArguments, Meta, PullRequestArg, ToolSpec, Worker, hookimpl

STITHY_API = 0


@frozen
class Folder:
    path: Annotated[str, Meta("A folder on the server's machine", min_length=1, message="path must not be empty")]
    suffix: Annotated[str, Meta("Only files whose names end so", examples=(".py",))] = ""


@frozen
class Lines:
    files: int
    lines: int

    def render(self) -> Iterator[str]:
        yield f"{self.lines} lines in {self.files} files"


def count(worker: Worker, args: Folder) -> Lines:
    root = Path(args.path).expanduser()
    if not root.is_dir():
        raise InvalidArguments(f"{root} is no folder", suggestion="Give the path of a folder.")
    paths = sorted(path for path in root.rglob(f"*{args.suffix}") if path.is_file())
    lines = 0
    for done, path in enumerate(paths, 1):
        worker.progress(done, len(paths), path.name)
        lines += path.read_bytes().count(b"\n")
    return Lines(len(paths), lines)


@frozen
class PullRequestList:
    prs: Annotated[list[PullRequestArg], Meta("Which pull requests", min_length=1, max_length=50)]


@frozen
class Talk:
    pr: str
    comments: int


@frozen
class Talks:
    complete: bool
    talks: tuple[Talk, ...]

    def render(self) -> Iterator[str]:
        if not self.complete:
            yield "Not complete: the count goes on. Call again with the same arguments."
        for talk in self.talks:
            yield f"- {talk.pr}: {talk.comments} comments"


async def survey(ctx: Context, args: PullRequestList) -> Talks:
    async def ask(talks: list[Talk]) -> bool:
        for text in args.prs:
            forge, pr = await ctx.pull_request(text)
            talks.append(Talk(str(pr), len(await forge.comments.of(pr))))
        return True

    begun: list[Talk] = []
    job = ctx.job(" ".join(args.prs), ask, begun)
    ended = await job.within(ctx.remaining() - 1)
    return Talks(ended is not None, tuple(job.so_far))


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    return [
        ToolSpec(
            name="lines",
            title="Lines",
            description="Counts the lines of a folder's files.",
            input=Folder,
            handler=count,
            duration="slow",
        ),
        ToolSpec(
            name="talks",
            title="Comments of many pull requests",
            description="How many comments each of many pull requests has.",
            input=PullRequestList,
            handler=survey,
            needs=[Comments.of],
            duration="slow",
        ),
    ]
