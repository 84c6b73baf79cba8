"""The scope that a token lacks is named as the server names it (FIX-9)."""

import pytest

from stithy_core.spi import ErrorResponse
from stithy_gitea.error_mapping import map_error

GITEA = (
    "token does not have at least one of required scope(s), required=[write:issue], token scope=read:issue,read:user"
)
FORGEJO = "token does not have at least one of required scope(s): [write:issue read:user]"


def refusal(message, status=403):
    return ErrorResponse(status=status, message=message, headers={}, body={"message": message}, writing=False)


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        (GITEA, "The token needs the scope write:issue; it has read:issue, read:user."),
        (FORGEJO, "The token needs the scope write:issue or read:user."),
    ],
)
def test_the_missing_scope_is_named_and_what_the_token_has(message, advice):
    error = map_error(refusal(message))
    assert error.suggestion.startswith(advice)
    assert message in error.message


@pytest.mark.parametrize("message", ["user should have a permission to write to a repo", "", "required=[write:issue]"])
def test_another_refusal_names_no_scope(message):
    assert map_error(refusal(message)) is None
