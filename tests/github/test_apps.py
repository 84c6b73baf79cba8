"""Tokens of a GitHub App, from a server that verifies each JWT by the app's public key."""

import json
import re
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import jwt
import pytest
import time_machine
from beside import beside
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from github_double.keys import create_key, format_pem

from stithy_core.errors import ConfigError, ForgeError, StithyError, Unavailable
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

EXCHANGE = re.compile(r"/api/v3/app/installations/(\d+)/access_tokens")


class Answers(BaseHTTPRequestHandler):
    """Answers as GitHub does: to an app with a valid JWT, and to a client with a token that the server issued."""

    def do_GET(self):
        self.answer(lambda: self.server.installations if "/installations" in self.path else {"path": self.path})

    def do_POST(self):
        self.answer(lambda: self.server.exchange(EXCHANGE.fullmatch(self.path)[1]), 201)

    def answer(self, body, status=200):
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.server.seen.append((self.command, self.path, bearer))
        status, body = self.server.refusal(self.path, bearer) or (status, body())
        content = json.dumps(body).encode()
        self.send_response_only(status)
        self.send_header("Date", format_datetime(self.server.now(), usegmt=True))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        """Do not log."""


class Server(ThreadingHTTPServer):
    """An Enterprise Server with one app; its clock may differ from ours."""

    def __init__(self, key):
        super().__init__(("127.0.0.1", 0), Answers)
        self.key = key
        self.skew = timedelta(0)
        self.installations = [{"id": 7, "account": {"login": "octo"}}]
        self.issued, self.seen, self.broken = [], [], None

    def now(self):
        return datetime.now(UTC) + self.skew

    def exchange(self, installation):
        self.issued.append(f"ghs_{installation}_{len(self.issued) + 1:020}")
        return {"token": self.issued[-1], "expires_at": f"{self.now() + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"}

    def refusal(self, path, bearer):
        if self.broken:
            return self.broken
        if "/app/" not in path:
            return None if bearer in self.issued[-1:] else (401, {"message": "Bad credentials"})
        try:
            claims = jwt.decode(
                bearer, self.key.public_key(), algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False}
            )
        except jwt.PyJWTError:
            return 401, {"message": "A JSON web token could not be decoded"}
        now = self.now().timestamp()
        timely = claims["iat"] <= now < claims["exp"] <= now + 600 and claims["exp"] - claims["iat"] <= 600
        return None if timely and claims["iss"] == "12" else (401, {"message": "the claims do not fit"})


@pytest.fixture
def server(key, unproxied):
    with beside(Server(key)) as running:
        yield running


@pytest.fixture
def forge(server, tmp_path, key):
    """A function that creates an app with the server as its forge; `installation` as in the settings."""

    def create(private_key=None, installation=', installation = "7"'):
        (tmp_path / "app.pem").write_text(private_key or format_pem(key))
        token = f'{{ app = "12", private_key = "app.pem"{installation} }}'
        url = f"http://127.0.0.1:{server.server_port}"
        create.app = make_app(tmp_path, f'[forges.work]\nkind = "github"\nurl = "{url}"\ntoken = {token}\n')
        return create.app.forges.forge("work")

    return create


async def get(forge):
    return await forge.http.get("/user")


async def test_the_token_of_an_installation_is_requested_and_used(forge, server):
    hub = forge()
    assert await get(hub) == {"path": "/api/v3/user"}
    assert [(method, path) for method, path, _ in server.seen] == [
        ("POST", "/api/v3/app/installations/7/access_tokens"),
        ("GET", "/api/v3/user"),
    ]
    assert await forge.app.connections.token_source(hub.config) == "the app 12, installation 7"


async def test_a_single_installation_need_not_be_configured(forge, server):
    await get(forge(installation=""))
    assert server.issued[0].startswith("ghs_7_")


async def test_several_installations_are_listed_with_their_accounts(forge, server):
    server.installations = [
        {"id": 8, "account": {"login": "octo"}},
        {"id": 9, "account": {"login": "acme"}},
        {"id": 10, "account": {"slug": "big-firm"}},
        {"id": 11, "account": None},
    ]
    with pytest.raises(ConfigError, match=r"the app 12 has several installations: .*") as caught:
        await get(forge(installation=""))
    assert caught.value.message.endswith(": ? (11), acme (9), big-firm (10), octo (8)")
    assert 'installation = "NUMBER"' in caught.value.suggestion


async def test_an_error_counts_the_installations_that_it_does_not_name(forge, server):
    server.installations = [{"id": number, "account": {"login": f"a{number}"}} for number in range(30)]
    with pytest.raises(ConfigError, match=r"and 10 more$"):
        await get(forge(installation=""))


async def test_an_app_without_an_installation_is_an_error(forge, server):
    server.installations = []
    with pytest.raises(ConfigError, match="the app 12 has no installation"):
        await get(forge(installation=""))


async def test_a_hundred_concurrent_calls_request_one_token(forge, server):
    hub = forge()
    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(hub.http.get, "/user")
    assert len(server.issued) == 1


