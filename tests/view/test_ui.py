"""The pages over HTTP: behind the access control of all routes, with what the server knows of itself."""

import json
import re

import pytest

from stithy_core.errors import ConfigError
from stithy_testing import browse, make_app

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.play]\nkind = "sandbox"\n'
PAGE = "/ui/pull-request?pr=smith/anvil%232"


async def get(tmp_path, *targets, environ=None, headers=None, host="127.0.0.1"):
    app = make_app(tmp_path, SETTINGS, environ=environ or {})
    async with browse(app, host) as request:
        return [await request("GET", target, headers=headers) for target in targets]


async def test_a_pull_request_is_a_page_that_can_be_read_again(tmp_path):
    (page,) = await get(tmp_path, PAGE)
    data = json.loads(re.search(rb'id="data">(.*?)</script>', page.body, re.DOTALL)[1])
    headers = {name.lower(): value for name, value in page.headers.items()}
    assert (page.status, data["can_reload"]) == (200, True)
    assert not any(answer["is_error"] for answer in data["answers"].values())
    assert (headers["cache-control"], headers["content-security-policy"]) == ("no-store", "frame-ancestors 'none'")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("?pr=x", 400),
        ("?pr=smith/anvil%2399", 502),
        ("?pr=https%3A%2F%2Fgit.invalid%2Fo%2Fr%2Fpulls%2F1", 400),
    ],
)
async def test_a_page_without_a_pull_request_is_an_error(tmp_path, query, status):
    target = f"/ui/pull-request{query}"
    (page,) = await get(tmp_path, target)
    assert page.status == status


async def test_the_status_has_calls_forges_and_plugins(tmp_path):
    _, status = await get(tmp_path, PAGE, "/ui/status")
    page = status.body.decode()
    assert re.search(r"<td>check_merge_readiness</td><td>1</td><td>0</td><td>0</td><td>[\d.]+</td>", page)
    assert "<td>play</td><td>sandbox</td><td>http://sandbox.invalid</td><td>0</td>" in page
    assert re.search(r"<td>stithy-view \S+ \(view\)</td><td>loaded</td>", page)
    assert "<script" not in page


async def test_the_text_of_a_failed_plugin_is_escaped(tmp_path, install_plugin):
    install_plugin("stithy-broken", 'raise ImportError("<img src=x onerror=alert(1)>")')
    (status,) = await get(tmp_path, "/ui/status")
    assert b"<img" not in status.body
    assert b"&lt;img src=x onerror=alert(1)&gt;" in status.body


@pytest.mark.parametrize("target", [PAGE, "/ui/status"])
async def test_the_pages_need_the_token_of_the_server(tmp_path, target):
    environ = {"STITHY_HTTP_TOKEN": "anvil" * 8}
    (refused,) = await get(tmp_path, target, environ=environ)
    (shown,) = await get(tmp_path, target, environ=environ, headers={"Authorization": f"Bearer {'anvil' * 8}"})
    assert (refused.status, shown.status) == (401, 200)


async def test_other_machines_need_a_token(tmp_path):
    with pytest.raises(ConfigError, match="no token is configured"):
        await get(tmp_path, "/ui/status", host="192.0.2.1")
