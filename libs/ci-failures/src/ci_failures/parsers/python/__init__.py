"""pytest, unittest, Django's runner and nose; ruff, flake8 and mypy."""

from stithy_ci.parsers.python.django import Django
from stithy_ci.parsers.python.flake8 import Flake8
from stithy_ci.parsers.python.mypy import Mypy
from stithy_ci.parsers.python.nose import Nose
from stithy_ci.parsers.python.pytest import Pytest
from stithy_ci.parsers.python.pytest_errors import PytestErrors
from stithy_ci.parsers.python.ruff import Ruff
from stithy_ci.parsers.python.unittest import Unittest
from stithy_ci.spi import LogParser

PARSERS: tuple[type[LogParser], ...] = (
    *(Pytest, PytestErrors, Unittest, Django, Nose),
    *(Ruff, Flake8, Mypy),
)
