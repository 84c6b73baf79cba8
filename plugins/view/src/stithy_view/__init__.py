"""A pull request at a glance: a report in one file."""

from stithy_core.spi import Command, hookimpl

STITHY_API = 1


@hookimpl
def stithy_commands() -> list[Command]:
    """Provide `stithy report`."""
    summary = "Write the report of a pull request: one HTML file."
    return [Command(name="report", help=summary, run="stithy_view.report_command:run")]
