"""Plugins made in memory, for tests of the parts that use loaded plugins."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from stithy_core.plugins import Entry
from stithy_core.spi import Contribution, hookimpl


@pytest.fixture
def plugin() -> Callable[..., Entry]:
    """Write a plugin: `plugin("stithy-pond", stithy_tools=[…])`."""

    def entry(name: str, **offers: Any) -> Entry:
        module: Any = ModuleType(name.replace("-", "_"))
        module.STITHY_API = 1
        for hook, values in offers.items():
            setattr(module, hook, hookimpl(_giver(values)))
        return Entry(Contribution(name, "1.0", name.removeprefix("stithy-")), load=lambda: module)

    return entry


def _giver(values: Any) -> Callable[[], Any]:
    return lambda: values
