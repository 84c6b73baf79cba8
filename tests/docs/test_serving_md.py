"""docs/serving.md: its lines are run against the real server, and its tables are held against the program."""

import inspect
import re
from pathlib import Path

import anyio
import pytest
from serving import serving

from stithy_core.errors import StithyError, iterate_errors
from stithy_core.spi.routes import code_of
from stithy_http import metrics
from stithy_testing import browse, make_app

pytestmark = pytest.mark.anyio

PAGE = "serving.md"
TOKEN = "a-token-that-nobody-guesses"
OWN_PLACE = "http://127.0.0.1:8080"


async def run_line(line, url):
    """Run a line of the page in a shell, at the port that the server has."""
    command = ["bash", "-c", line.replace(OWN_PLACE, url)]
    done = await anyio.run_process(command, env={"PATH": "/usr/bin:/bin", "STITHY_HTTP_TOKEN": TOKEN}, check=False)
    return done.stdout.decode()


async def test_each_line_answers_what_is_shown(blocks, fits, tmp_path):
    parts = blocks(PAGE, "console")[0].text.removeprefix("$ ").split("\n$ ")
    async with serving(tmp_path, "--plugin", "sandbox", STITHY_HTTP_TOKEN=TOKEN) as served:
        for part in parts:
            line, shown = part.split("\n", 1)
            output = (await run_line(line, served.url)).replace("\r", "")
            assert fits(shown, output), f"{line}\n{output}"


def test_the_settings_of_the_page_are_right(blocks, tmp_path):
    assert make_app(tmp_path, blocks(PAGE, "toml")[0].text).config.serve.http.oauth.scopes == ("stithy",)


async def test_the_error_of_a_server_without_a_token_is_that_of_the_page(page, run):
    code, output = await anyio.to_thread.run_sync(run, "stithy serve --http 0.0.0.0:0")
    (shown,) = re.findall(r"exits at once with code (\d), `(.+?)`", page(PAGE))
    assert (str(code), shown[1].replace("HOST", "0.0.0.0") in output) == (shown[0], True)


def words(page):
    return re.findall(r"`([a-z_]+)`", page(PAGE))


def test_every_refusal_has_a_row(page):
    sources = "".join(path.read_text() for path in Path(metrics.__file__).parent.glob("*.py"))
    codes = set(re.findall(r'Problem\(\d+, "(\w+)"', sources)) | {"unauthorized", "invalid_token", "insufficient_scope"}
    assert len(codes) > 8
    assert not [code for code in codes - {"internal_error"} if code not in words(page)]


@pytest.mark.parametrize("code", ["rate_limited", "unavailable", "tool_timeout"])
def test_the_errors_of_routes_are_those_of_the_program(page, code):
    kind = next(kind for kind in iterate_errors(StithyError) if code_of(kind("")) == code)
    assert re.search(rf"\| {kind.http_status} \| `{code}` \|", page(PAGE))


async def test_every_series_has_a_row(page, tmp_path):
    async with browse(make_app(tmp_path, entries=[])) as ask:
        text = (await ask("GET", "/metrics")).body.decode()
    names = {name.removesuffix("_total") for name in re.findall(r"^# TYPE (stithy_\w+)", text, re.MULTILINE)}
    assert len(names) > 9
    assert not [name for name in names if f"| `{name}" not in page(PAGE)]


def test_the_labels_are_those_of_the_page(page):
    reads = re.search(r"\| `stithy_upstream_reads_total` \| (.*?) \|", page(PAGE))[1]
    assert re.findall(r"`(\w+)`", reads)[2:] == ["missed", "revalidated", "stale", "coalesced"]
    assert "`ok`, `failed`, `late`" in page(PAGE)
    assert inspect.getsource(metrics).count('"ok"') == 1
