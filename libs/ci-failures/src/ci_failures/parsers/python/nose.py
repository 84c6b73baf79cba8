"""nose's output: unittest's blocks, with functions, generators and docstrings as names."""

import re
from collections.abc import Sequence

from ci_failures.model import Failure
from ci_failures.parsers.python.unittest import Runs, Unittest
from ci_failures.parsers.python.unittest_names import Frame, Name, library, parse_title, path_of, root_of
from ci_failures.parsers.text_helpers import command, each_once

DOTTED = re.compile(r"(?:Doctest: )?(?P<whole>([A-Za-z_]\w*(?:\.\w+)+)(\(.*\))?)$")
TEST = re.compile(r"(?:^|_)[Tt]est|[a-z]Test")
"""The names of functions that nose takes for tests."""
SUITE = re.compile(r"test suite for <(?:class|module) '([\w.]+)'")


class Nose(Runs):
    """Parser of nose's runs."""

    tool = "nose"
    reads_with = Unittest

    def naming(self, title: str, frames: Sequence[Frame]) -> Name | None:
        """Parse a title: a function with its arguments, a suite, a method, or the first line of a docstring."""
        if found := DOTTED.match(title):
            return Name(found["whole"], _selector(found[2], frames))
        if found := SUITE.match(title):
            return Name(found[1], _selector(found[1], frames))
        ours = [frame for frame in frames if not library(frame.path)]
        if title.startswith("Failure: "):
            return Name(_module(ours[0].path), _module(ours[0].path), broken=True) if ours else None
        if name := parse_title(title):
            return Name(name.name, _selector(name.selector, frames), name.broken)
        return _name_from_frames(title, ours)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that runs nose's names; a generator is run as a whole."""
        return command("nosetests", *each_once(one.selector for one in failures))


def _module(path: str) -> str:
    """Return the module of a file; without its packages if nothing shows where the repository begins."""
    inside = path_of(path, "") or path.replace("\\", "/").rpartition("/")[2]
    return inside.removesuffix(".py").replace("/", ".")


def _name_from_frames(title: str, frames: Sequence[Frame]) -> Name:
    """Return a name for a test that is printed by its description.

    The first function of the repository in the traceback; without one, or if it is what many tests of a generator call,
    the description.
    """
    if not frames or not TEST.search(frames[0].function):
        return Name(title, "")
    module = _module(frames[0].path)
    return Name(f"{module}.{frames[0].function}", f"{module}:{frames[0].function}")


def _selector(name: str, frames: Sequence[Frame]) -> str:
    """Return the selector, with a colon after the module; the traceback shows where the module ends."""
    root = root_of(frames, name)
    paths = {frame.path.replace("\\", "/").removeprefix(root) for frame in frames} if root else set()
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) + ".py" in paths:
            return ":".join(filter(None, [".".join(parts[:length]), ".".join(parts[length:])]))
    return name
