"""docs/plugins.md: every example is installed and run for real, so that the guide cannot rot."""

import importlib
import inspect
import json
import re
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import anyio
import attrs
import pytest
from lossy import lossy

from stithy_core import spi
from stithy_core.forges.forge_inspection import find_forge_faults
from stithy_core.plugins.hook_calls import find_item_type
from stithy_core.spi import (
    CAPABILITIES,
    Answer,
    AppKey,
    Comments,
    Context,
    Credentials,
    Dialect,
    ErrorResponse,
    Forge,
    Http,
    Identity,
    InvalidArguments,
    IssueRef,
    Meta,
    PullRequestRef,
    RateLimits,
    Refused,
    RepositoryRef,
    Scope,
    SyncContext,
    Threads,
    Token,
    ToolSpec,
    declared_support,
    hooks,
    operations,
)
from stithy_testing import Tape, browse, check_plugin, connect, make_app, playback
from stithy_testing.conformance import Stage

pytestmark = pytest.mark.anyio

PAGE = "plugins.md"
SANDBOX = '[forges.play]\nkind = "sandbox"\n'


def text(result):
    return result.content[0].text


@pytest.fixture
def source(blocks):
    """Return a function that finds the text of one file of the guide."""
    return lambda name: next(block.text for block in blocks(PAGE) if block.name == name)


def test_every_python_block_is_a_file_that_is_run(blocks):
    tested = Path(__file__).read_text(encoding="utf-8")
    for block in blocks(PAGE, "python"):
        name = re.split(r"[/.]", block.name)[0]
        assert name == "tests" or name.replace("_", "-") in tested or name in tested


# --- The smallest tool


