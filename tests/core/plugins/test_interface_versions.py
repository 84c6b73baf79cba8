"""Versions of the plugin interface: deprecated and renamed names are reported with the plugin that uses them."""

import pytest

from stithy_core import spi
from stithy_core.plugins import load_plugins, scan_plugins
from stithy_core.spi import DeprecatedName

OWNER = """
    from stithy_core.spi import DeprecatedName, resolve_deprecated

    STITHY_API = 1
    NEW = "new"
    RENAMED = {"OLD": DeprecatedName(instead="NEW", since="1.2", until="1.4")}

    def __getattr__(name):
        return resolve_deprecated(__name__, RENAMED, globals().__getitem__, name)
"""
AT_IMPORT = "from stithy_owner import OLD\nSTITHY_API = 1"
IN_A_HOOK = """
    from stithy_core.spi import hookimpl

    STITHY_API = 1

    @hookimpl
    def stithy_tools():
        import stithy_owner
        assert stithy_owner.OLD == "new"
        return []
"""
NOTE = "stithy_owner.OLD is deprecated since 1.2 and will be removed in 1.4: use NEW"


def list_notes():
    return {plugin.origin.distribution: plugin.notes for plugin in load_plugins(scan_plugins()).loaded}


@pytest.mark.parametrize("source", [AT_IMPORT, IN_A_HOOK])
def test_a_plugin_that_uses_a_deprecated_name_works_and_has_a_note(install_plugin, source):
    install_plugin("stithy-owner", OWNER)
    install_plugin("stithy-user", source)
    notes = list_notes()
    assert notes["stithy-user"] == (NOTE,)
    assert notes["stithy-owner"] == ()


def test_a_deprecated_name_of_the_interface_works_and_is_a_note(install_plugin, monkeypatch):
    monkeypatch.setitem(spi.DEPRECATED, "Ability", DeprecatedName(instead="Capability", since="0.4", until="0.6"))
    install_plugin(
        "stithy-user", "from stithy_core.spi import Ability, Capability\nassert Ability is Capability\nSTITHY_API = 1"
    )
    text = "stithy_core.spi.Ability is deprecated since 0.4 and will be removed in 0.6: use Capability"
    assert list_notes()["stithy-user"] == (text,)


@pytest.mark.parametrize("until", ["0.4", "0.5.9"])
def test_a_deprecated_name_cannot_go_before_two_minor_releases(until):
    with pytest.raises(ValueError, match=r"works in two minor releases; write until='0\.6'"):
        DeprecatedName(instead="Capability", since="0.4", until=until)


def test_other_warnings_of_a_plugin_are_shown_as_before(install_plugin):
    install_plugin("stithy-warning", "import warnings\nwarnings.warn('soon', stacklevel=1)\nSTITHY_API = 1")
    with pytest.warns(UserWarning, match="soon"):
        assert list_notes()["stithy-warning"] == ()


def test_a_name_that_a_module_never_had_is_missing(install_plugin):
    install_plugin("stithy-owner", OWNER)
    install_plugin("stithy-user", AT_IMPORT.replace("OLD", "OLDER"))
    (failed,) = load_plugins(scan_plugins()).failed
    assert failed.cause.startswith("ImportError: cannot import name 'OLDER' from 'stithy_owner'")


@pytest.mark.parametrize(("old", "new"), [("Ability", "Capability"), ("Worker", "SyncContext")])
def test_a_plugin_that_imports_a_name_of_interface_0_is_told_the_new_name(install_plugin, old, new):
    install_plugin("stithy-old", f"from stithy_core.spi import {old}\nSTITHY_API = 0")
    (failed,) = load_plugins(scan_plugins()).failed
    assert (failed.origin.distribution, failed.stage) == ("stithy-old", "import")
    assert failed.remedy.startswith(f"write {new}, which is the name of {old} since interface 1")


def test_a_plugin_of_interface_0_is_told_what_to_change(install_plugin):
    """It imports nothing that was renamed, so only its number shows that its author has to look."""
    install_plugin("stithy-old", "from stithy_core.spi import ToolSpec, hookimpl\nSTITHY_API = 0")
    (failed,) = load_plugins(scan_plugins()).failed
    assert failed.cause == "it was written for interface 0, and this core serves interface 1"
    assert failed.remedy == (
        "pip install --upgrade stithy-old; its author makes the changes in "
        "docs/plugins/promises.md, 'From interface 0 to 1', and declares STITHY_API = 1"
    )


@pytest.mark.parametrize("value", ["'0'", "True", "1.0"])
def test_a_version_that_is_not_a_number_is_named(install_plugin, value):
    install_plugin("stithy-text", f"STITHY_API = {value}")
    (failed,) = load_plugins(scan_plugins()).failed
    assert failed.cause == f"its STITHY_API is {value}, which is not a number, the version of its interface"
