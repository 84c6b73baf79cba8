"""pytest, unittest, Django's runner and nose; ruff, flake8 and mypy."""

from ci_failures.parsers import family_attributes

PATHS = (
    "pytest:Pytest",
    "pytest_errors:PytestErrors",
    "unittest:Unittest",
    "django:Django",
    "nose:Nose",
    "ruff:Ruff",
    "flake8:Flake8",
    "deptry:Deptry",
    "mypy:Mypy",
    "behave:Behave",
    "robot:Robot",
    "avocado:Avocado",
    "ward:Ward",
    "traceback_list:Stestr",
    "traceback_list:Green",
    "traceback_list:ZopeTestrunner",
    "traceback_list:Trial",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
