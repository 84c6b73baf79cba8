"""Parsers of tools for C and C++: test frameworks, ctest, compilers, linkers and builders."""

from ci_failures.model import Parser
from ci_failures.parsers.native.boost import BoostTest
from ci_failures.parsers.native.builders import Builders, CMake
from ci_failures.parsers.native.catch2 import Catch2
from ci_failures.parsers.native.compilers import Compilers
from ci_failures.parsers.native.ctest import Ctest
from ci_failures.parsers.native.doctest import Doctest
from ci_failures.parsers.native.gtest import Gtest
from ci_failures.parsers.native.harnesses import Automake, Meson
from ci_failures.parsers.native.linkers import Linkers

PARSERS: tuple[type[Parser], ...] = (
    *(Automake, BoostTest, Builders, CMake, Catch2, Compilers),
    *(Ctest, Doctest, Gtest, Linkers, Meson),
)
