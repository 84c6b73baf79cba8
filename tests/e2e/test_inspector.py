"""The MCP inspector, a program of another language, lists and calls the tools in both eras of the protocol."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lab import CASSETTES

from stithy_testing import Tape, make_app, playback

pytestmark = pytest.mark.node

STITHY = Path(sys.executable).with_name("stithy")
ERAS = pytest.mark.parametrize("era", ["legacy", "modern"])


def inspect(folder, era, *words):
    # Without a time limit of its own: it allows 15 seconds, and a busy machine needs longer to start the server.
    options = ["--protocol-era", era, "--connect-timeout", "0", "-q"]
    command = ["mcp-inspector", "--cli", *options, STITHY, "serve", "--format", "json", *words]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    return run.returncode, json.loads(run.stdout or "{}").get("result")


def settings(folder, url):
    (folder / "stithy.toml").write_text(f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')


@ERAS
def test_it_finds_every_schema_portable(tmp_path, era):
    code, result = inspect(tmp_path, era, "--method", "tools/list", "--strict")
    assert code == 0
    assert [tool["name"] for tool in result["tools"]] == sorted(make_app(tmp_path).executor.registry.tools)


@ERAS
def test_it_posts_a_comment(tmp_path, era):
    arguments = {"repository": "stithy-admin/lab-a-comment-is-created", "pull_request_number": 1}
    arguments["comment"] = "Strike while the iron is hot."
    words = ["--method", "tools/call", "--tool-name", "pr_comment_create", "--tool-args-json", json.dumps(arguments)]
    tape = Tape.read([CASSETTES / "gitea-1.27" / "lab-a-comment-is-created.yaml"])
    with playback(tape) as url:
        settings(tmp_path, url)
        code, result = inspect(tmp_path, era, *words)
    assert code == 0
    assert result["content"][0]["text"].startswith("Pull request comment created successfully. ID: ")


@ERAS
def test_it_is_told_what_is_wrong(tmp_path, era):
    settings(tmp_path, "http://127.0.0.1:9")
    words = ["--method", "tools/call", "--tool-name", "pr_comment_list", "--tool-args-json", '{"repository": "../.."}']
    code, result = inspect(tmp_path, era, *words)
    assert code == 5  # the inspector's word for an answer that is an error
    assert result["structuredContent"]["details"]["errors"][0]["path"] == "pull_request_number"
