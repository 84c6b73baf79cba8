"""The command line. Each command imports what it needs when it runs."""

import gc
import os
import sys

PATIENCE = 0.5
"""Seconds to wait for threads that are left at the end."""


def main() -> None:
    """Run `stithy`."""
    # Start-up creates a few hundred thousand objects that stay: collecting among them is a fifth of its time.
    # `serve` switches the collector on again; every other command ends before it is worth it.
    gc.disable()
    from stithy_core.cli.command_group import stithy

    try:
        sys.exit(stithy())
    except SystemExit as end:
        abandon_threads(end.code)
        raise


def abandon_threads(code: object) -> None:
    """Exit the process if threads are running that Python would wait for; else return.

    A host that closes its end expects the server to exit. A plugin's own thread, or a handler that hangs in a worker
    thread, would keep the process alive for ever.

    Args:
        code: The argument of `sys.exit`.
    """
    import threading
    import time

    def list_threads() -> list[threading.Thread]:
        main_thread = threading.main_thread()
        return [thread for thread in threading.enumerate() if not thread.daemon and thread is not main_thread]

    end = time.monotonic() + PATIENCE
    for thread in list_threads():
        thread.join(max(0.0, end - time.monotonic()))
    if not (threads := list_threads()):
        return
    names = ", ".join(sorted(thread.name for thread in threads))
    print(f"Still running, and abandoned: the threads {names}", file=sys.stderr)
    import atexit

    atexit._run_exitfuncs()  # noqa: SLF001 -- os._exit skips them, and a normal end does not
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


__all__ = ["main"]
