"""Hot reload: what is shown is what a new server would show, and clients are told."""

import shutil
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.hot_reload import compare_snapshots
from stithy_testing import connect, make_app

RECORD = "# {}\n\n## Status\n\nAccepted\n"
PATHS = st.sampled_from(
    [
        "docs/adr/0001-a.md",
        "docs/adr/0002-b.md",
        "docs/adr/in/0003-c.md",
        "doc/adr/0001-a.md",
        "mcp/resources/patterns/p.md",
    ]
)
TEXTS = st.sampled_from(["Accepted", "Rejected", "Superseded by ADR 2", "Superseded by [3](in/0003-c.md)", "hot"])
FOLDERS = st.sampled_from(["docs/adr/in", "docs/adr", "docs", "doc/adr", "docs/adr/out", "docs/decisions"])
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, TEXTS),
    st.tuples(st.just("replace"), PATHS, TEXTS),
    st.tuples(st.just("delete"), PATHS, st.none()),
    st.tuples(st.just("rename"), FOLDERS, FOLDERS),
    st.tuples(st.just("log4brains"), st.none(), st.none()),
)


class Corner:
    """A plugin's scope, as far as a library needs it."""

    log = None

    def __init__(self, root):
        self.root = root

    def settings(self, cls):
        return ArchdocsSettings(root=self.root)


def step(root, what, one, other):
    """Change the project as an editor, git or a person does."""
    if what in ("write", "replace"):
        path = root / one
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path if what == "write" else path.with_name(".tmp")
        target.write_text(f"# A\n\n## Status\n\n{other}\n")
        target.replace(path)
    elif what == "delete":
        (root / one).unlink(missing_ok=True)
    elif what == "log4brains":
        (root / ".log4brains.yml").touch()
    elif (root / one).is_dir() and not (root / other).exists() and one not in other:
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        (root / one).rename(root / other)


@given(st.lists(STEPS, max_size=12), st.sets(st.integers(0, 11)))
def test_reload_equals_restart(steps, looks):
    root = Path(tempfile.mkdtemp())
    try:
        kept = Library(Corner(root))
        kept.refresh()
        for index, (what, one, other) in enumerate(steps):
            step(root, what, one, other)
            if index in looks:
                kept.refresh()
        now, new = kept.refresh(), Library(Corner(root)).refresh()
        assert (now.documents, now.left_out) == (new.documents, new.left_out)
    finally:
        shutil.rmtree(root)


def test_a_shelf_that_did_not_change_stays_the_same(project):
    library = Library(Corner(project({"docs/adr/0001-a.md": RECORD})))
    first = library.refresh()
    assert library.refresh() is first


def test_only_what_changed_is_read_again(project):
    root = project({"docs/adr/0001-a.md": RECORD, "docs/adr/0002-b.md": RECORD})
    library = Library(Corner(root))
    first = library.refresh()
    project({"docs/adr/0002-b.md": RECORD + "\nmore\n"})
    second = library.refresh()
    assert second.documents["docs/adr/0001-a.md"] is first.documents["docs/adr/0001-a.md"]
    assert (second.version, second.changed) == (2, {"docs/adr/0002-b.md"})


def test_an_unreadable_document_keeps_its_last_good_version(project):
    library = Library(Corner(project({"docs/adr/0001-a.md": RECORD})))
    library.refresh()
    project({"docs/adr/0001-a.md": b"\0\0\0\0"})
    snapshot = library.refresh()
    assert snapshot.documents["docs/adr/0001-a.md"].text == RECORD
    assert "last good version" in snapshot.left_out[0].message


def test_a_new_document_is_news_of_the_list_and_an_edit_of_the_document(project):
    library = Library(Corner(project({"docs/adr/0001-a.md": RECORD})))
    first = library.refresh()
    project({"docs/adr/0001-a.md": RECORD + "\nmore\n", "docs/adr/0002-b.md": RECORD})
    found = [(one.what, one.uri) for one in compare_snapshots(first, library.refresh())]
    assert found == [("resources", ""), ("resource", "architecture://adr/0001-a.md")]


@asynccontextmanager
async def listening(tmp_path, *uris):
    """Connect a client that hears of changes; gives it and what it hears."""
    app = make_app(tmp_path, '[archdocs]\nroot = "."\n')
    async with (
        connect(app) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=uris) as heard,
    ):
        await client.list_resources()
        yield client, heard


async def has_title(client, title):
    """Wait until a document of that title is listed, by what the client is told."""
    return any(one.title == title for one in (await client.list_resources()).resources)


CHANGES = {
    "creation": lambda root: (root / "docs/adr/0002-b.md").write_text("# New\n"),
    "a new folder": lambda root: shutil.copytree(root / "other", root / "docs/adr/in"),
    "a new place": lambda root: shutil.copytree(root / "other", root / "mcp/resources/patterns"),
    "a renamed folder": lambda root: (root / "other").rename(root / "docs/decisions"),
    "atomic replacement": lambda root: (root / "other/0002-b.md").replace(root / "docs/adr/0001-a.md"),
    "edit": lambda root: (root / "docs/adr/0001-a.md").write_text("# New\n"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("change", CHANGES)
async def test_clients_are_notified(project, tmp_path, change):
    project({"docs/adr/0001-a.md": "# Old\n", "other/0002-b.md": "# New\n"})
    async with listening(tmp_path) as (client, heard):
        CHANGES[change](tmp_path)
        with anyio.fail_after(60):
            async for _ in heard:
                if await has_title(client, "New"):
                    break


@pytest.mark.anyio
async def test_subscribers_are_notified_of_an_edit(project, tmp_path):
    uri = "architecture://adr/0001-a.md"
    project({"docs/adr/0001-a.md": "# Old\n"})
    async with listening(tmp_path, uri) as (client, heard):
        (tmp_path / "docs/adr/0001-a.md").write_text("# Old\n\nmore\n")
        with anyio.fail_after(60):
            async for event in heard:
                if type(event).__name__ == "ResourceUpdated":
                    break
        (content,) = (await client.read_resource(uri)).contents
    assert content.text == "# Old\n\nmore\n"


@pytest.mark.anyio
async def test_calls_go_on_while_documents_change(project, tmp_path):
    project({f"docs/adr/{number:04}-a.md": "# Old\n\n## Status\n\nAccepted\n" for number in range(1, 40)})
    async with listening(tmp_path) as (client, _), anyio.create_task_group() as group:

        async def read():
            for _ in range(20):
                found = await client.call_tool("check_architecture_docs", {})
                assert not found.is_error

        for _ in range(4):
            group.start_soon(read)
        for number in range(1, 40):
            (tmp_path / f"docs/adr/{number:04}-a.md").write_text(f"# New {number}\n\n## Status\n\nAccepted\n")
            await anyio.lowlevel.checkpoint()
