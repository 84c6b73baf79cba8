"""pull_request_read get_diff: diffs that the real git wrote, page by page, and one that has no end."""

import subprocess
from contextlib import asynccontextmanager

import pytest
from following import read_pages
from loopback import Server, message, starting

from stithy_comments.pull_request_parts.diff_parts import DiffSplitter
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

DIFF = "GET /api/v1/repos/smith/anvil/pulls/2.diff"
FORGE = '[forges.lab]\nkind = "gitea"\nurl = "{url}"\n'
FILES = {
    "plain.txt": "".join(f"line {number}\n" for number in range(3_000)).encode(),
    "with space.txt": b"no end of line",
    "tab\tin.txt": b"\tx\r\ny\r\n" * 900,
    'quo"te.txt': b"q\n",
    "n\u00e4me/\u65e5\u672c.txt": "日本語 👩‍👩‍👧‍👦\n".encode() * 300,
    "latin.txt": "Gr\u00fc\u00dfe\n".encode("latin-1") * 700,
    "minified.js": b"let a=1;" * 12_000,
    "logo.png": b"\0\1\2" * 99,
    "fake.txt": b"-- a/other\n++ b/other\ndiff --git a/x b/x\n" * 3,
    "empty.txt": b"",
}


@pytest.fixture
def git(tmp_path):
    def run(*words):
        settings = ("-c", "user.name=smith", "-c", "user.email=smith@example.invalid")
        return subprocess.run(["git", "-C", tmp_path, *settings, *words], check=True, capture_output=True).stdout

    run("init", "--quiet")
    return run


@pytest.fixture
def diff(git, tmp_path):
    """What git says of many kinds of files that came, went and moved."""
    (tmp_path / "old name.txt").write_bytes(b"moved\n" * 9)
    (tmp_path / "gone.txt").write_bytes(b"-- gone\n")
    (tmp_path / "run.sh").write_bytes(b"run\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=begin")
    git("mv", "old name.txt", "new name.txt")
    (tmp_path / "gone.txt").unlink()
    (tmp_path / "run.sh").chmod(0o755)
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    git("add", "--all")
    return git("diff", "--cached", "--find-renames")


@pytest.fixture
def serve(tmp_path):
    """Serve a diff, and give what reads it and the server."""

    @asynccontextmanager
    async def enter(answer):
        async with starting() as start:
            server = await start(Server())
            server.answers[DIFF] = message(200, answer, content_type="text/plain") if answer is not None else None
            folder = tmp_path / "settings"
            folder.mkdir(exist_ok=True)
            async with connect(make_app(folder, FORGE.format(url=server.url))) as client:

                async def read(**arguments):
                    given = {"owner": "smith", "repo": "anvil", "pullNumber": 2, "method": "get_diff"}
                    return await client.call_tool("pull_request_read", given | arguments)

                yield read, server

    return enter


def join_diff(pages):
    parts = [part for page in pages for part in page.structured_content["diff"]]
    return b"".join(part["text"].encode(part.get("encoding", "utf-8")) for part in parts)


async def test_the_pages_joined_are_gits_diff_to_the_byte(diff, serve):
    """Names that git quotes, CR LF, a line of 96,000 characters, another encoding, and what looks like a header."""
    async with serve(diff) as (read, _):
        pages = await read_pages(read, limit=100)
    assert join_diff(pages) == diff
    assert len(pages) > 20


async def test_each_part_is_of_one_file(diff, serve, git):
    async with serve(diff) as (read, _):
        pages = await read_pages(read, limit=100)
    paths = dict.fromkeys(part["path"] for page in pages for part in page.structured_content["diff"])
    named = git("diff", "--cached", "--find-renames", "--name-only", "-z").decode().split("\0")
    assert list(paths) == named[:-1]


async def test_the_text_block_has_the_diff_as_well(serve, git, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\n")
    git("add", "--all")
    async with serve(git("diff", "--cached")) as (read, _):
        text = (await read()).content[0].text
    assert "[a.txt]\ndiff --git a/a.txt b/a.txt\nnew file mode 100644\n" in text
    assert "@@ -0,0 +1,2 @@\n+one\n+two" in text


async def test_an_endless_diff_is_read_up_to_its_page(serve):
    """A page is answered though the diff goes on for ever, and the next goes on behind it."""
    lines = b"".join(b"+%d\n" % number for number in range(20_000))

    async def endless(_):
        yield b"HTTP/1.1 200 -\r\ncontent-type: text/plain\r\n\r\ndiff --git a/x b/x\n@@ -0,0 +1,9 @@\n"
        while not server.ending.is_set():
            yield lines

    async with serve(b"") as (read, server):
        server.answers[DIFF] = endless
        first = await read()
        later = await read(cursor=first.structured_content["nextCursor"])
    assert "total" not in first.structured_content
    ends = first.structured_content["diff"][-1]["text"].splitlines()[-1]
    assert later.structured_content["diff"][0]["text"].splitlines()[0] == f"+{int(ends) + 1}"


async def test_a_changed_diff_invalidates_its_cursor(diff, serve):
    """The head moved between two pages: two diffs are never mixed."""
    async with serve(diff) as (read, server):
        first = await read()
        server.answers[DIFF] = message(200, diff.replace(b"index 0000000", b"index 0000001"), content_type="text/plain")
        rest = await read(cursor=first.structured_content["nextCursor"])
    assert rest.is_error
    assert "the text has changed since the previous page" in rest.structured_content["error"]
    assert rest.structured_content["suggestion"] == "Repeat the call without cursor to start from the first page."


async def test_a_change_behind_what_was_read_changes_nothing_of_it(serve):
    """Up to where the caller is the diff is the same, so that what follows fits to it."""
    whole = b"".join(b"diff --git a/%d b/%d\n@@ -1 +1 @@\n-a\n+b\n" % (number, number) for number in range(40))
    async with serve(whole) as (read, server):
        first = await read()
        server.answers[DIFF] = message(200, changed := whole.replace(b"/39", b"/40"), content_type="text/plain")
        pages = [first, *await read_pages(read, cursor=first.structured_content["nextCursor"])]
    assert join_diff(pages) == changed


async def test_a_diff_that_became_shorter_is_said_to_have_changed(diff, serve):
    async with serve(diff) as (read, server):
        first = await read()
        server.answers[DIFF] = message(200, b"", content_type="text/plain")
        rest = await read(cursor=first.structured_content["nextCursor"])
    assert "the text has changed since the previous page" in rest.structured_content["error"]


async def test_an_empty_diff_is_whole(serve):
    async with serve(b"") as (read, _):
        result = await read()
    assert (result.structured_content["diff"], result.structured_content["total"]) == ([], 0)
    assert "nextCursor" not in result.structured_content


async def test_a_files_name_cannot_pass_for_another_line(serve, git, tmp_path):
    (tmp_path / "a\n[b.txt]").write_bytes(b"")
    git("add", "--all")
    async with serve(git("diff", "--cached")) as (read, _):
        result = await read()
    assert result.structured_content["diff"][0]["path"] == "a\n[b.txt]"
    assert "[a [b.txt]]" in result.content[0].text


@pytest.mark.parametrize("size", [1, 7, 4_096, 1 << 20])
def test_cuts_depend_on_the_diff_alone(diff, size):
    """However the bytes come in, a cursor finds its place again."""
    assert split_diff(diff, size) == split_diff(diff, 65_536)


def split_diff(diff, size):
    cutter = DiffSplitter()
    parts = [part for start in range(0, len(diff), size) for part in cutter.feed(diff[start : start + size])]
    return [(part, part.text.key) for part in [*parts, *cutter.feed(b"", last=True)]]
