"""Where a forge's token comes from: the settings first, then what its kind knows."""

import os
import traceback
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest

from stithy_core import redaction
from stithy_core.errors import ConfigError, Forbidden
from stithy_core.redaction import redact
from stithy_core.spi import Credentials, Dialect, Forge, ForgeKind, Token, Version, basic
from stithy_core.spi.call_state import use_delegated_tokens
from stithy_testing import make_app

pytestmark = pytest.mark.anyio

PEM = "-----BEGIN PRIVATE KEY-----\nMIIEpond-private-key\n-----END PRIVATE KEY-----"
APP = 'token = { app = "12", private_key = { env = "KEY" }, installation = "34" }\n'


class PondCredentials(Credentials):
    """Knows one variable, and apps that have any key."""

    async def find(self):
        return self.variable("POND_TOKEN")

    async def exchange(self, key):
        answer = await self.connect(Token(value=f"proof-of-{key.app}", source="a proof")).send("POST", "/tokens", {})
        ends = datetime.now(UTC) + timedelta(hours=1)
        return Token(
            value=answer["token"], source=f"the app {key.app}, installation {key.installation}", expires_at=ends
        )


class Pond(Forge):
    async def identify(self):
        return Version("pond", (await self.http.get("/version"))["version"])


@pytest.fixture
def forge(plugin, tmp_path, server):
    """Put together a server whose forge `work` has some settings, and give its app and the forge."""
    kind = ForgeKind(name="pond", title="Pond", forge=Pond, hosts=("pond.example",), credentials=PondCredentials)
    entry = plugin("stithy-pond", stithy_forges=[kind])

    def create_forge(settings="", **environ):
        text = f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\n{settings}'
        app = make_app(tmp_path, text, entries=[entry], environ=environ)
        return app, app.forges.forge("work")

    return create_forge


async def send_request(app, forge, server):
    """Return the token that the forge's client sends, and the source that people see."""
    await forge.http.get("/version")
    source = await app.connections.token_source(forge.config)
    await app.connections.aclose()
    return server.tokens[-1], source


async def test_the_settings_come_first(forge, server):
    made = forge('token = { env = "WORK" }\n', WORK="of-the-settings", POND_TOKEN="of-the-kind")
    assert await send_request(*made, server) == ("Bearer of-the-settings", "the variable WORK")


async def test_without_settings_the_kind_looks_in_its_places(forge, server):
    assert await send_request(*forge(POND_TOKEN="of-the-kind"), server) == (
        "Bearer of-the-kind",
        "the variable POND_TOKEN",
    )


async def test_without_a_token_public_data_are_read(forge, server):
    assert await send_request(*forge(), server) == (None, None)


async def test_a_token_that_the_settings_name_and_that_is_not_there_is_an_error(forge, server):
    """Another one must not take its place without a word."""
    _, pond = forge('token = { env = "WORK" }\n', POND_TOKEN="of-the-kind")
    with pytest.raises(ConfigError, match="the variable WORK cannot be used: it is not set"):
        await pond.http.get("/version")
    assert server.tokens == []


async def test_a_well_known_host_has_the_token_that_its_kind_finds(forge):
    app, _ = forge(POND_TOKEN="of-the-kind")
    pond, _ = await app.forges.repository("https://pond.example/o/r")
    assert await app.connections.token_source(pond.config) == "the variable POND_TOKEN"


async def test_a_forge_that_nobody_used_tells_no_source(forge):
    app, pond = forge(POND_TOKEN="of-the-kind")
    other = type(pond.config)(alias="other", kind="pond", url="https://other.example")
    assert await app.connections.token_source(other) is None


async def test_an_app_gets_its_token_by_its_proof(forge, server):
    server.answers["/tokens"] = (201, {"token": "of-the-app"})
    made = forge(APP, KEY=PEM)
    assert await send_request(*made, server) == ("Bearer of-the-app", "the app 12, installation 34")
    assert server.tokens == ["Bearer proof-of-12", "Bearer of-the-app"]


async def test_a_read_only_forge_is_asked_for_an_apps_token(forge, server):
    server.answers["/tokens"] = (201, {"token": "of-the-app"})
    assert (await send_request(*forge(APP + "read_only = true\n", KEY=PEM), server))[0] == "Bearer of-the-app"


