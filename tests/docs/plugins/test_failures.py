"""When something fails: the shown reports are those of the command line."""

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PAGE = "plugins"


def test_a_plugin_that_lacks_a_library_is_shown_as_the_guide_shows_it(blocks, install_plugin, run, fits, tmp_path):
    install_plugin("stithy-rusty", "import rust")
    page = next(block.text for block in blocks(PAGE, "console") if block.text.startswith("$ stithy plugins\n"))
    command, shown = page.split("\n", 1)
    code, output = run(command.removeprefix("$ "), PYTHONPATH=str(tmp_path / "site-packages"))
    assert code == 0
    assert fits(shown, output)


FAULTS = {
    "import": "1/0",
    "interface": "STITHY_API = 2",
    "hooks": "from stithy_core.spi import hookimpl\nSTITHY_API = 1\n@hookimpl\ndef stithy_tolls(): return []",
    "offers": "from stithy_core.spi import hookimpl\nSTITHY_API = 1\n@hookimpl\ndef stithy_tools(): return [1]",
}


@pytest.mark.parametrize("stage", FAULTS)
def test_a_fault_is_named_with_its_stage(install_plugin, tmp_path, page, stage):
    install_plugin("stithy-rusty", FAULTS[stage])
    (failed,) = make_app(tmp_path).all_failed
    assert failed.stage == stage
    assert f"| `{stage}` |" in page(PAGE)


async def test_an_exception_of_a_handler_is_masked(install_plugin, source, tmp_path):
    install_plugin(
        "stithy-greet", source("stithy_greet.py").replace("    return Greeting(", "    1 / 0\n    return Greeting(")
    )
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("greet", {})
    assert result.structured_content["error"] == "greet failed inside stithy-greet 1.0"
    assert result.structured_content["code"] == -32603
