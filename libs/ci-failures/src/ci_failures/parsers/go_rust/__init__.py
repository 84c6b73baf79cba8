"""The tools of Go and of Rust."""

from stithy_ci.parsers.go_rust.cargo_test import CargoTest
from stithy_ci.parsers.go_rust.ginkgo import Ginkgo
from stithy_ci.parsers.go_rust.go_build import GoBuild
from stithy_ci.parsers.go_rust.go_json import GoJson
from stithy_ci.parsers.go_rust.go_test import GoTest
from stithy_ci.parsers.go_rust.gocheck import Gocheck
from stithy_ci.parsers.go_rust.golangci import GolangciLint
from stithy_ci.parsers.go_rust.nextest import Nextest
from stithy_ci.parsers.go_rust.rust_failures import Rustfmt
from stithy_ci.parsers.go_rust.rustc import Clippy, Rustc
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    *(GoTest, GoJson, GoBuild, Ginkgo, Gocheck, GolangciLint),
    *(CargoTest, Clippy, Nextest, Rustc, Rustfmt),
)
