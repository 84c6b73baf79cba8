"""Name, arguments and description of the tool: all that the server loads of it at startup (PULL-10)."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Checks, CursorArg, Meta, PullRequestArg, PullRequests, ToolSpec


@frozen(kw_only=True)
class GetFailingTests:
    """The pull request, and whether to wait for its CI."""

    pr: PullRequestArg
    wait: Annotated[bool, Meta("Wait for CI, 30 minutes at most", preferable=True)] = False
    bail_on_first: Annotated[bool, Meta("Wait only for the first failed check", preferable=True)] = True
    compare_base: Annotated[bool, Meta("Mark what fails on the base branch, too")] = False
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the tool."""
    return [
        ToolSpec(
            name="get_failing_tests",
            title="What failed in CI",
            description="Return why the CI or the build of a pull request is red: failed tests, compile and lint"
            " errors, timeouts, lost runners, each with message, file, line, log and a command to run it again.",
            input=GetFailingTests,
            handler="stithy_ci.failing.failing_tests:get_failing_tests",
            likely_first=True,
            prepare="ci_failures.parsers:load_common",
            needs=[PullRequests.get, Checks.list],  # logs, artifacts and annotations where the forge has them
            duration="long",
            error_prefix="Failed to get failing tests: ",
            keywords=("CI failures", "why is the build red", "broken checks, pipeline, workflow logs"),
        )
    ]
