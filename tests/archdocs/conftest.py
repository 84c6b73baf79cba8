"""Fixtures for architecture documents: a project of files, and its library."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from plugin_entries import find_entries

from stithy_archdocs.documents.document_library import Library
from stithy_testing import connect, make_app


@pytest.fixture(autouse=True)
def _patient(patient_documents: None) -> None:
    """Answers are whole, however busy the machine is."""


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Return a function that writes files of a project: paths to texts."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return write


@pytest.fixture
def library(tmp_path: Path) -> Callable[..., Library]:
    """Return a function that opens the library of the project."""

    def open_library(settings: str = "") -> Library:
        app = make_app(tmp_path, f'[archdocs]\nroot = "."\n{settings}', entries=find_entries("stithy-archdocs"))
        origin = next(origin for _, origin in app.commands if origin.entry_point == "archdocs")
        return app.scope(origin).shared(Library)

    return open_library


@pytest.fixture
def record(project: Callable[..., Path], library: Callable[..., Library]) -> Callable[..., Any]:
    """Return a function that parses one record."""

    def read(text: str, path: str = "docs/adr/0001-use-anvil.md", **others: str) -> Any:
        project({path: text, **others})
        return library().get_snapshot_blocking().documents[path]

    return read


@pytest.fixture
def check(project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that calls check-adr-alignment with some records."""

    async def check_proposal(records: Mapping[str, str], proposal: str, config: str = "", **arguments: Any) -> Any:
        root = project({f"docs/adr/{name}": text for name, text in records.items()})
        monkeypatch.chdir(root)
        async with connect(make_app(root, config, entries=find_entries("stithy-archdocs"))) as client:
            given = {"decision_description": proposal} | arguments
            found = await client.call_tool("check-adr-alignment", given)
        assert not found.is_error, found.content[0]
        return found.structured_content

    return check_proposal


@frozen
class Ran:
    """How a command ended, and what it wrote."""

    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def stithy(project: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs `stithy archdocs …`, or another command, in a project of some files."""

    def run(files: Mapping[str, str | bytes], *words: str, command: str = "archdocs") -> Ran:
        project(files)
        app = make_app(tmp_path, '[archdocs]\nroot = "."\n')
        found, origin = next(one for one in app.commands if one[0].name == command)
        module, _, name = str(found.run).partition(":")
        code = getattr(import_module(module), name)(app.scope(origin), words)
        return Ran(code, *capsys.readouterr())

    return run
