"""The examples of the first guide, written for interface 0, fail with one sentence that says what to change."""

import pytest

from stithy_core.plugins.interface_versions import CHANGES

NUMBER = {"STITHY_API = 0": "STITHY_API = 1"}
NAMES = NUMBER | {"Ability": "Capability", "Refusal": "ErrorResponse"}
ARGUMENTS = NAMES | {"explain=explain": "map_error=explain"}
ATTRIBUTES = ARGUMENTS | {"abilities": "capabilities"}

WRITTEN_FOR_0 = (
    "interface",
    "it was written for interface 0, and this core serves interface 1",
    f"pip install --upgrade DIST; its author makes {CHANGES}, and declares STITHY_API = 1",
)


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("stithy_waiting", WRITTEN_FOR_0),
        ("stithy_pond", WRITTEN_FOR_0),
        (
            "stithy_lines",
            (
                "import",
                "ImportError: cannot import name 'Worker' from 'stithy_core.spi'",
                f"write SyncContext, which is the name of Worker since interface 1, and make {CHANGES}",
            ),
        ),
    ],
)
def test_an_example_is_told_what_to_change_and_no_other_plugin_is_blamed(install_frozen, check, module, expected):
    stage, cause, remedy = expected
    install_frozen(module)
    name = module.replace("_", "-")
    rows = check()
    (row,) = [row for row in rows if row["level"] == "error"]
    assert (row["distribution"], row["stage"], row["remedy"]) == (name, stage, remedy.replace("DIST", name))
    assert row["cause"].startswith(cause)
    assert {"stithy-gitea", "stithy-comments"} <= {row["distribution"] for row in rows if row["level"] == "ok"}


@pytest.mark.parametrize(
    ("changes", "cause", "remedy"),
    [
        (
            NUMBER,
            "cannot import name 'Ability' from 'stithy_core.spi'",
            "write Capability, which is the name of Ability",
        ),
        (NAMES, "unexpected keyword argument 'explain'", "repair the module that forge names"),
        (ARGUMENTS, "Pond.abilities sets nothing: Forge has no attribute 'abilities'", "did you mean capabilities?"),
        (ATTRIBUTES, "PondThreads.of overrides nothing: Threads has no method 'of'", "did you mean list?"),
    ],
)
def test_an_author_who_changes_it_step_by_step_is_told_the_next_step(install_frozen, check, changes, cause, remedy):
    install_frozen("stithy_pond", **changes)
    row, *_ = check("stithy-pond")
    assert cause in row["cause"]
    assert row["remedy"].startswith(remedy)


def test_the_former_place_of_the_testing_kit_is_told(install_plugin, check):
    install_plugin("stithy-old", "from stithy_core.testing import make_app\nSTITHY_API = 0")
    (row,) = check("stithy-old")
    assert row["remedy"].startswith("pip install stithy-testing, write stithy_testing instead of stithy_core.testing")
