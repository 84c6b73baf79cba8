"""Tests of plugins: those of the guide pass, and its recording can be played back."""

import pytest

from stithy_core.spi import IssueRef, RepositoryRef
from stithy_testing import Tape, check_plugin, make_app, open_forge, playback

CHAPTERS = ("recordings-and-tests", "hooks")


def test_the_tests_of_the_guide_pass(plugins, blocks, run, tmp_path, fits):
    plugins("stithy-pond", "stithy-waiting", "stithy-gauge")
    (tmp_path / "tests").mkdir()
    for chapter in CHAPTERS:
        for block in blocks(f"plugins/{chapter}.md"):
            if block.name.startswith("tests/"):
                (tmp_path / block.name).write_text(block.text)
    command = "python -m pytest -p no:cacheprovider -W error --rootdir . tests"
    _, output = run(command, PYTHONPATH=str(tmp_path / "site-packages"))
    example = next(
        block.text for block in blocks("plugins/recordings-and-tests.md", "console") if "pytest" in block.text
    )
    assert fits(example.partition("\n")[2], output), output
    assert "failed" not in output


EXAMPLES = ["greet", "waiting", "lines", "pond", "notes", "glossary", "metals", "fire", "gauge", "vault"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_passes_the_kit(plugins, name):
    plugins(f"stithy-{name}")
    check_plugin(__import__(f"stithy_{name}"))


@pytest.fixture
def recorded(plugins, source, run, tmp_path):
    """Record the server of the guide with its script; return the cassette."""
    plugins("stithy-pond")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "record_pond.py").write_text(source("tests/record_pond.py"))
    server = {}
    exec(source("tests/pond_server.py"), server)
    with server["pond"](server["World"]()) as url:
        token = {"POND_URL": url, "POND_TOKEN": "secret-of-the-pond"}
        code, output = run("python tests/record_pond.py", PYTHONPATH=str(tmp_path / "site-packages"), **token)
    assert code == 0, output
    return tmp_path / "tests" / "comments.yaml"


@pytest.mark.anyio
async def test_what_was_recorded_is_played_back_without_the_token(recorded, tmp_path):
    text = recorded.read_text()
    assert ("https://pond.example/api/" in text, "127.0.0.1" in text, "secret-of" in text) == (True, False, False)
    with playback(Tape.read([recorded])) as url:
        app = make_app(tmp_path, f'[forges.work]\nkind = "pond"\nurl = "{url}"\n')
        async with open_forge(app, "work") as forge:
            comments = await forge.comments.list(IssueRef(RepositoryRef("smith", "conformance"), 1))
    assert [comment.body for comment in comments] == ["first", "second", "third"]
