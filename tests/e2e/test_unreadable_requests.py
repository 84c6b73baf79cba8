"""Over standard input, too, a request that cannot be read is refused at once, and the next one is served."""

import sys
from pathlib import Path

import pytest
from wire import start_wire

COMMAND = [sys.executable, Path(sys.executable).with_name("stithy"), "serve"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("value", [r'"\ud83d"', "[" * 500 + "]" * 500, "9" * 5_000])
def test_it_is_refused_and_the_server_goes_on(tmp_path, era, value):
    with start_wire(COMMAND, era, tmp_path / "log", cwd=tmp_path) as wire:
        number = wire.request("tools/call", f'{{"name": "list_plugins", "arguments": {{"x": {value}}}}}')
        error = wire.wait([number])[number]["error"]
        assert (error["code"], error["message"][:14]) == (-32700, "Invalid JSON: ")
        assert wire.ask("tools/list")["tools"]
