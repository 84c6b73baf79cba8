"""Where what is deployed lies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

CHECKOUT = Path(__file__).parents[2]
DEPLOY = CHECKOUT / "deploy"


@pytest.fixture(scope="session")
def manifest() -> Callable[[str], Any]:
    """Read a manifest by its path below deploy/."""
    return lambda path: yaml.safe_load((DEPLOY / path).read_text("utf-8"))
