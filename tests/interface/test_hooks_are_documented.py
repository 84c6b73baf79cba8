"""Every hook says its purpose, order and failure, and shows an example that loads as it stands."""

import inspect
import re
import textwrap

import pytest

from stithy_core.plugins import load_plugins, scan_plugins
from stithy_core.plugins.plugin_loader import OFFERS, OPENS
from stithy_core.spi import hooks
from stithy_testing import check_plugin, make_app

HOOKS = [name for name in vars(hooks) if name.startswith("stithy_")]

pytestmark = pytest.mark.parametrize("hook", HOOKS)


def documentation(hook):
    return inspect.getdoc(getattr(hooks, hook))


@pytest.fixture
def installed(install_plugin, hook):
    """The plugin of a hook's example, loaded with whatever else is installed."""
    example = documentation(hook).partition("Example::\n")[2]
    install_plugin(f"stithy-example-{hook.removeprefix('stithy_')}", textwrap.dedent(example))
    return load_plugins(entry for entry in scan_plugins() if entry.origin.distribution.startswith("stithy-example-"))


def test_the_hook_is_one_that_the_loader_asks_for(hook):
    assert hook in (*OFFERS, OPENS)


def test_a_hooks_purpose_is_one_line(hook):
    purpose, empty = documentation(hook).split("\n")[:2]
    assert re.fullmatch(r"[A-Z].{5,}\.", purpose)
    assert empty == ""


@pytest.mark.parametrize("word", ["Order: ", "Failure: ", "Example::"])
def test_it_says_order_and_failure_and_has_an_example(hook, word):
    lines = [line for line in documentation(hook).splitlines() if line.startswith(word)]
    assert len(lines) == 1
    assert word == "Example::" or lines[0].removeprefix(word)


def test_a_hooks_example_implements_that_hook_alone(installed, hook):
    assert not installed.failed, installed.failed
    assert len(installed.loaded) == 1
    given = {name: len(values) for name, values in installed.offers.items() if values}
    shown = {"stithy_resources": 1} if hook == "stithy_views" else {}  # a view shows a page, which is a resource
    assert given == ({hook: 1} | shown if hook in OFFERS else {})
    assert ("stithy_example_words" in installed.hooks.list_names()) == (hook == OPENS)


def test_a_hooks_example_passes_check_plugin(installed, hook):
    check_plugin(installed.loaded[0].module)


def test_a_hooks_example_is_served(installed, hook, tmp_path):
    app = make_app(tmp_path)
    assert not app.all_failed
    assert any(plugin.origin.distribution.startswith("stithy-example-") for plugin in app.plugins.loaded)
