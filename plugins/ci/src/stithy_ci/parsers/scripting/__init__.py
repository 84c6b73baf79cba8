"""RSpec and minitest, PHPUnit and Pest, ExUnit Elixir's compiler, and R's testthat."""

from stithy_ci.parsers.scripting.elixir import Elixir
from stithy_ci.parsers.scripting.exunit import ExUnit
from stithy_ci.parsers.scripting.minitest import Minitest
from stithy_ci.parsers.scripting.pest import Pest
from stithy_ci.parsers.scripting.php_syntax import PhpSyntax
from stithy_ci.parsers.scripting.phpunit import PhpUnit
from stithy_ci.parsers.scripting.phpunit_testdox import PhpUnitTestdox
from stithy_ci.parsers.scripting.rspec import Rspec
from stithy_ci.parsers.scripting.testthat import TestThat
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    Rspec,
    Minitest,
    PhpUnit,
    PhpUnitTestdox,
    PhpSyntax,
    Pest,
    ExUnit,
    Elixir,
    TestThat,
)