@pytest.fixture
def greet(blocks, tmp_path):
    """The wheel that the two files of the smallest plugin become, unpacked."""
    files = {block.name: block.text for block in blocks(PAGE)}
    for name in ("pyproject.toml", "stithy_greet.py"):
        (tmp_path / name).write_text(files[name])
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, tmp_path]
    subprocess.run(pip, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    return tmp_path / "site"


def test_the_smallest_plugin_builds_and_says_hello(greet, blocks, run):
    shown = next(block.text for block in blocks(PAGE, "console") if "greet" in block.text)
    _, command, output = shown.splitlines()
    assert run(command.removeprefix("$ "), PYTHONPATH=str(greet)) == (0, f"{output}\n")


def test_the_smallest_plugin_is_loaded_from_a_folder(blocks, run, tmp_path):
    source = next(block.text for block in blocks(PAGE) if block.name == "stithy_greet.py")
    (tmp_path / "stithy_greet.py").write_text(source)
    example = next(block.text for block in blocks(PAGE, "console") if "--plugins-dir" in block.text)
    command, shown = example.removeprefix("$ ").split("\n", 1)
    assert run(command) == (0, shown)


async def test_the_tools_arguments_are_checked(plugins, tmp_path):
    plugins("stithy-greet")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("greet", {"name": "x" * 81})
    assert text(result).startswith("Invalid request: name must be at most 80 characters long")


# --- Signatures


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


# --- A tool with a page and progress


async def test_waiting_threads_are_listed_on_the_sandbox(plugins, tmp_path):
    plugins("stithy-waiting")
    async with connect(make_app(tmp_path, SANDBOX)) as client:
        result = await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"})
    assert text(result).startswith("1 threads wait on smith/anvil#2\n- ")
    assert result.structured_content["threads"][0]["place"] == "anvil/horn.py:14"


async def test_waiting_threads_report_progress(plugins, tmp_path):
    plugins("stithy-waiting")
    reports = []

    async def hear(done, total, message):
        reports.append((done, total, message))

    async with connect(make_app(tmp_path, SANDBOX)) as client:
        await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"}, progress_callback=hear)
    assert reports[-1] == (2, 2, "anvil/temper.py")


async def test_a_page_over_its_budget_is_cut_and_goes_on(source, install_plugin, tmp_path):
    """With a budget of one byte, one thread is sent whole and a cursor gives the other."""
    install_plugin("stithy-waiting", source("stithy_waiting.py").replace("needs=[", "budget=1, needs=["))
    app = make_app(tmp_path, SANDBOX)
    app.forges.forge("play").world.add_thread(PullRequestRef(RepositoryRef("smith", "anvil"), 2), "z.py", 1, "Why?")
    async with connect(app) as client:
        first = (await client.call_tool("waiting_threads", {"pr": "smith/anvil#2"})).structured_content
        rest = {"pr": "smith/anvil#2", "cursor": first["nextCursor"]}
        second = (await client.call_tool("waiting_threads", rest)).structured_content
    assert [row["place"] for row in first["threads"]] == ["anvil/horn.py:14"]
    assert [row["place"] for row in second["threads"]] == ["z.py:1"]


async def test_a_plain_handler_counts_in_a_thread(plugins, tmp_path):
    plugins("stithy-lines")
    (tmp_path / "a.ore").write_text("one\ntwo\n")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("lines", {"path": str(tmp_path), "suffix": ".ore"})
    assert text(result) == "2 lines in 1 files"


async def test_the_message_of_a_note_and_an_error_of_a_handler_are_answered(plugins, tmp_path):
    plugins("stithy-lines")
    async with connect(make_app(tmp_path)) as client:
        empty = await client.call_tool("lines", {"path": ""})
        missing = await client.call_tool("lines", {"path": "/no/such/folder"})
    assert text(empty).startswith("Invalid request: path must not be empty")
    assert text(missing) == "Invalid request: folder '/no/such/folder' does not exist\nPass the path of a folder."


async def test_work_outlives_the_call_that_began_it(plugins, tmp_path, monkeypatch):
    """While the forge is slow the tool says what it has; the same call, made again, gets the rest."""
    plugins("stithy-lines")
    app = make_app(tmp_path, SANDBOX)
    gate = slow(app)
    monkeypatch.setattr("stithy_core.tools.context.CallContext.remaining", lambda _: 1.5)
    async with connect(app) as client:
        first = await client.call_tool("talks", {"prs": ["smith/anvil#2"]})
        gate.set()
        second = await client.call_tool("talks", {"prs": ["smith/anvil#2"]})
    assert text(first).startswith("Not complete")
    assert text(second) == "- smith/anvil#2: 2 comments"


def slow(app):
    """Let the sandbox wait with its comments; setting what is returned lets it go on."""
    comments, gate = app.forges.forge("play").comments, anyio.Event()
    answer = comments.list

    async def late(subject):
        await gate.wait()
        return await answer(subject)

    comments.list = late
    return gate


# --- A forge


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


# --- A forge with other names


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


# --- Documents that change


@pytest.fixture
def notes(plugins, blocks, tmp_path):
    """A server with the notes' own settings, and its folder with one note."""
    plugins("stithy-notes")
    folder = tmp_path / "docs" / "notes"
    folder.mkdir(parents=True)
    (folder / "one.md").write_text("# One\n")
    return make_app(tmp_path, blocks(PAGE, "toml")[-1].text), folder


async def test_a_note_is_read(notes):
    app, _ = notes
    async with connect(app) as client:
        assert "notes://one.md" in [str(row.uri) for row in (await client.list_resources()).resources]
        read = await client.read_resource("notes://one.md")
    assert read.contents[0].text == "# One\n"


async def test_a_missing_note_is_an_error_that_names_it(notes):
    app, _ = notes
    async with connect(app) as client:
        with pytest.raises(Exception, match=r"no note notes://two\.md"):
            await client.read_resource("notes://two.md")


async def test_a_new_note_and_a_changed_one_are_heard(notes):
    app, folder = notes
    async with (
        connect(app) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=["notes://one.md"]) as heard,
    ):
        with anyio.fail_after(60):
            (folder / "two.md").write_text("# Two\n")
            assert type(await anext(heard)).__name__ == "ResourcesListChanged"
            (folder / "one.md").write_text("# One, corrected\n")
            assert (await anext(heard)).uri == "notes://one.md"


