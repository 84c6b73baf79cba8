"""The settings that are deployed: they are read, and the service answers by the name it has in the cluster."""

from pathlib import Path

import httpx
import pytest
from serving_http import serving_http

from stithy_testing import make_app

SETTINGS = (Path(__file__).parents[2] / "deploy/kubernetes/base/stithy.toml").read_text("utf-8")
TOKEN = "an-access-token-of-32-characters"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deployed")
    (folder / "access").write_text(f"{TOKEN}\n")
    with serving_http(folder, SETTINGS, STITHY_HTTP_TOKEN_FILE=str(folder / "access")) as url:
        yield url


def get(url, path="/openapi.json", token=TOKEN, host="mcp-github-comments"):
    headers = ({"Host": host} if host else {}) | ({"Authorization": f"Bearer {token}"} if token else {})
    return httpx.get(f"{url}{path}", headers=headers, timeout=60).status_code


def test_every_setting_is_known(tmp_path):
    assert make_app(tmp_path, SETTINGS).check_names() is None


def test_a_valid_token_is_accepted_at_the_services_name(url):
    assert get(url) == 200


@pytest.mark.parametrize("token", ["", "another"])
def test_a_missing_token_is_refused(url, token):
    assert get(url, token=token) == 401


def test_another_host_name_is_refused(url):
    assert get(url, host="evil.example") == 421


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_come_by_address_and_without_a_token(url, path):
    assert get(url, path, token="", host="") == 200
