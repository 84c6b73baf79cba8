"""Parsers of what fails around the tests: packages, time, memory, the runner, coverage.

None of these failures has the name of a test.
"""

from ci_failures.model import Parser
from ci_failures.parsers.infrastructure.coverage import Coverage
from ci_failures.parsers.infrastructure.dependencies import Dependencies
from ci_failures.parsers.infrastructure.killed_processes import Memory
from ci_failures.parsers.infrastructure.runner import Runner

PARSERS: tuple[type[Parser], ...] = (Runner, Memory, Dependencies, Coverage)
