"""Authentication: static tokens, and open areas."""

import json

import pytest

from stithy_core.errors import ConfigError
from stithy_core.redaction import redact
from stithy_core.spi import Response
from stithy_testing import browse

pytestmark = pytest.mark.anyio

TOKEN = "a-token-that-nobody-guesses"
OTHER = "b-token-that-nobody-guesses"
GUARDED = ["/mcp", "/metrics", "/who/a/b", "/nothing"]


async def who(context, request):
    return Response.of_json(request.caller)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


async def send_request(app, path="/who/a/b", *, host="127.0.0.1", open_=(), **options):
    async with browse(app, host, open_=open_) as ask:
        return await ask("GET", path, **options)


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize(
    "headers", [{}, bearer("wrong-token-of-somebody"), {"Authorization": f"Basic {TOKEN}"}, bearer("")]
)
async def test_requests_without_a_valid_token_are_refused(serve, path, headers):
    answer = await send_request(serve(who=who, environ={"STITHY_HTTP_TOKEN": TOKEN}), path, headers=headers)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith('Bearer realm="stithy"')
    assert ("invalid_token" in answer.headers["www-authenticate"]) == bool(headers)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_probes_need_no_token(serve, path):
    assert (await send_request(serve(environ={"STITHY_HTTP_TOKEN": TOKEN}), path, host="0.0.0.0")).status == 200


async def test_the_token_of_the_environment_is_accepted(serve):
    answer = await send_request(
        serve(who=who, environ={"STITHY_HTTP_TOKEN": TOKEN}), host="0.0.0.0", headers=bearer(TOKEN)
    )
    assert json.loads(answer.body) == "holder:STITHY_HTTP_TOKEN"


async def test_a_token_file_is_read_again_when_it_changes(serve, tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    app = serve(who=who, environ={"STITHY_HTTP_TOKEN_FILE": str(tmp_path / "token")})
    async with browse(app) as ask:
        assert (await ask("GET", "/who/a/b", headers=bearer(TOKEN))).status == 200
        (tmp_path / "token").write_text(OTHER)
        assert (await ask("GET", "/who/a/b", headers=bearer(TOKEN))).status == 401
        assert (await ask("GET", "/who/a/b", headers=bearer(OTHER))).status == 200
        (tmp_path / "token").unlink()
        assert (await ask("GET", "/who/a/b", headers=bearer(OTHER))).status == 401


async def test_callers_are_identified_by_the_names_of_their_tokens(serve):
    settings = '[serve.http.tokens]\nrex = { env = "REX" }\nada = { env = "ADA" }\n'
    app = serve(who=who, settings=settings, environ={"REX": TOKEN, "ADA": OTHER})
    async with browse(app) as ask:
        said = [json.loads((await ask("GET", "/who/a/b", headers=bearer(token))).body) for token in (TOKEN, OTHER)]
    assert said == ["holder:rex", "holder:ada"]


async def test_on_the_loopback_interface_no_token_is_required(serve):
    assert json.loads((await send_request(serve(who=who))).body) == "127.0.0.1"


async def test_opening_one_area_closes_no_other_on_the_loopback_interface(serve):
    assert (await send_request(serve(who=who), open_=["metrics"])).status == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "stithy.example", ""])
async def test_at_other_addresses_a_server_without_tokens_does_not_start(serve, host):
    with pytest.raises(ConfigError, match="no token") as caught:
        await send_request(serve(who=who), host=host)
    assert "STITHY_HTTP_TOKEN" in caught.value.suggestion


async def test_with_further_host_names_a_token_is_required_on_the_loopback_interface(serve):
    """A proxy on the same machine forwards requests from anywhere."""
    with pytest.raises(ConfigError):
        await send_request(serve(who=who, settings='[serve.http]\nhosts = ["stithy.example"]'))


async def test_only_open_areas_need_no_token(serve):
    app = serve(who=who)
    answers = [
        await send_request(app, path, host="0.0.0.0", open_=["routes"]) for path in ("/who/a/b", "/mcp", "/metrics")
    ]
    assert [answer.status for answer in answers] == [200, 401, 401]
    assert b"STITHY_HTTP_TOKEN" in answers[1].body


@pytest.mark.parametrize(
    ("settings", "environ", "said"),
    [
        ("", {"STITHY_HTTP_TOKEN": "short"}, "fewer than 16 characters"),
        ("", {"STITHY_HTTP_TOKEN_FILE": "/nowhere"}, "No such file"),
        ('[serve.http.tokens]\nrex = { command = ["pass"] }', {}, "env or as file"),
    ],
)
async def test_an_unusable_token_is_an_error_at_the_start(serve, settings, environ, said):
    with pytest.raises(ConfigError) as caught:
        await send_request(serve(settings=settings, environ=environ))
    assert said in f"{caught.value.message} {caught.value.suggestion}"


def test_a_token_in_the_file_is_refused(serve):
    with pytest.raises(ConfigError, match="must not be written out") as caught:
        serve(settings=f'[serve.http.tokens]\nrex = "{TOKEN}"')
    assert TOKEN not in caught.value.message


async def test_accepted_tokens_are_redacted(serve):
    await send_request(serve(environ={"STITHY_HTTP_TOKEN": TOKEN}), "/healthz")
    assert TOKEN not in redact(f"it was {TOKEN}")
