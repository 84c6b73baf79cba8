"""The chapters on forges: Pond on recorded exchanges, its signatures, and a forge with names of its own."""

import importlib
import json
import re
import sys
from importlib import import_module

import pytest
from lossy import lossy

from stithy_core.forges.forge_inspection import find_forge_faults
from stithy_core.spi import (
    Comments,
    Forge,
    Identity,
    InvalidArguments,
    IssueRef,
    RepositoryRef,
    Threads,
    declared_support,
)
from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

PAGE = "plugins"


def text(result):
    return result.content[0].text


@pytest.fixture
def recording(blocks, tmp_path):
    path = tmp_path / "pond.yaml"
    path.write_text(next(block.text for block in blocks(PAGE, "yaml")))
    return path


def interaction(method, path, answer, body=""):
    """Write one exchange as vcrpy does."""
    headers = {"content-type": ["application/json"], "date": ["Sat, 21 Nov 2026 10:00:00 GMT"]}
    request = {"method": method, "uri": f"https://pond.example/api{path}", "headers": {}, "body": body}
    return {"request": request, "response": {"status": {"code": 200}, "headers": headers, "body": {"string": answer}}}


@pytest.fixture
def tape(tmp_path):
    """Read exchanges from a cassette; JSON is YAML, too."""

    def read(*exchanges):
        (tmp_path / "cassette.yaml").write_text(json.dumps({"interactions": exchanges}))
        return Tape.read([tmp_path / "cassette.yaml"])

    return read


@pytest.fixture
def pond(plugins, tmp_path):
    """Return a function that makes an app for a Pond server."""
    plugins("stithy-pond", "stithy-waiting")

    def of(url):
        return make_app(tmp_path, f'[forges.work]\nkind = "pond"\nurl = "{url}"\n')

    return of


async def test_the_tool_works_on_pond_and_says_what_it_hides(pond, recording, page):
    with playback(Tape.read([recording])) as url:
        async with connect(pond(url)) as client:
            result = await client.call_tool("waiting_threads", {"pr": "o/r#1"})
    said = text(result).splitlines()[-1]
    assert said == "unknown: threads[0].resolved: Pond hides resolution from this token (give it the scope 'review')"
    assert f"`{said}`" in page(PAGE)


async def on_pond(pond, tape, ask):
    """Play a tape to Pond, and ask it something."""
    with playback(tape) as url:
        app = pond(url)
        async with app.running():
            return await ask(app.forges.forge("work"))


@pytest.mark.parametrize(("version", "there"), [("2.1", True), ("2.0.9", False), ("development", False)])
async def test_an_operation_is_there_since_its_version(pond, tape, version, there):
    answer = tape(interaction("GET", "/version", f'{{"version": "{version}"}}'))
    support = await on_pond(pond, answer, lambda forge: forge.supports(Threads.resolve))
    assert bool(support) is there
    assert there or support.remedy == "reply that it is fixed"


@pytest.mark.parametrize(("features", "there"), [('["accounts"]', True), ("[]", False)])
async def test_an_operation_is_there_where_probing_finds_it(pond, tape, features, there):
    version = interaction("GET", "/version", '{"version": "2.1"}')
    answers = tape(interaction("GET", "/features", features), version)
    assert bool(await on_pond(pond, answers, lambda forge: forge.supports(Identity.me))) is there


def test_declared_support_is_known_without_a_server(plugins):
    plugins("stithy-pond")
    from stithy_pond.forge import Pond

    assert declared_support(Pond, Threads.resolve) == "since 2.1"
    assert declared_support(Pond, Identity.me) == "probed"
    assert declared_support(Pond, Threads.reply) == "never"


