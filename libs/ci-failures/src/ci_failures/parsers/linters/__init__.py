"""Formatters, linters and type checkers of all languages that have no family of their own, and what runs hooks."""

from ci_failures.parsers import family_attributes

PATHS = (
    "python_tools:Black",
    "python_tools:Isort",
    "python_tools:Pylint",
    "python_tools:Pyright",
    "web_tools:Prettier",
    "web_tools:Biome",
    "web_tools:Oxlint",
    "web_tools:Stylelint",
    "web_tools:Markdownlint",
    "config_tools:Actionlint",
    "config_tools:Yamllint",
    "kotlin_swift:Ktlint",
    "kotlin_swift:SwiftLint",
    "solidity:SolidityCompiler",
    "solidity:Forge",
    "dart_compiler:DartCompiler",
    "bundlers:Bundlers",
    "git_hooks:PreCommit",
    "gradle_failures:GradleFailures",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
