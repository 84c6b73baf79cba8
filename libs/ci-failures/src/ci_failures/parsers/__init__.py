"""The parsers that stithy-ci brings itself, by family; other plugins bring theirs by the hook `stithy_log_parsers`."""

from functools import cache
from importlib import import_module

from stithy_ci.spi import LogParser

FAMILIES = ("python", "javascript", "go_rust", "jvm", "scripting", "native", "platforms", "infrastructure")


@cache
def built_in() -> tuple[type[LogParser], ...]:
    """Give all of them; made when the first log is read."""
    modules = [import_module(f"stithy_ci.parsers.{family}") for family in FAMILIES]
    return tuple(parser for module in modules for parser in module.PARSERS)
