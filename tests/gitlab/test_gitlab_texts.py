"""What GitLab would carry out instead of storing it, and what its errors say."""

import pytest

from stithy_core.spi import ErrorResponse, Forbidden
from stithy_gitlab.gitlab_dialect import map_error, read_message
from stithy_gitlab.quick_actions import find_quick_actions


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("/merge", ["merge"]),
        ("Fine.\n\n/close\n/label ~bug", ["close", "label"]),
        ("/usr/bin is a folder, /merge is not at the beginning", []),
        ("```\n/close\n```\nand `/merge`", []),
        ("```\n/close", ["close"]),
        ("```\n/a\n```\n/lock\n```\n/b\n```", ["lock"]),
        ("> /close", []),
        ("    /close", []),
        ("```ruby\n/close\n```  ", []),
        ("> quoted\n\n```\r\n/close\r\n```", []),
    ],
)
def test_a_line_that_begins_with_a_word_after_a_slash_is_a_quick_action_outside_of_code(body, words):
    assert find_quick_actions(body) == words


@pytest.mark.parametrize(
    "body",
    [
        "``` code ``` here\n/close\n```",
        "~~~\n```\n~~~\n/close\n```",
        "<div>\n```\n</div>\n\n/close\n```",
        ">>>\n```\n>>>\n\n/close\n```",
        "---\n```\n---\n/close\n```",
        "```\n````\n/close\n```",
        "```\n   ```\n/close\n```",
        "text\u2028```\n/close\n```",
        "/clo\rse",
    ],
)
def test_what_only_looks_like_a_fence_hides_no_quick_action(body):
    assert find_quick_actions(body) == ["close"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"message": "404 Project Not Found"}, "404 Project Not Found"),
        ({"message": ["Another open merge request already exists"]}, "Another open merge request already exists"),
        (
            {"message": {"name": ["has already been taken"], "base": ["is locked"]}},
            "name: has already been taken; is locked",
        ),
        (
            {"message": {"error": "This endpoint has been requested too many times."}},
            "This endpoint has been requested too many times.",
        ),
        ({"error": "scope does not have a valid value"}, "scope does not have a valid value"),
        ({"error": "invalid_token", "error_description": "Token was revoked."}, "Token was revoked."),
        ("Retry later\n", "Retry later"),
        (None, ""),
    ],
)
def test_each_form_of_a_message_is_read(body, text):
    assert read_message(body) == text


def test_a_missing_scope_is_named():
    body = {
        "error": "insufficient_scope",
        "error_description": "The request requires higher privileges",
        "scope": "api",
    }
    error = map_error(ErrorResponse(status=403, message=read_message(body), headers={}, body=body, writing=True))
    assert isinstance(error, Forbidden)
    assert "scope api" in error.suggestion
