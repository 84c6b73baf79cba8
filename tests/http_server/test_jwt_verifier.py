"""Tokens of an OAuth issuer: accepted if its keys signed them for this server."""

import json
import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from loopback import Server, starting

from stithy_core.spi import Response
from stithy_testing import browse

pytestmark = pytest.mark.anyio

RESOURCE = "https://stithy.example/mcp"
KEY = ec.generate_private_key(ec.SECP256R1())
FOREIGN = ec.generate_private_key(ec.SECP256R1())
RSA = rsa.generate_private_key(65_537, 2_048)
PEM_AS_SECRET = "x" * 40


async def who(context, request):
    return Response.of_json(request.caller)


def jwk(key, kid):
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return json.loads(algorithm.to_jwk(key.public_key())) | {"kid": kid, "use": "sig"}


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """All issuers are on the loopback interface."""


@pytest.fixture
async def issuer():
    """An issuer that serves its keys."""
    async with starting() as start:
        server = await start(Server())
        server.answer("GET /keys", 200, {"keys": [jwk(KEY, "one"), jwk(RSA, "rsa")]})
        yield server


@pytest.fixture
def app(serve, issuer):
    """A server that accepts its tokens."""
    place = f'issuer = "{issuer.url}"\nresource = "{RESOURCE}"\nkeys = "{issuer.url}/keys"\nscopes = ["stithy"]'
    return serve(who=who, settings=f"[serve.http.oauth]\n{place}")


@pytest.fixture
def token(issuer):
    """Create a token; keywords change its claims, and None removes one."""

    def sign(key=KEY, kid="one", algorithm="ES256", header=None, **claims):
        good = {"iss": issuer.url, "aud": RESOURCE, "exp": time.time() + 60, "sub": "ada", "scope": "other stithy"}
        given = {name: value for name, value in (good | claims).items() if value is not None}
        return jwt.encode(given, key, algorithm, headers={"kid": kid} | (header or {}))

    return sign


async def send_request(app, token, path="/who/a/b"):
    async with browse(app, "0.0.0.0") as ask:
        return await ask("GET", path, headers={"Authorization": f"Bearer {token}"})


async def test_a_token_of_the_issuer_for_this_server_is_accepted(app, token, issuer):
    answer = await send_request(app, token(client_id="rex"))
    assert (answer.status, json.loads(answer.body)) == (200, f"rex {issuer.url} ada")


async def test_other_key_types_and_audience_lists_are_accepted(app, token):
    assert (await send_request(app, token(RSA, "rsa", "RS256", aud=["https://other.example", RESOURCE]))).status == 200


@pytest.mark.parametrize("algorithm", ["RS512", "PS256"])
async def test_an_rsa_key_that_names_no_algorithm_verifies_each_of_rsa(app, token, algorithm):
    assert (await send_request(app, token(RSA, "rsa", algorithm))).status == 200


async def test_a_key_verifies_by_the_algorithm_that_it_names(app, token, issuer):
    issuer.answer("GET /keys", 200, {"keys": [jwk(RSA, "rsa") | {"alg": "RS256"}]})
    answers = [await send_request(app, token(RSA, "rsa", algorithm)) for algorithm in ("RS256", "PS256")]
    assert [answer.status for answer in answers] == [200, 401]


async def test_a_key_for_encryption_does_not_replace_the_one_of_its_id(app, token, issuer):
    keys = [jwk(KEY, "one"), jwk(RSA, "one") | {"use": "enc"}, {"kty": "unknown", "kid": "one"}]
    issuer.answer("GET /keys", 200, {"keys": keys})
    assert (await send_request(app, token())).status == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"exp": 1},
        {"exp": None},
        {"nbf": time.time() + 3_600},
        {"aud": "https://other.example/mcp"},
        {"aud": None},
        {"iss": "https://other.example"},
        {"iss": None},
        {"key": FOREIGN},
        {"kid": "two"},
        {"key": PEM_AS_SECRET, "algorithm": "HS256"},
        {"key": None, "algorithm": "none"},
        {"key": RSA, "algorithm": "RS256"},
    ],
    ids=[
        "ended", "endless", "early", "of another resource", "of none", "of another issuer", "of nobody", "forged",
        "of an unknown key", "signed with a public thing", "unsigned", "of another key's kind",
    ],
)  # fmt: skip
async def test_a_token_with_any_wrong_part_is_refused(app, token, wrong):
    answer = await send_request(app, token(**wrong))
    assert answer.status == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