# --- A hook of another plugin


async def test_a_plugin_fills_what_another_opens(plugins, tmp_path):
    plugins("stithy-glossary", "stithy-metals")
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("glossary", {})
    assert text(result) == "anvil: what iron is struck on (stithy-metals)"


def test_without_its_owner_a_hook_waits(plugins, tmp_path, page):
    plugins("stithy-metals")
    loaded = {plugin.origin.distribution: plugin for plugin in make_app(tmp_path).plugins.loaded}
    (note,) = loaded["stithy-metals"].notes
    assert f"`{note}`" in page(PAGE)


# --- Commands, checks and prompts


@pytest.fixture
def fire(plugins, run, tmp_path):
    plugins("stithy-fire")
    return lambda line: run(line, PYTHONPATH=str(tmp_path / "site-packages"))


def test_a_command_is_given_the_rest_of_the_line(fire):
    assert fire("stithy shout put coal --on") == (0, "PUT COAL --ON\n")
    assert fire("stithy shout")[0] == 2


def test_a_check_is_a_line_of_doctor(fire):
    code, output = fire("stithy doctor")
    assert "!!  fire: the fire is low\n    put coal on\n" in output
    assert code == 0


async def test_a_prompt_is_filled_in(plugins, tmp_path):
    plugins("stithy-fire")
    async with connect(make_app(tmp_path)) as client:
        filled = await client.get_prompt("plan", {"piece": "a horn"})
        with pytest.raises(Exception, match="'plan' requires the argument piece"):
            await client.get_prompt("plan")
    assert filled.messages[0].content.text == "Plan how to forge a horn."


# --- A store that several servers share


async def test_the_vault_is_the_store_of_its_scheme(plugins, tmp_path):
    plugins("stithy-vault")
    app = make_app(tmp_path, '[http]\nstore = "vault://host"\n')
    store = app.connections._open_shared_store()
    await store.save("a", b"1")
    assert (type(store).__name__, await store.get("a"), store.reachable) == ("Vault", b"1", True)
    await app.connections.aclose()


# --- HTTP routes


async def test_a_route_answers_as_the_guide_says(plugins, tmp_path):
    plugins("stithy-gauge")
    app = make_app(tmp_path, SANDBOX)
    async with browse(app) as ask:
        answers = [await ask("GET", f"/gauge/smith/anvil/{rest}") for rest in ("2", "2?what=title", "x", "999")]
    assert [answer.status for answer in answers] == [200, 200, 400, 404]
    assert json.loads(answers[0].body) == {"pull_request": "smith/anvil#2", "shown": "apprentice"}


# --- Preferences and workflows


async def test_a_workflow_goes_as_the_guide_shows_it(plugins, tmp_path, blocks, fits):
    plugins("stithy-quench")
    invitation, answer = [
        block.text for block in blocks(PAGE, "text") if "workflow_handle=" in block.text or "oil" in block.text
    ]
    async with connect(make_app(tmp_path, preferences={"bath": "oil"})) as client:
        last = (await client.get_prompt("harden", {"piece": "a horn"})).messages[-1].content.text
        handle = {"workflow_handle": last.split('"')[1]}
        await client.call_tool("heat", handle)
        hardened = await client.call_tool("quench", handle)
    assert fits(invitation, last)
    assert fits(answer, text(hardened))


async def test_without_what_a_tool_before_found_the_next_says_what_to_do(plugins, tmp_path):
    plugins("stithy-quench")
    async with connect(make_app(tmp_path)) as client:
        cold = await client.call_tool("quench", {"piece": "a horn"})
    assert text(cold) == "a horn is cold\nCall heat before, with the same workflow_handle."


