"""The surface of the plugin interface as lines of text: names, members, and parameters, with `=` if they are optional.

`python tests/support/interface_surface.py` prints it. `find_break` compares a line of an earlier day with the code.
"""

import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from types import ModuleType
from typing import Any

import attrs

import stithy_testing
from stithy_core import spi
from stithy_testing import conformance

MODULES: Mapping[str, ModuleType] = {"spi": spi, "testing": stithy_testing, "conformance": conformance}
STAR = "*"


def list_surface() -> list[str]:
    """Return the lines of the interface, sorted."""
    return sorted({line for place, module in MODULES.items() for line in _iterate_module(place, module)})


def _iterate_module(place: str, module: ModuleType) -> Iterator[str]:
    for name in module.__all__:
        value = getattr(module, name)
        yield f"{place}.{name}{_format_parameters(value)}"
        if not isinstance(value, type):
            continue
        names = {member for cls in value.__mro__ if cls.__module__.startswith("stithy_") for member in vars(cls)}
        fields = {field.name for field in attrs.fields(value)} if attrs.has(value) else set()
        for member in sorted(names | fields):
            if not member.startswith(("_", "test_")):
                parameters = "" if member in fields else _format_parameters(getattr(value, member, None))
                yield f"{place}.{name}.{member}{parameters}"


def _format_parameters(value: Any) -> str:
    """Return the parameters of a function, a method or a class that plugins create; empty for anything else."""
    is_created = (
        isinstance(value, type) and not issubclass(value, Enum) and (attrs.has(value) or hasattr(value, "forge"))
    )
    if not is_created and not inspect.isroutine(value):
        return ""
    return f"({', '.join(_iterate_parameters(value))})"


def _iterate_parameters(function: Any) -> Iterator[str]:
    has_star = False
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "self" or parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star = True
            yield STAR
        yield name if parameter.default is parameter.empty else f"{name}="


def find_break(line: str, surface: Mapping[str, str]) -> str:
    """Return why code that was written for a line of an earlier surface does not work any more; empty if it does.

    Args:
        line: A line of `list_surface`.
        surface: The parameters of each name today, from `map_parameters`.
    """
    name, _, parameters = line.partition("(")
    if name not in surface:
        return f"{name} is gone"
    places, keywords = _parse_parameters(parameters)
    now_places, now_keywords = _parse_parameters(surface[name].removeprefix("("))
    if [one.rstrip("=") for one in now_places[: len(places)]] != [one.rstrip("=") for one in places]:
        return f"{line} has other arguments by position now: {now_places}"
    known = {one.rstrip("=") for one in (*places, *keywords)}
    now = {one.rstrip("="): one for one in (*now_places, *now_keywords)}
    if missing := known - now.keys():
        return f"{line} does not take {', '.join(sorted(missing))} any more"
    optional = {one for one in (*places, *keywords) if one.endswith("=")}
    required = [
        key for key, one in now.items() if not one.endswith("=") and (key not in known or f"{key}=" in optional)
    ]
    return f"{line} requires {', '.join(required)} now" if required else ""


def _parse_parameters(text: str) -> tuple[list[str], list[str]]:
    names = [one for one in text.rstrip(")").split(", ") if one]
    if STAR not in names:
        return names, []
    star = names.index(STAR)
    return names[:star], names[star + 1 :]


def map_parameters(lines: list[str]) -> dict[str, str]:
    """Return the parameters in parentheses by name; empty for what is not called."""
    return {name: f"({rest}" if mark else "" for name, mark, rest in (line.partition("(") for line in lines)}


if __name__ == "__main__":
    print("\n".join(list_surface()))  # noqa: T201 -- a script
