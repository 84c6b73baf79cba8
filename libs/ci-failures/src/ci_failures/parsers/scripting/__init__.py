"""Parsers of RSpec, minitest and test-unit, PHPUnit and Pest, ExUnit, Elixir's compiler, R's testthat, and linters."""

from ci_failures.model import Parser
from ci_failures.parsers.scripting.elixir import Elixir
from ci_failures.parsers.scripting.elixir_format import MixFormat
from ci_failures.parsers.scripting.exunit import ExUnit
from ci_failures.parsers.scripting.minitest import Minitest
from ci_failures.parsers.scripting.pest import Pest
from ci_failures.parsers.scripting.php_lint import PhpCodeSniffer, PhpStan, Psalm
from ci_failures.parsers.scripting.php_syntax import PhpSyntax
from ci_failures.parsers.scripting.phpunit import PhpUnit
from ci_failures.parsers.scripting.phpunit_testdox import PhpUnitTestdox
from ci_failures.parsers.scripting.rspec import Rspec
from ci_failures.parsers.scripting.rubocop import Rubocop
from ci_failures.parsers.scripting.shellcheck import ShellCheck
from ci_failures.parsers.scripting.testthat import TestThat
from ci_failures.parsers.scripting.testunit import TestUnit

PARSERS: tuple[type[Parser], ...] = (
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
