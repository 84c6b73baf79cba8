"""Imports the parts of the MCP SDK that a server needs over its transport, and no others.

The SDK is most of the start of a server, and much of it is never used: its client, its framework for servers, what it
serves over HTTP with, and the wire types of the protocol versions that the client does not speak
(docs/adr/0040-the-sdk-is-imported-in-parts.md). What is left out is imported, or built, as soon as something uses it.
"""

import builtins
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import ModuleType
from typing import Any

from attrs import frozen

DEFERRED = ("mcp", "mcp.server", "mcp.server.lowlevel")
"""Packages whose `__init__` imports modules only to offer their names under a shorter one."""

SERVER = "mcp.server.lowlevel.server"
HTTP = ("starlette", "mcp.server.auth", "mcp.server.streamable_http", "mcp.server.transport_security")
"""How the modules begin that SERVER imports to serve over HTTP by a method of its own, which stithy does not use."""


@contextmanager
def skip_unused_parts(*, over_http: bool = False) -> Iterator[None]:
    """Import within the block only the parts of the SDK that the imported modules need themselves.

    Args:
        over_http: Whether the server serves over HTTP, and so needs the parts of HTTP.
    """
    for package in DEFERRED:
        defer_package(package)
    _defer_wire_models()
    if not over_http:
        import_deferring(SERVER, HTTP)
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


def import_deferring(name: str, prefixes: tuple[str, ...]) -> None:
    """Import a module, but not yet the modules it imports whose names begin with a prefix; no other module is affected.

    The names it imports from them are stand-ins (`_DeferredName`). Their values as default arguments stay stand-ins.

    Args:
        name: The module. One that was imported already stays as it is.
        prefixes: How the names of the modules to import later begin.
    """
    if name in sys.modules or (spec := importlib.util.find_spec(name)) is None:
        return
    module, loader = importlib.util.module_from_spec(spec), spec.loader
    assert loader is not None

    def import_(imported: str, *args: Any) -> Any:
        later = importing and imported.startswith(prefixes)
        return _DeferredModule(imported) if later else builtins.__import__(imported, *args)

    # An import statement calls the `__import__` among the builtins of its own module:
    # https://docs.python.org/3/reference/simple_stmts.html#the-import-statement
    vars(module)["__builtins__"] = vars(builtins) | {"__import__": import_}
    sys.modules[name] = module
    importing = True
    try:
        loader.exec_module(module)
    except BaseException:  # as an import statement does, so that the next one tries again
        sys.modules.pop(name, None)
        raise
    finally:
        importing = False


class _DeferredModule(ModuleType):
    """What an import statement takes names from, instead of a module that is imported later."""

    def __getattr__(self, name: str) -> "_DeferredName":
        return _DeferredName(self.__name__, name)


@frozen
class _DeferredName:
    """Stands for a name of a module, which is imported when this is called or an attribute of it is read."""

    _module: str
    _name: str

    def _get(self) -> Any:
        return getattr(importlib.import_module(self._module), self._name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._get()(*args, **kwargs)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._get(), attribute)