async def test_connections_of_a_token_exchange_are_closed(forge, server, monkeypatch):
    from stithy_core.http import ForgeHttp

    closed, close = [], ForgeHttp.aclose

    async def record_close(self):
        closed.append(self.config)
        await close(self)

    monkeypatch.setattr(ForgeHttp, "aclose", record_close)
    server.answers["/tokens"] = (201, {"token": "of-the-app"})
    app, pond = forge(APP, KEY=PEM)
    await pond.http.get("/version")
    assert len(closed) == 1
    await app.connections.aclose()
    assert len(closed) == 2


@pytest.mark.parametrize("key", [{}, {"KEY": "s3cret-but-no-key"}])
async def test_a_private_key_that_cannot_be_used_is_named_and_not_shown(forge, server, key):
    _, pond = forge(APP, **key)
    with pytest.raises(ConfigError, match="the private key of the variable KEY cannot be used: it is") as caught:
        await pond.http.get("/version")
    assert "s3cret" not in "".join(traceback.format_exception(caught.value)) + repr(caught.value.as_dict())


async def test_a_kind_without_apps_says_so(make, pond, server):
    app = make(pond, settings=f'[forges.work]\nkind = "pond"\nurl = "{server.url}"\n{APP}', KEY=PEM)
    with pytest.raises(ConfigError, match="forges of the kind 'pond' have no apps"):
        await app.forges.forge("work").http.get("/version")


async def test_a_found_token_that_is_none_is_refused_unseen(forge, server):
    _, pond = forge(POND_TOKEN="s3cret\nX-Evil: 1")
    with pytest.raises(ConfigError, match="the token of the variable POND_TOKEN cannot be used") as caught:
        await pond.http.get("/version")
    assert "s3cret" not in repr(caught.value.as_dict())
    assert server.tokens == []


@pytest.mark.parametrize(
    "settings", ["", 'token = { file = "token" }\n', 'token = { command = ["cat", "token"] }\n', APP]
)
async def test_whatever_is_found_is_redacted(forge, server, tmp_path, monkeypatch, settings):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "token").write_text("a-token-that-was-read")
    server.answers["/tokens"] = (201, {"token": "a-token-that-was-read"})
    made = forge(settings, KEY=PEM, POND_TOKEN="a-token-that-was-read", PATH=os.environ["PATH"])
    assert (await send_request(*made, server))[0] == "Bearer a-token-that-was-read"
    secrets = ["a-token-that-was-read", *([PEM, "proof-of-12"] if settings == APP else [])]
    assert [redact(f"<{secret}>") for secret in secrets] == ["<[redacted]>"] * len(secrets)


class Well(Pond):
    """A forge that expects a user and a secret."""

    dialect = Dialect(authorization=basic)


PAIR, LONE = "frog@pond.example:s3cret-of-the-frog", "s3cret-of-the-frog"
CREDENTIAL = b64encode(PAIR.encode()).decode()


@pytest.fixture
def well(plugin, tmp_path, server):
    """A server whose forge `work` repeats the credential that it refuses."""
    entry = plugin("stithy-well", stithy_forges=[ForgeKind(name="well", title="Well", forge=Well)])
    text = f'[forges.work]\nkind = "well"\nurl = "{server.url}"\ntoken = {{ env = "WORK" }}\n'
    message = f"Basic {CREDENTIAL} is invalid, {CREDENTIAL.rstrip('=')} and {LONE} as well"
    server.answers["/version"] = (403, {"message": message})

    def create_forge(**environ):
        return make_app(tmp_path, text, entries=[entry], environ=environ).forges.forge("work")

    return create_forge


async def read_error(forge):
    with pytest.raises(Forbidden) as caught:
        await forge.http.get("/version")
    return str(caught.value.as_dict()) + "".join(traceback.format_exception(caught.value))


async def test_a_basic_credential_in_an_error_is_redacted(well, server):
    error = await read_error(well(WORK=PAIR))
    assert server.tokens == [f"Basic {CREDENTIAL}"]
    assert "is invalid" in error
    assert not [secret for secret in (PAIR, LONE, CREDENTIAL.rstrip("=")) if secret in error]


async def test_a_basic_credential_that_a_caller_delegated_is_redacted(well, server, monkeypatch):
    monkeypatch.setattr(redaction, "_known", set())
    with use_delegated_tokens({"work": PAIR}):
        error = await read_error(well(WORK="tadpole:another-secret"))
    assert server.tokens == [f"Basic {CREDENTIAL}"]
    assert not [secret for secret in (PAIR, LONE, CREDENTIAL.rstrip("=")) if secret in error]


async def test_a_token_that_lacks_its_user_is_named_by_its_source(well, server):
    with pytest.raises(ConfigError, match="the token of the variable WORK has no user"):
        await well(WORK=LONE).http.get("/version")
    assert server.tokens == []
