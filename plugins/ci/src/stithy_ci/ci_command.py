"""The command `stithy ci parse`, which is the command `ci-failures`."""

from collections.abc import Sequence

import click

from ci_failures import cli
from stithy_core.spi import Scope


def run(_: Scope, words: Sequence[str]) -> int:
    """Run `stithy ci …`, and return its exit code."""
    return cli.run_command(ci, words, "stithy ci")


@click.group()
def ci() -> None:
    """Report what failed in CI."""


ci.add_command(cli.parse, "parse")
