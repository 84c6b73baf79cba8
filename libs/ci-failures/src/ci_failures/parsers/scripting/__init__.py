"""RSpec, minitest and test-unit, PHPUnit and Pest, ExUnit, Elixir's compiler, R's testthat, and linters."""

from stithy_ci.parsers.scripting.elixir import Elixir
from stithy_ci.parsers.scripting.elixir_format import MixFormat
from stithy_ci.parsers.scripting.exunit import ExUnit
from stithy_ci.parsers.scripting.minitest import Minitest
from stithy_ci.parsers.scripting.pest import Pest
from stithy_ci.parsers.scripting.php_lint import PhpCodeSniffer, PhpStan, Psalm
from stithy_ci.parsers.scripting.php_syntax import PhpSyntax
from stithy_ci.parsers.scripting.phpunit import PhpUnit
from stithy_ci.parsers.scripting.phpunit_testdox import PhpUnitTestdox
from stithy_ci.parsers.scripting.rspec import Rspec
from stithy_ci.parsers.scripting.rubocop import Rubocop
from stithy_ci.parsers.scripting.shellcheck import ShellCheck
from stithy_ci.parsers.scripting.testthat import TestThat
from stithy_ci.parsers.scripting.testunit import TestUnit
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    Rspec,
    Minitest,
    TestUnit,
    PhpUnit,
    PhpUnitTestdox,
    PhpSyntax,
    Pest,
    ExUnit,
    Elixir,
    MixFormat,
    TestThat,
    Rubocop,
    ShellCheck,
    PhpCodeSniffer,
    PhpStan,
    Psalm,
)
