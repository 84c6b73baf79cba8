"""Tools of C and C++: test frameworks, ctest, compilers, linkers and builders."""

from stithy_ci.parsers.native.boost import BoostTest
from stithy_ci.parsers.native.builders import Builders, CMake
from stithy_ci.parsers.native.catch2 import Catch2
from stithy_ci.parsers.native.compilers import Compilers
from stithy_ci.parsers.native.ctest import Ctest
from stithy_ci.parsers.native.doctest import Doctest
from stithy_ci.parsers.native.gtest import Gtest
from stithy_ci.parsers.native.harnesses import Automake, Meson
from stithy_ci.parsers.native.linkers import Linkers
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    *(Automake, BoostTest, Builders, CMake, Catch2, Compilers),
    *(Ctest, Doctest, Gtest, Linkers, Meson),
)
