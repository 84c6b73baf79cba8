"""A pull request at a glance: a report in one file, a page in hosts of MCP Apps, and pages over HTTP."""

from stithy_core.spi import Command, Resources, Route, View, hookimpl

STITHY_API = 1

PAGE_URI = "ui://stithy/pull-request"
PAGE_SECONDS = 120.0
"""The time limit of a page over HTTP: a fetch of a large repository takes longer than other requests."""
SHOWN = (
    "check_merge_readiness",
    "detect_merge_conflicts",
    "find_unresolved_comments",
    "get_failing_tests",
    "get_review_suggestions",
)
"""The tools whose answers open the page. It also calls `pr_list`, whose answer is not about one pull request."""


@hookimpl
def stithy_commands() -> list[Command]:
    """Provide `stithy report` and `stithy status`."""
    report = "Write the report of a pull request: one HTML file."
    status = "Show a pull request on one screen."
    return [
        Command(name="report", help=report, run="stithy_view.report_command:run"),
        Command(name="status", help=status, run="stithy_view.status_command:run"),
    ]


@hookimpl
def stithy_resources() -> list[Resources]:
    """Provide the page."""
    return [Resources(prefix=PAGE_URI, provider="stithy_view.app_resource:PullRequestApp")]


@hookimpl
def stithy_views() -> list[View]:
    """Show the answers of tools about a pull request on the page."""
    return [View(tool=tool, uri=PAGE_URI) for tool in SHOWN]


@hookimpl
def stithy_routes() -> list[Route]:
    """Serve the pages over HTTP."""
    return [
        Route(
            method="GET",
            path="/ui/pull-request",
            handler="stithy_view.ui_routes:show_pull_request",
            seconds=PAGE_SECONDS,
        ),
        Route(method="GET", path="/ui/status", handler="stithy_view.ui_routes:show_status"),
    ]
