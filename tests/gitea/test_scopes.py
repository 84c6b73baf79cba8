"""The scope that a token lacks is named as the server names it (FIX-9)."""

import pytest
from gitea_loopback import ROOT, serve
from lab import Lab
from loopback import Server, starting
from worlds import open_forge

from stithy_core.spi import ErrorResponse, Forbidden, IssueRef, Moved, RepositoryRef
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


@pytest.mark.anyio
async def test_a_refused_write_that_nothing_explains_further_is_not_its_own_cause(unproxied, tmp_path):
    """Programs that follow the causes of an error would never end."""
    async with starting() as start:
        server = serve(await start(Server()), "gitea")
        server.answer(f"POST {ROOT}/issues/2/comments", 403, {"message": GITEA})
        async with open_forge(Lab(server.url, "lab", tmp_path)) as forge:
            with pytest.raises(Forbidden, match="required scope") as caught:
                await forge.comments.create(IssueRef(RepositoryRef("smith", "anvil"), 2), "Hello.")
    assert caught.value.__cause__ is not caught.value


@pytest.mark.anyio
async def test_a_redirect_to_another_host_is_not_its_own_cause(unproxied, tmp_path):
    async with starting() as start:
        server = serve(await start(Server()), "gitea")
        server.answer(
            f"POST {ROOT}/issues/2/comments", 307, {}, location="https://elsewhere.example/repos/a/b/issues/2"
        )
        async with open_forge(Lab(server.url, "lab", tmp_path)) as forge:
            with pytest.raises(Moved) as caught:
                await forge.comments.create(IssueRef(RepositoryRef("smith", "anvil"), 2), "Hello.")
    assert caught.value.__cause__ is not caught.value
