"""Distributions whose metadata cannot be read, and what they require."""

import sys

import pytest

from stithy_core.plugins import load_plugins, scan_plugins

SOUND = "STITHY_API = 1"


def row(name):
    return next(failed for failed in load_plugins(scan_plugins()).failed if failed.origin.distribution == name)


@pytest.fixture
def damaged(install_plugin, tmp_path):
    """Install a plugin and damage a file of its metadata; `text` may be bytes, or None to take the file away."""

    def install(file, text):
        install_plugin("stithy-sound", SOUND)
        install_plugin("stithy-rusty", SOUND, version="1.5")
        path = tmp_path / "site-packages" / "stithy_rusty-1.5.dist-info" / file
        path.unlink() if text is None else path.write_bytes(text)

    return install


DAMAGES = [
    ("entry_points.txt", b"[stithy]\nrusty\n"),
    ("entry_points.txt", b"[stithy]\nrusty = \xff\n"),
    ("METADATA", None),
    ("METADATA", b"\xff\xfe"),
]


@pytest.mark.parametrize(("file", "text"), DAMAGES)
def test_metadata_that_cannot_be_read_is_named_and_leaves_the_rest(damaged, file, text):
    damaged(file, text)
    failed = row("stithy-rusty")
    assert (failed.origin.version, failed.stage) == ("1.5", "discovery")
    assert failed.cause.startswith("its metadata cannot be read: ")
    assert failed.remedy == "pip install --force-reinstall stithy-rusty"
    assert "stithy-sound" in {plugin.origin.distribution for plugin in load_plugins(scan_plugins()).loaded}


def test_a_plugin_that_is_found_twice_is_one_beside_unreadable_metadata(damaged, tmp_path, monkeypatch):
    """`sys.path` may name a folder twice, and `importlib_metadata` finds what `importlib.metadata` found."""
    damaged("METADATA", None)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site-packages")])
    assert row("stithy-rusty").cause.startswith("its metadata cannot be read: ")
    assert "stithy-sound" in {plugin.origin.distribution for plugin in load_plugins(scan_plugins()).loaded}


@pytest.mark.parametrize("value", [b"", b"no such module", b"stithy_rusty:nothing", b":"])
def test_an_entry_point_that_names_nothing_is_named(damaged, value):
    damaged("entry_points.txt", b"[stithy]\nrusty = " + value)
    assert row("stithy-rusty").stage == "import"


@pytest.mark.parametrize(
    "requirement",
    [
        "stithy-core>=9; python_version<'3'",
        "stithy-core>=9; extra=='x'",
        "stithy_core",
        "stithy-core>=0.1",
        "stithy-core >=0",
    ],
)
def test_a_requirement_for_elsewhere_or_met_keeps_nobody_out(install_plugin, requirement):
    install_plugin("stithy-calm", SOUND, requires=[requirement])
    assert "stithy-calm" in {plugin.origin.distribution for plugin in load_plugins(scan_plugins()).loaded}


@pytest.mark.parametrize(
    "requirement", ["Stithy.Core>=9", "stithy_core<0", "stithy-core>=0.999", "stithy-core>=9; python_version>'3'"]
)
def test_a_core_that_does_not_fit_is_named_however_it_is_written(install_plugin, requirement):
    install_plugin("stithy-ahead", "raise AssertionError", requires=[requirement])
    assert row("stithy-ahead").stage == "discovery"


def test_only_what_is_lacking_is_to_be_installed(install_plugin):
    lacking = ["attrs", "rusty-anvil", "attrs>=999"]
    install_plugin("stithy-needy", "import rusty_anvil", requires=lacking)
    assert row("stithy-needy").remedy == 'pip install "rusty-anvil" "attrs>=999"'


def test_requirements_that_cannot_be_read_leave_the_remedy_of_the_import(install_plugin):
    install_plugin("stithy-needy", "import rusty_anvil", requires=["rusty-anvil>>2"])
    assert row("stithy-needy").remedy.startswith("install the package that provides the module 'rusty_anvil'")
