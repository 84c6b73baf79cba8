"""Django's runner: unittest's, with a database around it."""

from collections.abc import Sequence

from ci_failures.model import Failure
from ci_failures.parsers.python.unittest import Runs, Unittest
from ci_failures.parsers.text_helpers import command, each_once


class Django(Runs):
    """Reads runs of `manage.py test`."""

    tool = "django"
    reads_with = Unittest

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that runs Django's test labels."""
        return command("python", "manage.py", "test", *each_once(one.selector for one in failures))
