"""`stithy init --forge`: a forge is tried and written to `stithy.toml`, with a reference to its token."""

import os
import pty
import select
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from gitea_account import TOKEN, serve_account


@pytest.fixture(scope="module")
def url():
    with serve_account() as server:
        yield server.url


@pytest.fixture
def settings(home):
    return home / ".config/stithy/stithy.toml"


@pytest.mark.usefixtures("unproxied")
def test_a_forge_is_tried_and_its_kind_found_out(init, home, settings, url, monkeypatch):
    """The table names the variable, Codex passes it on, and everything is undone."""
    monkeypatch.setenv("WORK_TOKEN", TOKEN)
    result = init("--forge", url, "--alias", "work", "--token-env", "WORK_TOKEN", "--host", "codex", "--yes")
    assert result.exit_code == 0, result.output
    assert "speaks for frog" in result.stdout
    assert TOKEN not in result.output
    expected = {"kind": "gitea", "url": url, "token": {"env": "WORK_TOKEN"}}
    assert tomllib.loads(settings.read_text()) == {"forges": {"work": expected}}
    assert 'token = {env = "WORK_TOKEN"}' in settings.read_text()
    assert '"WORK_TOKEN"' in (home / ".codex/config.toml").read_text()
    init("--undo")
    assert not settings.exists()


@pytest.mark.usefixtures("unproxied")
def test_a_typed_token_is_written_to_a_private_file_only(init, home, settings, url):
    path = home / "secrets/work"
    words = ["--forge", url, "--token-file", path, "--token-stdin", "--kind", "gitea", "--host", "gemini", "--yes"]
    result = init(*words, input=f"{TOKEN}\n")
    assert result.exit_code == 0, result.output
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == (f"{TOKEN}\n", 0o600)
    assert tomllib.loads(settings.read_text())["forges"]["work"]["token"] == {"file": str(path)}
    files = [file for file in home.rglob("*") if file.is_file() and file != path]
    assert not [file for file in files if TOKEN in file.read_text()]
    assert TOKEN not in result.output
    again = init(*words, input=f"{TOKEN}\n")
    path.write_text("another token")
    undone = init("--undo")
    assert (undone.exit_code, path.read_text(), settings.exists()) == (1, "another token", False)
    assert f"{path} was not changed: it was changed since" in undone.stdout
    assert f"{path} exists already" in again.stderr


@pytest.mark.usefixtures("unproxied")
def test_a_forge_that_cannot_be_used_is_not_written(init, home, settings, url, monkeypatch):
    """Unless the user wants it."""
    monkeypatch.setenv("WORK_TOKEN", "wrong-token-0123456789")
    words = ["--forge", url, "--alias", "work", "--token-env", "WORK_TOKEN", "--host", "qwen", "--yes"]
    result = init(*words)
    assert result.exit_code == 2
    assert "the token from the variable WORK_TOKEN is refused" in result.stdout
    assert "nothing was written" in result.stderr
    assert not settings.exists()
    assert not (home / ".qwen").exists()
    assert init(*words, "--no-try", "--kind", "gitea").exit_code == 0
    assert tomllib.loads(settings.read_text())["forges"]["work"]["kind"] == "gitea"


def test_a_table_joins_what_the_file_has(init, home):
    """Comments and order stay; with a file in the project, that one is written."""
    path = home / "project/stithy.toml"
    text = '# ours\n[serve]\nread_only = true  # for now\n\n[forges.hub]\nkind = "github"\n'
    path.write_text(text)
    words = [
        "--forge",
        "https://git.example/sub/",
        "--kind",
        "gitea",
        "--no-try",
        "--token-command",
        "pass show 'my work'",
    ]
    assert init(*words, "--yes", "--host", "qwen").exit_code == 0
    assert path.read_text().startswith(text)
    assert tomllib.loads(path.read_text())["forges"]["example"] == {
        "kind": "gitea",
        "url": "https://git.example/sub",
        "token": {"command": ["pass", "show", "my work"]},
    }
    other = init("--forge", "https://other.example", "--alias", "hub", "--no-try", "--kind", "gitea", "--yes")
    assert "[forges.hub] is there already" in other.stderr


