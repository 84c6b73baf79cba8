"""Ending the process, whatever threads plugins have left behind."""

import atexit
import os
import sys
import threading
import time

PATIENCE = 0.5


def abandon_threads(code: object) -> None:
    """End the process here if threads go on that Python would wait for; else return.

    A host that closes its end expects the server to go. A plugin's own thread, or a handler that hangs in a worker
    thread, would keep it for ever.

    Args:
        code: What `sys.exit` was called with.
    """
    until = time.monotonic() + PATIENCE
    for thread in _waited_for():
        thread.join(max(0.0, until - time.monotonic()))
    if not (left := _waited_for()):
        return
    names = ", ".join(sorted(thread.name for thread in left))
    print(f"Still running, and abandoned: the threads {names}", file=sys.stderr)
    atexit._run_exitfuncs()  # noqa: SLF001 -- what os._exit leaves out, and a normal end does
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _waited_for() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if not thread.daemon and thread is not threading.main_thread()]
