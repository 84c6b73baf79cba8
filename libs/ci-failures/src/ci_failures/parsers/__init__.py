"""The built-in parsers, by family; `ci_failures.parser_registry` adds those of other distributions."""

from functools import cache
from importlib import import_module

from ci_failures.model import Parser

FAMILIES = ("python", "javascript", "go_rust", "jvm", "scripting", "native", "platforms", "infrastructure")


@cache
def load_built_in() -> tuple[type[Parser], ...]:
    """Return all of them; the first call imports their modules, which most commands of a program do not need."""
    modules = [import_module(f"ci_failures.parsers.{family}") for family in FAMILIES]
    return tuple(parser for module in modules for parser in module.PARSERS)