def test_forges_of_variables_are_written_out_with_the_first_file(init, settings, monkeypatch):
    """Beside a file the variables would configure no forge."""
    monkeypatch.setenv("GITEA_URL", "https://gitea.example")
    init("--forge", "https://git.example", "--alias", "work", "--no-try", "--kind", "gitea", "--yes", "--host", "qwen")
    forges = tomllib.loads(settings.read_text())["forges"]
    assert forges["gitea"] == {"kind": "gitea", "url": "https://gitea.example"}
    assert set(forges) == {"gitea", "work"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--forge", "https://u:p@git.example"], "without a user or password"),
        (["--forge", "https://git.example", "--alias", "a b"], "is an invalid alias"),
        (["--forge", "https://git.example", "--kind", "pond"], "unknown kind of forge 'pond'"),
        (["--token-env", "A"], "require --forge"),
        (["--forge", "https://a.example", "--token-env", "A", "--token-file", "b"], "exclude each other"),
        (["--forge", "https://a.example", "--token-stdin"], "--token-stdin requires --token-file"),
        (["--forge", "https://a.example", "--token-env", "ghp_0123456789abcdefghij"], "never the token itself"),
    ],
)
def test_invalid_options_are_errors(init, words, expected):
    result = init(*words, "--yes", "--no-try")
    assert result.exit_code == 2
    assert expected in result.stderr
    assert "u:p" not in result.output


def talk(words, answers, environ):
    """Run a program on a terminal, and answer its questions; return all that the terminal showed, and the exit code."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, env=environ)
    os.close(follower)
    shown = b""
    questions = list(answers.items())
    while True:
        if not select.select([leader], [], [], 120)[0]:
            process.kill()
            raise TimeoutError(shown.decode())
        try:
            shown += os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if questions and shown.endswith(questions[0][0].encode()):
            os.write(leader, f"{questions.pop(0)[1]}\n".encode())
    os.close(leader)
    return shown.decode(), process.wait(60)


def test_the_host_of_the_clone_is_proposed_and_none_may_be_named(home):
    """With a public forge installed, nothing else is asked; the lines are shown, and a no writes nothing."""
    (home / "project/.git").rmdir()
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "remote", "add", "origin", "ssh://git@git.example/o/r"], check=True)
    program = [sys.executable, str(Path(sys.executable).with_name("stithy"))]
    answers = {"[https://git.example]: ": "none", "Write this file? [Y/n]: ": "n"}
    environ = {**os.environ, "TERM": "dumb", "XDG_STATE_HOME": str(home / "state")}
    shown, code = talk([*program, "init", "--host", "qwen"], answers, environ)
    assert "URL of your forge" in shown
    assert code == 1
    assert not (home / ".qwen").exists()


@pytest.mark.usefixtures("unproxied")
def test_on_a_terminal_a_forge_is_asked_for_where_none_is_found(home, settings, url):
    """Its address, its token, and whether to write."""
    program = [sys.executable, str(Path(sys.executable).with_name("stithy"))]
    words = [*program, "--plugin", "stithy-gitea", "init", "--host", "qwen"]
    answers = {
        "[none]: ": url,
        "[variable]: ": "file",
        f"[{home}/.config/stithy/token]: ": str(home / "token"),
        "may read): ": TOKEN,
        "Write these 3 files? [Y/n]: ": "y",
    }
    environ = {**os.environ, "TERM": "dumb", "XDG_STATE_HOME": str(home / "state")}
    shown, code = talk(words, answers, environ)
    assert code == 0, shown
    assert TOKEN not in shown
    assert "the token from your answer speaks for frog" in shown
    assert (home / "token").read_text() == f"{TOKEN}\n"
    assert tomllib.loads(settings.read_text())["forges"]["work"]["token"] == {"file": str(home / "token")}
    assert (home / ".qwen/settings.json").exists()
