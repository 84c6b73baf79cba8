"""The command `ci-failures` with its help and its messages.

Other programs add it to their own command line under another name.
"""

import sys
from collections.abc import Sequence

import click

from ci_failures.report_format import FORMS, UNREADABLE, print_report


@click.command("ci-failures")
@click.argument("files", nargs=-1, required=True, metavar="FILE…|-")
@click.option("--json", "form", flag_value="json", help="Write JSON, as --format json does.")
@click.option("--format", "form", type=click.Choice(FORMS), default="text", help="How to write the report.")
def parse(files: Sequence[str], form: str) -> int:
    """Show what failed, and how to run it again, from logs and result files; `-` is standard input.

    The content of a file decides what it is, and it may be packed by gzip or zip. The exit code is 1 when something
    failed, 0 when nothing did, 2 when something could not be read, and 4 when it is not known whether anything failed:
    nothing in a file was recognized, or a runner or a tool reports a failure that was not found.

    `github` annotates a pull request in a job of GitHub Actions, `gitlab` is a report of code quality, and `junit` one
    of tests.
    """
    return print_report(files, form)


def run_command(command: click.Command, words: Sequence[str], prog_name: str) -> int:
    """Run a command that returns its exit code, and return that; a wrong command line is explained on standard error.

    Args:
        command: The command or the group.
        words: Its arguments.
        prog_name: The name of the program in messages.
    """
    try:
        code = command.main(args=list(words), prog_name=prog_name, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return UNREADABLE
    return int(code or 0)


def main() -> None:
    """Run `ci-failures` with the arguments of the process, and exit."""
    sys.exit(run_command(parse, sys.argv[1:], "ci-failures"))
