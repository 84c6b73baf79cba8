"""Parsers of tests of Ruby, PHP, Elixir, Erlang, Lua, R and Julia, of Elixir's compiler, and of linters."""

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
    "php_tests:PhpTests",
    "julia:Julia",
    "erlang:EUnit",
    "erlang:CommonTest",
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
