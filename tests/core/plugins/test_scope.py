"""What a plugin is handed, and the parts of the loader that stand by themselves."""

import threading

import pytest

from stithy_core.errors import InvalidSpec
from stithy_core.plugins import PluginError, Shared, load_plugins, resolve, scan_plugins
from stithy_core.plugins.installed_plugins import is_named, normalize_name
from stithy_core.spi import Contribution
from stithy_testing import make_app

OWNER = """
    import sys
    from collections.abc import Iterable
    from stithy_core.spi import hookimpl, hookspec

    STITHY_API = 1

    {mark}
    def stithy_kinds() -> Iterable[{what}]:
        ...

    @hookimpl
    def stithy_hookspecs():
        return [sys.modules[__name__]]
"""
IMPLEMENTER = """
    from stithy_core.spi import hookimpl

    STITHY_API = 1

    @hookimpl
    def stithy_kinds():
        return [{value}]
"""


@pytest.fixture
def pair(install_plugin, tmp_path):
    """Install a plugin that opens a hook and one that implements it; gives the scope of the first and the hook."""

    def install(what, value):
        install_plugin("stithy-owner", OWNER.format(mark="@hookspec", what=what))
        install_plugin("stithy-speaker", IMPLEMENTER.format(value=value))
        names = ("stithy-owner", "stithy-speaker")
        app = make_app(tmp_path, entries=[entry for entry in scan_plugins() if entry.origin.distribution in names])
        import stithy_owner

        return app.scope(app.plugins.loaded[0].origin), stithy_owner.stithy_kinds

    return install


def test_a_plugin_asks_all_others_for_its_hook(pair):
    scope, hook = pair("int", "3")
    assert [(value, origin.distribution) for value, origin in scope.collect(hook)] == [(3, "stithy-speaker")]


@pytest.mark.parametrize("what", ["int", "int | str", "'int | None'", "object", "'list[int] | int'"])
def test_a_value_that_fits_the_hooks_type_passes(pair, what):
    scope, hook = pair(what, "3")
    assert len(scope.collect(hook)) == 1


def test_a_value_that_fits_no_part_of_the_hooks_type_is_named(pair):
    scope, hook = pair("int | str", "[]")
    with pytest.raises(PluginError, match=r"stithy_kinds returned \[\]"):
        scope.collect(hook)


def test_a_hook_may_give_classes(pair):
    scope, hook = pair("type[int]", "bool")
    assert scope.collect(hook)[0][0] is bool


@pytest.mark.parametrize("value", ["str", "3"])
def test_an_item_of_another_class_is_named(pair, value):
    scope, hook = pair("type[int]", value)
    with pytest.raises(PluginError, match="stithy_kinds returned"):
        scope.collect(hook)


def test_a_module_that_opens_no_hook_is_named(install_plugin):
    install_plugin("stithy-owner", OWNER.format(mark="", what="int"))
    failed = next(row for row in load_plugins(scan_plugins()).failed if row.origin.distribution == "stithy-owner")
    assert failed.stage == "interface"
    assert "@hookspec" in failed.remedy


@pytest.mark.parametrize("reference", ["json", "json:", ":loads", ""])
def test_a_malformed_reference_says_how_to_write_one(reference):
    with pytest.raises(InvalidSpec) as caught:
        resolve(reference)
    assert "package.module:name" in caught.value.suggestion


@pytest.mark.parametrize("reference", ["no.such.module:x", "json:nothing", "json:JSONDecoder.nothing"])
def test_a_reference_to_nothing_is_named(reference):
    with pytest.raises(InvalidSpec, match="cannot be loaded"):
        resolve(reference)


def test_a_reference_reaches_into_a_class():
    from json import JSONDecoder

    assert resolve("json:JSONDecoder.decode") is JSONDecoder.decode


def test_an_object_that_is_not_a_reference_is_returned_unchanged():
    assert resolve(len) is len


@pytest.mark.parametrize("name", ["Stithy_CI", "stithy.ci", "stithy--ci", "STITHY-CI"])
def test_names_are_compared_in_their_normal_form(name):
    assert normalize_name(name) == "stithy-ci"
    assert is_named(Contribution("stithy-ci", "1", "x"), [name])


def test_a_shared_object_is_made_once_however_many_threads_ask():
    shared, made, gate = Shared(), [], threading.Barrier(8)

    def ask():
        gate.wait()
        shared.get(test_names_are_compared_in_their_normal_form, lambda: made.append(1))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_a_factory_may_ask_for_what_another_makes():
    shared = Shared()
    assert shared.get(len, lambda: shared.get(max, lambda: 3) + 1) == 4
