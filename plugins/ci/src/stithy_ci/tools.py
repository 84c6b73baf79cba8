"""Name, arguments and description of the tool: all that the server loads of it at startup (PULL-10)."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Checks, CursorArg, Meta, PullRequestArg, PullRequests, ToolSpec


@frozen(kw_only=True)
class GetFailingTests:
    """The pull request, and whether to wait for its CI."""

    pr: PullRequestArg
    wait: Annotated[bool, Meta("Whether to wait until CI has ended, 30 minutes at most", preferable=True)] = False
    bail_on_first: Annotated[
        bool, Meta("Whether waiting ends with the first check that fails, or with the last one", preferable=True)
    ] = True
    compare_base: Annotated[bool, Meta("Whether to mark what fails on the base branch as well: pre_existing")] = False
    cursor: CursorArg = None


def tools() -> list[ToolSpec]:
    """Return the tool."""
    return [
        ToolSpec(
            name="get_failing_tests",
            title="What failed in CI",
            description="Return which tests failed in the CI of a pull request: one entry for each, with message, file"
            " and line, the URL of its log, its confidence, and a command that runs exactly these again. Also compile"
            " and lint errors, timeouts and lost runners. wait=true waits for the first failure, with"
            " bail_on_first=false for the end. It runs and changes nothing.",
            input=GetFailingTests,
            handler="stithy_ci.failing.failing_tests:get_failing_tests",
            needs=[PullRequests.get, Checks.list],  # logs, artifacts and annotations where the forge has them
            duration="long",
            error_prefix="Failed to get failing tests: ",
        )
    ]
