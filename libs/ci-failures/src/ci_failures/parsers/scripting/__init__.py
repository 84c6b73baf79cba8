"""Parsers of RSpec, minitest and test-unit, PHPUnit and Pest, ExUnit, Elixir's compiler, R's testthat, and linters."""

from ci_failures.parsers import family_attributes

PATHS = (
    "busted:Busted",
    "rspec:Rspec",
    "minitest:Minitest",
    "testunit:TestUnit",
    "phpunit:PhpUnit",
    "phpunit_testdox:PhpUnitTestdox",
    "php_syntax:PhpSyntax",
    "pest:Pest",
    "exunit:ExUnit",
    "elixir:Elixir",
    "elixir_format:MixFormat",
    "testthat:TestThat",
    "rubocop:Rubocop",
    "shellcheck:ShellCheck",
    "php_lint:PhpCodeSniffer",
    "php_lint:PhpStan",
    "php_lint:Psalm",
    "pint:Pint",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
