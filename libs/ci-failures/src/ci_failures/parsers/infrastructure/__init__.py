"""Parsers of what fails around the tests: packages, time, memory, the runner, coverage.

Only those in the messages of TeamCity have the name of a test.
"""

from ci_failures.parsers import family_attributes

PATHS = (
    "runner:Runner",
    "killed_processes:Memory",
    "dependencies:Dependencies",
    "coverage:Coverage",
    "teamcity:TeamCity",
    "printed_results:PrintedResults",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
