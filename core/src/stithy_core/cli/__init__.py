"""The command line. Each command imports what it needs when it runs."""

import gc
import sys


def main() -> None:
    """Run `stithy`."""
    # Start-up makes a few hundred thousand objects that stay: collecting among them is a fifth of its time.
    # `serve` switches the collector on again; every other command ends before it is worth it.
    gc.disable()
    from stithy_core.cli.group import stithy

    try:
        sys.exit(stithy())
    except SystemExit as ending:
        from stithy_core.cli.ending import abandon_threads

        abandon_threads(ending.code)
        raise


__all__ = ["main"]