async def test_the_token_is_renewed_before_it_expires(forge, server):
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC)) as clock:
        hub = forge()
        await get(hub)
        clock.shift(timedelta(minutes=50))
        await get(hub)
        assert len(server.issued) == 1
        clock.shift(timedelta(minutes=6))
        await get(hub)
    assert len(server.issued) == 2
    assert server.seen[-1][2] == server.issued[1]


@pytest.mark.parametrize("skew", [timedelta(hours=2), timedelta(hours=-2)])
async def test_a_wrong_clock_is_corrected_by_the_servers_time(forge, server, skew):
    server.skew = skew
    hub = forge()
    await get(hub)
    await get(hub)
    assert len(server.issued) == 1


async def test_a_revoked_token_is_replaced_at_once(forge, server):
    hub = forge()
    await get(hub)
    server.issued.append("ghs_taken_back")
    assert await get(hub) == {"path": "/api/v3/user"}


@pytest.mark.parametrize(
    ("status", "message"), [(401, "Integration not found"), (403, "suspended"), (404, "Not Found"), (422, "no")]
)
async def test_a_refused_app_is_a_configuration_error(forge, server, status, message):
    """A 404 would read as a missing repository, and `or_unknown` would accept it as an answer."""
    server.broken = (status, {"message": message})
    with pytest.raises(ConfigError, match=f"work issues no token for the app 12: .*{message}") as caught:
        await get(forge())
    assert "installation" in caught.value.suggestion
    assert caught.value.details["status"] == status


async def test_a_server_error_during_the_exchange_is_unavailable(forge, server):
    """The caller only read; that the token needs a write does not concern it."""
    server.broken = (502, {"message": "down"})
    with pytest.raises(Unavailable, match="down"):
        await get(forge())


async def test_another_apps_key_is_refused(forge):
    other = create_key()
    with pytest.raises(ConfigError, match="A JSON web token could not be decoded"):
        await get(forge(format_pem(other)))


def encrypt_key(key):
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8)
    return key.private_bytes(*form, serialization.BestAvailableEncryption(b"x")).decode()


WRONG_KEYS = {
    "another kind of key": lambda _: format_pem(ec.generate_private_key(ec.SECP256R1())),
    "a key with a password": encrypt_key,
    "half a key": lambda key: f"{format_pem(key)[:400]}\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("wrong", WRONG_KEYS.values(), ids=WRONG_KEYS)
async def test_an_invalid_private_key_is_an_error_that_does_not_show_it(forge, server, key, wrong):
    private_key = wrong(key)
    with pytest.raises(ConfigError, match="the private key of the app 12 cannot be used") as caught:
        await get(forge(private_key))
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value.as_dict())
    assert not [line for line in private_key.splitlines()[1:-1] if line in shown]
    assert server.seen == []


async def test_neither_key_nor_jwt_nor_token_is_in_an_error_or_the_log(forge, server, key, caplog):
    caplog.set_level("DEBUG", "stithy")
    hub = forge()
    await get(hub)
    server.broken = (403, {"message": "no"})
    with pytest.raises(StithyError) as caught:
        await get(hub)
    with pytest.raises(StithyError) as again:
        await get(forge())
    shown = caplog.text + "".join("".join(traceback.format_exception(one.value)) for one in (caught, again))
    secrets = [*server.issued, *(bearer for _, _, bearer in server.seen), format_pem(key).splitlines()[1]]
    assert not [secret for secret in secrets if secret in shown]


async def test_recorded_tokens_are_used_until_they_expire(recorded, hub, tmp_path, key):
    (tmp_path / "app.pem").write_text(format_pem(key))
    answers = [one for one in recorded if one.path.endswith("/access_tokens")]
    for exchange in answers:
        hub.answers = {f"POST {exchange.path}": (201, {}, exchange.body), "GET /user": {}}
        token = f'{{ app = "12", private_key = "app.pem", installation = "{exchange.path.split("/")[3]}" }}'
        hub.asked.clear()
        hub.date = exchange.headers["date"]
        with time_machine.travel(parsedate_to_datetime(hub.date)) as clock:
            app = make_app(tmp_path, f'[forges.work]\nkind = "github"\nurl = "{hub.url}"\ntoken = {token}\n')
            async with app.running():
                await get(app.forges.forge("work"))
                clock.move_to(datetime.fromisoformat(exchange.body["expires_at"]))
                await get(app.forges.forge("work"))
        assert [name.split()[0] for name in hub.names()] == ["POST", "GET", "POST", "GET"]
        assert hub.asked[1][2]["authorization"] == f"Bearer {exchange.body['token']}"
    assert len(answers) == 12


@pytest.mark.parametrize("body", [None, [], {}, {"token": "ghs_1"}, {"token": "ghs_1", "expires_at": None}])
async def test_an_unreadable_answer_to_the_exchange_is_an_error_of_the_forge(forge, server, body):
    hub, server.broken = forge(), (201, body)
    with pytest.raises(ForgeError, match=r"/app/installations/7/access_tokens"):
        await get(hub)