async def test_a_lost_answer_is_found_by_reading_back(pond, tape):
    """The proxy loses the answer to the POST; the outbox finds the comment and nothing is sent again."""
    by, url = '{"id": "1", "name": "smith"}', "https://pond.example/9"
    made = f'{{"id": "9", "body": "Struck.", "by": {by}, "made": "2099-01-01T00:00:00Z", "url": "{url}"}}'
    post = interaction("POST", "/o/r/talks/1", made, '{"body": "Struck."}')
    answers = tape(post, interaction("GET", "/o/r/talks/1", f"[{made}]"))
    with playback(answers) as upstream, lossy(upstream) as (url, losses):
        losses.answers = "POST"
        assert (await post_comment(pond(url))).id == "9"
    assert losses.lost == 1


async def post_comment(app):
    async with app.running():
        return await app.forges.forge("work").comments.create(IssueRef(RepositoryRef("o", "r"), 1), "Struck.")


CURL = """#!/bin/sh
printf '%s\\n' "$@"
"""
ODD = 'It\'s `$HOME` "für alle" \\n\n鍛冶屋'


@pytest.fixture
def typed(run, tmp_path):
    """Type a line into a shell that has a program `curl`, which says what it is given, an argument a line."""
    (tmp_path / "curl").write_text(CURL)
    (tmp_path / "curl").chmod(0o755)
    return lambda line, **environ: run(f'PATH="{tmp_path}:$PATH"; {line}', **environ)


async def build_command(pond, tape, body):
    where = IssueRef(RepositoryRef("o", "r"), 1)
    return await on_pond(pond, tape(), lambda forge: forge.command(Comments.create, where, body=body))


async def test_a_line_for_a_shell_sends_what_it_is_given(pond, tape, typed):
    line = await build_command(pond, tape, ODD)
    code, output = typed(line, POND_TOKEN="secret")
    header, *_, sent, url = output.splitlines()[3:]
    assert (code, header, json.loads(sent)) == (0, "Authorization: Bearer secret", {"body": ODD})
    assert (url.endswith("/api/o/r/talks/1"), line.isascii()) == (True, True)


async def test_a_line_for_a_shell_ends_where_no_token_is_set(pond, tape, typed):
    code, output = typed(await build_command(pond, tape, "Fine."))
    assert code != 0
    assert "POND_TOKEN" in output


def test_mypy_and_the_load_find_what_is_wrong_with_an_override(blocks, run, fits, tmp_path, monkeypatch):
    source = next(block.text for block in blocks(PAGE) if block.name == "wrong_threads.py")
    (tmp_path / "wrong_threads.py").write_text(source)
    command, shown = next(block.text for block in blocks(PAGE, "console") if "$ mypy" in block.text).split("\n", 1)
    code, output = run(f"{sys.executable} -m {command.removeprefix('$ ')}")
    assert (code, bool(fits(shown, output))) == (1, True), output
    monkeypatch.syspath_prepend(tmp_path)
    pond = type("Pond", (Forge,), {"capabilities": [import_module("wrong_threads").PondThreads], "identify": None})
    assert [fault.cause for fault in find_forge_faults(pond)][-2:] == [
        "PondThreads.reply does not take 'body'",
        "PondThreads.resolv overrides nothing: Threads has no method 'resolv'",
    ]


async def test_a_forge_writes_its_own_names(plugins, tmp_path):
    plugins("stithy-lake")
    forges = make_app(tmp_path, '[forges.lake]\nkind = "lake"\nurl = "https://lake.example"\n').forges
    url = "https://lake.example/group/team/repo/-/merge_requests/7/diffs"
    refs = {(await forges.pull_request(text))[1] for text in ("group/team/repo!7", url)}
    assert [str(ref) for ref in refs] == ["group/team/repo!7"]
    with pytest.raises(InvalidArguments, match=re.escape("write 'group/team/repo!7' for merge request 7; #7 is an")):
        await forges.pull_request("group/team/repo#7")


def test_references_of_records_have_the_mark(plugins):
    plugins("stithy-lake")
    ref = importlib.import_module("stithy_lake").to_pull_request_ref({"project": "group/team/repo", "iid": "7"})
    assert str(ref) == "group/team/repo!7"
