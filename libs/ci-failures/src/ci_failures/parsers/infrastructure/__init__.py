"""What fails around the tests: packages, time, memory, the runner, coverage.

Nothing here is ever the name of a test.
"""

from stithy_ci.parsers.infrastructure.coverage import Coverage
from stithy_ci.parsers.infrastructure.dependencies import Dependencies
from stithy_ci.parsers.infrastructure.memory import Memory
from stithy_ci.parsers.infrastructure.runner import Runner
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (Runner, Memory, Dependencies, Coverage)
