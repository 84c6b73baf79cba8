"""Loading plugins: what works is served, what does not is named."""

import os
import time

import pytest

from stithy_core.plugins import load_plugins, scan_plugins
from stithy_testing import make_app

TOOL = """
    from attrs import frozen
    from stithy_core.spi import ToolSpec, hookimpl

    STITHY_API = 1

    @frozen
    class Nothing:
        pass

    @hookimpl
    def stithy_tools():
        return [ToolSpec(name="{name}", title="T", description="D", input=Nothing, handler="no.where:yet")]
"""


def list_loaded(plugins):
    return {plugin.origin.distribution for plugin in plugins.loaded}


def the_failure(name):
    failed = [failure for failure in load_plugins(scan_plugins()).failed if failure.origin.distribution == name]
    assert len(failed) == 1
    return failed[0]


def test_a_plugin_that_is_installed_is_loaded(install_plugin):
    install_plugin("stithy-one", TOOL.format(name="one"))
    plugins = load_plugins(scan_plugins())
    assert "stithy-one" in list_loaded(plugins)
    assert any(spec.name == "one" for spec, _ in plugins.offers["stithy_tools"])


def test_plugins_come_in_the_order_of_their_distributions(install_plugin):
    install_plugin("stithy-zeta", TOOL.format(name="z"))
    install_plugin("stithy-alpha", TOOL.format(name="a"))
    names = [plugin.origin.distribution for plugin in load_plugins(scan_plugins()).loaded]
    assert names == sorted(names)


def test_an_import_error_is_named_with_its_remedy(install_plugin):
    install_plugin("stithy-needy", "import a_module_nobody_has")
    failed = the_failure("stithy-needy")
    assert failed.stage == "import"
    assert "a_module_nobody_has" in failed.cause
    assert "install the package" in failed.remedy


def test_a_failing_plugin_leaves_the_others_alone(install_plugin):
    install_plugin("stithy-bad", "1/0")
    install_plugin("stithy-good", TOOL.format(name="good"))
    assert "stithy-good" in list_loaded(load_plugins(scan_plugins()))


@pytest.mark.parametrize("source", ["import sys; sys.exit(3)", "this is not python", "raise KeyError('x')"])
def test_whatever_an_import_raises_is_contained(install_plugin, source):
    install_plugin("stithy-bad", source)
    assert the_failure("stithy-bad").stage == "import"


def test_an_unknown_hook_is_named_with_the_nearest_one(install_plugin):
    install_plugin("stithy-typo", TOOL.format(name="x").replace("stithy_tools", "stithy_tolls"))
    failed = the_failure("stithy-typo")
    assert failed.stage == "hooks"
    assert "did you mean stithy_tools" in failed.remedy


def test_a_hook_with_arguments_it_does_not_have_is_named(install_plugin):
    install_plugin("stithy-args", TOOL.format(name="x").replace("stithy_tools()", "stithy_tools(config)"))
    assert "config" in the_failure("stithy-args").cause


def test_a_hook_that_raises_while_it_is_iterated_is_contained(install_plugin):
    source = TOOL.format(name="x").replace("return [", "yield 1/0; return [")
    install_plugin("stithy-raises", source)
    failed = the_failure("stithy-raises")
    assert failed.stage == "offers"
    assert "ZeroDivisionError" in failed.cause


def test_a_value_of_the_wrong_type_is_named(install_plugin):
    install_plugin("stithy-wrong", TOOL.format(name="x").replace("return [", "return ['no tool'] or ["))
    assert "ToolSpec" in the_failure("stithy-wrong").remedy


def test_a_plugin_says_for_which_interface_it_was_written(install_plugin):
    install_plugin("stithy-old", "x = 1")
    assert "STITHY_API" in the_failure("stithy-old").remedy


def test_a_newer_interface_is_refused(install_plugin):
    install_plugin("stithy-future", "STITHY_API = 99")
    assert "pip install --upgrade stithy-core" in the_failure("stithy-future").remedy


def test_a_plugin_that_requires_a_newer_core_is_not_imported(install_plugin):
    install_plugin("stithy-ahead", "raise SystemExit", requires=["stithy-core>=9"])
    failed = the_failure("stithy-ahead")
    assert failed.stage == "discovery"
    assert "stithy-core" in failed.cause


@pytest.mark.parametrize("name", ["stithy-bomb", "Stithy_Bomb", "bomb"])
def test_a_blocked_plugin_is_not_imported(install_plugin, name):
    install_plugin("stithy-bomb", "raise SystemExit")
    plugins = load_plugins(scan_plugins(), disabled=[name])
    assert [blocked.origin.distribution for blocked in plugins.blocked] == ["stithy-bomb"]
    assert not plugins.failed


