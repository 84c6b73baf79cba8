"""The store that the settings name is the one that all clients of a server share."""

import sqlite3

import pytest

from stithy_core.errors import ConfigError
from stithy_core.redaction import redact
from stithy_core.spi import StoreKind

pytestmark = pytest.mark.anyio


def two(server, extra=""):
    forge = '[forges.{}]\nkind = "pond"\nurl = "{}"\n'
    return forge.format("a", server.url) + forge.format("b", server.url) + extra


async def read_both(app):
    answers = [await app.forges.forge(alias).http.get("/version") for alias in ("a", "b")]
    await app.connections.aclose()
    return answers


async def test_shared_state_is_stored_in_the_file_of_the_settings(make, pond, server, tmp_path):
    app = make(pond, settings=two(server, '[http]\nstore = "sqlite:kept/answers.db"\n'))
    (tmp_path / "kept").mkdir()
    assert await read_both(app) == [{"version": "2.1"}] * 2
    with sqlite3.connect(tmp_path / "kept" / "answers.db") as kept:
        assert kept.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    kept.close()


def create_store_kinds(opened):
    def open_vault(url, local):
        opened.append(url)
        return local

    return [StoreKind(scheme="vault", open=open_vault)]


async def test_a_plugins_store_is_opened_once_for_all_forges(make, pond, plugin, server):
    opened = []
    vault = plugin("stithy-vault", stithy_stores=create_store_kinds(opened))
    app = make(pond, vault, settings=two(server, '[http]\nstore = "vault://host/1"\n'))
    assert await read_both(app) == [{"version": "2.1"}] * 2
    assert opened == ["vault://host/1"]


async def test_a_store_without_its_plugin_is_an_error(make, pond, server):
    app = make(pond, settings=two(server), STITHY_REDIS_URL="redis://:s3cret-password@127.0.0.1:1/0")
    with pytest.raises(ConfigError, match="stithy-redis"):
        await read_both(app)
    assert redact("no answer from s3cret-password") == "no answer from [redacted]"


async def test_a_store_that_two_plugins_provide_is_served_by_neither(make, pond, plugin, server):
    vaults = [plugin(name, stithy_stores=create_store_kinds([])) for name in ("stithy-a", "stithy-b")]
    app = make(pond, *vaults, settings=two(server, '[http]\nstore = "vault://host/1"\n'))
    assert [failed.offer for failed in app.all_failed] == ["store scheme vault"] * 2
    with pytest.raises(ConfigError, match="vault"):
        await read_both(app)


@pytest.mark.parametrize("fault", [RuntimeError("disk full"), ConfigError("a bad url", suggestion="Write another.")])
async def test_a_plugin_that_cannot_open_its_store_is_named(make, pond, plugin, server, fault):
    def open_vault(url, local):
        raise fault

    vault = plugin("stithy-vault", stithy_stores=[StoreKind(scheme="vault", open=open_vault)])
    app = make(pond, vault, settings=two(server, '[http]\nstore = "vault://host/1"\n'))
    with pytest.raises(ConfigError) as caught:
        await read_both(app)
    assert caught.value.message == str(fault) or "stithy-vault" in caught.value.message


async def test_a_reference_to_a_store_that_cannot_be_imported_is_an_error_of_the_plugin(make, pond, plugin, server):
    vault = plugin("stithy-vault", stithy_stores=[StoreKind(scheme="vault", open="stithy_rusty:open_vault")])
    app = make(pond, vault, settings=two(server, '[http]\nstore = "vault://host/1"\n'))
    with pytest.raises(ConfigError, match="stithy_rusty"):
        await read_both(app)
