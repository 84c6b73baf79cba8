"""Which review threads still wait for an answer?"""

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from stithy_core.spi import Context, CursorArg, Maybe, Page, PullRequestArg, Threads, ToolSpec, hookimpl

STITHY_API = 0


@frozen
class Question:
    pr: PullRequestArg
    cursor: CursorArg = None


@frozen
class Waiting:
    id: str
    place: str
    resolved: Maybe[bool]


@frozen
class Answer:
    pr: str
    threads: Page[Waiting]

    def render(self) -> Iterator[str]:
        yield f"{self.threads.total} threads wait on {self.pr}"
        for thread in self.threads:
            yield f"- {thread.id} {thread.place}"


async def waiting(ctx: Context, args: Question) -> Answer:
    forge, pr = await ctx.pull_request(args.pr)
    threads = await forge.threads.of(pr)
    found = []
    for done, thread in enumerate(threads, 1):
        await ctx.progress(done, len(threads), thread.path)
        if thread.resolved is not True:
            found.append(Waiting(thread.id, f"{thread.path}:{thread.line}", thread.resolved))
    return Answer(str(pr), Page(found, key=lambda thread: thread.id))


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    return [
        ToolSpec(
            name="waiting_threads",
            title="Threads that wait",
            description="Unresolved review threads of a pull request.",
            input=Question,
            handler=waiting,
            needs=[Threads.of],
        )
    ]
