"""The checks for plugins' own tests: a broken plugin fails them, and the message has a remedy."""

import sys
from importlib import import_module

import pytest
from broken_plugins import BROKEN, CALLS, SOUND

from stithy_testing import check_installed, check_plugin


def test_a_plugin_that_works_passes(install_plugin):
    install_plugin("stithy-sound", SOUND)
    check_installed("stithy-sound")
    check_installed("sound")
    check_plugin(import_module("stithy_sound"))


@pytest.mark.parametrize("case", [name for name, case in BROKEN.items() if not case.also])
def test_a_broken_plugin_fails_with_cause_and_remedy(install_plugin, case):
    broken = BROKEN[case]
    install_plugin("stithy-broken", broken.source, version="1.5", **broken.options)
    with pytest.raises(AssertionError) as caught:
        check_installed("stithy-broken")
    assert f"failed at {broken.stage}: " in str(caught.value)
    assert broken.cause in str(caught.value)
    assert broken.remedy in str(caught.value)


def test_a_plugin_that_is_not_installed_is_named():
    with pytest.raises(AssertionError, match="stithy-nowhere has no entry point in the group stithy"):
        check_installed("stithy-nowhere")


def test_a_reference_to_a_missing_function_is_named(install_plugin):
    install_plugin("stithy-broken", CALLS)
    with pytest.raises(AssertionError, match=r"tool lost failed at call: 'stithy_nowhere:work' cannot be loaded"):
        check_installed("stithy-broken")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("-> Said", "", "the handler of sound has no return annotation"),
        ("return [", "return 2 * [", "it has the tool sound 2 times\n  remedy: make the names unique"),
        ("STITHY_API = 1", "", "declare STITHY_API = 1"),
    ],
)
def test_a_module_is_checked_without_being_installed(install_plugin, old, new, said):
    install_plugin("stithy-sound", SOUND.replace(old, new))
    module = import_module("stithy_sound")
    del sys.modules["stithy_sound"]
    with pytest.raises(AssertionError, match=said):
        check_plugin(module)
