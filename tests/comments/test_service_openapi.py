"""The OpenAPI document of the comments service: it is served, its examples are answers, and the service keeps to it."""

import json
import re
from importlib.resources import files
from urllib.parse import urlsplit

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, settings
from serving_http import serving_http

DOCUMENT = json.loads(files("stithy_comments.service").joinpath("openapi.json").read_text("utf-8"))
OPERATIONS = [(path, operation["get"]) for path, operation in DOCUMENT["paths"].items()]
GITHUB = '[forges.github]\nkind = "sandbox"\n[comments]\nrequests_per_hour = 0\n'

schema = schemathesis.openapi.from_dict(DOCUMENT)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with serving_http(tmp_path_factory.mktemp("service"), GITHUB) as url:
        yield url


def test_the_service_serves_it(url):
    answer = httpx.get(f"{url}/openapi.json", timeout=60)
    assert answer.json() == DOCUMENT
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.parametrize(("path", "operation"), OPERATIONS, ids=[path for path, _ in OPERATIONS])
def test_the_example_of_each_endpoint_is_what_it_answers(url, path, operation):
    (sample,) = operation["x-codeSamples"]
    parts = urlsplit(re.fullmatch("curl --fail '(.+)'", sample["source"])[1])
    answer = httpx.get(f"{url}{parts.path}", params=parts.query, timeout=60)
    assert answer.json() == operation["responses"]["200"]["content"]["application/json"]["example"]


def is_contradictory(query):
    """Return whether valid parameters contradict each other, which the schema cannot express."""
    bounds = [query.get("since"), query.get("until")]
    unwanted = "events" in query and "timeline" not in str(query.get("include", ""))
    return all(bounds) or unwanted


@schema.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_service_keeps_to_it(case, url):
    assume(not is_contradictory(case.query or {}) or case.meta.generation.mode.name == "NEGATIVE")
    case.call_and_validate(base_url=url)