def test_two_plugins_under_one_entry_point_name_are_both_refused(install_plugin):
    install_plugin("stithy-a", TOOL.format(name="a"), entry_point="same")
    install_plugin("stithy-b", TOOL.format(name="b"), entry_point="same")
    failed = [failure for failure in load_plugins(scan_plugins()).failed if failure.origin.entry_point == "same"]
    assert {failure.origin.distribution for failure in failed} == {"stithy-a", "stithy-b"}
    assert "stithy-a 1.0 and stithy-b 1.0" in failed[0].cause


def test_output_of_a_plugins_import_stays_off_standard_output(install_plugin, capsys):
    install_plugin("stithy-loud", "print('noise')\nSTITHY_API = 1")
    load_plugins(scan_plugins())
    assert capsys.readouterr().out == ""


OWNER = """
    import sys
    from collections.abc import Iterable
    from stithy_core.spi import hookimpl, hookspec

    STITHY_API = 1

    @hookspec
    def stithy_words(language: str) -> Iterable[str]:
        ...

    @hookimpl
    def stithy_hookspecs():
        return [sys.modules[__name__]]
"""
SPEAKER = """
    from stithy_core.spi import hookimpl

    STITHY_API = 1

    @hookimpl(owner="stithy-words")
    def stithy_words(language):
        return [language + " word"]
"""


def test_a_hook_that_a_plugin_opens_is_implemented_by_another(install_plugin):
    # The implementer's name sorts before the owner's: the order must not matter.
    install_plugin("stithy-words", OWNER)
    install_plugin("stithy-speaker", SPEAKER)
    plugins = load_plugins(scan_plugins())
    import stithy_words

    answers = plugins.collect(stithy_words.stithy_words, ("Latin",), {})
    assert [(value, origin.distribution) for value, origin in answers] == [("Latin word", "stithy-speaker")]


OPENER = """
    from collections.abc import Iterable
    from types import ModuleType
    from stithy_core.spi import hookimpl, hookspec

    STITHY_API = 1

    def declare() -> Iterable[str]:
        ...

    declare.__name__ = "stithy_accents"
    spi = ModuleType("accents_spi")
    spi.stithy_accents = hookspec(declare)

    @hookimpl
    def stithy_hookspecs():
        return [spi]

    @hookimpl(owner="stithy-accents")
    def stithy_accents():
        return ["flat"]
"""


def test_a_plugin_implements_the_hook_that_it_opens_itself(install_plugin):
    install_plugin("stithy-accents", OPENER)
    plugins = load_plugins(scan_plugins())
    import stithy_accents

    assert [value for value, _ in plugins.collect(stithy_accents.spi.stithy_accents, (), {})] == ["flat"]


def test_a_plugin_that_opens_a_hook_implements_one_that_is_opened_after_it(install_plugin):
    install_plugin("stithy-words", OWNER)
    install_plugin("stithy-accents", OPENER + SPEAKER.partition("STITHY_API = 1")[2])
    plugins = load_plugins(scan_plugins())
    assert not plugins.failed
    assert plugins.hooks.find_owner("stithy_words") == "stithy-words"


def test_a_hook_whose_owner_is_missing_waits_and_says_what_to_install(install_plugin):
    install_plugin("stithy-speaker", SPEAKER)
    plugins = load_plugins(scan_plugins())
    note = next(plugin.notes for plugin in plugins.loaded if plugin.origin.distribution == "stithy-speaker")
    assert note == ("stithy_words waits for stithy-words: pip install stithy-words",)


@pytest.mark.parametrize(("source", "why"), [("1 / 0", "it failed itself"), (OWNER, "it is disabled")])
def test_a_hook_whose_owner_cannot_be_used_waits_and_says_why(install_plugin, source, why):
    install_plugin("stithy-words", source)
    install_plugin("stithy-speaker", SPEAKER)
    plugins = load_plugins(scan_plugins(), disabled=["stithy-words"] if source == OWNER else [])
    note = next(plugin.notes for plugin in plugins.loaded if plugin.origin.distribution == "stithy-speaker")
    assert note == (f"stithy_words waits for stithy-words: {why}",)


def test_the_values_of_an_opened_hook_are_checked(install_plugin):
    install_plugin("stithy-words", OWNER)
    install_plugin("stithy-speaker", SPEAKER.replace('language + " word"', "42"))
    plugins = load_plugins(scan_plugins())
    import stithy_words

    from stithy_core.plugins import PluginError

    with pytest.raises(PluginError, match="42"):
        plugins.collect(stithy_words.stithy_words, (), {"language": "Latin"})


@pytest.mark.parametrize("age", [0, 3_600], ids=["changed just now", "changed long ago"])
def test_each_app_of_a_test_has_the_plugins_that_are_installed_when_it_is_created(install_plugin, tmp_path, age):
    """The kit reads their metadata again only when that changed."""
    for count, name in enumerate(("stithy-one", "stithy-two")):
        assert name not in list_loaded(make_app(tmp_path).plugins)
        install_plugin(name, TOOL.format(name=name))
        changed = time.time() - age + count
        os.utime(tmp_path / "site-packages", (changed, changed))
        assert name in list_loaded(make_app(tmp_path).plugins)
