"""docs/comments-service.md: its examples are run against the real service, its tables have every parameter."""

import re
import subprocess

import pytest
from serving_http import serving_http

from stithy_comments.service import query_parameters, response_body
from stithy_comments.tools import ENDPOINTS

PAGE = "comments-service.md"
WRITTEN = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with serving_http(tmp_path_factory.mktemp("service"), '[forges.github]\nkind = "sandbox"\n') as url:
        yield url


def examples(blocks):
    """Return each command with its documented answer."""
    found = [block for block in blocks(PAGE) if block.language in {"sh", "json", "text"}]
    return list(zip(found[::2], found[1::2], strict=True))


def test_each_command_answers_what_the_page_says(blocks, url):
    for command, shown in examples(blocks):
        line = command.text.replace(WRITTEN, url)
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
        wanted = re.escape(shown.text.strip()).replace("…", ".*")
        assert re.fullmatch(wanted, done.stdout.strip()), done.stdout


def test_each_endpoint_has_an_example_and_a_row(blocks, page):
    commands = " ".join(command.text for command, _ in examples(blocks))
    for path in ENDPOINTS:
        assert f"| `{path}` |" in page(PAGE)
        assert re.search(re.sub(r"\\{\w+\\}", r"[^/?]+", re.escape(path)) + r"['?]", commands)


def test_each_parameter_has_a_row(page):
    rows = [line.split("|")[1] for line in page(PAGE).splitlines() if line.startswith("|")]
    assert not [name for name in query_parameters.READERS if not any(f"`{name}`" in row for row in rows)]


def test_the_limits_are_those_that_hold(page):
    for limit in (
        response_body.LARGEST,
        response_body.LONGEST_BODY,
        query_parameters.MOST_ITEMS,
        query_parameters.LONGEST_SUMMARY,
    ):
        assert f"{limit:,}" in page(PAGE)
