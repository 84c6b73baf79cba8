"""The store that the settings name is the one that all clients of a server share."""

import sqlite3

import pytest

from stithy_core.redaction import redact

pytestmark = pytest.mark.anyio


def two(server, extra=""):
    forge = '[forges.{}]\nkind = "pond"\nurl = "{}"\n'
    return forge.format("a", server.url) + forge.format("b", server.url) + extra


async def read_both(app):
    answers = [await app.forges.forge(alias).http.get("/version") for alias in ("a", "b")]
    await app.connections.aclose()
    return answers


async def test_what_all_forges_know_is_kept_in_the_file_that_the_settings_name(make, pond, server, tmp_path):
    app = make(pond, settings=two(server, '[http]\nstore = "sqlite:kept/answers.db"\n'))
    (tmp_path / "kept").mkdir()
    assert await read_both(app) == [{"version": "2.1"}] * 2
    with sqlite3.connect(tmp_path / "kept" / "answers.db") as kept:
        assert kept.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    kept.close()


async def test_a_store_that_is_down_stops_nothing(make, pond, server):
    app = make(pond, settings=two(server), STITHY_REDIS_URL="redis://:s3cret-password@127.0.0.1:1/0")
    assert await read_both(app) == [{"version": "2.1"}] * 2
    assert redact("no answer from s3cret-password") == "no answer from [redacted]"
