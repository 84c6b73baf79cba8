"""The transport: found by its entry point, with settings that are checked together with all others."""

import pytest

from stithy_core.config import load_config, transports
from stithy_core.errors import ConfigError
from stithy_http import TRANSPORT
from stithy_http.http_settings import ServeHttpSettings


@pytest.fixture
def read(tmp_path):
    """Read settings from the text of a file."""

    def read(text, **environ):
        (tmp_path / "stithy.toml").write_text(text)
        return load_config(environ, tmp_path)

    return read


@pytest.fixture
def missing(monkeypatch):
    """A machine on which stithy-http is not installed."""
    transports.find_transport.cache_clear()
    monkeypatch.setattr(transports, "entry_points", lambda **_: ())
    yield
    transports.find_transport.cache_clear()


def test_the_entry_point_leads_to_it():
    assert transports.require_transport("http") is TRANSPORT


def test_the_http_table_is_an_instance_of_its_class(read):
    assert read("[serve.http]\nmax_body = 5\n").serve.http == ServeHttpSettings(max_body=5)


def test_without_table_and_variables_nothing_is_looked_up(read, missing):
    assert read("[serve]\nread_only = true\n").serve.http is None


def test_variables_are_added_without_a_table(read):
    settings = read("", STITHY_HTTP_HOSTS="A.example, b.example", STITHY_HTTP_TOKEN="x").serve.http
    assert settings.hosts == ("a.example", "b.example")
    assert settings.tokens["STITHY_HTTP_TOKEN"].env == "STITHY_HTTP_TOKEN"


def test_errors_of_the_http_table_are_reported_with_all_others(read):
    with pytest.raises(ConfigError) as caught:
        read('[serve]\nread_only = 1\n[serve.http]\nmax_bodi = 1\nhosts = ["https://a"]\nmax_requests = 0\n')
    keys = [entry["key"] for entry in caught.value.details["errors"]]
    assert keys == ["serve.read_only", "serve.http.max_bodi", "serve.http.hosts", "serve.http.max_requests"]


def test_a_wrong_variable_is_an_error(read):
    with pytest.raises(ConfigError, match="STITHY_HTTP_HOSTS"):
        read("", STITHY_HTTP_HOSTS="https://a.example")


def test_an_issuer_needs_https(read):
    with pytest.raises(ConfigError) as caught:
        read('[serve.http.oauth]\nissuer = "http://a.example"\nresource = "https://b"\nkeys = "https://c"\n')
    assert caught.value.details["key"] == "serve.http.oauth.issuer"


def test_a_relative_ca_file_starts_at_the_folder_of_the_file(read, tmp_path):
    table = '[serve.http.oauth]\nissuer = "https://a"\nresource = "https://b"\nkeys = "https://c"\nca_file = "ca.pem"\n'
    assert read(table).serve.http.oauth.ca_file == tmp_path / "ca.pem"


def test_without_the_package_its_table_stays_unread(read, missing):
    assert read("[serve.http]\nanything = 1\n").serve.http == {"anything": 1}


def test_without_the_package_serving_names_it(missing):
    with pytest.raises(ConfigError) as caught:
        transports.require_transport("http")
    assert 'pip install "stithy-http"' in caught.value.suggestion