CLIENT = "a-client"
ACCESS = {
    "RFC 9068": {"header": {"typ": "at+jwt"}, "client_id": CLIENT, "nonce": "n"},
    "RFC 9068, in full": {"header": {"typ": "application/AT+JWT"}},
    "Okta": {"header": {"typ": "application/okta-internal-at+jwt"}, "cid": CLIENT},
    "Okta, without a type": {"header": {"typ": None}, "cid": CLIENT, "scope": None, "scp": ["stithy"]},
    "Keycloak": {"typ": "Bearer", "azp": CLIENT, "nonce": "n"},
    "Cognito": {"token_use": "access", "client_id": CLIENT},
    "Entra": {"azp": CLIENT, "scope": None, "scp": "stithy", "ver": "2.0"},
    "Auth0": {"azp": CLIENT, "aud": [RESOURCE, "https://issuer.example/userinfo"]},
}
OTHER = {
    "Keycloak's ID token": {"typ": "ID", "azp": RESOURCE},
    "Keycloak's refresh token": {"typ": "Refresh"},
    "Cognito's ID token": {"token_use": "id"},
    "an ID token by its hash": {"at_hash": "h"},
    "an ID token by its nonce": {"nonce": "n"},
    "an ID token with a type": {"header": {"typ": "id_token+jwt"}},
    "a logout token": {"header": {"typ": "logout+jwt"}},
    "an ID token by its client": {"azp": RESOURCE},
    "an ID token with little in it": {"scope": None, "azp": CLIENT, "aud": [CLIENT, RESOURCE]},
}


@pytest.mark.parametrize("claims", ACCESS.values(), ids=ACCESS)
async def test_access_tokens_of_common_issuers_are_accepted(app, token, claims):
    assert (await send_request(app, token(**claims))).status == 200


@pytest.mark.parametrize("claims", OTHER.values(), ids=OTHER)
async def test_tokens_other_than_access_tokens_are_refused(app, token, claims, caplog):
    """Even if this server is their audience (FIX-17)."""
    caplog.set_level("INFO")
    answer = await send_request(app, token(**claims))
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (401, "invalid_token")
    assert "a bearer token is refused: its header 'typ'" in caplog.text or "it is an ID token" in caplog.text


async def test_an_id_token_without_a_type_is_refused_where_no_scope_is_required(serve, issuer, token):
    place = f'issuer = "{issuer.url}"\nresource = "{RESOURCE}"\nkeys = "{issuer.url}/keys"'
    app = serve(who=who, settings=f"[serve.http.oauth]\n{place}")
    assert (await send_request(app, token(scope=None))).status == 401
    assert (await send_request(app, token(scope=None, azp=CLIENT))).status == 200


@pytest.mark.parametrize(("typ", "status"), [("at+jwt", 200), ("JWT", 401), (None, 401)])
async def test_a_required_type_must_be_present(serve, issuer, token, typ, status):
    place = f'issuer = "{issuer.url}"\nresource = "{RESOURCE}"\nkeys = "{issuer.url}/keys"\ntyp = "at+jwt"'
    app = serve(who=who, settings=f"[serve.http.oauth]\n{place}")
    assert (await send_request(app, token(header={"typ": typ}))).status == status


@pytest.mark.parametrize("text", ["", "a", "a.b.c", "a.b.c.d.e", "eyJhbGciOiJFUzI1NiJ9..", "\u00e9" * 20])
async def test_text_that_is_not_a_jwt_is_refused(app, text):
    assert (await send_request(app, text)).status == 401


async def test_a_token_with_a_missing_scope_is_refused_with_the_scope(app, token):
    answer = await send_request(app, token(scope="other"))
    assert answer.status == 403
    assert 'error="insufficient_scope", scope="stithy"' in answer.headers["www-authenticate"]


async def test_the_challenge_names_where_to_get_a_token(app, issuer):
    async with browse(app, "0.0.0.0") as ask:
        refused = await ask("GET", "/who/a/b")
        place = "/.well-known/oauth-protected-resource/mcp"
        told = json.loads((await ask("GET", place)).body)
    assert f'resource_metadata="https://stithy.example{place}"' in refused.headers["www-authenticate"]
    assert told["resource"] == RESOURCE
    assert told["authorization_servers"] == [issuer.url]


async def test_unknown_key_ids_do_not_repeat_the_fetch(app, token, issuer):
    async with browse(app, "0.0.0.0") as ask:
        for kid in ("one", "two", "three", "one"):
            await ask("GET", "/who/a/b", headers={"Authorization": f"Bearer {token(kid=kid)}"})
    assert len(issuer.received) == 1


async def test_while_the_issuer_is_down_tokens_are_refused(app, token, issuer):
    issuer.answer("GET /keys", 200, b"no json")
    assert (await send_request(app, token())).status == 401


def test_an_issuer_without_https_is_refused(serve):
    table = '[serve.http.oauth]\nissuer = "http://auth.example"\nresource = "https://a"\nkeys = "https://b"'
    with pytest.raises(Exception, match="must begin with https://"):
        serve(settings=table)


async def test_a_long_subject_is_shortened_and_stays_unique(app, token):
    """A subject may have any length; a log line must not (FIX-4)."""
    said = [(await send_request(app, token(client_id="rex", sub="s" * 5_000 + end))).body.decode() for end in "ab"]
    assert max(map(len, said)) < 400
    assert said[0] != said[1]
