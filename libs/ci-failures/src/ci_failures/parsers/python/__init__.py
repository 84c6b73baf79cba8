"""pytest, unittest, Django's runner and nose; ruff, flake8 and mypy."""

from ci_failures.model import Parser
from ci_failures.parsers.python.django import Django
from ci_failures.parsers.python.flake8 import Flake8
from ci_failures.parsers.python.mypy import Mypy
from ci_failures.parsers.python.nose import Nose
from ci_failures.parsers.python.pytest import Pytest
from ci_failures.parsers.python.pytest_errors import PytestErrors
from ci_failures.parsers.python.ruff import Ruff
from ci_failures.parsers.python.unittest import Unittest

PARSERS: tuple[type[Parser], ...] = (
    *(Pytest, PytestErrors, Unittest, Django, Nose),
    *(Ruff, Flake8, Mypy),
)