# --- Calls of all tools, and access to forges


async def test_writes_need_a_ticket_and_say_it(plugins, tmp_path):
    plugins("stithy-audit")
    arguments = {"repository": "smith/anvil", "pull_request_number": 2, "comment": "Hot."}
    async with connect(make_app(tmp_path, SANDBOX)) as client:
        refused = await client.call_tool("pr_comment_create", arguments)
        written = await client.call_tool("pr_comment_create", {**arguments, "ticket": "ANVIL-7"})
        rehearsed = await client.call_tool("pr_comment_create", {**arguments, "ticket": "ANVIL-7", "dry_run": True})
        read = await client.call_tool("pr_comment_list", {"repository": "smith/anvil", "pull_request_number": 2})
    assert text(refused).startswith("Invalid request: ticket is required")
    assert written.structured_content["audited_as"] == rehearsed.structured_content["audited_as"] == "ANVIL-7"
    assert rehearsed.structured_content["dry_run"] is True
    assert "audited_as" not in read.structured_content


async def test_the_guarded_logs_are_refused(plugins, tmp_path):
    plugins("stithy-audit")
    app = make_app(tmp_path, SANDBOX)
    async with app.running():
        forge, repository = await app.forges.repository("smith/anvil")
        with pytest.raises(Refused, match="may contain secrets"):
            forge.checks.log(repository, "1")
        assert await forge.changes.repository(repository)


# --- Failures


def test_a_plugin_that_lacks_a_library_is_shown_as_the_guide_shows_it(blocks, install_plugin, run, fits, tmp_path):
    install_plugin("stithy-rusty", "import rust")
    page = next(block.text for block in blocks(PAGE, "console") if block.text.startswith("$ stithy plugins\n"))
    command, shown = page.split("\n", 1)
    code, output = run(command.removeprefix("$ "), PYTHONPATH=str(tmp_path / "site-packages"))
    assert code == 0
    assert fits(shown, output)


FAULTS = {
    "import": "1/0",
    "interface": "STITHY_API = 2",
    "hooks": "from stithy_core.spi import hookimpl\nSTITHY_API = 1\n@hookimpl\ndef stithy_tolls(): return []",
    "offers": "from stithy_core.spi import hookimpl\nSTITHY_API = 1\n@hookimpl\ndef stithy_tools(): return [1]",
}


@pytest.mark.parametrize("stage", FAULTS)
def test_a_fault_is_named_with_its_stage(install_plugin, tmp_path, page, stage):
    install_plugin("stithy-rusty", FAULTS[stage])
    (failed,) = make_app(tmp_path).all_failed
    assert failed.stage == stage
    assert f"| `{stage}` |" in page(PAGE)


async def test_an_exception_of_a_handler_is_masked(install_plugin, source, tmp_path):
    install_plugin(
        "stithy-greet", source("stithy_greet.py").replace("    return Greeting(", "    1 / 0\n    return Greeting(")
    )
    async with connect(make_app(tmp_path)) as client:
        result = await client.call_tool("greet", {})
    assert result.structured_content["error"] == "greet failed inside stithy-greet 1.0"
    assert result.structured_content["code"] == -32603


# --- Testing a plugin


def test_the_tests_of_the_guide_pass(plugins, blocks, run, tmp_path, fits):
    plugins("stithy-pond", "stithy-waiting", "stithy-gauge")
    (tmp_path / "tests").mkdir()
    for block in blocks(PAGE):
        if block.name.startswith("tests/"):
            (tmp_path / block.name).write_text(block.text)
    command = "python -m pytest -p no:cacheprovider -W error --rootdir . tests"
    _, output = run(command, PYTHONPATH=str(tmp_path / "site-packages"))
    example = next(block.text for block in blocks(PAGE, "console") if "pytest" in block.text)
    assert fits(example.partition("\n")[2], output), output
    assert "failed" not in output


