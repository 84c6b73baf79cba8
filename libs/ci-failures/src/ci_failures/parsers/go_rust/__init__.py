"""Parsers of Go's and Rust's tools."""

from ci_failures.model import Parser
from ci_failures.parsers.go_rust.cargo_test import CargoTest
from ci_failures.parsers.go_rust.ginkgo import Ginkgo
from ci_failures.parsers.go_rust.go_build import GoBuild
from ci_failures.parsers.go_rust.go_json import GoJson
from ci_failures.parsers.go_rust.go_test import GoTest
from ci_failures.parsers.go_rust.gocheck import Gocheck
from ci_failures.parsers.go_rust.golangci import GolangciLint
from ci_failures.parsers.go_rust.nextest import Nextest
from ci_failures.parsers.go_rust.rust_failures import Rustfmt
from ci_failures.parsers.go_rust.rustc import Clippy, Rustc

PARSERS: tuple[type[Parser], ...] = (
    *(GoTest, GoJson, GoBuild, Ginkgo, Gocheck, GolangciLint),
    *(CargoTest, Clippy, Nextest, Rustc, Rustfmt),
)
