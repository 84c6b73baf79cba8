"""Fixtures for architecture documents: a project of files, and its library."""

import pytest

from stithy_archdocs.documents.document_library import Library
from stithy_testing import make_app


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Raise the time limit of walks, since the machine may be busy."""
    monkeypatch.setattr("stithy_archdocs.documents.document_library.WAIT", 60.0)


@pytest.fixture
def project(tmp_path):
    """Return a function that writes files of a project: paths to texts."""

    def write(files):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return write


@pytest.fixture
def library(tmp_path):
    """Return a function that opens the library of the project."""

    def open_library(settings=""):
        app = make_app(tmp_path, f'[archdocs]\nroot = "."\n{settings}')
        origin = next(origin for _, origin in app.commands if origin.entry_point == "archdocs")
        return app.scope(origin).shared(Library)

    return open_library


@pytest.fixture
def record(project, library):
    """Return a function that parses one record."""

    def read(text, path="docs/adr/0001-use-anvil.md", **others):
        project({path: text, **others})
        return library().get_snapshot_blocking().documents[path]

    return read
