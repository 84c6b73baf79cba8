"""Django's runner: unittest's, with a database around it."""

from collections.abc import Sequence

from stithy_ci.parsers.common import command, each_once
from stithy_ci.parsers.python.unittest import Runs
from stithy_ci.spi import Failure


class Django(Runs):
    """Reads runs of `manage.py test`."""

    tool = "django"

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give Django the names."""
        return command("python", "manage.py", "test", *each_once(one.selector for one in failures))
