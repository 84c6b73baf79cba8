"""Imports the parts of the MCP SDK that a server needs over standard input and output, and no others.

The SDK is most of the start of a server, and much of it is never used: its client, its framework for servers, and the
wire types of the protocol versions that the client does not speak (docs/adr/0040-the-sdk-is-imported-in-parts.md).
Nothing is replaced: what is left out is imported, or built, as soon as something uses it.
"""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from stithy_core.hidden_imports import hide_module

DEFERRED = ("mcp", "mcp.server")
"""Packages whose `__init__` imports many modules only to offer their names under a shorter one."""


@contextmanager
def skip_unused_parts() -> Iterator[None]:
    """Import within the block only the parts of the SDK that the imported modules need themselves."""
    # sse_starlette, which the SDK requires, imports uvicorn only to hook its shutdown, and works without it. Over
    # standard input and output it serves nothing.
    with hide_module("uvicorn"):
        for package in DEFERRED:
            defer_package(package)
        _defer_wire_models()
        yield


def defer_package(name: str) -> None:
    """Register a package whose `__init__` runs when a name of it is first used; its modules can be imported before.

    Args:
        name: The package. One that was imported already stays as it is.
    """
    if name in sys.modules or (spec := importlib.util.find_spec(name)) is None:
        return
    package, loader = importlib.util.module_from_spec(spec), spec.loader
    assert loader is not None
    lock, started = RLock(), False

    def get_missing(attribute: str) -> Any:
        nonlocal started
        with lock:  # another thread waits for the whole package
            if not started:
                started = True
                loader.exec_module(package)
            if attribute in vars(package):
                return vars(package)[attribute]
        raise AttributeError(f"module {name!r} has no attribute {attribute!r}")

    vars(package)["__getattr__"] = get_missing  # PEP 562
    sys.modules[name] = package
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)


def _defer_wire_models() -> None:
    """Build the validators of the wire types on first use: most belong to another version or are for clients."""
    from mcp_types._wire_base import WireModel

    WireModel.model_config["defer_build"] = True  # https://docs.pydantic.dev/latest/api/config, inherited