EXAMPLES = ["greet", "waiting", "lines", "pond", "notes", "glossary", "metals", "fire", "gauge", "vault"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_passes_the_kit(plugins, name):
    plugins(f"stithy-{name}")
    check_plugin(__import__(f"stithy_{name}"))


# --- The tables name everything that there is


def rows(page):
    """Return the first cells of all table rows of the page, joined."""
    return " ".join(line.split("|")[1] for line in page(PAGE).splitlines() if line.startswith("| `"))


@pytest.mark.parametrize("cls", [Meta, ToolSpec, Dialect, Stage], ids=lambda cls: cls.__name__)
def test_every_field_has_a_row(page, cls):
    assert not [name.name for name in attrs.fields(cls) if f"`{name.name}`" not in rows(page)]


@pytest.mark.parametrize("cls", [Scope, Context, SyncContext, Http, Credentials], ids=lambda cls: cls.__name__)
def test_everything_that_is_handed_over_has_a_row(page, cls):
    handed = [name for name in {*vars(cls), *cls.__annotations__} if not name.startswith("_")]
    assert not [name for name in handed if not re.search(rf"`{name}[`(]", rows(page))]


def test_every_method_of_a_forge_has_a_row(page):
    methods = [name for name, method in vars(Forge).items() if callable(method) and not name.startswith("_")]
    assert not [name for name in methods if f"`{name}(" not in rows(page)]


def test_every_hook_that_is_served_has_a_row(page):
    names = {name for name in vars(hooks) if name.startswith("stithy_")}
    assert not [name for name in names if f"`{name}`" not in rows(page)]


def test_every_operation_has_a_row(page):
    for capability in CAPABILITIES:
        names = [name for name in vars(capability) if not name.startswith("_") and name != "attribute"]
        assert f"| `{capability.__name__}` | {', '.join(f'`{name}`' for name in names)} |" in page(PAGE)


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.__qualname__)
def test_an_operation_is_told_as_it_is_called_and_with_what_it_gives(page, operation):
    _, *parameters = inspect.signature(operation).parameters.values()
    given = [
        one.name if one.default is one.empty else f"{one.name}={json.dumps(one.default).replace('null', 'None')}"
        for one in parameters
    ]
    called = f"{operation.__qualname__}({', '.join(given)})".replace("=false", "=False")
    gives = inspect.signature(operation).return_annotation
    assert f"| `{called}` | `{gives if isinstance(gives, str) else gives.__name__}` |" in page(PAGE)


@pytest.mark.parametrize("cls", [RateLimits, ErrorResponse, Answer, Token, AppKey], ids=lambda cls: cls.__name__)
def test_every_field_of_what_dialects_and_credentials_use_is_told(page, cls):
    assert not [name.name for name in attrs.fields(cls) if not re.search(rf"\b{name.name}\b", forge_part(page))]


HELPERS = ["map_concurrently", "or_unknown", "composed_readiness", "declared_support", "split_diff_sections"]
HELPERS += ["parse_diff_path", "unquote_path", "hold_file_lock", "try_file_lock", "convert_panics", "format_count"]


@pytest.mark.parametrize("name", HELPERS)
def test_a_help_for_forges_is_told_with_its_arguments(page, name):
    called = re.search(rf"`(?:await )?{name}\((.*?)\)`", forge_part(page))
    assert len(called[1].split(", ")) == len(inspect.signature(getattr(spi, name)).parameters)


def forge_part(page):
    return page(PAGE).partition("## A forge\n")[2].partition("## Documents that change\n")[0]


def test_the_page_names_the_item_type_of_each_hook(page):
    for name in sorted({name for name in vars(hooks) if name.startswith("stithy_")} - {"stithy_hookspecs"}):
        kind = find_item_type(vars(hooks)[name])
        given = getattr(kind, "__name__", str(kind))
        assert re.search(rf"\| `{name}` \| `{given}", page(PAGE))
