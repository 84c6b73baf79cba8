"""Parsers of tools for C, C++, Fortran and Haskell: test frameworks, ctest, compilers, linkers and builders."""

from ci_failures.parsers import family_attributes

PATHS = (
    "harnesses:Automake",
    "bazel:Bazel",
    "boost:BoostTest",
    "builders:Builders",
    "builders:CMake",
    "catch2:Catch2",
    "compilers:Compilers",
    "ctest:Ctest",
    "doctest:Doctest",
    "fortran:Fortran",
    "ghc:Ghc",
    "gtest:Gtest",
    "hspec:Hspec",
    "linkers:Linkers",
    "harnesses:Meson",
    "tasty:Tasty",
    "zig:Zig",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
