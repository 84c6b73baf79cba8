"""`stithy ci parse`: the command `ci-failures` under a name of stithy."""

from collections.abc import Sequence

import click

from ci_failures import cli
from stithy_core.spi import Scope


def run(_: Scope, words: Sequence[str]) -> int:
    """Run `stithy ci …`, and return its exit code."""
    return cli.run_command(ci, words, "stithy ci")


@click.group()
def ci() -> None:
    """Look at what failed in CI."""


ci.add_command(cli.parse, "parse")
