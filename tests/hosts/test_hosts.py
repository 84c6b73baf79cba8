"""Clients and agents of other makers list the tools over stdio, call one, and are told what is wrong with a call."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stithy_testing import make_app

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).with_name("scripts")
SERVER = [Path(sys.executable).with_name("stithy"), "serve"]


def run(folder, *command):
    """Run a host in an empty folder, without the settings of whoever runs this."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("STITHY_", "PYTHON"))}
    ran = subprocess.run([*command, *SERVER], cwd=folder, env=environ, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def check(found, folder):
    assert found["tools"] == sorted(make_app(folder).executor.registry.tools)
    plugins, refusal = found["said"]
    assert "stithy-comments" in plugins
    assert "repository must be in format" in refusal


@pytest.mark.node
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_client_of_the_typescript_sdk(tmp_path, era):
    modules = Path(shutil.which("mcp-inspector")).parents[1]
    check(run(tmp_path, "node", SCRIPTS / "typescript.mjs", modules, era), tmp_path)


@pytest.mark.hosts
@pytest.mark.parametrize("script", ["pydantic_ai_host.py", "openai_agents_host.py"])
def test_an_agent(tmp_path, script):
    check(run(tmp_path, ROOT / ".hosts" / "bin" / "python", SCRIPTS / script), tmp_path)
