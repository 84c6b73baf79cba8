"""Parsers of Go's and Rust's tools."""

from ci_failures.parsers import family_attributes

PATHS = (
    "go_test:GoTest",
    "go_json:GoJson",
    "go_build:GoBuild",
    "module_chains:ModuleChains",
    "ginkgo:Ginkgo",
    "gocheck:Gocheck",
    "golangci:GolangciLint",
    "cargo_test:CargoTest",
    "nextest:Nextest",
    "rustc:Rustc",
    "rustc:Clippy",
    "rust_failures:Rustfmt",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
